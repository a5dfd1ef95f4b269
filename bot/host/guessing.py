"""Guessing along: between a call and its reveal, people who do not play may guess in secret who is right.

A reveal waits only for people who take part: those who are out, and those who said that they guess along. It comes as
soon as all of them have guessed. Nothing about a guess is shown before that, not even that there is one.
"""

from __future__ import annotations

from typing import Any, Final

from bot.engine.core import GuessQuestion, Rejected
from bot.engine.registry import RULES
from bot.host.commands import Guess, GuessAlong, HostReason
from bot.host.deadlines import MINUTE, SECOND
from bot.host.decision import Actor, Draft
from bot.host.model import Guesser, Guessing, Millis, SettledGuess, Stage, Table, UserId
from bot.host.seating import require_stage
from bot.host.views import is_laid_open, may_see_all

MAX_GUESSERS: Final = 40
"""Cap on the guessers of a table, because all of them are written with every step."""
MISSES_UNTIL_IGNORED: Final = 2
"""After this many reveals in a row without their guess, a person is no longer waited for."""
EVENING_MILLIS: Final = 6 * 60 * MINUTE
"""A table that is opened within this time of the channel's last one continues its evening."""


def question_for(table: Table, user: UserId) -> GuessQuestion | None:
    """Return what a user may guess at now; None if nothing is pending, or if they may not guess."""
    if table.stage is not Stage.PLAYING or table.pause is not None or why_not_guess(table, user) is not None:
        return None
    return RULES[table.game].guess_question(table.match)


def why_not_guess(table: Table, user: UserId) -> Rejected | None:
    """Return why a user cannot guess along at a running table, now or later; None if they can."""
    game = RULES[table.game]
    if not game.guess_seconds(table.match):
        return Rejected(HostReason.NO_GUESSING)
    if any(table.players[seat].user == user for seat in game.seated(table.match)):
        return Rejected(HostReason.PLAYERS_DO_NOT_GUESS)
    if may_see_all(table, user):
        return Rejected(HostReason.SEES_ALL)
    if guesser(table, user) is None and len(table.guessers) >= MAX_GUESSERS:
        return Rejected(HostReason.TOO_MANY_GUESS)
    return None


def guesser(table: Table, user: UserId) -> Guesser | None:
    """Return the table's entry for a user who guesses along; None if there is none."""
    return next((each for each in table.guessers if each.user == user), None)


def waited_for(table: Table, match: Any) -> set[UserId]:
    """Return the users whose guesses a reveal waits for."""
    if is_laid_open(table):
        return set()
    playing = {table.players[seat].user for seat in RULES[table.game].seated(match)}
    out = {player.user for player in table.people if player.user not in playing}
    ignored = {each.user for each in table.guessers if each.missed >= MISSES_UNTIL_IGNORED}
    watching = {each.user for each in table.guessers} - {player.user for player in table.players}
    return {user for user in out | watching if user not in ignored and not may_see_all(table, user)}


def join(draft: Draft, command: GuessAlong) -> None:
    """Make the coming reveals wait for a user's guess."""
    require_stage(draft.table, Stage.PLAYING)
    refused = why_not_guess(draft.table, command.by)
    if refused is not None:
        raise refused
    before = guesser(draft.table, command.by) or Guesser(command.by)
    _keep(draft, before._replace(missed=0))
    draft.log(Actor.USER, command.by, {"host": "guess_along"})


def guess(draft: Draft, command: Guess) -> bool:
    """Record a secret guess; return whether the reveal was waiting and no longer has to."""
    table = draft.table
    require_stage(table, Stage.PLAYING)
    refused = why_not_guess(table, command.by)
    if refused is not None:
        raise refused
    question, guessing = draft.game.guess_question(table.match), table.guessing
    if question is None or guessing is None:
        raise Rejected(HostReason.NOTHING_TO_GUESS)
    if command.question not in (None, question.id):
        raise Rejected(HostReason.STALE, asked=())
    if command.on not in question.answers:
        raise Rejected(HostReason.NO_SUCH_ACTION, do="guess")
    others = tuple([each for each in guessing.guesses if each[0] != command.by])
    draft.change(guessing=guessing._replace(guesses=(*others, (command.by, command.on))))
    _keep(draft, guesser(table, command.by) or Guesser(command.by))
    # The log names no users, and what was guessed is secret: the line only notes that this interaction was carried out.
    draft.log(Actor.USER, command.by, {"host": "guess"})
    return guessing.waits and table.pause is None and not _missing(draft.table, table.match)


def _missing(table: Table, match: Any) -> set[UserId]:
    """Return the users who are waited for and have not guessed yet."""
    done = set() if table.guessing is None else {user for user, _ in table.guessing.guesses}
    return waited_for(table, match) - done


def _keep(draft: Draft, changed: Guesser) -> None:
    """Replace a user's entry among the guessers, or add it."""
    guessers = draft.table.guessers
    if changed in guessers:
        return
    places = [each.user for each in guessers]
    if changed.user in places:
        place = places.index(changed.user)
        draft.change(guessers=(*guessers[:place], changed, *guessers[place + 1 :]))
    else:
        draft.change(guessers=(*guessers, changed))


def update(draft: Draft, state: Any, *, only_reveal_left: bool) -> bool:
    """Start or continue waiting for guesses in `state`; return whether the dealer's reveal has to wait.

    `only_reveal_left`: the dealer's reveal is the next move, so only guesses can hold it up.
    """
    question = draft.game.guess_question(state)
    if question is None:
        return False
    table = draft.table
    guessing = table.guessing
    if guessing is None or guessing.question != question.id:
        seconds = draft.game.guess_seconds(state) if waited_for(table, state) else 0
        guessing = Guessing(question.id, draft.clock + seconds * SECOND)
        draft.change(guessing=guessing)
    waits = only_reveal_left and guessing.due > draft.clock and bool(_missing(draft.table, state))
    if waits != guessing.waits:
        draft.change(guessing=guessing._replace(waits=waits))
    return waits


def settle(draft: Draft, state: Any) -> tuple[SettledGuess, ...]:
    """Settle the guesses at the end of a round and return them; none if the round ended without an answer."""
    table, guessing = draft.table, draft.table.guessing
    if guessing is None:
        if table.guessed:
            draft.change(guessed=())
        return ()
    answer = draft.game.guess_answer(state)
    settled: tuple[SettledGuess, ...] = ()
    if answer is not None:
        settled = tuple([SettledGuess(user, on == answer) for user, on in guessing.guesses])
        for user in sorted(_missing(table, table.match)):
            before = guesser(draft.table, user)
            if before is not None or len(draft.table.guessers) < MAX_GUESSERS:
                before = before or Guesser(user)
                _keep(draft, before._replace(missed=before.missed + 1))
        for each in settled:
            before = guesser(draft.table, each.user) or Guesser(each.user)
            _keep(draft, before._replace(made=before.made + 1, right=before.right + each.right, missed=0))
    draft.change(guessing=None, guessed=settled)
    return settled


def carried_over(table: Table, now: Millis | None = None) -> tuple[Guesser, ...]:
    """Return the guessers for a channel's next table, with their scores this evening; none if it is over by `now`."""
    if now is not None and table.opened + EVENING_MILLIS < now:
        return ()
    return tuple(
        [
            Guesser(
                each.user,
                made_before=each.made_before + each.made,
                right_before=each.right_before + each.right,
                missed=each.missed,
            )
            for each in table.guessers
            if each.made or each.made_before
        ]
    )
