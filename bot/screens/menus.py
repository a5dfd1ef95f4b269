"""The private menu behind "More…": a player's own settings, pausing, leaving, the rules."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.host.model import Table, UserId
from bot.host.ports import Preferences
from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, text
from bot.screens.names import safe_name
from bot.screens.rules_pages import table_rules_button
from bot.screens.this_table import this_table_button
from bot.text.catalogue import Catalogue, catalogue, languages

TIME_FACTORS: Final = (1, 2, 4)
"""How many times as long a player's turns may last, if they need it."""
AUTO_LANGUAGE: Final = "auto"
"""Chosen in place of a language: the one that the person's Discord is set to."""


def more_screen(
    say: Catalogue, table: Table, user: UserId, *, living: bool, may_stop: bool, text_only: bool = False
) -> PrivateScreen:
    """Show somebody, privately, what else there is to do at a running table; `living`: they are still playing."""
    seat = table.seat_of(user)
    me = None if seat is None else table.players[seat]
    heirs = [
        option(safe_name(player.name), str(player.user))
        for player in table.players
        if user == table.host and player.user != user and not player.left and player.ai is None
    ]
    playing = me is not None and living
    stop = press(say("menu.button.stop"), CustomId(Verb.STOP, table.id), ButtonStyle.danger) if may_stop else None
    leave = press(say("menu.button.leave"), CustomId(Verb.LEAVE, table.id)) if me is not None else None
    pause = press(say("table.button.pause"), CustomId(Verb.PAUSE, table.id)) if playing and not table.pause else None
    return PrivateScreen(
        box(
            SAGE,
            text(say("menu.title"), say("menu.about") if playing else None),
            row(_times(say, table.id, me.slow)) if playing and me else None,
            row(
                table_rules_button(say, table),
                this_table_button(say, table.id),
                _post_again_button(say, table.id) if me is not None or user == table.host or may_stop else None,
                _pings(say, table.id, pinged=me.pinged) if playing and me else None,
                _help(say),
            ),
            row(pick(say("lobby.menu.pass"), CustomId(Verb.PASS_HOST, table.id), heirs)) if heirs else None,
            row(_pictures(say, table.id, text_only=text_only), pause, leave, stop),
        )
    )


def settings_screen(
    say: Catalogue, chosen: Preferences, *, table: str = NO_TABLE, again: bool = False
) -> PrivateScreen:
    """Show somebody their own settings, which apply at every table. Opened in a lobby, or anywhere by a command.

    `again`: they may have the table posted again.
    """
    return PrivateScreen(
        box(
            SAGE,
            text(say("menu.settings_title"), say("menu.settings_about")),
            row(_times(say, table, chosen.slow)),
            row(_languages(say, table, chosen.language)),
            row(
                _pings(say, table, pinged=chosen.pinged),
                _pictures(say, table, text_only=chosen.text_only),
                None if table == NO_TABLE else this_table_button(say, table),
                _post_again_button(say, table) if again else None,
                _help(say),
            ),
        )
    )


def _times(say: Catalogue, table: str, slow: int) -> Item:
    options = [option(say(f"menu.time_{times}"), str(times), chosen=times == slow) for times in TIME_FACTORS]
    return pick(say("menu.time"), CustomId(Verb.TIME, table), options)


def _languages(say: Catalogue, table: str, chosen: str | None) -> Item:
    options = [
        option(say("menu.language_auto"), AUTO_LANGUAGE, chosen=chosen is None),
        *[option(catalogue(code)("language.name"), code, chosen=code == chosen) for code in languages()],
    ]
    return pick(say("menu.language"), CustomId(Verb.LANGUAGE, table), options)


def _pings(say: Catalogue, table: str, *, pinged: bool) -> Item:
    label = say("menu.button.pings_off") if pinged else say("menu.button.pings_on")
    return press(label, CustomId(Verb.PINGS, table, argument="off" if pinged else "on"))


def _pictures(say: Catalogue, table: str, *, text_only: bool) -> Item:
    label = say("menu.button.pictures_on") if text_only else say("menu.button.pictures_off")
    return press(label, CustomId(Verb.PICTURES, table, argument="on" if text_only else "off"))


def _post_again_button(say: Catalogue, table: str) -> Item:
    return press(say("menu.button.again"), CustomId(Verb.TABLE, table))


def _help(say: Catalogue) -> Item:
    return press(say("menu.button.help"), CustomId(Verb.HELP))
