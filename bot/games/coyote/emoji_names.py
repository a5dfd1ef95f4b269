"""Names Coyote's emojis: which of them stands for a feather, a coin or an eye."""

from __future__ import annotations

from typing import Final

from bot.games.coyote.rules.cards import MAX_MINUS, MAX_ZERO, NIGHT, QUESTION, TIMES_TWO, Card

NUMBERS: Final = range(-20, 31)
"""The numbers that have emojis: all in the published decks, and most in custom decks."""
COIN_TAKEN: Final = "coyote_coin"
COIN_FREE: Final = "coyote_coin_free"
EYE_OPEN: Final = "eye_open"
EYE_CLOSED: Final = "eye_closed"
COYOTE_CARD: Final = "coyote_card"
COIN_USED: Final = "picture_coin_used"
HIDDEN_FEATHER: Final = "feather_hidden"
_SPECIAL_NAMES: Final = {
    QUESTION: "feather_question",
    MAX_ZERO: "feather_max_to_zero",
    MAX_MINUS: "feather_max_to_minus",
    TIMES_TWO: "feather_times_two",
    NIGHT: "feather_night",
}


def feather_emoji(seen: Card | None) -> str | None:
    """Return the name of a feather's emoji, None standing for a hidden feather; None if there is no such emoji."""
    if seen is None:
        return HIDDEN_FEATHER
    if not isinstance(seen, int):
        return _SPECIAL_NAMES[seen]
    if seen not in NUMBERS:
        return None
    return "feather_zero" if seen == 0 else f"feather_plus_{seen}" if seen > 0 else f"feather_minus_{-seen}"


def coin_emoji(kind: str) -> str:
    """Name the emoji of a picture coin."""
    return f"picture_coin_{kind}"
