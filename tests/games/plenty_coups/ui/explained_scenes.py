"""Scenes for the screens that explain a match: round summaries, final standings, replays and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bot.engine.core import Seat
from bot.engine.views import Private, laid_open, private, public
from bot.games.plenty_coups.figures import COUPS, HORSES, PRESTIGE, RAIDS_HOME
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.ui.highlights import highlight_lines
from bot.games.plenty_coups.ui.replay import REPLAY_SCREENS
from bot.games.plenty_coups.ui.round_summary import ROUND_SCREENS
from bot.games.plenty_coups.ui.scoring import scoring_lines
from bot.host.model import TableId, UserId
from bot.screens.final import final_screen
from bot.screens.layout import ASH, PrivateScreen, PublicScreen, Screen, box
from bot.screens.replay_frames import Frame
from bot.screens.stats.card import card_screen
from bot.screens.stats.leaderboard import leaderboard_screen
from bot.screens.stats.queries import ReplayStep
from bot.screens.stats.scopes import Offer
from bot.screens.stats.versus import versus_screen
from bot.stats.model import Board, Card, Line, Page, PastGame, Rival, Side, Totals, Versus
from tests.games.plenty_coups.rules.cases import do, given, raid
from tests.games.plenty_coups.rules.script_adapter import ScriptTable
from tests.games.plenty_coups.ui.tables import SAY, a_table

TWO = {"tribes": ["black", "green", "yellow"]}
"""The tribes by seat. With two players, the third tribe is second in the turn order."""
ENDING: dict[str, Any] = {"round": 12, "turn": "red", "plain": 0}
ALLIES = ({"black": "yellow3", "yellow": "black3"},)


def played(position: dict[str, Any], *steps: dict[str, Any], **options: Any) -> ScriptTable:
    """Return a match after some moves, with some of its options changed."""
    match = ScriptTable(position)
    state = match.state._replace(options=match.state.options._replace(**options))
    camps = [
        camp._replace(tally=camp.tally._replace(horses_before=camp.horses, prestige_before=camp.prestige))
        for camp in state.camps.values()
    ]
    match.state = state.with_camps(*camps)
    for step in steps:
        match.move(step)
    return match


def ended(*, left: Sequence[int] = (), **position: Any) -> State:
    """Return a match of four after its last turn."""
    match = ScriptTable(given(**ENDING | position))
    match.state = match.state._replace(left=frozenset(map(Seat, left)))
    match.move(do("red", "end"))
    return match.state


def of_two() -> State:
    """Return a match of two after its last turn, in which the third tribe has the most."""
    position = given(
        "black yellow green",
        players=2,
        round=12,
        turn="green",
        horses={"black": 7, "yellow": 9, "green": 5},
        prestige={"black": 2, "yellow": 4, "green": 1},
    )
    return played(position, do("green", "end")).state


def summaries() -> Iterator[tuple[str, Screen]]:
    """Yield the messages after a round."""
    position = given(
        turn="red",
        round=4,
        horses={"black": 4, "yellow": 2, "green": 1, "red": 6},
        prestige={"red": 1},
        raids=(raid("black", "red", "black2", 3),),
        red="arm4 stick horse arm2",
    )
    repelled = (do("red", "defend", weapon="arm4"), do("red", "coup"))
    yield from _round("a round", played(position, *repelled))
    for number, title in ((7, "before the last summer round"), (8, "before winter"), (9, "winter comes")):
        yield from _round(
            title, played(given(turn="red", round=number, red="horse horse", actions_left=1), do("red", "breed"))
        )
    quiet = given(turn="red", round=9, red="horse horse", actions_left=1)
    yield from _round("winter without hunting", played(quiet, do("red", "breed"), winter_hunting=False))
    short = given(turn="red", round=4, red="horse horse", actions_left=1)
    yield from _round("winter after four rounds", played(short, do("red", "breed"), rounds=4))
    yield from _round("deep winter", played(given(turn="red", round=10), do("red", "end")))
    yield from _round("the last round", played(given(turn="red", round=11), do("red", "end")))
    yield from _round("nothing follows", played(given(**ENDING), do("red", "end")))


def _round(title: str, match: ScriptTable) -> Iterator[tuple[str, Screen]]:
    seen, table = public(GAME.view_for(match.state, None)), a_table(4)
    yield f"{title}: record", ROUND_SCREENS.record(SAY, table, seen, seen)
    yield f"{title}: summary", ROUND_SCREENS.reveal(SAY, table, seen, live=False, remarks=())


def endings() -> Iterator[tuple[str, Screen]]:
    """Yield final screens."""
    horses = {"black": 7, "yellow": 6, "green": 8, "red": 3}
    prestige = {"black": 3, "yellow": 2, "green": 4, "red": 1}
    yield "allies win together", _final(ended(horses=horses, prestige=prestige, alliances=ALLIES))
    low = prestige | {"yellow": 1}
    yield "an ally with too little prestige", _final(ended(horses=horses, prestige=low, alliances=ALLIES))
    poor = {"black": 9, "yellow": 0, "green": 0, "red": 2}
    yield "two empty herds", _final(ended(horses=poor, prestige={"black": 1, "yellow": 3}, neutral={"red": "blue2"}))
    level = {"black": 7, "yellow": 6, "green": 5, "red": 4}
    yield "prestige decides", _final(ended(horses=level, prestige={"black": 1, "yellow": 2, "green": 3, "red": 0}))
    few = {"black": 5, "yellow": 4, "green": 3, "red": 2}
    yield "horses decide", _final(ended(horses=few, prestige=dict.fromkeys(few, 1)))
    yield "a shared victory", _final(ended(horses=dict.fromkeys(few, 5), prestige={"black": 2, "yellow": 2}))
    yield (
        "a pair level with one tribe",
        _final(
            ended(
                horses={"black": 5, "yellow": 5, "green": 6, "red": 1},
                prestige={"black": 2, "yellow": 2, "green": 3},
                alliances=ALLIES,
            )
        ),
    )
    yield "somebody left", _final(ended(left=[0], horses=horses, prestige=prestige, alliances=ALLIES))
    yield "two players", _final(of_two(), players=2, options=TWO)
    alone = played(given("black yellow green"), *(do(tribe, "leave") for tribe in ("yellow", "green")))
    yield "everybody else left", _final(alone.state, players=3)


def _final(state: State, players: int = 4, options: dict[str, Any] | None = None) -> Screen:
    table, seen, outcome = a_table(players, options), public(GAME.view_for(state, None)), GAME.outcome(state)
    assert outcome is not None
    left = [player._replace(left=seat in state.left) for seat, player in enumerate(table.players)]
    table = table._replace(players=tuple(left))
    scoring, highlights = scoring_lines(SAY, table, seen), highlight_lines(SAY, table, seen)
    return final_screen(SAY, table, outcome, rounds=seen.view.round, scoring=scoring, highlights=highlights)


def replays() -> Iterator[tuple[str, Screen]]:
    """Yield steps of replays, through several eyes."""
    position = given(
        black="black4 stick horse red2",
        yellow="arm3 arm4 green1",
        prestige={"black": 1, "yellow": 2},
        raids=(raid("red", "black", "red3", 4),),
        neutral={"green": "white2"},
        disdained="red",
    )
    raided = played(position, do("black", "raid", target="yellow", warrior="black4"))
    yield "a raid, by the raider", _step(raided, 0)
    yield "a raid, by its target", _step(raided, 1)
    yield "a raid, with everything open", _step(raided, None)
    given_ = played(position, do("black", "gift", target="yellow", discard="red2", card="stick"))
    yield "a gift, by the giver", _step(given_, 0)
    yield "a gift, by the one who must answer", _step(given_, 1)
    given_.move(do("yellow", "give", card="arm3"))
    yield "an exchange of gifts, by one of the two", _step(given_, 1)
    yield "an exchange of gifts, by somebody else", _step(given_, 2)
    yield "an exchange of gifts, with everything open", _step(given_, None)
    end = ScriptTable(given(**ENDING | {"horses": {"black": 7}, "prestige": {"black": 2}}))
    end.move(do("red", "end"))
    yield "the end", _step(end, 2)
    two = played(given("black yellow green", players=2, yellow="arm2 horse"), do("black", "breed"))
    yield "two players, the one who decides for the third tribe", _step(two, 0, players=2, options=TWO)
    yield "two players, the other one", _step(two, 1, players=2, options=TWO)


def _step(match: ScriptTable, eyes: int | None, players: int = 4, options: dict[str, Any] | None = None) -> Screen:
    table, state = a_table(players, options), match.state
    seen: Any = (
        laid_open(GAME.open_view(state)) if eyes is None else private(GAME.view_for(state, Seat(eyes)), Seat(eyes))
    )
    assert eyes is None or isinstance(seen, Private)
    frame = Frame(
        game=PastGame(7, TableId("t1"), "plenty-coups", "", 12, 0, 0, False, True, 1, ()),
        at=ReplayStep(7, 3, None if eyes is None else Seat(eyes)),
        steps=9,
        round=state.turn.round,
        actor="user",
        mover=Seat(0),
        events=tuple(match.events),
        seen=seen,
        public=public(GAME.view_for(state, None)),
        chapters=(),
    )
    return PrivateScreen(box(ASH, *REPLAY_SCREENS.scene(SAY, table, frame, ["-# The time was up."])))


BOARD = Board(1, "plenty-coups")
FIGURES = Totals(
    games=20,
    wins=7,
    seconds=5,
    places=41,
    rounds=230,
    best_run=2,
    rated=20,
    rating=1043,
    win_rate=350,
    figures={
        "coups": 31,
        "raids": 88,
        "raids_home": 54,
        "repelled": 17,
        "horses": 129,
        "prestige": 47,
        "disdains": 9,
        "alliances": 1,
    },
)


def statistics() -> Iterator[tuple[str, Screen]]:
    """Yield what `/leaderboard`, `/stats` and `/versus` say about this game's own figures."""
    ana, ben, offer = UserId(1001), UserId(1002), Offer((("plenty-coups", ""),))
    for by in (COUPS, RAIDS_HOME, HORSES, PRESTIGE):
        page = Page(BOARD, by, 1, 1, 1, 5, (Line(1, ana, 0, FIGURES),))
        yield f"leaderboard {by}", leaderboard_screen(PublicScreen, SAY, page, offer, ana)
    card = Card(BOARD, ana, FIGURES, 1, 1, 5, Rival(ben, 12), Rival(ben, 1), (), False)
    yield "card", card_screen(PublicScreen, SAY, card, offer)
    versus = Versus(BOARD, 9, Side(ana, FIGURES, 5, 12), Side(ben, FIGURES, 4, 8), ())
    yield "versus", versus_screen(PublicScreen, SAY, versus, offer)
