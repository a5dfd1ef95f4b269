"""Chooses what an AI player says about its move after the reveal: what it saw and worked out, in its own manner."""

from __future__ import annotations

from typing import Any, Final

from bot.ai_players.brains import Reason
from bot.ai_players.characters import Character
from bot.games.coyote.ai.beginner import Hunch
from bot.games.coyote.ai.bidding import Judgement
from bot.games.coyote.ai.odds import see
from bot.games.coyote.ai.sums import spread, total_of
from bot.games.coyote.rules.actions import Bet, Bid, Call
from bot.games.coyote.rules.cards import face
from bot.games.coyote.rules.view import CoyoteView

_EVEN: Final = 0.5
"""A bid that holds with at least this probability counts as likely."""
_SURPRISE: Final = 0.2
"""How far the others' bids must shift the odds to be worth mentioning."""
_CLUE: Final = 0.02
"""How much likelier the others' bids must make a card face to count as a clue."""


def of_move(
    ai: Character,
    view: CoyoteView,
    judged: Judgement,
    action: Any,
    name: str,
    *,
    may_call: bool,
    held_back: bool = False,
) -> Reason:
    """Explain a bid, a call or a special action. Players who may not call do not say that calling looked worse.

    `held_back`: the AI player could have called, but let others have a turn first.
    """
    outlook = judged.outlook
    standing = view.bid if view.bid is not None else outlook.first + outlook.best()
    bid = action.number if isinstance(action, Bid) else standing
    holds, plain = judged.holds(bid), judged.plain.at_least(bid)
    slots = _slots(view, bid, holds)
    if name == "guess" and not _had_clue(judged, action):
        return "ai.trick.guess_counted", slots
    if name not in ("bid", "call"):
        return f"ai.trick.{name}", slots
    if held_back and holds < _EVEN:
        return "ai.patient", slots
    if view.bid is not None and not may_call and holds < _EVEN:
        return "ai.forced", slots
    if view.ladder and abs(holds - plain) > _SURPRISE:
        side = "up" if holds > plain else "down"
        how = "likely" if holds >= _EVEN else "unlikely"
        return f"ai.read_{side}.{name}_{how}", {**slots, "plain": _percent(plain)}
    if isinstance(action, Call):
        return f"ai.{'call' if holds < _EVEN else 'cornered'}.{ai.temperament}", slots
    if view.bid is None:
        return f"ai.open.{ai.temperament}", slots
    return f"ai.{'raise' if holds >= _EVEN else 'bluff'}.{ai.temperament}", slots


def _had_clue(judged: Judgement, action: Any) -> bool:
    """Return whether the others' bids made the guessed face likelier than counting alone."""
    meant = [belief for belief in judged.beliefs if belief.guess.own and face(belief.guess.own[0]) == action.value]
    return sum(belief.probability - belief.guess.prior for belief in meant) > _CLUE


def of_bet(view: CoyoteView, holds: float) -> Reason:
    """Explain a bet."""
    return ("ai.bet.holds" if holds >= 0.5 else "ai.bet.fails"), _slots(view, view.bid or 0, holds)


def of_beginner(view: CoyoteView, guessed: Hunch, *, may_call: bool) -> Reason:
    """Explain a beginner's move, mistakes included."""
    slots = _slots(view, guessed.bid, guessed.chance)
    match guessed.action:
        case _ if guessed.trick:
            return "ai.beginner.trick", slots
        case Call():
            return "ai.beginner.call", slots
        case Bet():
            return "ai.beginner.bet", slots
        case _ if guessed.chance >= _EVEN:
            return "ai.beginner.sure", slots
        case _:
            return f"ai.beginner.{'hopeful' if may_call else 'must'}", slots


def _slots(view: CoyoteView, bid: int, chance: float) -> dict[str, str]:
    seen = total_of(spread(see(view).seen), view.rules)
    return {"seen": number(seen), "bid": number(bid), "chance": _percent(chance)}


def number(value: int) -> str:
    """Format a number with a real minus sign, as the screens do."""
    return str(value).replace("-", "−")


def _percent(share: float) -> str:
    return str(round(100 * share))
