"""Finds the moves that fit what somebody has typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.ui.move_words import MoveWords

UNDO: Final = "undo"
"""The name of the action that takes back the last one, in the game's codec and as a token."""
_WORD: Final = re.compile(r"[\w+-]+")


class Findable(NamedTuple):
    """A move together with everything by which it can be found."""

    words: MoveWords
    called: str
    """Other words for what is done."""
    group: str
    """The name of its group of moves."""
    target: Tribe | None = None
    """The tribe that it is about."""


class Found(NamedTuple):
    """The moves that fit what was typed."""

    moves: tuple[Findable, ...]
    sure: bool
    """Whether there is only one, and nothing else can have been meant."""


def matches(moves: Sequence[Findable], typed: str, tribes: Mapping[Tribe, str]) -> Found:
    """Return the moves that fit: one with exactly this name, or else all that have every typed word.

    `tribes` has the names of the tribes that can be targets. A tribe's colour is also that of its warriors: if a typed
    word can mean the target, it does, unless a number follows it as on a card.
    """
    wanted = _words(typed)
    exact = [move for move in moves if typed.strip() == move.words.token or _words(move.words.label) == wanted]
    if exact and wanted:
        return Found(tuple(exact), sure=len(exact) == 1)
    named_in = {tribe: _words(names) for tribe, names in tribes.items()}
    fitting = [move for move in moves if all(_has(_searched(move, tribes), word) for word in wanted)]
    named = [move for move in fitting if any(move.target in _tribes(word, move, named_in) for word in wanted)]
    cards = [move for move in fitting if _names_card(move, wanted)]
    chosen = tuple(move for move in fitting if move in named or move in cards) if named else tuple(fitting)
    return Found(chosen, sure=len(chosen) == 1 and _is_sure(chosen[0], wanted, named_in))


def _is_sure(move: Findable, wanted: Sequence[str], named_in: Mapping[Tribe, Sequence[str]]) -> bool:
    """Return whether no typed word can have meant another tribe; taking back is never guessed."""
    if move.words.token == UNDO:
        return False
    if move.target is None:
        return True
    meant = [tribes for word in wanted if (tribes := _tribes(word, move, named_in))]
    return not meant or {move.target} in meant


def _tribes(word: str, move: Findable, named_in: Mapping[Tribe, Sequence[str]]) -> set[Tribe]:
    """Return the tribes that a typed word can mean; none if it says what is done."""
    if word in _words(move.called):
        return set()
    return {tribe for tribe, names in named_in.items() if _has(names, word)}


def _names_card(move: Findable, wanted: Sequence[str]) -> bool:
    """Return whether a typed word and the number behind it are those of one of the move's cards."""
    there = list(pairwise(_words(move.words.label)))
    pairs = [(word, number) for word, number in pairwise(wanted) if number.isdigit()]
    return any(name.startswith(word) and value == number for word, number in pairs for name, value in there)


def _searched(move: Findable, tribes: Mapping[Tribe, str]) -> list[str]:
    whom = "" if move.target is None else tribes.get(move.target, "")
    return _words(f"{move.words.label} {move.called} {whom}")


def _has(names: Sequence[str], wanted: str) -> bool:
    """Return whether one of the names begins with what was typed; a number must be the same."""
    return any(name == wanted if wanted.isdigit() else name.startswith(wanted) for name in names)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
