"""Turns the tribes and cards in AI players' remarks, which have the names that saved matches use, into words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from bot.games.plenty_coups.rules.cards import CARD_NAMED, Tribe
from bot.games.plenty_coups.ui import words
from bot.host.model import Table
from bot.text.catalogue import Catalogue


def _player(say: Catalogue, table: Table, name: str) -> str:
    return words.player(say, table, Tribe[name.upper()])


def _tribe(say: Catalogue, _table: Table, name: str) -> str:
    return words.tribe(say, Tribe[name.upper()])


def _card(say: Catalogue, _table: Table, name: str) -> str:
    return words.card(say, CARD_NAMED[name])


_IN_WORDS: Final[Mapping[str, Callable[[Catalogue, Table, str], str]]] = {
    "target": _player,
    "other": _player,
    "tribe": _player,
    "colour": _tribe,
    "card": _card,
}


def remark_slots(say: Catalogue, table: Table, slots: Mapping[str, str]) -> Mapping[str, str]:
    """Return a remark's slots with tribes and cards in words; numbers stay as they are."""
    return {name: _IN_WORDS[name](say, table, value) if name in _IN_WORDS else value for name, value in slots.items()}
