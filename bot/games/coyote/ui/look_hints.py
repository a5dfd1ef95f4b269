"""What a look works out for its player: the sum in sight, the feathers not yet seen, what the special ones do.

All of it comes from the player's own view, so it tells nothing of their own feather that they could not work out.
"""

from __future__ import annotations

from collections import Counter

from bot.games.coyote.rules.cards import MAX_ZERO, QUESTION, SPECIALS, TIMES_TWO, Card
from bot.games.coyote.rules.counting import Turned, count
from bot.games.coyote.rules.editions import Rules
from bot.games.coyote.ui.views import PrivateView
from bot.games.coyote.ui.words import tallied
from bot.screens.words import number
from bot.text.catalogue import Catalogue

_NOTHING_TURNED = Turned((), enough=True)


def in_sight(view: PrivateView) -> tuple[Card, ...]:
    """Return the feathers that count and that the viewer sees."""
    cards: list[Card] = []
    for seat in view.seats:
        cards += [*(seat.worn or ()), *seat.opened]
    return (*cards, *(card for card in (view.centre, view.coyote_card) if card is not None))


def unseen(view: PrivateView) -> Counter[Card]:
    """Return the feathers that the viewer has not seen since the shuffle; their own is among them."""
    covered = [card for seat in view.seats for card in seat.covered or ()]
    return view.rules.census - Counter([*in_sight(view), *covered, *view.discard])


def sum_line(say: Catalogue, view: PrivateView) -> str:
    """Say what the feathers in sight make together, by the rules of this table."""
    cards = in_sight(view)
    total = number(count(cards, _NOTHING_TURNED, view.rules).total)
    return say("look.sum_question", total=total) if QUESTION in cards else say("look.sum", total=total)


def unseen_line(say: Catalogue, view: PrivateView) -> str:
    """List by kind what the viewer's own feather, the centre card or one of the pile may be."""
    left = unseen(view)
    is_known = view.viewer is not None and view.seats[view.viewer].worn is not None
    is_centre_hidden = view.rules.has_centre and view.centre is None
    key = "look.unseen_others" if is_known else "look.unseen_centre" if is_centre_hidden else "look.unseen"
    return say(key, count=left.total(), cards=tallied(say, left))


def special_lines(say: Catalogue, view: PrivateView) -> list[str]:
    """Explain special feathers, each in half a line: in the first round all of the deck, since one may be the viewer's.

    Later those in sight, unless they have been seen since the shuffle.
    """
    cards = view.rules.census if view.number == 1 else in_sight(view)
    new = [special for special in SPECIALS if special in cards and special not in view.discard]
    return [say(f"look.special.{_special_key(special, view.rules)}") for special in new]


def _special_key(special: Card, rules: Rules) -> str:
    """Return the key of a special's explanation; some depend on the rules of the table."""
    match special:
        case _ if special == QUESTION:
            return "question"
        case _ if special == MAX_ZERO:
            return f"max_zero_{rules.max_zero_hits}"
        case _ if special == TIMES_TWO:
            return f"times_two_{rules.x2_doubles}"
        case _:
            return "max_minus" if special == "max-" else "night"
