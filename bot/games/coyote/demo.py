"""Narrates a game between random players in the terminal, to show a newcomer the engine at work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from bot.engine.core import DEALER, Json, Prompt, Seat
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import (
    Announced,
    BetPlaced,
    Bid,
    Call,
    Called,
    CoinFlipped,
    CoyoteUsed,
    Dealt,
    DirectionChanged,
    Event,
    Guessed,
    MatchWon,
    Peeked,
    PileRenewed,
    RedoDemanded,
    RoundEnded,
    SeatLeft,
)
from bot.games.coyote.rules.cards import Card
from bot.games.coyote.rules.counting import CountStep, StepKind
from bot.games.coyote.rules.results import Ending, Result
from bot.games.coyote.rules.view import CoyoteView

NAMES: Final = ("Ana", "Ben", "Chloé", "Dmitri", "Emi", "Farid", "Greta", "Hugo", "Inês", "Jonas", "Kaya", "Luz")

_CARDS: Final = {"?": "?", "max0": "Max→0", "max-": "Max→−", "x2": "×2", "night": "night 0"}
_HOW: Final = {
    None: "",
    "double": ", doubled: if the next one calls, the loser pays twice",
    "extra": ", and {target} draws another feather",
    "next": ", and {target} is next",
    "reverse": ", after turning the direction",
}


def narrate(options: Mapping[str, Json], players: int, seed: int) -> Iterator[str]:
    """Play one game between random players and yield it line by line; the same seed gives the same lines."""
    rng = Random(seed)
    state = rules.setup(options, players)
    actions = " with all actions" if state.rules.variant else ""
    yield f"Coyote, {state.rules.edition} rules{actions}, {players} players, seed {seed}"
    while questions := rules.prompts(state):
        question = questions[0]
        action = rules.deal(state, rng) if question.seat == DEALER else _answer(question, rng)
        state, events = rules.apply(state, action)
        view = rules.view_for(state, None)
        for event in events:
            yield from _lines(event, view, state)


def _answer(question: Prompt, rng: Random) -> Any:
    """Play like a beginner: raise a little, sometimes call or use a special action."""
    choices = {choice.verb: choice for choice in question.choices}
    more = [choice for choice in question.choices if choice.verb is not Call and _is_special(choice.fields)]
    if more and rng.random() < 0.3:
        picked = rng.choice(more).pick(question.seat, rng)
        return _modest(picked, question, rng)
    if Call in choices and (Bid not in choices or rng.random() < 0.3):
        return Call(question.seat)
    return _modest(question.choices[0].pick(question.seat, rng), question, rng)


def _is_special(fields: tuple[Any, ...]) -> bool:
    return len(fields) != 3 or fields[1] != (None,)


def _modest(action: Any, question: Prompt, rng: Random) -> Any:
    """Replace a bid's number with one that people might bid."""
    if not isinstance(action, Bid):
        return action
    choice = next(choice for choice in question.choices if choice.verb is Bid)
    numbers: Any = choice.fields[0]
    first = max(numbers[0], 5 if numbers[0] < -900 else numbers[0])
    return action._replace(number=min(first + rng.randrange(5), numbers[-1]))


