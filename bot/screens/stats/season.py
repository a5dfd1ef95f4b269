"""`/season close`: asks for confirmation, because it cannot be undone."""

from __future__ import annotations

from discord import ButtonStyle

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import PrivateScreen, press, row, text
from bot.stats.model import Season
from bot.text.catalogue import Catalogue


def close_screen(say: Catalogue, season: Season) -> PrivateScreen:
    """Ask whether to close the running season."""
    number = season.number
    sure = CustomId(Verb.SEASON, argument=str(number))
    return PrivateScreen(
        text(say("season.close", number=number, next=number + 1)),
        row(
            press(say("season.close_yes", number=number), sure, ButtonStyle.danger),
            press(say("confirm.no"), CustomId(Verb.KEEP)),
        ),
    )


def closed_text(say: Catalogue, season: Season) -> str:
    """Say that the season is closed."""
    return say("season.closed", number=season.number, next=season.number + 1)
