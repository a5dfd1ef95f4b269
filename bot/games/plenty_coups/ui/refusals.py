"""Puts the reasons for which Plenty Coups refuses a move, or a set of rules, into words."""

from __future__ import annotations

from typing import Final

from bot.engine.core import Rejected
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.options import Problem
from bot.host.model import Table
from bot.screens.game import RefusalTexts
from bot.text.catalogue import Catalogue

_DETAILS: Final = ("above", "at_least", "needed")
"""The details of a refusal for which there may be a special sentence."""


def _cases(refused: Rejected, _table: Table | None, _user: object) -> list[str]:
    return [f"_{detail}" for detail in _DETAILS if detail in refused.details]


def _tribe_name(say: Catalogue, value: object) -> str | None:
    key = f"plenty.tribe.{value}"
    return say(key) if key in say else None


REFUSAL_TEXTS: Final = RefusalTexts(
    groups={Reason: "plenty", Problem: "plenty_rules"}, cases=_cases, value_name=_tribe_name
)
