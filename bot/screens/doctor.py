"""`/doctor`: what the bot may do in a channel, what it lacks, and the link that fixes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.screens.answers import permission_name
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, SAGE, PrivateScreen, box, link, press, row, text
from bot.text.catalogue import Catalogue

SLOW_SECONDS: Final = 2.0
"""How long Discord may take to answer before that is worth a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What was found in a channel. Permissions are discord.py's names."""

    channel: int
    lacks: Sequence[str] = ()
    """What a table needs in this channel and the bot does not have."""
    threads_lack: Sequence[str] = ()
    """What is missing for tables in threads."""
    pictures_lack: Sequence[str] = ()
    """What is missing for pictures; tables work without them."""
    emojis: tuple[int, int] | None = None
    """How many of the bot's own emojis are uploaded, and how many there are; None if they are turned off."""
    emojis_refused: bool = False
    """The bot uploads no more of them, so Discord has refused those that are missing."""
    server_lacks: Sequence[str] = ()
    """What the bot's role in the server lacks."""
    rules_are_stale: bool = False
    """The house rules name a channel or role that is gone."""
    store_is_well: bool = True
    latency: float = 0.0
    """Seconds that Discord takes to answer; infinite or not a number while that is unknown."""


def doctor_screen(say: Catalogue, found: Examined, invite: str) -> PrivateScreen:
    """Say what works and what does not, and offer to fix it."""
    ill = bool(found.lacks) or not found.store_is_well
    return PrivateScreen(
        box(
            ASH if ill else SAGE,
            text(say("doctor.title"), *_lines(say, found)),
            row(
                link(say("doctor.button.mend"), invite) if found.server_lacks else None,
                press(say("doctor.button.again"), CustomId(Verb.DOCTOR)),
            ),
        )
    )


def _lines(say: Catalogue, found: Examined) -> list[str | None]:
    channel = f"<#{found.channel}>"
    by_channel = bool(found.lacks) and not set(found.lacks) & set(found.server_lacks)
    quick = found.latency < SLOW_SECONDS  # False for a latency that is not a number
    return [
        say("doctor.channel_bad", channel=channel, names=_named(say, found.lacks))
        if found.lacks
        else say("doctor.channel_good", channel=channel),
        say("doctor.channel_rules") if by_channel else None,
        say("doctor.threads_bad", names=_named(say, found.threads_lack))
        if found.threads_lack
        else say("doctor.threads_good"),
        say("doctor.pictures_bad", names=_named(say, found.pictures_lack)) if found.pictures_lack else None,
        _emojis(say, found),
        say("doctor.server_bad", names=_named(say, found.server_lacks))
        if found.server_lacks
        else say("doctor.server_good"),
        say("doctor.rules_bad") if found.rules_are_stale else None,
        say("doctor.storage_good") if found.store_is_well else say("doctor.storage_bad"),
        say("doctor.discord_good", count=round(found.latency * 1000)) if quick else say("doctor.discord_bad"),
    ]


def _emojis(say: Catalogue, found: Examined) -> str | None:
    if found.emojis is None or found.emojis[0] >= found.emojis[1]:
        return None
    uploaded, total = found.emojis
    key = "doctor.emojis_refused" if found.emojis_refused else "doctor.emojis_under_way"
    return say(key, uploaded=uploaded, total=total)


def _named(say: Catalogue, permissions: Sequence[str]) -> str:
    return say.listing([f"**{permission_name(say, each)}**" for each in permissions])


def managers_only_screen(say: Catalogue) -> PrivateScreen:
    """Say who may ask."""
    return PrivateScreen(text(say("doctor.managers_only")))
