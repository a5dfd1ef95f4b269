"""Which screen shows what: the one place where a table becomes a public message or a private one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.discord_ui.wall_clock import with_wall_clock_times
from bot.discord_ui.wire.rest import Outgoing
from bot.engine.core import Outcome
from bot.engine.registry import RULES
from bot.engine.views import Public
from bot.host import views
from bot.host.model import Millis, Remark, Stage, Table, UserId
from bot.host.ports import Clock
from bot.screens.final import closed_screen, final_screen
from bot.screens.game import SCREENS
from bot.screens.layout import PrivateScreen, PublicScreen
from bot.screens.lobby import lobby_screen
from bot.screens.look import closed_look, final_look, lobby_look
from bot.screens.menus import more_screen
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text
from bot.screens.plain import plain_screen, plain_text
from bot.screens.words import link_to
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue, catalogue


def spoken_at(table: Table) -> Catalogue:
    """Return the texts for everything public at a table, in its language and with its game's own words."""
    return catalogue(table.house.language).for_game(table.game)


# -- the table message


def draw_table(table: Table, clock: Clock, ending: Ending | None = None) -> PublicScreen:
    """Draw the table for everybody; `ending` is what statistics say about a match that is over."""
    say, shown = spoken_at(table), with_wall_clock_times(table, clock)
    match table.stage:
        case Stage.LOBBY:
            return lobby_screen(say, shown)
        case Stage.PLAYING:
            return SCREENS[table.game].table(say, shown, views.public_view(table), views.public_questions(table))
        case Stage.OVER:
            return _draw_final(shown, ending)
        case Stage.CLOSED:
            played = 0 if table.match is None else SCREENS[table.game].round_number(views.public_view(table))
            return closed_screen(say, shown, played=played)


def _draw_final(table: Table, ending: Ending | None) -> PublicScreen:
    say, screens, seen = spoken_at(table), SCREENS[table.game], views.public_view(table)
    return final_screen(
        say,
        table,
        _outcome(table),
        rounds=screens.round_number(seen),
        highlights=screens.highlights(say, table, seen),
        rematch=None if table.rematch is None else link_to(table),
        ending=ending,
    )


def _outcome(table: Table) -> Outcome:
    outcome = RULES[table.game].outcome(table.match)
    if outcome is None:
        raise ValueError("nobody has won yet")
    return outcome


# -- the end of a round


def is_revealing(table: Table) -> bool:
    """Tell whether the last reveal is the table message: the round is over, the next one not dealt yet."""
    if table.stage is not Stage.PLAYING or table.pause is not None:
        return False
    rounds = SCREENS[table.game].rounds
    return rounds is not None and rounds.is_over(views.public_view(table))


def is_live(table: Table, record: views.Record) -> bool:
    """Tell whether the reveal of a recorded round is still the table message."""
    return is_revealing(table) and RULES[table.game].ended(table.match) == record.rounds


def draw_record(table: Table, record: views.Record) -> PublicScreen:
    """Draw what the table message becomes once its round has ended."""
    rounds = SCREENS[table.game].rounds
    if rounds is None:
        raise ValueError(f"{table.game} has no rounds to record")
    return rounds.record(spoken_at(table), table, record.before, record.after)


def draw_record_reveal(table: Table, record: views.Record, clock: Clock, *, live: bool) -> PublicScreen:
    """Draw how a recorded round ended."""
    return _draw_reveal(table, record.after, clock, live=live, remarks=record.remarks)


def draw_latest_reveal(table: Table, clock: Clock) -> PublicScreen:
    """Draw how the last round ended, while that is the table message."""
    return _draw_reveal(table, views.public_view(table), clock, live=True, remarks=table.explained)


def draw_closed_reveal(table: Table, clock: Clock) -> PublicScreen | None:
    """Draw how the last round ended once the next is dealt, without buttons; None if no round has ended."""
    if not RULES[table.game].ended(table.match):
        return None
    return _draw_reveal(table, views.public_view(table), clock, live=False, remarks=table.explained)


def _draw_reveal(
    table: Table, seen: Public[Any], clock: Clock, *, live: bool, remarks: Sequence[Remark]
) -> PublicScreen:
    rounds = SCREENS[table.game].rounds
    if rounds is None:
        raise ValueError(f"{table.game} has nothing to reveal")
    return rounds.reveal(spoken_at(table), with_wall_clock_times(table, clock), seen, live=live, remarks=remarks)


# -- lines in the channel


def draw_notice(table: Table, payload: Mapping[str, Any]) -> str:
    """Write a notice from the outbox; empty if another message says the same."""
    seen = None if table.match is None else views.public_view(table)
    return notice_text(spoken_at(table), table, payload, seen)


def draw_ping(table: Table, user: UserId) -> str:
    """Write the line that asks a player to act."""
    return ping_text(spoken_at(table), table, user, views.public_view(table))


def draw_reminder(table: Table, user: UserId, due: Millis) -> str:
    """Write the line that reminds a player in a slow game to act."""
    return remind_text(spoken_at(table), user, due)


def draw_restart_line(table: Table, clock: Clock) -> str:
    """Write the line that says, after a restart, that the table goes on."""
    seen = None if table.match is None else views.public_view(table)
    return restart_text(spoken_at(table), with_wall_clock_times(table, clock), seen)


def public_message(table: Table, body: PublicScreen | str, pings: Sequence[UserId] = ()) -> Outgoing:
    """Make a public message, with a plainer version for servers whose filter refuses it."""

    def plain() -> PublicScreen | str:
        say = spoken_at(table)
        return plain_text(say, table, body) if isinstance(body, str) else plain_screen(say, table, body)

    return Outgoing(body, pings, plain)


# -- private screens


def draw_look(
    say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None, moves: bool
) -> PrivateScreen:
    """Draw what one user may see: a player's own view while they play, the public state for everybody else."""
    seat = table.seat_of(user)
    match table.stage:
        case Stage.LOBBY:
            return lobby_look(say, table, message, seated=seat is not None, welcome=user not in table.kicked)
        case Stage.CLOSED:
            return closed_look(say, table, message)
        case Stage.OVER:
            return final_look(say, table, _outcome(table), message)
    screens, shown = SCREENS[table.game], with_wall_clock_times(table, clock)
    if seat is None:
        return screens.bystander(say, shown, views.public_view(table), message=message)
    seen = views.private_view(table, user)
    if seat in views.living_seats(table):
        return screens.look(say, shown, seen, message=message, moves=moves)
    return screens.bystander(say, shown, seen, message=message)


def draw_more(say: Catalogue, table: Table, user: UserId, *, may_stop: bool) -> PrivateScreen:
    """Draw what else a user can do at a running table."""
    living = table.seat_of(user) in views.living_seats(table)
    return more_screen(say, table, user, living=living, may_stop=may_stop)
