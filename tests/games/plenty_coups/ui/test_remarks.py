"""What the AIs thought: a button below the final standing, and the private answer to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot.engine.core import Outcome, Seat
from bot.host.ai_turns import MOST_TOLD_AT_THE_END
from bot.host.model import BY, Ai, Dm, Player, Remark, Stage, Table, UserId
from bot.screens.final import final_screen
from bot.screens.layout import Screen
from bot.screens.reasons import has_reasons, reasons_button, reasons_screen
from bot.text.catalogue import languages
from tests.games.plenty_coups.ui.tables import SAY, a_table
from tests.golden import matches_golden
from tests.screens.limits import check_limits
from tests.screens.rendering import rendered
from tests.text.speaking import PSEUDO, speaking

SLOTS = {
    "round": "7",
    "target": "black",
    "other": "red",
    "tribe": "white",
    "colour": "blue",
    "card": "weapon4",
    "value": "5",
    "chance": "80",
    "horses": "6",
}
KEYS = sorted(key for key in SAY.keys if key.startswith("plenty_ai."))
OUTCOME = Outcome((Seat(1),), (2, 1, 3, 4))


def table_with(*remarks: Remark, stage: Stage = Stage.OVER) -> Table:
    """Return a table of a person, two AIs and a person for whom an AI stood in."""
    people = a_table(4).players
    ais = tuple(
        Player(UserId(-1 - seat), name, Dm.OFF, ai=Ai(name, "steady", 2))
        for seat, name in enumerate(("Hazel", "Quill"))
    )
    return a_table(4)._replace(players=(people[0], *ais, people[3]), stage=stage, explained=remarks)


def remark(seat: int, key: str, **more: str) -> Remark:
    return Remark(Seat(seat), key, tuple(sorted(({name: SLOTS[name] for name in SAY.slots(key)} | more).items())), 5)


def screens() -> Iterator[tuple[str, Screen]]:
    """Yield the end of a match, and every reason that there is."""
    said: tuple[Remark, ...] = (
        remark(2, "plenty_ai.raid.chance"),
        remark(1, "plenty_ai.coup.on_return"),
        remark(2, "plenty_ai.prove"),
        remark(3, "plenty_ai.hunt", **{BY: "Pebble"}),
    )
    yield "the end", final_screen(SAY, table_with(*said), OUTCOME, rounds=12)
    yield "the end without AIs", final_screen(SAY, table_with(), OUTCOME, rounds=12)
    yield "what the AIs thought", reasons_screen(SAY, table_with(*said))
    for start in range(0, len(KEYS), 12):
        some = [remark(1, key) for key in KEYS[start : start + 12]]
        yield f"reasons from {KEYS[start]} on", reasons_screen(SAY, table_with(*some))


@pytest.mark.parametrize("language", languages())
def test_golden_reasons(language: str) -> None:
    with speaking(language):
        shown = [f"=== {name}\n{rendered(screen)}\n" for name, screen in screens()]
    matches_golden("plenty_coups_reasons.txt", "\n".join(shown), language)


@pytest.mark.parametrize("language", [*languages(), PSEUDO])
def test_reasons_fit_discord(language: str) -> None:
    with speaking(language):
        _check_longest_reasons()


def _check_longest_reasons() -> None:
    longest = sorted(KEYS, key=lambda key: -len(SAY.forms(key)[0]))[:MOST_TOLD_AT_THE_END]
    everybody = a_table(6)
    ais = tuple(Player(UserId(-1 - seat), "M" * 32, Dm.OFF, ai=Ai("M" * 32, "steady", 2)) for seat in range(6))
    said = tuple(remark(seat, key) for seat in range(6) for key in longest)
    check_limits(reasons_screen(SAY, everybody._replace(players=ais, stage=Stage.OVER, explained=said)))
    for _, screen in screens():
        check_limits(screen)


@pytest.mark.parametrize("stage", [Stage.LOBBY, Stage.PLAYING, Stage.CLOSED])
def test_nothing_is_told_before_the_end(stage: Stage) -> None:
    early = table_with(remark(1, "plenty_ai.hunt"), stage=stage)
    assert not has_reasons(early)
    assert reasons_button(SAY, early) is None


def test_only_some_games_wait_for_the_end_with_reasons() -> None:
    running = table_with(remark(1, "plenty_ai.hunt"))._replace(stage=Stage.PLAYING)
    assert not has_reasons(running)
    assert has_reasons(running._replace(game="coyote"))
