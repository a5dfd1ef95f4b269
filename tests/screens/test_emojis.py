"""Screens with the bot's own emojis: what they look like, and that they say the same as the words alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bot.discord_ui.drawing import fitting
from bot.games.coyote.emoji_names import HIDDEN_FEATHER
from bot.games.coyote.ui.words import feather, with_signs
from bot.games.plenty_coups.rules.cards import FACES
from bot.games.plenty_coups.ui.words import card_label, shown_card
from bot.screens.custom_ids import CustomId
from bot.screens.layout import PublicScreen, Screen, fits_message, option, pick, press, remove_own_emojis, row, text
from bot.text.catalogue import Catalogue, catalogue
from tests.games.plenty_coups.ui import explained_scenes, table_scenes
from tests.golden import matches_golden
from tests.screens import scenes
from tests.screens.emojis import OWN, all_emojis, emojis_uploaded, with_names, without_emojis
from tests.screens.limits import check_limits, walk
from tests.screens.rendering import rendered

SIGNS = re.compile("[●○◉◌🪶⚔️⚫⭐🌲🔺🔷⬜🏹🐎👁🐺\ufe0f\u00a0 ]")
"""Signs that emojis take the place of, and the spaces around them."""

COYOTE: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "table": scenes.rounds,
    "look": scenes.looks,
    "reveal": scenes.reveals,
    "forms": scenes.forms,
    "end": scenes.endings,
}
PLENTY_COUPS: dict[str, Callable[[], Iterator[tuple[str, Any]]]] = {
    "table": table_scenes.tables,
    "hand": table_scenes.hands,
    "endings": explained_scenes.endings,
}
SHOWN = {
    "coyote": (
        *("table turn", "table after a coin", "table peek", "look", "look covered", "look safe", "look peeked"),
        *("look at AI players alone", "reveal", "record", "reveal guess", "reveal camps", "reveal peek", "form guess"),
        *("table scouts", "table camps turned", "final"),
    ),
    "plenty_coups": ("summer", "winter", "to take", "to act", "a gift that was given", "allies win together"),
}


def drawn(game: dict[str, Callable[[], Iterator[tuple[str, Any]]]]) -> list[tuple[str, Any]]:
    return [scene for make in game.values() for scene in make()]


@pytest.mark.parametrize(("name", "game"), [("coyote", COYOTE), ("plenty_coups", PLENTY_COUPS)])
def test_golden_screens_with_emojis(name: str, game: dict[str, Callable[[], Iterator[tuple[str, Any]]]]) -> None:
    with emojis_uploaded():
        shown = [f"=== {title}\n{rendered(screen)}\n" for title, screen in drawn(game) if title in SHOWN[name]]
    assert len(shown) == len(SHOWN[name])
    matches_golden(f"emojis_{name}.txt", with_names("\n".join(shown)))


@pytest.mark.parametrize("game", [COYOTE, PLENTY_COUPS], ids=["coyote", "plenty_coups"])
def test_emojis_stand_beside_words_and_replace_none(game: dict[str, Callable[[], Iterator[tuple[str, Any]]]]) -> None:
    """Without emojis and signs, both versions of a screen read the same."""
    words = [rendered(screen) for _, screen in drawn(game)]
    with emojis_uploaded():
        illustrated = [rendered(screen) for _, screen in drawn(game)]
    assert any(OWN.search(each) for each in illustrated)
    for plain, with_emojis in zip(words, illustrated, strict=True):
        if plain != with_emojis:
            assert SIGNS.sub("", without_emojis(with_emojis).replace("~", "")) == SIGNS.sub("", plain.replace("~", ""))


def test_feathers_coins_and_cards_have_emojis() -> None:
    say = catalogue().for_game("coyote").with_emojis(all_emojis())
    assert re.fullmatch(r"<:feather:\d+>\u00a0−5", feather(say, -5))
    assert feather(say, 99) == "99", "a number without an emoji"
    assert re.fullmatch(r"(<:coin:\d+>){2}<:no_coin:\d+>", with_signs(say, "●●○"))
    assert with_signs(say, "🪶") == all_emojis()[HIDDEN_FEATHER]
    for card in FACES:
        words = card_label(say, card).partition("\u00a0")[2]
        assert re.fullmatch(rf"<:card:\d+>\u00a0{words}", shown_card(say, card))
        assert shown_card(say.without_emojis, card) == card_label(say, card)


def test_texts_keep_their_emojis_for_games_and_tables() -> None:
    emojis = {"coin": "<:coin:1>"}
    say = catalogue("de").with_emojis(emojis)
    assert [each.emoji("coin") for each in (say.for_game("coyote"), say.for_table("coyote", "en"))] == ["<:coin:1>"] * 2
    assert say.for_table("coyote", "en").without_emojis.emoji("coin") == ""
    assert [catalogue("de").for_game("coyote").emoji(name) for name in ("coin", None)] == ["", ""]


def test_a_screen_that_is_too_long_with_emojis_has_none() -> None:
    def draw(say: Catalogue) -> Screen:
        return PublicScreen(text((say.emoji("coin") or "o") * 300))

    short, long = {"coin": "<:coin:1>"}, {"coin": f"<:coin:{10**19}>"}
    assert fits_message(fitting(catalogue().with_emojis(long), draw))
    for emojis, shown in ((short, "<:coin:1>" * 300), (long, "o" * 300), ({}, "o" * 300)):
        screen = fitting(catalogue().with_emojis(emojis), draw)
        assert [each["content"] for each in walk(screen.to_components())] == [shown]


def test_own_emojis_can_be_taken_off_buttons_and_options() -> None:
    own = "<:coin:10000000000000000001>"
    options = [option("one", "1", emoji=own), option("two", "2", emoji="🐺"), option("three", "3")]
    screen = PublicScreen(
        row(press("a", CustomId("look", "t1"), emoji=own), press("b", CustomId("more", "t1"), emoji="👁")),
        row(pick("which?", CustomId("act", "t1", 1), options)),
    )
    check_limits(screen)
    assert remove_own_emojis(screen)
    assert "coin" not in str(screen.to_components())
    assert "🐺" in str(screen.to_components())
    assert "👁" in str(screen.to_components())
    assert not remove_own_emojis(screen)
