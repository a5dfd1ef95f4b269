"""The pseudo-language shows that no English is left and nothing is cut, in every scene and on every screen of games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.ai_players.characters import ROSTER
from bot.discord_ui.drawing import draw_look, draw_ping, draw_table
from bot.engine.core import DEALER, Seat
from bot.engine.registry import RULES
from bot.host.model import Player, Stage, Table, UserId
from bot.host.steady_clock import SteadyClock
from bot.screens.layout import Form, Screen
from tests.games.coyote.contract import OPENINGS, answer
from tests.games.plenty_coups.ui import tables as plenty
from tests.games.plenty_coups.ui.test_explained import SCENES as PLENTY_EXPLAINED
from tests.games.plenty_coups.ui.test_remarks import screens as plenty_reasons
from tests.games.plenty_coups.ui.test_screens import SCENES as PLENTY_SCENES
from tests.lessons.learning import games, walk_through
from tests.screens import scenes
from tests.screens.rendering import shown_texts
from tests.screens.test_snapshots import SCENES
from tests.text.speaking import PSEUDO, english_in, is_cut, speaking, spoken

from bot.screens.lessons import lesson_screen  # isort: skip

CLOCK = SteadyClock()
ALL_SCENES: dict[str, Any] = {
    **{f"coyote {name}": scene for name, scene in SCENES.items()},
    **{f"plenty {name}": scene for name, scene in (PLENTY_SCENES | PLENTY_EXPLAINED).items()},
    "plenty reasons": plenty_reasons,
}
NAMES = (*scenes.NAMES, *plenty.NAMES, *[character.name for character in ROSTER], "Hazel Mika Otto Rosa", "WWW")
TYPED = ("a lot", "ghost", "Small", "Changed Out at", "Done", "The time was up", "AI has seat")
"""What people typed or saved, and what scenes say themselves."""


def check(screen: Screen | Form | str) -> None:
    """Check that everything on a screen is in the pseudo-language, down to its last bracket."""
    for shown in [screen] if isinstance(screen, str) else shown_texts(screen):
        assert english_in(shown, *NAMES, *TYPED) == [], shown
        assert not is_cut(shown), shown


@pytest.mark.parametrize("scene", ALL_SCENES)
def test_no_scene_has_any_english_left(scene: str) -> None:
    with speaking(PSEUDO):
        for _, screen in ALL_SCENES[scene]():
            check(screen)


@pytest.mark.parametrize("game", games())
def test_no_lesson_has_any_english_left(game: str) -> None:
    with speaking(PSEUDO):
        for lesson in walk_through(game):
            check(lesson_screen(spoken(game), lesson))


def whole_game(game: str, options: dict[str, Any], players: int) -> Iterator[Table]:
    """Yield a table at every step of a random game."""
    rules, rng = RULES[game], Random(f"{game}{options}{players}")
    names = [Player(UserId(1_001 + seat), scenes.NAMES[seat]) for seat in range(players)]
    table = scenes.a_table(players, options, game=game, players=tuple(names), deadlines=())
    state = rules.setup(options, players, None)
    for _ in range(400):
        prompts = rules.prompts(state)
        stage = Stage.PLAYING if prompts else Stage.OVER
        yield table._replace(match=state, stage=stage)
        if not prompts:
            return
        if prompts[0].seat == DEALER:
            action: Any = rules.deal(state, rng)
        elif game == "coyote":
            action = answer(rng.choice(prompts), rng)
        else:
            action = rng.choice(prompts).pick(rng)
        state = rules.apply(state, action).state


PLAYED = [
    *[("coyote", options, players) for options, players in OPENINGS],
    *[("plenty-coups", {}, size) for size in range(2, 7)],
]


@pytest.mark.parametrize(("game", "options", "players"), PLAYED, ids=str)
def test_no_screen_of_a_whole_game_has_any_english_left(game: str, options: dict[str, Any], players: int) -> None:
    say = spoken(game)
    with speaking(PSEUDO):
        for table in whole_game(game, options, players):
            check(draw_table(table, CLOCK))
            for user in (*[player.user for player in table.players[:3]], UserId(1)):
                check(draw_look(say, table, user, CLOCK, message=1, moves=True))
            if table.stage is Stage.PLAYING:
                for prompt in RULES[game].prompts(table.match):
                    if prompt.seat != DEALER:
                        check(draw_ping(table, table.players[Seat(prompt.seat)].user))
