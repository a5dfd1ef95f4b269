"""Reads messages with the bot's own emojis as if they had none."""

from __future__ import annotations

import re
from typing import Final

from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.ui.words import SIGNS
from tests.screens.emojis import OWN

_SIGNS: Final = {
    "coin": "●",
    "no_coin": "○",
    "open_eye": "◉",
    "closed_eye": "◌",
    "hidden_feather": "🪶",
    "prestige": "●",
    "free": "○",
    "raid": "⚔️",
    **{tribe.name.lower(): SIGNS[tribe] for tribe in Tribe},
}
"""What stands in a text in place of an emoji."""


def in_words(text: str) -> str:
    """Return a text with signs in place of emojis; where there is no sign, the words beside an emoji are enough."""
    signed = OWN.sub(lambda found: _SIGNS.get(found[1], found[0]), text)
    return re.sub(rf"{OWN.pattern}[ \u00a0]?", "", signed)
