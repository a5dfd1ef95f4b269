"""The things of Plenty Coups in words: tribes, the players they belong to, and cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from bot.engine.core import Seat
from bot.games.plenty_coups.emoji_names import PRESTIGE, PRESTIGE_FREE, RAID, card_emoji, tribe_emoji
from bot.games.plenty_coups.rules.cards import Card, Tribe
from bot.games.plenty_coups.ui.views import HIGHEST_WEAPON, LOWEST_WEAPON
from bot.host.model import Table
from bot.screens.words import mover, seat_label, who
from bot.text.catalogue import Catalogue

SIGNS: Final[Mapping[Tribe, str]] = {
    Tribe.BLACK: "⚫\N{VARIATION SELECTOR-16}",
    Tribe.YELLOW: "⭐",
    Tribe.GREEN: "🌲",
    Tribe.RED: "🔺",
    Tribe.BLUE: "🔷",
    Tribe.WHITE: "⬜",
}
"""One shape for each tribe, so that nobody has to tell colours apart. Without its selector, some fonts fill the
black circle with the colour of the text, which is white on a dark screen. Labels and sentences have these; headings
have emojis if there are any."""
_MARKS: Final = {"●": PRESTIGE, "○": PRESTIGE_FREE, "⚔️": RAID}
"""The emoji for each sign of a text."""
_SIGN: Final = re.compile(r"^\W+")
"""The sign at the beginning of a card's label."""


def tribe_of(table: Table, seat: Seat) -> Tribe:
    """Return the tribe of a player at a running table."""
    return _tribes(table)[seat]


def owner_of(table: Table, tribe: Tribe) -> Seat | None:
    """Return whose tribe it is; None for a neutral colour and for the third tribe of two players."""
    tribes = _tribes(table)[: len(table.players)]
    return Seat(tribes.index(tribe)) if tribe in tribes else None


def _tribes(table: Table) -> tuple[Tribe, ...]:
    """Return the tribes by seat, as the options name them."""
    names = table.options.get("tribes")
    return tuple(Tribe) if names is None else tuple(Tribe[name.upper()] for name in names)


def colour(say: Catalogue, tribe: Tribe) -> str:
    """Name a tribe's colour as an adjective."""
    return say(f"plenty.colour.{tribe.name.lower()}")


def tribe_name(say: Catalogue, tribe: Tribe) -> str:
    """Name a tribe without its sign."""
    return say(f"plenty.tribe.{tribe.name.lower()}")


def sign(say: Catalogue, which: Tribe) -> str:
    """Return a tribe's sign in a heading: its emoji, if there is one. In every sentence it would be too long."""
    return say.emoji(tribe_emoji(which)) or SIGNS[which]


def with_marks(say: Catalogue, text: str) -> str:
    """Write a text with emojis in place of its signs for prestige and raids, if there are emojis."""
    for mark, name in _MARKS.items():
        text = text.replace(mark, say.emoji(name) or mark)
    return text


def with_emoji(say: Catalogue, emoji: str, words: str) -> str:
    """Write words with an emoji before them, if there is one."""
    return f"{say.emoji(emoji)}\u00a0{words}" if say.emoji(emoji) else words


def tribe(say: Catalogue, which: Tribe) -> str:
    """Name a tribe with its sign, in a text or in a label."""
    return say("plenty.tribe.bare", sign=SIGNS[which], tribe=tribe_name(say, which))


def player(say: Catalogue, table: Table, which: Tribe) -> str:
    """Name the player of a tribe in a text, with the tribe's sign; a tribe without a player by its own name."""
    return _player(say, table, which, SIGNS[which])


def titled_player(say: Catalogue, table: Table, which: Tribe) -> str:
    """Name the player of a tribe in a heading, with the tribe's emoji if there is one."""
    return _player(say, table, which, sign(say, which))


def _player(say: Catalogue, table: Table, which: Tribe, sign: str) -> str:
    seat = owner_of(table, which)
    if seat is None:
        return say("plenty.tribe.bare", sign=sign, tribe=tribe_name(say, which))
    return say("plenty.tribe.player", sign=sign, name=who(say, table, seat))


def acting(say: Catalogue, table: Table, which: Tribe) -> str:
    """Name in a text who made a tribe's last move: its player, or the AI that made it for them."""
    seat = owner_of(table, which)
    if seat is None:
        return tribe(say, which)
    return say("plenty.tribe.player", sign=SIGNS[which], name=mover(say, table, seat))


def player_label(say: Catalogue, table: Table, which: Tribe) -> str:
    """Name the player of a tribe in a label, with the tribe's sign."""
    seat = owner_of(table, which)
    if seat is None:
        return tribe(say, which)
    return say("plenty.tribe.player", sign=SIGNS[which], name=seat_label(say, table, seat))


def heading(say: Catalogue, table: Table, tribe: Tribe) -> str:
    """Name a tribe together with its player, in a text: sign, colour and mention."""
    seat = owner_of(table, tribe)
    slots = {"sign": sign(say, tribe), "tribe": tribe_name(say, tribe)}
    if seat is None:
        return say("plenty.tribe.heading_nobody", **slots)
    return say("plenty.tribe.heading", name=who(say, table, seat), **slots)


def card(say: Catalogue, card: Card) -> str:
    """Name a card in a sentence: "black warrior 4", "coup stick"."""
    return _card(say, "full", card)


def short_card(say: Catalogue, card: Card) -> str:
    """Name a card where there is little room: "black 4", "stick"."""
    return _card(say, "short", card)


def card_label(say: Catalogue, card: Card) -> str:
    """Name a card on a button or in a menu, with a sign."""
    return _card(say, "label", card)


def shown_card(say: Catalogue, card: Card) -> str:
    """Name a card where a text lists cards: with its emoji or, if there is none, with a sign."""
    emoji, label = say.emoji(card_emoji(card)), card_label(say, card)
    return f"{emoji}\u00a0{_SIGN.sub('', label)}" if emoji else label


def _card(say: Catalogue, form: str, card: Card, *, count: int = 1) -> str:
    slots: dict[str, object] = {"value": card.value, "count": count}
    if card.tribe is not None:
        slots |= {"colour": colour(say, card.tribe), "sign": SIGNS[card.tribe], "tribe": tribe_name(say, card.tribe)}
    return say(f"plenty.card.{form}.{card.kind.name.lower()}", **slots)


def cards(say: Catalogue, cards: Iterable[Card]) -> str:
    """Name several cards in a sentence: "black warrior 4, weapon 3 and 2 coup sticks"."""
    counted = Counter(cards)
    return say.listing(
        [card(say, each) if count == 1 else _card(say, "several", each, count=count) for each, count in counted.items()]
    )


def weapons_for(say: Catalogue, attack: int, *, two: bool) -> str:
    """Say which weapons repel a raid; `two` tells whether two may be used."""
    key = "one_weapon" if not two else "weapons" if attack <= HIGHEST_WEAPON else "two_weapons"
    return say(f"plenty.raid.{key}", value=max(attack, LOWEST_WEAPON))


def short_cards(say: Catalogue, cards: Iterable[Card]) -> str:
    """Name several cards where there is little room."""
    return say.listing([short_card(say, each) for each in cards])
