"""The lesson in Plenty Coups: one turn of each kind, with a stacked deck.

The learner is Black in seat 0, the AI players are Yellow in seat 1 and Green in seat 2; they act in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bot.engine.core import DEALER, Seat
from bot.games.plenty_coups.rules import actions as a
from bot.games.plenty_coups.rules.cards import CARD_NAMED, DECK, HORSE, Card, Cards, Tribe, ordered
from bot.games.plenty_coups.rules.view import PlentyCoupsView
from bot.host.lessons import LEARNER, LessonStep, Task

_OPTIONS: Final = {"tribes": ["black", "yellow", "green"]}
_BLACK: Final = (LEARNER, Tribe.BLACK)
_YELLOW: Final = (Seat(1), Tribe.YELLOW)
_GREEN: Final = (Seat(2), Tribe.GREEN)

_Reply = Callable[[PlentyCoupsView, Any], str | None]
_Step = LessonStep[PlentyCoupsView]


def _cards(names: str) -> Cards:
    return tuple(CARD_NAMED[name] for name in names.split())


def _card(name: str) -> Card:
    return CARD_NAMED[name]


def _dealt(black: str, yellow: str, green: str, offer: str, pile: str) -> a.Deal:
    """Deal these hands and this offer, with these cards on top of the pile."""
    top = _cards(f"{black} {yellow} {green} {offer} {pile}")
    rest = list(DECK)
    for card in top:
        rest.remove(card)
    return a.Deal(DEALER, (*top, *rest))


def _take(whose: tuple[Seat, Tribe], names: str) -> a.Take:
    return a.Take(*whose, ordered(_cards(names)))


def _bred(whose: tuple[Seat, Tribe], names: str) -> tuple[Any, ...]:
    """Play a plain turn: take two cards, and breed twice."""
    return (_take(whose, names), a.Breed(*whose), a.Breed(*whose))


def _only(*verbs: type) -> _Reply:
    """Ask for a move of one of these kinds."""
    return lambda _view, action: None if isinstance(action, verbs) else "other"


def _horse(_view: PlentyCoupsView, action: Any) -> str | None:
    """Ask for a horse card from the offer."""
    return None if isinstance(action, a.Take) and HORSE in action.cards else "other"


def _raid(_view: PlentyCoupsView, action: Any) -> str | None:
    """Ask for a raid with the learner's own warrior."""
    if not isinstance(action, a.Raid):
        return "other"
    return None if action.warrior == _card("black3") else "weak"


def _keeping(card: Card) -> _Reply:
    """Ask for two cards to discard, but not this one."""

    def reply(_view: PlentyCoupsView, action: Any) -> str | None:
        return None if isinstance(action, a.DiscardAfterHunt) and card not in action.cards else "keep"

    return reply


def _small(_view: PlentyCoupsView, action: Any) -> str | None:
    """Ask for a card that is no loss."""
    return None if isinstance(action, a.Give) and action.card == _card("black2") else "keep"


STEPS: Final[tuple[_Step, ...]] = (
    _Step(
        name="turn",
        options=_OPTIONS,
        before=(
            _dealt("black3 weapon4 stick", "horse horse green1", "horse horse yellow1", "horse weapon3 blue2 red1", ""),
        ),
        tasks=(
            Task(name="take", reply=_horse),
            Task(name="breed", reply=_only(a.Breed)),
            Task(name="raid", reply=_raid),
        ),
    ),
    _Step(
        name="home",
        options=_OPTIONS,
        before=(
            _dealt(
                *("black3 weapon4 stick", "horse horse green1", "horse horse yellow1", "horse weapon3 blue2 red1"),
                pile="white1 weapon2 red3 blue1 horse white3 weapon2 green3",
            ),
            _take(_BLACK, "horse weapon3"),
            a.Breed(*_BLACK),
            a.Raid(*_BLACK, Tribe.YELLOW, _card("black3")),
            *_bred(_YELLOW, "blue2 red1"),
            *_bred(_GREEN, "white1 weapon2"),
            _take(_BLACK, "red3 blue1"),
        ),
        tasks=(
            Task(name="coup", reply=_only(a.StrikeCoup)),
            Task(name="hunt", reply=_only(a.Hunt)),
            Task(name="discard", reply=_keeping(_card("weapon4"))),
        ),
    ),
    _Step(
        name="defend",
        options=_OPTIONS,
        before=(
            _dealt(
                *("weapon4 stick horse", "yellow2 horse red2", "horse horse white1", "horse blue2 red1 weapon2"),
                pile="white2 blue1 red3 blue3 horse weapon3",
            ),
            *_bred(_BLACK, "horse blue2"),
            _take(_YELLOW, "red1 weapon2"),
            a.Raid(*_YELLOW, Tribe.BLACK, _card("yellow2")),
            a.Breed(*_YELLOW),
            *_bred(_GREEN, "white2 blue1"),
            _take(_BLACK, "red3 blue3"),
        ),
        tasks=(
            Task(name="weapon", reply=_only(a.Defend)),
            Task(name="coup", reply=_only(a.StrikeCoup)),
        ),
    ),
    _Step(
        name="answer",
        options=_OPTIONS,
        before=(
            _dealt(
                *("weapon4 stick black2", "horse red2 white2", "stick horse horse", "horse blue2 red1 weapon2"),
                pile="white4 blue1 red3 blue3 weapon3 green4",
            ),
            _take(_BLACK, "horse blue2"),
            a.Breed(*_BLACK),
            a.Donate(*_BLACK, Tribe.YELLOW, _card("blue2")),
            _take(_YELLOW, "red1 weapon2"),
            a.LayGift(*_YELLOW, Tribe.BLACK, _card("white2"), _card("red2")),
        ),
        tasks=(
            Task(
                name="give",
                reply=_small,
                then=lambda _action: (
                    a.Breed(*_YELLOW),
                    _take(_GREEN, "white4 blue1"),
                    a.Disdain(*_GREEN, Tribe.BLACK),
                ),
            ),
            Task(name="prove", reply=_only(a.Prove)),
        ),
    ),
)
