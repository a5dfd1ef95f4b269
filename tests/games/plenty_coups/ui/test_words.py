"""Tribes, their players and cards in words."""

from bot.engine.core import Seat
from bot.games.plenty_coups.rules.cards import FACES, HORSE, STICK, WARRIORS, WEAPONS, Tribe
from bot.games.plenty_coups.ui import words
from tests.games.plenty_coups.ui.tables import SAY, a_table

BLACK_4 = WARRIORS[Tribe.BLACK, 4]


def test_cards() -> None:
    hand = (BLACK_4, WEAPONS[3], HORSE, STICK)
    assert words.cards(SAY, hand) == "black warrior 4, weapon 3, a horse card, and a coup stick"
    assert words.short_cards(SAY, hand) == "black 4, weapon 3, horse, and stick"
    assert [words.card_label(SAY, card).replace("\u00a0", " ") for card in hand] == [
        "⚫️ Black 4",
        "🏹 Weapon 3",
        "🐎 Horse card",
        "🪶 Coup stick",
    ]


def test_cards_that_are_alike_are_counted() -> None:
    assert words.cards(SAY, (HORSE, HORSE)) == "2 horse cards"
    assert words.cards(SAY, (STICK, STICK, WEAPONS[4], STICK)) == "3 coup sticks and weapon 4"
    assert words.cards(SAY, (WEAPONS[4], WEAPONS[4])) == "2 weapons of 4"


def test_every_card_has_a_name_of_its_own() -> None:
    for name in (words.card, words.short_card, words.card_label):
        assert len({name(SAY, card) for card in FACES}) == len(FACES)


def test_a_tribe_is_told_by_its_sign_and_its_name() -> None:
    assert len(set(words.SIGNS.values())) == len({words.tribe_name(SAY, tribe) for tribe in Tribe}) == len(Tribe)
    assert words.tribe(SAY, Tribe.RED) == "🔺 Red"


def test_a_tribe_is_named_with_its_player() -> None:
    table = a_table(4)
    assert words.player(SAY, table, Tribe.YELLOW) == "⭐ <@1002>"
    assert words.player_label(SAY, table, Tribe.YELLOW) == "⭐ Ben"
    assert words.heading(SAY, table, Tribe.YELLOW) == "⭐ **Yellow** · <@1002>"
    assert words.player(SAY, table, Tribe.WHITE) == "⬜ White"


def test_the_third_tribe_of_two_players_is_nobodys() -> None:
    table = a_table(2)
    assert words.owner_of(table, Tribe.GREEN) is None
    assert words.player(SAY, table, Tribe.GREEN) == words.player_label(SAY, table, Tribe.GREEN) == "🌲 Green"
    assert words.heading(SAY, table, Tribe.GREEN) == "🌲 **Green** · nobody's tribe"


def test_the_options_may_name_the_tribes() -> None:
    table = a_table(2, {"tribes": ["white", "blue", "black"]})
    assert words.tribe_of(table, Seat(0)) is Tribe.WHITE
    assert [words.owner_of(table, tribe) for tribe in (Tribe.WHITE, Tribe.BLUE, Tribe.BLACK)] == [0, 1, None]
