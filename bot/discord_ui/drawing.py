"""Draws tables: the one place where a table becomes a public or a private message."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from bot.discord_ui.emojis import UPLOADED
from bot.discord_ui.wall_clock import with_wall_clock_times
from bot.discord_ui.wire.rest import Outgoing
from bot.engine.core import Outcome
from bot.engine.registry import RULES
from bot.engine.views import Public
from bot.host import views
from bot.host.model import Millis, Remark, SettledGuess, Stage, Table, UserId
from bot.host.ports import Clock
from bot.pictures.picture import Picture
from bot.screens.dms import closed_dm, no_seat_dm, out_dm, won_dm
from bot.screens.final import closed_screen, final_screen
from bot.screens.game import SCREENS
from bot.screens.guessing import with_guesses, with_guessing
from bot.screens.layout import PrivateScreen, PublicScreen, Screen, fits_message
from bot.screens.lobby import lobby_screen
from bot.screens.look import closed_look, final_look, lobby_look, with_date, with_last_date
from bot.screens.menus import more_screen
from bot.screens.notices import notice_text, ping_text, remind_text, restart_text, with_ping_buttons
from bot.screens.plain import plain_screen, plain_text
from bot.screens.replay import without_hidden_names
from bot.screens.this_table import this_table_screen
from bot.screens.words import link_to
from bot.stats.model import Ending
from bot.text.catalogue import Catalogue, catalogue


def table_texts(table: Table) -> Catalogue:
    """Return the texts for everything public at a table, in its language and with its game's own words."""
    say = catalogue(table.house.language).for_game(table.game)
    return say.with_emojis(UPLOADED) if table.house.pictures else say


S = TypeVar("S", bound=Screen)


def fitting(say: Catalogue, draw: Callable[[Catalogue], S]) -> S:
    """Draw a screen with emojis if it fits into a message with them, else with words alone."""
    screen = draw(say)
    return screen if say is say.without_emojis or fits_message(screen) else draw(say.without_emojis)


# -- the table message


def draw_table(table: Table, clock: Clock, ending: Ending | None = None) -> PublicScreen:
    """Draw the table for everybody; `ending` is what statistics say about a match that is over."""
    say, shown = table_texts(table), with_wall_clock_times(table, clock)
    match table.stage:
        case Stage.LOBBY:
            return lobby_screen(say, shown)
        case Stage.PLAYING:
            screens, seen, questions = SCREENS[table.game], views.public_view(table), views.public_questions(table)
            return fitting(say, lambda words: screens.table(words, shown, seen, questions))
        case Stage.OVER:
            return _draw_final(shown, ending)
        case Stage.CLOSED:
            played = 0 if table.match is None else SCREENS[table.game].round_number(views.public_view(table))
            return closed_screen(say, shown, played=played)


def draw_shared_end(table: Table, ending: Ending, by: UserId) -> PublicScreen:
    """Draw the end of a finished match for a user who shares it, without the names of people who opted out."""
    return _draw_final(without_hidden_names(table_texts(table), table, ending.game), ending, shared_by=by)


def _draw_final(table: Table, ending: Ending | None, *, shared_by: UserId | None = None) -> PublicScreen:
    return fitting(table_texts(table), lambda say: _final(say, table, ending, shared_by))


def _final(say: Catalogue, table: Table, ending: Ending | None, shared_by: UserId | None) -> PublicScreen:
    screens, seen = SCREENS[table.game], views.public_view(table)
    return final_screen(
        say,
        table,
        _outcome(table),
        rounds=screens.round_number(seen),
        marks=screens.marks(say, table, seen),
        scoring=screens.scoring(say, table, seen),
        highlights=screens.highlights(say, table, seen, () if ending is None else ending.highlights),
        rematch=None if table.rematch is None else link_to(table),
        ending=ending,
        shared_by=shared_by,
    )


def _outcome(table: Table) -> Outcome:
    outcome = RULES[table.game].outcome(table.match)
    if outcome is None:
        raise ValueError("nobody has won yet")
    return outcome


# -- the end of a round


