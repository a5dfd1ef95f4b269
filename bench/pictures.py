"""Pictures: how long they take to draw with full and with empty caches, and the sizes of pictures and caches."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import bot.games.registry  # noqa: F401 - registers the games
from bench.figures import Figure, rates
from bot.engine.core import DEALER, Game, Seat
from bot.engine.views import private
from bot.games.coyote.pictures.drawings import DRAWINGS as COYOTE_PICTURES
from bot.games.coyote.pictures.reveal import draw_reveal
from bot.games.coyote.rules.actions import Bid, Call
from bot.games.coyote.rules.game import GAME as COYOTE
from bot.games.plenty_coups.pictures.camps import draw_camps
from bot.games.plenty_coups.rules.game import GAME as PLENTY_COUPS
from bot.pictures.cache import all_caches, forget_all
from bot.pictures.game import draw_emoji, emoji_names
from bot.pictures.picture import Picture
from bot.text.catalogue import catalogue

NAMES = tuple(f"Player {seat + 1}" for seat in range(12))
SAY = catalogue()
WARM = 40
"""Pictures drawn in one measurement with full caches."""


def _bidding(players: int) -> Callable[[], Picture]:
    """Return a function that draws one player's look in the first round, with a bid."""
    state = COYOTE.setup({"max_players": 12, "min_players": 2}, players, Seat(0))
    state = COYOTE.apply(state, COYOTE.deal(state, Random(players))).state
    view = COYOTE.view_for(COYOTE.apply(state, Bid(Seat(0), 12)).state, Seat(1))
    look = COYOTE_PICTURES.look  # as the bot draws it: all feathers first
    sketch = None if look is None else look(private(view, Seat(1)), lasting=False)
    if sketch is None:
        raise RuntimeError("there is nothing to look at")
    return lambda: sketch.draw(SAY, NAMES[:players])


def _revealing(players: int) -> Callable[[], Picture]:
    state = COYOTE.setup({}, players, Seat(0))
    state = COYOTE.apply(state, COYOTE.deal(state, Random(players))).state
    for action in (Bid(Seat(0), 12), Call(Seat(1))):
        state = COYOTE.apply(state, action).state
    view = COYOTE.view_for(state, None)
    return lambda: draw_reveal(SAY, NAMES[:players], view)


def _camping(players: int) -> Callable[[], Picture]:
    rng = Random(players)
    game: Game = PLENTY_COUPS  # type: ignore[type-arg]
    state = game.setup({}, players, Seat(0))
    while len(game.view_for(state, None).raids) < 2:
        prompt = game.prompts(state)[0]
        state = game.apply(state, game.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng)).state
    view = game.view_for(state, None)
    return lambda: draw_camps(SAY, NAMES[:players], view)


def _warm(draw: Callable[[], Picture]) -> Callable[[], int]:
    def run() -> int:
        for _ in range(WARM):
            draw()
        return WARM

    return run


def _cold(draw: Callable[[], Picture]) -> Callable[[], int]:
    def run() -> int:
        forget_all()
        draw()
        return 1

    return run


def _drawn(name: str, draw: Callable[[], Picture], wanted: str = "") -> Figure:
    """Measure drawing and encoding a picture with full caches, compared with empty ones."""
    warm = _warm(draw)
    draw()
    measured = rates({"from nothing": _cold(draw), "warm": warm})
    value = f"{1e3 / measured['warm']:.1f} ms, {len(draw().data) / 1024:.0f} KiB"
    against = f"from nothing, {1e3 / measured['from nothing']:.0f} ms"
    return Figure(name, value, measured["warm"] / measured["from nothing"], against, wanted)


def _emojis() -> Figure:
    names = emoji_names()

    def run() -> int:
        forget_all()
        return len([draw_emoji(name) for name in names])

    measured = rates({"emojis": run}, turns=1)["emojis"]
    size = sum(len(draw_emoji(name).data) for name in names)
    return Figure(f"All {len(names)} emojis, each", f"{1e3 / measured:.1f} ms", None, f"{size / 1024:.0f} KiB in all")


def figures() -> list[Figure]:
    """Measure each kind of picture, then the caches after all kinds were drawn."""
    wanted = "at most 4 ms and 60 KiB, at least 20"
    lines = [
        _drawn("A look, 6 players", _bidding(6), wanted),
        _drawn("A look, 12 players", _bidding(12), wanted),
        _drawn("A reveal, 6 players", _revealing(6)),
        _drawn("Camps, 6 players", _camping(6)),
        _emojis(),
    ]
    for draw in (*(_bidding(players) for players in range(2, 13)), _revealing(6), _camping(6)):
        draw()
    reports = [cache.report() for cache in all_caches()]
    lines += [
        Figure(
            f"Kept {report.name}",
            f"{report.kept_bytes / 1024:.0f} KiB",
            None,
            "",
            f"at most {report.most_bytes >> 20} MiB",
        )
        for report in reports
    ]
    return lines
