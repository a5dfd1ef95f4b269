"""Guessing along: the buttons for people who do not play, their guess in their look, the result, and the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ui

from bot.engine.core import Seat
from bot.host.guessing import guesser, question_for, why_not_guess
from bot.host.model import Guesser, SettledGuess, Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import Item, PrivateScreen, PublicScreen, press, row, text
from bot.screens.names import mention
from bot.screens.words import countdown, seat_label, who
from bot.text.catalogue import Catalogue

MAX_NAMED: Final = 10
"""How many people a line names; the others are only counted."""


def guess_row(say: Catalogue, table: Table, answers: Sequence[Seat]) -> ui.ActionRow[Any] | None:
    """Make a button for each seat that may be right; None while nothing can be guessed."""
    if table.guessing is None:
        return None
    question = table.guessing.question
    return row(
        *[
            press(
                say("guess.button.right", name=seat_label(say, table, seat)),
                CustomId(Verb.ALONG, table.id, question, str(seat)),
                emoji="🔮",
            )
            for seat in answers
        ]
    )


def reveal_lines(say: Catalogue, table: Table) -> list[str]:
    """Say how long a reveal waits, and that people who watch may guess."""
    due = None if table.guessing is None else table.guessing.due
    return [] if due is None else [say("guess.reveal", time=countdown(due)), f"-# {say('guess.invite')}"]


def with_guessing(say: Catalogue, look: PrivateScreen, table: Table, user: UserId) -> PrivateScreen:
    """Add a bystander's own guess to their look, or the offer to guess along."""
    items = _items(say, table, user)
    return PrivateScreen(*look.children, *items) if items else look


def _items(say: Catalogue, table: Table, user: UserId) -> list[Item | None]:
    if why_not_guess(table, user) is not None:
        return []
    question = question_for(table, user)
    if question is not None and table.guessing is not None:
        own = next((on for by, on in table.guessing.guesses if by == user), None)
        line = say("guess.ask") if own is None else say("guess.own", mention=who(say, table, own))
        return [text(line), guess_row(say, table, question.answers)]
    known = guesser(table, user)
    if known is None and table.seat_of(user) is None:
        along = press(say("guess.button.along"), CustomId(Verb.ALONG, table.id), emoji="🔮")
        return [text(say("guess.offer")), row(along)]
    if known is None or not (known.made or known.made_before):
        return [text(say("guess.soon"))]
    return [text(say("guess.score", score=_score(say, known)))]


def _score(say: Catalogue, known: Guesser) -> str:
    """Say how many guesses were right in this match and, if there were matches before it, this evening."""
    score = say("guess.of", right=known.right, made=known.made)
    if not known.made_before:
        return score
    made, right = known.made + known.made_before, known.right + known.right_before
    return say("guess.evening", score=score, right=right, made=made)


def with_guesses(say: Catalogue, reveal: PublicScreen, guessed: Sequence[SettledGuess]) -> PublicScreen:
    """Add the people who guessed right to a reveal."""
    if not guessed:
        return reveal
    right = [mention(say, each.user) for each in guessed if each.right]
    key = "guess.right" if right else "guess.none_right"
    return PublicScreen(
        *reveal.children, text(say(key, right=len(right), count=len(guessed), mentions=_named(say, right)))
    )


def tally_lines(say: Catalogue, table: Table) -> list[str]:
    """Sum up everybody's guesses at the end of a match, best first."""
    made = [each for each in table.guessers if each.made]
    made.sort(key=lambda each: (-each.right, each.made, each.user))
    scores = [say("guess.tally_one", mention=mention(say, each.user), score=_score(say, each)) for each in made]
    return [say("guess.tally", scores=_named(say, scores))] if scores else []


def _named(say: Catalogue, people: Sequence[str]) -> str:
    """List people; if there are too many, name the first and count the others."""
    more = len(people) - MAX_NAMED
    return say.listing([*people[:MAX_NAMED], *([say("guess.more", count=more)] if more > 0 else [])])