def is_revealing(table: Table) -> bool:
    """Return whether the last reveal is the table message: the round is over and the next is not dealt yet."""
    if table.stage is not Stage.PLAYING or table.pause is not None:
        return False
    rounds = SCREENS[table.game].rounds
    return rounds is not None and rounds.is_over(views.public_view(table))


def is_live(table: Table, record: views.Record) -> bool:
    """Return whether the reveal of a recorded round is still the table message."""
    return is_revealing(table) and RULES[table.game].rounds_ended(table.match) == record.rounds


def draw_record(table: Table, record: views.Record) -> PublicScreen:
    """Draw what the table message becomes once its round has ended."""
    rounds = SCREENS[table.game].rounds
    if rounds is None:
        raise ValueError(f"{table.game} has no rounds to record")
    draw = rounds.record
    return fitting(table_texts(table), lambda say: draw(say, table, record.before, record.after))


def draw_record_reveal(table: Table, record: views.Record, clock: Clock, *, live: bool) -> PublicScreen:
    """Draw how a recorded round ended."""
    return _draw_reveal(table, record.after, clock, live=live, remarks=record.remarks, guessed=record.guessed)


def draw_latest_reveal(table: Table, clock: Clock) -> PublicScreen:
    """Draw how the last round ended, while that is the table message."""
    seen = views.public_view(table)
    return _draw_reveal(table, seen, clock, live=True, remarks=table.explained, guessed=table.guessed)


def draw_previous_reveal(table: Table, record: views.Record, clock: Clock) -> PublicScreen | None:
    """Draw how the round before a recorded one ended, without buttons; None if there was none."""
    if record.rounds < 2:
        return None
    before, guessed = record.before, record.guessed_before
    return _draw_reveal(table, before, clock, live=False, remarks=record.explained, guessed=guessed)


def draw_closed_reveal(table: Table, clock: Clock) -> PublicScreen | None:
    """Draw the reveal of the last round without its buttons, for when the next is dealt; None if no round has ended."""
    if not RULES[table.game].rounds_ended(table.match):
        return None
    seen = views.public_view(table)
    return _draw_reveal(table, seen, clock, live=False, remarks=table.explained, guessed=table.guessed)


def draw_teaser(table: Table, seen: Public[Any], beat: int) -> PublicScreen | None:
    """Draw how a round ended up to a beat before the last; None if this round is revealed at once."""
    rounds = SCREENS[table.game].rounds
    return None if rounds is None else rounds.teaser(table_texts(table), table, seen, beat)


def _draw_reveal(
    table: Table,
    seen: Public[Any],
    clock: Clock,
    *,
    live: bool,
    remarks: Sequence[Remark],
    guessed: Sequence[SettledGuess],
) -> PublicScreen:
    rounds = SCREENS[table.game].rounds
    if rounds is None:
        raise ValueError(f"{table.game} has nothing to reveal")
    reveal, shown = rounds.reveal, with_wall_clock_times(table, clock)
    return fitting(
        table_texts(table),
        lambda say: with_guesses(say, reveal(say, shown, seen, live=live, remarks=remarks), guessed),
    )


# -- lines in the channel


def draw_notice(table: Table, payload: Mapping[str, Any]) -> str:
    """Write a notice from the outbox; empty if another message says the same."""
    seen = None if table.match is None else views.public_view(table)
    return notice_text(table_texts(table), table, payload, seen)


def draw_ping(table: Table, user: UserId) -> PublicScreen | str:
    """Draw the line that asks a player to act."""
    return _with_ping_buttons(table, user, ping_text(table_texts(table), table, user, views.public_view(table)))


def draw_reminder(table: Table, user: UserId, due: Millis) -> PublicScreen | str:
    """Draw the line that reminds a player in a slow game to act."""
    return _with_ping_buttons(table, user, remind_text(table_texts(table), user, due))


def _with_ping_buttons(table: Table, user: UserId, line: str) -> PublicScreen | str:
    seat = table.seat_of(user)
    question = next((each for each in views.public_questions(table) if each.seat == seat), None)
    return with_ping_buttons(table_texts(table), table, line, views.public_view(table), question)


