"""What a screen costs in another language than English: the table and a look, at steps of random games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any, Final

import bot.games.registry  # noqa: F401 - registers the games
from bench.figures import Figure, rates
from bot.discord_ui.drawing import draw_look, draw_table
from bot.engine.core import DEALER
from bot.engine.registry import RULES
from bot.host.model import House, Player, Stage, Table, TableId, UserId
from bot.host.steady_clock import SteadyClock
from bot.text.catalogue import DEFAULT_LANGUAGE, catalogue, languages

SIZES: Final = {"coyote": 5, "plenty-coups": 4}
STEPS: Final = 60
"""How many steps of a game are drawn."""
CLOCK: Final = SteadyClock()
AIM: Final = "at most 1.1x"
AT_HOME: Final = "a look at an English table"
ABROAD: Final = "a look at a table of another language"
BASELINES: Final = {ABROAD: AT_HOME}
"""What a figure is compared with, if not with table and look in English."""


def steps(game: str) -> Iterator[Table]:
    """Yield a running table at some steps of a random game."""
    rules, rng, players = RULES[game], Random(game), SIZES[game]
    table = Table(
        id=TableId("bench"),
        guild=1,
        channel=2,
        stage=Stage.PLAYING,
        game=game,
        options={},
        house=House(),
        host=UserId(1001),
        players=tuple(Player(UserId(1001 + seat), f"player {seat}") for seat in range(players)),
        opened=0,
    )
    state = rules.setup({}, players, None)
    for _ in range(STEPS):
        prompts = rules.prompts(state)
        if not prompts:
            return
        dealing = prompts[0].seat == DEALER
        if not dealing:
            yield table._replace(match=state)
        action: Any = rules.deal(state, rng) if dealing else prompts[0].pick(rng)
        state = rules.apply(state, action).state


def drawn(tables: list[Table], language: str) -> int:
    """Draw every table, and the look of its first player, in one language; return the number of screens."""
    say = catalogue(language)
    for table in tables:
        spoken = table._replace(house=table.house._replace(language=language))
        draw_table(spoken, CLOCK).to_components()
        look = draw_look(say.for_table(table.game, language), spoken, UserId(1001), CLOCK, message=1, moves=True)
        look.to_components()
    return 2 * len(tables)


def drawn_abroad(tables: list[Table], language: str) -> int:
    """Draw the looks of somebody whose language is not that of the table; return the number of screens."""
    other = next(code for code in languages() if code != language)
    return drawn_looks(tables, language, other)


def drawn_looks(tables: list[Table], language: str, public: str) -> int:
    """Draw the looks of two people who read one language at tables that speak another, or the same."""
    for table in tables:
        spoken = table._replace(house=table.house._replace(language=public))
        say = catalogue(language).for_table(table.game, public)
        draw_look(say, spoken, UserId(1001), CLOCK, message=1, moves=True).to_components()
        draw_look(say, spoken, UserId(1002), CLOCK, message=1, moves=True).to_components()
    return 2 * len(tables)


def figures() -> list[Figure]:
    """Return the figures."""
    found = []
    for game in SIZES:
        tables = list(steps(game))
        work: dict[str, Callable[[], int]] = {code: partial(drawn, tables, code) for code in languages()}
        if len(languages()) > 1:
            work[AT_HOME] = partial(drawn_looks, tables, DEFAULT_LANGUAGE, DEFAULT_LANGUAGE)
            work[ABROAD] = partial(drawn_abroad, tables, DEFAULT_LANGUAGE)
        for run in work.values():
            run()  # catalogues are read on first use
        measured = rates(work)
        for name, rate in measured.items():
            label = f"{game}: a screen, {name}"
            ratio = (
                None if name in (DEFAULT_LANGUAGE, AT_HOME) else measured[BASELINES.get(name, DEFAULT_LANGUAGE)] / rate
            )
            found.append(Figure(label, f"{1e6 / rate:.0f} µs", ratio, "of English", "" if ratio is None else AIM))
    return found
