"""Tells users about their stored data, and asks before it is deleted. All of these screens are private."""

from __future__ import annotations

from typing import Final, NamedTuple

from discord import ButtonStyle, ui

from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import ASH, SAGE, PrivateScreen, box, press, row, rule, text
from bot.text.catalogue import Catalogue

FILE: Final = "coyote-data.json"
"""The name of the exported file."""
PACKED: Final = f"{FILE}.gz"
"""Its name if it has to be compressed."""
_KEPT: Final = ("ids", "name", "moves", "messages", "settings", "lessons", "statistics", "house")


class Known(NamedTuple):
    """How much is stored about a user."""

    anything: bool
    tables: int
    seated: int
    """Open tables at which they sit."""
    opted_out: bool
    """They have opted out of statistics."""


def privacy_screen(say: Catalogue, known: Known, days: int) -> PrivateScreen:
    """Tell a user what is stored about them and why. A server's data are kept for `days` after the bot has left it."""
    return PrivateScreen(
        box(
            SAGE,
            text(say("privacy.title"), *_figures(say, known)),
            rule(),
            text(say("privacy.kept"), *[say(f"privacy.{each}") for each in _KEPT]),
            text(say("privacy.never")),
            text(say("privacy.long", count=days) if days else say("privacy.at_once")),
            row(
                press(say("privacy.button.export"), _privacy_id("export")) if known.anything else None,
                press(say("privacy.button.on"), _privacy_id("on"))
                if known.opted_out
                else press(say("privacy.button.off"), _privacy_id("off")),
                press(say("privacy.button.delete"), _privacy_id("ask"), ButtonStyle.danger) if known.anything else None,
            ),
        )
    )


def _figures(say: Catalogue, known: Known) -> list[str]:
    if not known.anything:
        return [say("privacy.nothing")]
    return [
        say("privacy.tables", count=known.tables) if known.tables else say("privacy.few"),
        *([say("privacy.seated", count=known.seated)] if known.seated else []),
        say("privacy.uncounted") if known.opted_out else say("privacy.counted"),
    ]


def delete_screen(say: Catalogue, known: Known) -> PrivateScreen:
    """Ask whether to delete everything."""
    lines = [say("privacy.delete.seated", count=known.seated)] if known.seated else []
    lines += [say(f"privacy.delete.{each}") for each in ("gone", "games", "others", "discord")]
    return PrivateScreen(
        box(
            ASH,
            text(say("privacy.delete.title")),
            text(*lines),
            text(say("privacy.delete.final")),
            row(
                press(say("privacy.button.sure"), _privacy_id("delete"), ButtonStyle.danger),
                press(say("confirm.no"), CustomId(Verb.KEEP)),
            ),
        )
    )


def deleted_screen(say: Catalogue, days: int, *, reaches_files: bool) -> PrivateScreen:
    """Say that everything is gone, and what may still hold some of it; `reaches_files` as the store says."""
    if not reaches_files:
        return PrivateScreen(text(say("privacy.delete.done"), say("privacy.delete.beneath")))
    return PrivateScreen(text(say("privacy.delete.done"), say("privacy.delete.copies", count=days) if days else None))


def unfinished_screen(say: Catalogue) -> PrivateScreen:
    """Say that the deletion is not finished yet, with a button to continue it."""
    again = press(say("privacy.button.sure"), _privacy_id("delete"), ButtonStyle.danger)
    return PrivateScreen(text(say("privacy.delete.unfinished")), row(again))


def unknown_screen(say: Catalogue) -> PrivateScreen:
    """Say that there is nothing to delete."""
    return PrivateScreen(text(say("privacy.delete.nothing")))


def counted_screen(say: Catalogue, *, opted_out: bool) -> PrivateScreen:
    """Say what it means that a user opted out of statistics, or in again."""
    return PrivateScreen(
        text(say("privacy.counting.off") if opted_out else say("privacy.counting.on")),
        row(
            press(say("privacy.button.on"), _privacy_id("on"))
            if opted_out
            else press(say("privacy.button.off"), _privacy_id("off"))
        ),
    )


def export_screen(say: Catalogue, *, packed: bool) -> PrivateScreen:
    """Give the user the exported file."""
    about = say("privacy.export.packed") if packed else say("privacy.export.about")
    return PrivateScreen(text(about), ui.File(f"attachment://{PACKED if packed else FILE}"))


def _privacy_id(what: str) -> CustomId:
    return CustomId(Verb.PRIVACY, argument=what)
