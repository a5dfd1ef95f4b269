"""Lists what a player can do now, and fits it into one select: what does not fit becomes an entry that opens a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from bot.engine.core import Prompt
from bot.games.plenty_coups.rules.actions import DoubleRaid, PlayerAction, Raid
from bot.games.plenty_coups.rules.cards import Tribe, ordered
from bot.games.plenty_coups.ui.move_words import MoveWords, move_words
from bot.games.plenty_coups.ui.tokens import DO
from bot.games.plenty_coups.ui.views import PrivateView, is_too_late
from bot.games.plenty_coups.ui.words import player_label
from bot.host.model import Table
from bot.screens.layout import MOST_OPTIONS
from bot.text.catalogue import Catalogue

FORM: Final = "form."
"""Stands in front of an entry that opens a form, before the name of its group."""
END: Final = "end"
DECLINE: Final = "decline"
_BUTTONS: Final = (END, DECLINE)
"""Moves that are buttons, not entries of the select."""
TWO_PARTS: Final = ("gift", "donate", "disdain")
"""The groups of which a form asks for the target and the rest apart; they always have a form."""
_ORDER: Final = (
    *("take", "hunt_discard", "give", "prove", "decline"),
    *("coup", "defend", "double_defend", "accept", "raid", "propose", "neutral"),
    *("breed", "free_gift", "gift", "donate", "disdain", "hunt", "end"),
)
"""How moves are listed: what is urgent first, what is always possible last."""


class Group(NamedTuple):
    """Moves that belong together: all of one kind, but raids by their target."""

    kind: str
    target: Tribe | None
    actions: tuple[PlayerAction, ...]

    @property
    def name(self) -> str:
        """The group's name in a custom_id."""
        return self.kind if self.target is None else f"{self.kind}.{self.target.name.lower()}"


def legal_moves(prompt: Prompt) -> tuple[PlayerAction, ...]:
    """Return every move that answers a prompt. Of two warriors, the order makes no difference, so there is only one."""
    return tuple(action for choice in prompt.choices for action in choice.actions(prompt.seat) if _in_order(action))


def _in_order(action: PlayerAction) -> bool:
    return not isinstance(action, DoubleRaid) or action.warriors == ordered(action.warriors)


def groups(prompt: Prompt) -> list[Group]:
    """Return the moves that answer a prompt, in groups; targets are in turn order, as the prompt has them."""
    moves = sorted(legal_moves(prompt), key=lambda action: _ORDER.index(_group(action)[0]))
    return [Group(*group, tuple(actions)) for group, actions in groupby(moves, key=_group)]


def useful_first(view: PrivateView, found: Sequence[Group]) -> list[Group]:
    """Return groups of moves with those last that have no effect any more before the match ends."""
    return sorted(found, key=lambda group: all(is_too_late(view, action) for action in group.actions))


def _group(action: PlayerAction) -> tuple[str, Tribe | None]:
    if isinstance(action, Raid | DoubleRaid):
        return "raid", action.target
    return DO[type(action)], None


def menu(say: Catalogue, table: Table, view: PrivateView, prompt: Prompt) -> list[MoveWords]:
    """Return the entries of the select: every move in words, or an entry for all moves of a group."""
    found = useful_first(view, [group for group in groups(prompt) if group.kind not in _BUTTONS])
    singly = sum(1 if group.kind in TWO_PARTS else len(group.actions) for group in found)
    # Raids are the only moves of which there can be too many: with them in forms, five cards make at most 21 entries.
    with_form = TWO_PARTS if singly <= MOST_OPTIONS else (*TWO_PARTS, "raid")
    return [entry for group in found for entry in _entries(say, table, view, group, folded=group.kind in with_form)]


def _entries(say: Catalogue, table: Table, view: PrivateView, group: Group, *, folded: bool) -> Iterator[MoveWords]:
    if folded:
        yield _form_entry(say, table, group)
    else:
        yield from (move_words(say, table, view, action) for action in group.actions)


def _form_entry(say: Catalogue, table: Table, group: Group) -> MoveWords:
    """Return the entry that opens a form for all moves of a group."""
    name = "" if group.target is None else player_label(say, table, group.target)
    key = f"plenty.form.{group.kind}"
    return MoveWords(f"{FORM}{group.name}", say(f"{key}.entry", name=name), say(f"{key}.about", name=name))


def shortened(say: Catalogue, table: Table, prompt: Prompt, moves: Sequence[tuple[str, MoveWords]]) -> list[MoveWords]:
    """Return moves so that they fit into a list, given with their groups: the largest become entries for a form."""
    with_form = {group.name: group for group in groups(prompt) if group.kind in (*TWO_PARTS, "raid")}
    left = list(moves)
    while len(left) > MOST_OPTIONS:
        sizes = Counter(name for name, words in left if name in with_form and not words.token.startswith(FORM))
        if not sizes:
            break
        largest, _ = sizes.most_common(1)[0]
        entry = (largest, _form_entry(say, table, with_form[largest]))
        left = list(dict.fromkeys(entry if name == largest else (name, words) for name, words in left))
    return [words for _, words in left]
