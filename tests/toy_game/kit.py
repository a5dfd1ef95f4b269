"""High Card, a complete game: everyone gets a secret card, may swap it once, and the highest card wins the round.

With its commands it has fewer than 150 lines that are not blank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from bot.ai_players.brains import Thought
from bot.engine.core import DEALER, Choice, Game, Leave, Outcome, Prompt, Rejected, Seat, Step
from bot.engine.frozen import Frozen
from bot.engine.packing import reader
from bot.games.kit import GameKit
from bot.host.commands import HostReason
from bot.host.model import Table
from bot.house_rules.game_settings import GameSettings
from bot.house_rules.kinds import Number
from bot.house_rules.settings import Setting, SettingScope
from bot.screens.custom_ids import CustomId
from bot.screens.game import GameScreens, NoticeTexts, ReplayScreens, RoundScreens
from bot.screens.layout import EMBER, PrivateScreen, PublicScreen, box, press, row, text
from bot.screens.presses import GamePresses, Move
from bot.screens.table import look_button, next_round_buttons
from bot.screens.words import who
from bot.stats.figures import SHARED_RANKINGS, Counted, GameFigures

NAME: Final = "highcard"
TITLE: Final = "High Card"


class Choose(NamedTuple):
    seat: Seat
    swap: bool


class Deal(NamedTuple):
    seat: Seat
    cards: tuple[int, ...]


class RoundWon(NamedTuple):
    seat: Seat


class State(Frozen, frozen=True):
    rounds: int
    playing: tuple[int, ...]
    points: tuple[int, ...]
    played: int = 0
    turn: int | None = None
    cards: tuple[int, ...] = ()  # one for each seat, then a spare one for each
    shown: tuple[int, ...] = ()  # of the last round


class View(NamedTuple):
    viewer: Seat | None
    prompt: Prompt | None
    public: State
    card: int | None


def setup(options: Mapping[str, Any], players: int, starter: Seat | None) -> State:
    if not 2 <= players <= 6:
        raise Rejected(HostReason.TOO_FEW)
    return State(options.get("rounds", 2), tuple(range(players)), (0,) * players)


def apply(state: State, action: Any) -> Step[State]:
    if isinstance(action, Leave) and action.seat in state.playing:
        left = tuple(seat for seat in state.playing if seat != action.seat)
        return Step(state._replace(playing=left, turn=None, cards=()), (action,))
    if isinstance(action, Deal) and questions(state) == ((DEALER, state.played),):
        return Step(state._replace(cards=action.cards, turn=state.playing[0], shown=()), ())
    if not isinstance(action, Choose) or (type(action.seat), action.seat) != (int, state.turn):
        raise Rejected(HostReason.NO_SUCH_ACTION)
    seats, cards = len(state.points), list(state.cards)
    cards[action.seat] = cards[action.seat + seats * (action.swap is True)]
    later = [seat for seat in state.playing if seat > action.seat]
    if later:
        return Step(state._replace(cards=tuple(cards), turn=later[0]), (action,))
    best = max(state.playing, key=cards.__getitem__)
    points = tuple(point + (seat == best) for seat, point in enumerate(state.points))
    over = state._replace(points=points, played=state.played + 1, turn=None, cards=(), shown=tuple(cards[:seats]))
    return Step(over, (action, RoundWon(Seat(best))))


def is_over(state: State) -> bool:
    return state.played >= state.rounds or len(state.playing) < 2


def questions(state: State) -> tuple[tuple[Seat, int], ...]:
    if is_over(state):
        return ()
    return ((DEALER, state.played),) if state.turn is None else ((Seat(state.turn), 100 * state.played + state.turn),)


def prompts(state: State) -> tuple[Prompt, ...]:
    verbs = () if state.turn is None else (Choice(Choose, ((False, True),)),)
    return tuple(Prompt(number, seat, verbs, Choose(seat, False)) for seat, number in questions(state))


def view_for(state: State, viewer: Seat | None) -> View:
    mine = next((prompt for prompt in prompts(state) if prompt.seat == viewer), None)
    card = None if viewer is None or not state.cards else state.cards[viewer]
    return View(viewer, mine, state._replace(cards=()), card)


def outcome(state: State) -> Outcome | None:
    places = tuple(1 + sum(other > mine for other in state.points) for mine in state.points)
    return Outcome(tuple(Seat(s) for s, place in enumerate(places) if place == 1), places) if is_over(state) else None


def load_action(written: Mapping[str, Any]) -> Any:
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in written.items()}
    kinds: dict[Any, Any] = {"choose": Choose, "deal": Deal, "leave": Leave}
    return kinds.get(fields.pop("do"), Leave)(**fields)


RULES: Final[Game[State, Any, View]] = Game(
    NAME, setup, apply, view_for, prompts, questions, outcome=outcome, dump=lambda state: state, load=reader(State),
    deal=lambda state, rng: Deal(DEALER, tuple(rng.sample(range(1, 100), 2 * len(state.points)))),
    seated=lambda state: () if is_over(state) else tuple(map(Seat, state.playing)),
    dump_action=lambda action: {"do": type(action).__name__.lower(), **action._asdict()},
    load_action=load_action, rounds_ended=lambda state: state.played,
    private_news=lambda before, after: tuple(map(Seat, after.playing)) if before.cards != after.cards else (),
    public_choices=lambda prompt: prompt.choices,
)  # fmt: skip


def table_screen(say: Any, table: Table, seen: Any, asked: Sequence[Any]) -> PublicScreen:
    state = seen.view.public
    turn = "Cards down." if state.turn is None else f"{who(say, table, state.turn)}'s turn"
    points = [f"{who(say, table, seat)} {state.points[seat]}" for seat in state.playing]
    verbs = [press(verb.title(), CustomId(verb, table.id, each.id)) for each in asked for verb in ("stay", "swap")]
    return PublicScreen(box(EMBER, text(turn, *points), row(*verbs, look_button(say, table))))


def reveal(say: Any, table: Table, seen: Any, *, live: bool, remarks: Sequence[Any]) -> PublicScreen:
    shown = [f"{who(say, table, Seat(seat))} had {card}" for seat, card in enumerate(seen.view.public.shown)]
    return PublicScreen(text("All cards:", *shown), row(*next_round_buttons(say, table, ())) if live else None)


def think(view: View, prompt: Prompt, character: Any, seed: int) -> Thought:
    return Thought(Choose(prompt.seat, swap=(view.card or 0) + Random(seed).randrange(20) < 50))


SCREENS: Final = GameScreens[View](
    name=lambda say, options: TITLE, terms=lambda say, table: f"{table.options.get('rounds', 2)} rounds",
    table=table_screen, look=lambda say, table, seen, **_: PrivateScreen(text(f"Your card: {seen.view.card}")),
    bystander=lambda say, table, seen, **_: PrivateScreen(text("You hold no card.")),
    rounds=RoundScreens(
        is_over=lambda seen: bool(seen.view.public.shown), reveal=reveal,
        record=lambda say, table, before, after: PublicScreen(text("A round of High Card."))),
    notices=NoticeTexts(
        moved_for=lambda say, mention, payload: f"{mention} keeps.", ping=lambda say, mention, seen: f"{mention}!",
        restarted=lambda say, table, seen: "Back again."),
    replay=ReplayScreens(
        scene=lambda say, table, frame, lines: [text("The cards are dealt.", *map(repr, frame.events), *lines)],
        ending=lambda say, table, events: "a round"),
    round_number=lambda seen: seen.view.public.played,
)  # fmt: skip


def count(players: int, events: Sequence[Any]) -> Counted:
    won = [event.seat for event in events if isinstance(event, RoundWon)]
    return Counted(len(won), [{"rounds_won": won.count(Seat(seat))} for seat in range(players)])


KIT: Final = GameKit(
    rules=RULES, title=TITLE, screens=SCREENS, brain=think, commands="tests.toy_game.commands",
    presses=GamePresses(verbs={
        "stay": lambda _: Move("choose", {"swap": False}), "swap": lambda _: Move("choose", {"swap": True})}),
    settings=GameSettings(settings=(Setting(
        key="rounds", page=NAME, scope=SettingScope.GAME, kind=Number(1, 9), default=2, game=NAME),)),
    figures=GameFigures(names=("rounds_won",), count=count, rankings=(*SHARED_RANKINGS, "rounds_won")),
)  # fmt: skip
