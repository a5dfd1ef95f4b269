"""Coyote in the twin tests: feathers and bets are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from bot.engine.core import Prompt, Seat
from bot.games.coyote.commands import actions_offered
from bot.games.coyote.rules import game as rules
from bot.games.coyote.rules.actions import (
    Announce,
    Approve,
    Bet,
    Bid,
    Call,
    Flip,
    Peek,
    Redo,
    Turnabout,
    UseCoyote,
    Withdraw,
)
from bot.games.coyote.rules.editions import COINS, EDITIONS
from bot.games.coyote.rules.state import State
from bot.games.coyote.rules.view import Phase
from bot.games.coyote.ui.acts import Act, bid_argument
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.host.model import Remark, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.presses import typed
from tests.discord_ui.twin_game import Pressed, Try, TwinGame
from tests.games.coyote.contract import OPENINGS, answer, twin

SPECIAL_ACTIONS = ("approve", "redo", "reverse", "coin.extra", "coin.replace")


class CoyoteTwins(TwinGame):
    """Hidden cards change when cards move; bets whenever they are made."""

    rules = rules.GAME
    openings = OPENINGS
    situations: ClassVar = {
        "bid": ({"edition": "feathers", "variant": True}, 4),
        "bet": ({"edition": "peek", "variant": True}, 4),
        "called": ({"edition": "feathers", "guess_along": 15}, 4),
        "bet and guess": ({"edition": "peek", "variant": True, "guess_along": 15}, 4),
    }
    sample: ClassVar = [
        *[({"edition": edition, "variant": True}, 4) for edition in EDITIONS],
        *[
            ({"edition": edition, "variant": True, "threshold": 2, "guess_along": 5}, 4)
            for edition in ("scout", "peek")
        ],
        (
            {
                "variant": True,
                "right_guess": "choose",
                "coins": {**dict.fromkeys(COINS, 1), "guess": 9},
                "deck": {"1": 9, "2": 9},
            },
            4,
        ),
        ({"edition": "tomahawk", "variant": True, "actions_per": "player", "actions_per_turn": "several"}, 4),
    ]

    def veil(self, before: State, after: State, viewer: Seat | None, rng: Random, *, revealing: bool) -> State:
        """Change what section 7 of the rules hides, but no card that lies still."""
        if after.phase not in (Phase.BIDDING, Phase.BETS):
            return after
        veiled = twin(after, viewer, rng)
        if after.match.pile is before.match.pile:  # no card moved, so none may change
            return after if revealing else after._replace(bets=veiled.bets)
        # Cards that went back under the pile stay the same, because players may count on them.
        return veiled._replace(round=veiled.round._replace(drawn=after.round.drawn))

    def reveals(self, before: State, after: State, other: State | None, viewer: Seat | None) -> bool:
        """Return whether cards were dealt or shown: to everybody, or to the viewer who peeks."""
        old, new = before, after
        return bool(
            old.match.pile != new.match.pile
            or old.match.rounds != new.match.rounds
            or old.match.last is not new.match.last
            or old.round.active != new.round.active
            or old.round.shown != new.round.shown
            or (old.round.peeked != new.round.peeked and viewer in new.round.peeked)
        )

    def is_in(self, situation: str, state: State) -> bool:
        """Tell bids that somebody must beat from secret bets, and from a call that waits for its reveal."""
        if situation == "bid":
            return state.phase is Phase.BIDDING and state.bidding.bid is not None
        if situation == "called":
            return state.phase is Phase.CALLED
        return state.phase is Phase.BETS and len(state.bets) == 1

    def towards(self, situation: str, prompt: Prompt, rng: Random) -> Any:
        """Bid, then call."""
        calls = [Call(prompt.seat)] if prompt.allows(Call(prompt.seat)) else []
        return calls[0] if calls else answer(prompt, rng)

    def answer(self, state: State, prompt: Prompt, rng: Random) -> Any:
        """Bid low most of the time."""
        return answer(prompt, rng)

    def press(self, table: str, prompt: int, action: Any, rng: Random) -> Pressed | None:
        """Bid by button or form, and use the select for special actions."""

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, table, prompt, argument)

        match action:
            case Bid(_, number, plus, target) if plus is None or rng.random() < 0.5:
                act = None if plus is None else Act("bid", plus, target)
                return Pressed(id_(CoyoteVerb.BID_ANYWAY, bid_argument(number, act)))
            case Bid(_, number, plus, target):
                announced = Act("bid", plus, target).announced
                return Pressed(id_(CoyoteVerb.NUMBER, announced), None, {"number": str(number)})
            case Call():
                return Pressed(id_(CoyoteVerb.CALL))
            case Bet(_, on):
                return Pressed(id_(CoyoteVerb.BET, str(on))) if on is not None else None
            case Flip(_, "guess", value):
                return Pressed(id_(CoyoteVerb.GUESS), None, {"face": str(value)})
            case Flip(_, coin, _):
                return Pressed(id_(CoyoteVerb.ACT), f"coin.{coin}")
            case Announce(_, plus, target):
                return Pressed(id_(CoyoteVerb.ACT), str(Act("announce", plus, target)))
            case Withdraw():
                return Pressed(id_(CoyoteVerb.ACT, "withdraw"))
            case Peek():
                return Pressed(id_(CoyoteVerb.ACT, "peek"))
            case UseCoyote():
                return Pressed(id_(CoyoteVerb.ACT, "coyote_card"))
        name = {Approve: "approve", Turnabout: "reverse", Redo: "redo"}[type(action)]
        return Pressed(id_(CoyoteVerb.ACT), name)

    def harmless(self, table: str, prompt: int, user: UserId, rng: Random) -> Sequence[Try]:
        """Impossible bids, open forms, nonsense in forms, suggestions, and commands that lack something."""

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, table, prompt, argument)

        return [
            Pressed(id_(CoyoteVerb.BID, "-999")),
            Pressed(id_(CoyoteVerb.BID, "998")),
            Pressed(id_(CoyoteVerb.FORM)),
            Pressed(id_(CoyoteVerb.FORM, rng.choice(("double", "extra", "next", "next.1", "reverse")))),
            Pressed(id_(CoyoteVerb.ACT), rng.choice(("coin.guess", "bid.extra", "bid.extra.0", "bid.next"))),
            Pressed(id_(CoyoteVerb.GUESS), None, {"face": "nonsense"}),
            Pressed(id_(CoyoteVerb.GUESS), None, {"face": "77"}),
            Pressed(id_(CoyoteVerb.NUMBER), None, {"number": "much"}),
            Pressed(CustomId(Verb.ALONG, table)),
            Pressed(CustomId(Verb.ALONG, table, 999, "0")),
            lambda world: world.suggested(user, lambda asked: actions_offered(asked, "")),
            typed(CoyoteVerb.ACT, action="guess"),
            typed(CoyoteVerb.ACT, action="bid.extra", value="x"),
            typed(CoyoteVerb.ACT, action="nonsense"),
        ]

    def refused(self, table: str, prompt: int, rng: Random) -> Sequence[Try]:
        """Bids, calls, bets and special actions out of turn."""

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, table, prompt, argument)

        return [
            Pressed(id_(CoyoteVerb.CALL)),
            Pressed(id_(CoyoteVerb.BID, "7")),
            Pressed(id_(CoyoteVerb.BET, "0")),
            Pressed(id_(CoyoteVerb.ACT), rng.choice(SPECIAL_ACTIONS)),
            Pressed(id_(CoyoteVerb.ACT, rng.choice(("peek", "coyote_card")))),
            Pressed(id_(CoyoteVerb.GUESS), None, {"face": rng.choice(("0", "3", "x2", "?"))}),
            typed(CoyoteVerb.ACT, action="bet_caller"),
        ]

    def remark(self, seat: Seat, seen: int) -> Remark:
        """Speak of a chance that depends on what was seen."""
        return Remark(seat, "ai.forced", (("bid", "1"), ("chance", str(seen)), ("seen", str(seen))))
