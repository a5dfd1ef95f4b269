"""A game is registered only if it clashes with nothing that is registered already."""

from dataclasses import replace
from typing import Any

import pytest

from bot.engine.registry import RULES
from bot.games.coyote.settings import DECKS
from bot.games.kit import GameKit
from bot.games.registry import KITS, register, unregister
from bot.house_rules.game_settings import GameSettings
from bot.house_rules.kinds import Switch
from bot.house_rules.settings import Setting, SettingScope
from bot.pictures.emojis import EmojiSheet, EmojiSketch
from bot.pictures.game import GameDrawings
from bot.screens.game import RulesPages
from bot.screens.presses import GamePresses, Move
from tests.toy_game.kit import KIT, NAME, SCREENS


def _with_settings(*settings: Setting) -> GameKit[Any]:
    return replace(KIT, settings=GameSettings(settings=settings))


def _setting(key: str, page: str = "own", **more: Any) -> Setting:
    return Setting(**{"key": key, "page": page, "scope": SettingScope.GAME, "kind": Switch(), "game": NAME, **more})


@pytest.mark.parametrize(
    ("kit", "problem"),
    [
        (replace(KIT, rules=replace(KIT.rules, name="High.Card"), settings=None), "its name does not match"),
        (replace(KIT, rules=KITS[0].rules, settings=None), "its name is taken"),
        (replace(KIT, screens=None), "no screens or no presses"),
        (replace(KIT, presses=None), "no screens or no presses"),
        (
            replace(
                KIT, presses=GamePresses(verbs={"keep": lambda _: Move("choose", {}), "stay": lambda _: Move("", {})})
            ),
            "verbs that are taken: keep$",
        ),
        (_with_settings(_setting("dms", is_bare=True, page="own")), "settings that are taken: dms$"),
        (_with_settings(_setting("twice"), _setting("twice")), "settings that are taken: highcard.twice$"),
        (_with_settings(_setting("deck", kind=DECKS)), "keys of saved content that are taken: decks$"),
        (_with_settings(_setting("tempo", is_bare=True, page="time")), "pages of settings that are taken: time$"),
        (_with_settings(_setting("tempo", game="coyote")), "settings of another game"),
        (
            replace(
                KIT, screens=replace(SCREENS, rules=RulesPages(topics=("peek", "peek"), topic_for=lambda _: "peek"))
            ),
            "topics of the rules that are taken: peek$",
        ),
        (
            replace(KIT, drawings=GameDrawings(emojis=EmojiSheet({"horse": EmojiSketch(lambda _brush: None)}))),
            "emojis that are taken: horse$",
        ),
    ],
)
def test_a_kit_that_clashes_is_refused(kit: GameKit[Any], problem: str) -> None:
    before = dict(RULES)
    with pytest.raises(ValueError, match=problem):
        register(kit)
    assert before == RULES


def test_a_game_can_be_replaced_once_it_is_unregistered() -> None:
    register(KIT)
    try:
        with pytest.raises(ValueError, match="taken"):
            register(KIT)
        unregister(KIT)
        register(KIT)
    finally:
        unregister(KIT)
    assert NAME not in RULES