def draw_restart_line(table: Table, clock: Clock) -> str:
    """Write the line that says, after a restart, that the table goes on."""
    seen = None if table.match is None else views.public_view(table)
    return restart_text(table_texts(table), with_wall_clock_times(table, clock), seen)


def public_message(
    table: Table, body: PublicScreen | str, pings: Sequence[UserId] = (), picture: Picture | None = None
) -> Outgoing:
    """Make a public message, with a plainer version for servers whose filter refuses it."""

    def plain() -> PublicScreen | str:
        say = table_texts(table)
        return plain_text(say, table, body) if isinstance(body, str) else plain_screen(say, table, body)

    return Outgoing(body, pings, plain, picture)


# -- private screens


def draw_look(
    say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None, moves: bool
) -> PrivateScreen:
    """Draw what one user may see: a player's own view while they play, the public state for everybody else.

    When nobody but AI players is in the match, or the house allows it to players who are out, it is everything.
    """
    seat = table.seat_of(user)
    match table.stage:
        case Stage.LOBBY:
            return lobby_look(say, table, message, seated=seat is not None, welcome=user not in table.kicked)
        case Stage.CLOSED:
            return closed_look(say, table, message)
        case Stage.OVER:
            return final_look(say, table, _outcome(table), message, in_channel=moves)
    return fitting(say, lambda words: _look(words, table, user, clock, message=message, moves=moves))


def _look(
    say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None, moves: bool
) -> PrivateScreen:
    seat, screens, shown = table.seat_of(user), SCREENS[table.game], with_wall_clock_times(table, clock)
    if screens.open_look is not None and views.may_see_all(table, user):
        is_out = not views.is_laid_open(table)
        return screens.open_look(say, shown, views.open_view(table, user), message=message, is_out=is_out)
    if seat is None:
        screen = screens.bystander(say, shown, views.public_view(table), message=message)
        return with_guessing(say, screen, shown, user) if moves else screen
    seen = views.private_view(table, user)
    if seat in views.living_seats(table):
        return screens.look(say, shown, seen, message=message, moves=moves)
    screen = screens.bystander(say, shown, seen, message=message)
    return with_guessing(say, screen, shown, user) if moves else screen


def draw_dm(say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None) -> PrivateScreen:
    """Draw a user's DM: their look while they play. For everybody else, what stays true until the table ends."""
    seat = table.seat_of(user)
    match table.stage:
        case Stage.CLOSED:
            return closed_dm(say, table, message)
        case Stage.OVER:
            return won_dm(say, table, _outcome(table), message)
    if seat is None:
        return no_seat_dm(say, table, user, message)
    if table.stage is Stage.PLAYING and seat not in views.living_seats(table):
        return out_dm(say, table, message)
    return draw_look(say, table, user, clock, message=message, moves=False)


def draw_this_table(say: Catalogue, table: Table) -> PrivateScreen:
    """Draw the rules and the deck of a table; they are the same for everybody."""
    return this_table_screen(say, table, None if table.match is None else views.public_view(table))


def draw_dated_look(say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None) -> PrivateScreen:
    """Draw the look that answers a press or follows the table, with the time it was drawn."""
    screen = draw_look(say, table, user, clock, message=message, moves=True)
    return with_date(say, screen, clock.shown(clock.now())) if table.is_open else screen


def draw_last_look(say: Catalogue, table: Table, user: UserId, clock: Clock, *, message: int | None) -> PrivateScreen:
    """Draw a look for the last time, without moves, since it no longer follows the table."""
    screen = draw_look(say, table, user, clock, message=message, moves=False)
    return with_last_date(say, table, screen, clock.shown(clock.now())) if table.is_open else screen


def draw_more(say: Catalogue, table: Table, user: UserId, *, may_stop: bool, text_only: bool) -> PrivateScreen:
    """Draw what else a user can do at a running table."""
    living = table.seat_of(user) in views.living_seats(table)
    return more_screen(say, table, user, living=living, may_stop=may_stop, text_only=text_only)
