"""The lobby: one public message until somebody starts, and the host's private menu."""

from __future__ import annotations

from discord import ButtonStyle, SelectOption

from bot.ai_players.brains import BRAINS
from bot.host.lobby import seats_for
from bot.host.model import FIRST_MATCHES, Dm, Player, Table
from bot.screens.ai_menu import about_ai
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game import SCREENS
from bot.screens.house.words import hosting
from bot.screens.layout import (
    SAGE,
    Item,
    PrivateScreen,
    PublicScreen,
    box,
    option,
    pick,
    press,
    row,
    rule,
    text,
)
from bot.screens.lessons import lesson_button
from bot.screens.names import mention, safe_name
from bot.screens.rules_pages import table_rules_button
from bot.screens.table import more_button
from bot.screens.words import DOT, countdown, label_of, named
from bot.text.catalogue import Catalogue


def announcement_screen(say: Catalogue, table: Table) -> PublicScreen:
    """Announce in the channel a table that has a thread of its own, with a way to join it."""
    name = SCREENS[table.game].name(say, table.options)
    announcement = say("lobby.thread.announced", host=mention(say, table.host), name=name, where=f"<#{table.channel}>")
    join = press(say("lobby.button.join"), CustomId(Verb.JOIN, table.id), ButtonStyle.success)
    return PublicScreen(box(SAGE, text(announcement), row(join)))


def lobby_screen(say: Catalogue, table: Table) -> PublicScreen:
    """Show who has joined and what will be played."""
    game = SCREENS[table.game]
    sizes = seats_for(table.game, table.options)
    is_full = len(table.players) >= sizes[-1]
    return PublicScreen(
        box(
            SAGE,
            text(
                say("lobby.title", name=game.name(say, table.options)),
                game.terms(say, table),
                hosting(say, table.house),
            ),
            rule(),
            text(*[_seat(say, table, player) for player in table.players]),
            text(_legend(say, table), _unrated(say, table)),
            text(_waiting(say, table, sizes), _watches(say, table), _closes(say, table)),
            row(
                press(
                    say("lobby.button.join"),
                    CustomId(Verb.JOIN, table.id),
                    ButtonStyle.secondary if is_full else ButtonStyle.success,
                ),
                press(say("lobby.button.leave"), CustomId(Verb.LEAVE, table.id)),
                press(
                    say("lobby.button.start"),
                    CustomId(Verb.START, table.id),
                    ButtonStyle.primary if len(table.players) >= sizes[0] else ButtonStyle.secondary,
                ),
            ),
            row(
                press(say("ai_players.button.add"), CustomId(Verb.AI, table.id), emoji="🤖"),
                None if is_full else press(say("ai_players.button.fill"), CustomId(Verb.FILL, table.id), emoji="🤖"),
            )
            if table.house.ai_seats and table.game in BRAINS
            else None,
            row(
                table_rules_button(say, table),
                press(say("lobby.button.host"), CustomId(Verb.HOST, table.id)),
                press(say("lobby.button.cancel"), CustomId(Verb.STOP, table.id)),
                more_button(say, table),
                _lesson(say, table),
            ),
        )
    )


def _lesson(say: Catalogue, table: Table) -> Item | None:
    """Offer the lesson while somebody here has never finished a game of this kind."""
    is_new = any(player.learning == FIRST_MATCHES for player in table.people)
    return lesson_button(say, table.game) if is_new else None


def _seat(say: Catalogue, table: Table, player: Player) -> str:
    marks = []
    if player.dm is Dm.OPEN:
        marks.append(say("lobby.dm_open"))
    elif player.dm is Dm.SHUT:
        marks.append(say("lobby.dm_shut"))
    if player.user == table.host:
        marks.append(say("lobby.host"))
    if player.user == table.starter:
        marks.append(say("lobby.starts"))
    if player.ai is not None:
        marks.append(about_ai(say, player.ai))
    return say("lobby.seat", mention=named(say, table, player.user), marks=DOT.join(marks)).rstrip()


def _legend(say: Catalogue, table: Table) -> str | None:
    known = {player.dm for player in table.players}
    if {Dm.OPEN, Dm.SHUT} <= known:
        return say("lobby.legend_both")
    if Dm.OPEN in known:
        return say("lobby.legend_dm")
    return say("lobby.legend_look") if Dm.SHUT in known else None


def _unrated(say: Catalogue, table: Table) -> str | None:
    return say("ai_players.unrated_lobby") if table.house.counts and not table.is_rated else None


def _watches(say: Catalogue, table: Table) -> str | None:
    return say("ai_players.watches", host=mention(say, table.host)) if table.seat_of(table.host) is None else None


def _waiting(say: Catalogue, table: Table, sizes: range) -> str:
    taken, host = len(table.players), mention(say, table.host)
    if taken >= sizes[-1]:
        return say("lobby.full", most=sizes[-1], host=host)
    seats = say("lobby.seats", count=taken, most=sizes[-1])
    missing = sizes[0] - taken
    if missing > 0:
        return f"{seats} {say('lobby.missing', count=missing, host=host)}"
    return f"{seats} {say('lobby.ready', host=host)}"


def _closes(say: Catalogue, table: Table) -> str | None:
    return None if table.closes is None else say("lobby.closes", time=countdown(table.closes))


def host_menu(say: Catalogue, table: Table) -> PrivateScreen:
    """Make the host's private menu."""
    others = [player for player in table.people if player.user != table.host]
    starters = [
        option(say("lobby.menu.chance"), "0", chosen=table.starter is None),
        *[
            option(
                say("lobby.menu.begins", name=label_of(say, table, player)),
                str(player.user),
                chosen=player.user == table.starter,
            )
            for player in table.players
        ],
    ]
    seats = [option(label_of(say, table, player), str(player.user)) for player in table.players]
    return PrivateScreen(
        box(
            SAGE,
            text(say("lobby.menu.title"), _about_menu(say, table, others)),
            row(
                press(say("lobby.menu.rules"), CustomId(Verb.TABLE_RULES, table.id), ButtonStyle.primary),
                press(say("lobby.menu.shuffle"), CustomId(Verb.SEATS, table.id)) if len(seats) > 1 else None,
            ),
            row(pick(say("lobby.menu.move"), CustomId(Verb.SEATS, table.id, argument="up"), seats))
            if len(seats) > 1
            else None,
            row(pick(say("lobby.menu.starter"), CustomId(Verb.STARTER, table.id), starters)),
            row(_people(say("lobby.menu.pass"), CustomId(Verb.PASS_HOST, table.id), others)),
            row(_people(say("lobby.menu.kick"), CustomId(Verb.KICK, table.id), others)),
        )
    )


def _about_menu(say: Catalogue, table: Table, others: list[Player]) -> str:
    if others:
        return say("lobby.menu.about")
    return say("lobby.menu.alone_with_ais" if len(table.players) > len(table.people) else "lobby.menu.alone")


def _people(placeholder: str, custom_id: CustomId, players: list[Player]) -> Item | None:
    return pick(placeholder, custom_id, [_option(player) for player in players]) if players else None


def _option(player: Player) -> SelectOption:
    return option(safe_name(player.name), str(player.user))
