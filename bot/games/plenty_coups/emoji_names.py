"""Names Plenty Coups' emojis: which of them stands for a card, a tribe or a marker."""

from __future__ import annotations

from typing import Final

from bot.games.plenty_coups.rules.cards import Card, Kind, Tribe

CARD_BACK: Final = "card_hidden"
PRESTIGE: Final = "prestige"
PRESTIGE_FREE: Final = "prestige_free"
RAID: Final = "raid"
ALLIANCE: Final = "alliance"
PROPOSAL: Final = "alliance_proposed"
DISDAIN: Final = "disdain"
WINTER: Final = "winter"


def card_emoji(card: Card) -> str:
    """Name the emoji of a card."""
    match card.kind:
        case Kind.WARRIOR if card.tribe is not None:
            return f"warrior_{card.tribe.name.lower()}_{card.value}"
        case Kind.WEAPON:
            return f"weapon_{card.value}"
        case Kind.HORSE:
            return "horse"
        case _:
            return "coup_stick"


def tribe_emoji(tribe: Tribe) -> str:
    """Name the emoji of a tribe's sign."""
    return f"tribe_{tribe.name.lower()}"
