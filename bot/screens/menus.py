"""What is behind "More…": a player's own settings, pausing, leaving, the rules."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.host.model import Table, UserId
from bot.screens.custom_ids import NO_TABLE, CustomId, Verb
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, text
from bot.screens.names import safe_name
from bot.screens.rules_pages import table_rules_button
from bot.text.catalogue import Catalogue

TIMES: Final = (1, 2, 4)
"""How many times as long a player's turns may last, if they need it."""


def more_screen(say: Catalogue, table: Table, user: UserId, *, living: bool, may_stop: bool) -> PrivateScreen:
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
                _post_again_button(say, table.id) if me is not None or user == table.host or may_stop else None,
                _pings(say, table.id, pinged=me.pinged) if playing and me else None,
                _help(say),
            ),
            row(pick(say("lobby.menu.pass"), CustomId(Verb.PASS, table.id), heirs)) if heirs else None,
            row(pause, leave, stop),
        )
    )


def settings_screen(
    say: Catalogue, slow: int, *, pinged: bool, table: str = NO_TABLE, again: bool = False
) -> PrivateScreen:
    """Show somebody their own settings, which apply at every table: in the lobby, or by a command anywhere.

    `again`: they may have the table posted again.
    """
    return PrivateScreen(
        box(
            SAGE,
            text(say("menu.settings_title"), say("menu.settings_about")),
            row(_times(say, table, slow)),
            row(_pings(say, table, pinged=pinged), _post_again_button(say, table) if again else None, _help(say)),
        )
    )


def _times(say: Catalogue, table: str, slow: int) -> Item:
    options = [option(say(f"menu.time_{times}"), str(times), chosen=times == slow) for times in TIMES]
    return pick(say("menu.time"), CustomId(Verb.TIME, table), options)


def _pings(say: Catalogue, table: str, *, pinged: bool) -> Item:
    label = say("menu.button.pings_off") if pinged else say("menu.button.pings_on")
    return press(label, CustomId(Verb.PINGS, table, argument="off" if pinged else "on"))


def _post_again_button(say: Catalogue, table: str) -> Item:
    return press(say("menu.button.again"), CustomId(Verb.TABLE, table))


def _help(say: Catalogue) -> Item:
    return press(say("menu.button.help"), CustomId(Verb.HELP))