def _lines(event: Event, view: CoyoteView, state: Any) -> Iterator[str]:
    match event:
        case Dealt():
            yield ""
            yield f"Round {event.number}: {_name(event.starter)} begins" + (", all cards shuffled" * event.shuffled)
            yield f"  worn: {_worn(state.round.cards.worn)}"
            if state.round.cards.centre is not None:
                yield f"  centre: {_card(state.round.cards.centre)}"
        case Announced():
            if event.how == "approve":
                yield f"  {_name(event.seat)} approves {_number(event.number)} and answers for it now"
                return
            target = "" if event.target is None else _name(event.target)
            yield f"  {_name(event.seat)}: {_number(event.number)}{_HOW[event.how].format(target=target)}"
        case DirectionChanged():
            yield f"  {_name(event.seat)} turns the direction: {_name(event.bidder)} must bid again"
        case RedoDemanded():
            yield f"  {_name(event.seat)}: start again! {_name(event.bidder)} must name another number"
        case CoinFlipped():
            shown = "" if event.shown is None else f": {_card(event.shown)} lies open"
            yield f"  {_name(event.seat)} flips the coin “{event.coin}”{shown}"
        case Guessed():
            verdict = "wrong" if not event.right else "right" if event.may_stay else "right, and out of this round"
            yield f"  {_name(event.seat)} guesses {_card(event.value)}; it is {_card(event.card)}: {verdict}"
        case Peeked():
            yield f"  {_name(event.seat)} closes an eye and peeks at the centre"
        case CoyoteUsed():
            yield f"  {_name(event.seat)} plays the Coyote card: one more card beside the centre"
        case Called():
            yield f"  {_name(event.seat)}: Coyote! {_name(event.bidder)} said {_number(event.number)}"
        case BetPlaced():
            yield f"  {_name(event.seat)} bets in secret"
        case PileRenewed():
            yield f"  (the pile was too short: {event.cards} discarded cards are shuffled under it)"
        case RoundEnded():
            yield from _reveal(event.result, view)
        case SeatLeft():
            yield f"  {_name(event.seat)} leaves"
        case MatchWon():
            yield ""
            yield f"{_name(event.seat)} wins after {view.number} rounds."


def _reveal(result: Result, view: CoyoteView) -> Iterator[str]:
    if result.counted is not None:
        yield "  count: " + ", ".join(_step(step) for step in result.counted.steps)
        yield f"  {_judged(result.counted.total, result.bid or 0)}"
    if result.ending is Ending.VOID:
        yield "  everybody else withdrew: the round is void"
    for bet in result.bets:
        on = "nobody" if bet.on is None else _name(bet.on)
        yield f"  {_name(bet.seat)} had bet on {on}: {'right' if bet.right else 'wrong'}"
    if result.loser is not None:
        out = ": out" if result.eliminated == result.loser else ""
        yield f"  {_name(result.loser)} {_penalty(result, view)}{out}"
    yield "  " + " · ".join(_purse(view, seat) for seat in range(len(view.seats)))


def _judged(total: int, bid: int) -> str:
    if total >= bid:
        return f"{_number(total)} is at least {_number(bid)}: the bid held"
    return f"{_number(total)} is less than {_number(bid)}: the bid was too high"


def _penalty(result: Result, view: CoyoteView) -> str:
    if view.rules.has_eyes:
        return "gives up a peek card"
    return "takes a coyote coin" if result.penalty == 1 else f"takes {result.penalty} coyote coins"


def _purse(view: CoyoteView, seat: int) -> str:
    shown = view.seats[seat]
    if not shown.living:
        return f"{NAMES[seat]} out"
    if view.rules.has_eyes:
        return f"{NAMES[seat]} {'◉' * shown.eyes[0]}{'◌' * shown.eyes[1]}"
    return f"{NAMES[seat]} {'●' * shown.tokens}{'○' * (view.rules.threshold - shown.tokens)}"


def _step(step: CountStep) -> str:
    cards = " ".join(_card(card) for card in step.cards)
    match step.kind:
        case StepKind.TURN:
            return f"? turns {cards}" if cards else "? finds no card and counts 0"
        case StepKind.STRIKE:
            return f"Max→0 strikes {cards}" if cards else "Max→0 finds nothing"
        case StepKind.FLIP:
            return f"Max→− turns {cards} red" if cards else "Max→− finds nothing"
        case StepKind.ADD:
            return " + ".join(map(str, step.cards)) + f" = {step.value}" if len(step.cards) > 1 else f"{step.value}"
        case StepKind.DOUBLE_POSITIVES | StepKind.DOUBLE_ALL:
            return f"doubled: {_number(step.value)}"
        case StepKind.SUBTRACT:
            return f"with {cards}: {_number(step.value)}"
        case StepKind.NIGHT:
            return "and the night has come: shuffle everything"


def _worn(worn: tuple[tuple[Card, ...], ...]) -> str:
    return " · ".join(f"{NAMES[seat]} {_card(cards[0])}" for seat, cards in enumerate(worn) if cards)


def _card(card: Card) -> str:
    return _number(card) if isinstance(card, int) else _CARDS[card]


def _number(number: int) -> str:
    return str(number).replace("-", "−")


def _name(seat: Seat) -> str:
    return NAMES[seat]
