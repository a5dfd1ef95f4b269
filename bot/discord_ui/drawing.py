"""Which screen shows what: the one place where a table becomes a public message or somebody's private one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.discord_ui.wall_clock import on_the_wall
from bot.discord_ui.wire.rest import Outgoing
from bot.engine.registry import RULES
from bot.games.coyote.rules.editions import rules_from
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.final import closed_screen, final_screen
from bot.games.coyote.ui.look import bystander_screen, closed_look, lobby_look, look_screen
from bot.games.coyote.ui.record import record_screen
from bot.games.coyote.ui.reveal import reveal_screen
from bot.games.coyote.ui.table import table_screen
from bot.host import views
from bot.host.model import Millis, Remark, Stage, Table, UserId
from bot.host.ports import Clock
from bot.screens.layout import PrivateScreen, PublicScreen
from bot.screens.lobby import lobby_screen
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text
from bot.screens.plain import plain_screen, plain_text
from bot.screens.views import PublicView, private, public
from bot.screens.words import link_to
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue, catalogue


def spoken_at(table: Table) -> Catalogue:
    """Return the language of the table, in which everything public is said."""
    return catalogue(table.house.language)


def seen_by_all(table: Table) -> PublicView:
    """Return what a bystander sees of a running or finished match."""
    return public(views.view(table, None))


def is_revealing(table: Table) -> bool:
    """Tell whether the last reveal stands for the table: feathers down, the next deal to come."""
    if table.stage is not Stage.PLAYING or table.pause is not None:
        return False
    view = seen_by_all(table)
    return view.phase is Phase.DEAL and view.last is not None


def draw_table(table: Table, clock: Clock, ending: Ending | None = None) -> PublicScreen:
    """Draw how the table stands, for everybody; `ending` is what statistics say of a game that is over."""
    say, shown = spoken_at(table), on_the_wall(table, clock)
    match table.stage:
        case Stage.LOBBY:
            return lobby_screen(say, shown, rules_from(table.options))
        case Stage.PLAYING:
            return table_screen(say, shown, seen_by_all(table), RULES[table.game].prompts(table.match))
        case Stage.OVER:
            rematch = None if table.rematch is None else link_to(table)
            return final_screen(say, shown, seen_by_all(table), rematch=rematch, ending=ending)
        case Stage.CLOSED:
            played = 0 if table.match is None else seen_by_all(table).number
            return closed_screen(say, shown, played=played)


def draw_reveal(
    table: Table, view: PublicView, clock: Clock, *, live: bool, remarks: tuple[Remark, ...] | None = None
) -> PublicScreen:
    """Draw how a round ended, the last one unless the AIs' remarks come with it."""
    told = table.explained if remarks is None else remarks
    return reveal_screen(spoken_at(table), on_the_wall(table, clock), view, live=live, remarks=told)


def is_live(table: Table, record: views.Record) -> bool:
    """Tell whether the reveal of a round still stands for the table."""
    return is_revealing(table) and seen_by_all(table).last == public(record.after).last


def draw_record(table: Table, record: views.Record) -> PublicScreen:
    """Draw what the table message becomes once its round has ended."""
    return record_screen(spoken_at(table), table, public(record.before), public(record.after).last)


def draw_record_reveal(table: Table, record: views.Record, clock: Clock, *, live: bool) -> PublicScreen:
    """Draw how a recorded round ended."""
    return draw_reveal(table, public(record.after), clock, live=live, remarks=record.remarks)


def draw_latest_reveal(table: Table, clock: Clock) -> PublicScreen:
    """Draw how the last round ended, while it stands for the table."""
    return draw_reveal(table, seen_by_all(table), clock, live=True)


def draw_closed_reveal(table: Table, clock: Clock) -> PublicScreen | None:
    """Draw how the last round ended once the next is dealt, without buttons; None if there was no reveal."""
    view = seen_by_all(table)
    return None if view.last is None else draw_reveal(table, view, clock, live=False)


def draw_notice(table: Table, payload: Mapping[str, Any]) -> str:
    """Write a notice of the outbox; empty if another message says the same."""
    return notice_text(spoken_at(table), table, payload, views.view(table, None))


def draw_ping(table: Table, user: UserId) -> str:
    """Write the line that asks a player to act."""
    return ping_text(spoken_at(table), user, seen_by_all(table))


def draw_reminder(table: Table, user: UserId, due: Millis) -> str:
    """Write the line that reminds a player of a slow game."""
    return remind_text(spoken_at(table), user, due)


def draw_restart_line(table: Table, clock: Clock) -> str:
    """Write the line that says, after a restart, that the table goes on."""
    return restart_text(spoken_at(table), on_the_wall(table, clock), seen_by_all(table))


def sayable(table: Table, body: PublicScreen | str, pings: Sequence[UserId] = ()) -> Outgoing:
    """Make a message of what is public at a table; if the server's filter refuses it, it is said plainly."""

    def plain() -> PublicScreen | str:
        say = spoken_at(table)
        return plain_text(say, table, body) if isinstance(body, str) else plain_screen(say, table, body)

    return Outgoing(body, pings, plain)


def draw_look(
    say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None, moves: bool
) -> PrivateScreen:
    """Draw what one person may see: the others' feathers for who is playing, the public state for everybody else."""
    seat = table.seat_of(user)
    if table.match is None:
        if not table.is_open:
            return closed_look(say, table, message)
        return lobby_look(say, table, message, seated=seat is not None, welcome=user not in table.kicked)
    shown = on_the_wall(table, clock)
    if seat is None or table.stage is not Stage.PLAYING:
        return bystander_screen(say, shown, seen_by_all(table), message=message)
    view = private(views.view(table, user), seat)
    if view.seats[seat].living:
        return look_screen(say, shown, view, message=message, moves=moves)
    return bystander_screen(say, shown, view, message=message)
