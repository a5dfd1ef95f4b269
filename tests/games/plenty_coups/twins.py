"""Plenty Coups in the twin tests: hands, the pile and the card of an unfinished gift are hidden."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar

from bot.engine.core import Prompt, Seat
from bot.games.plenty_coups.commands import moves_offered
from bot.games.plenty_coups.rules.actions import Disdain, Hunt, LayGift, Take, Undo
from bot.games.plenty_coups.rules.cards import STICK
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase
from bot.games.plenty_coups.ui.forms import LINE, WHAT, WHOM
from bot.games.plenty_coups.ui.presses import ANSWERING, PHASES, PLAYING, TAKING
from bot.games.plenty_coups.ui.tokens import token_of
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.host.model import Remark, UserId
from bot.screens.custom_ids import CustomId
from bot.screens.presses import Press, typed
from tests.discord_ui.twin_game import Pressed, Try, TwinGame
from tests.games.plenty_coups.contract import OPENINGS, twin

MOVES = ("take.horse+stick", "hunt.stick", "raid.green.black4", "breed", "give.black1", "prove.stick", "decline", "end")
FORMS = ("gift", "donate", "disdain", "hunt", "raid.green", "propose", "nonsense")


class PlentyCoupsTwins(TwinGame):
    """Everything hidden is dealt again after every action; a card that is played must be the same in both worlds."""

    rules = GAME
    openings = OPENINGS
    sample: ClassVar = [({"rounds": 3}, players) for players in (2, 3, 4)]
    situations: ClassVar = {
        "offer": ({}, 3),
        "act": ({}, 4),
        "hunt": ({}, 2),
        "gift": ({}, 3),
        "disdain": ({}, 6),
        "third tribe": ({}, 2),
        "taken back": ({}, 3),
        "winter": ({"rounds": 3}, 2),
    }
    steps = 40

    others_get_as_many = False

    def veil(self, before: State, after: State, viewer: Seat | None, rng: Random, *, revealing: bool) -> State:
        """Deal hands, pile and gift again, as often as something happens."""
        return after if after.turn.phase is Phase.DEAL else twin(after, viewer, rng)

    def reveals(self, before: State, after: State, other: State | None, viewer: Seat | None) -> bool:
        """Return whether a hidden card is played or drawn: the other world does not have it there."""
        seen = (viewer, None)
        return other is None or any(GAME.view_for(after, each) != GAME.view_for(other, each) for each in seen)

    def is_in(self, situation: str, state: State) -> bool:
        """Tell phases, the third tribe's turn, a turn in which something was taken back, and winter apart."""
        phase = state.turn.phase
        match situation:
            case "third tribe":
                return phase is Phase.ACT and state.me.owner is None
            case "taken back":
                return state.undone > 0
            case "winter":
                return phase is Phase.ACT and state.turn.round > 3
        return phase is {"offer": Phase.TAKE}.get(situation) or phase.value == situation

    def towards(self, situation: str, prompt: Prompt, rng: Random) -> Any:
        """Give or disdain if that is wanted and possible; look for sticks; otherwise hunt."""
        wanted = {"gift": LayGift, "disdain": Disdain}.get(situation, Hunt)
        moves = [move for choice in prompt.choices for move in choice.actions(prompt.seat)]
        if situation == "taken back" and not any(isinstance(move, Take) for move in moves):
            return Undo(prompt.seat, moves[0].tribe)
        sticks = [move for move in moves if isinstance(move, Take) and STICK in move.cards]
        return rng.choice([move for move in moves if isinstance(move, wanted)] or sticks or moves)

    def answer(self, state: State, prompt: Prompt, rng: Random) -> Any:
        """Take something back now and then."""
        if state.earlier and rng.random() < 0.2:
            return Undo(prompt.seat, state.turn.actor)
        return prompt.pick(rng)

    def press(self, table: str, prompt: int, action: Any, rng: Random) -> Pressed | None:
        """Pick the move in a select, press it, or fill in its form."""

        def id_(verb: str, argument: str | None = None) -> CustomId:
            return CustomId(verb, table, prompt, argument)

        if isinstance(action, Undo):
            return Pressed(id_(PlentyVerb.UNDO))
        token = token_of(action)
        kind, *rest = token.split(".", 2)
        if isinstance(action, LayGift) and rng.random() < 0.5:
            return Pressed(id_(PlentyVerb.FILLED, kind), None, {WHOM: rest[0], WHAT: rest[1]})
        if isinstance(action, Disdain) and rng.random() < 0.5:
            return Pressed(id_(PlentyVerb.FILLED, kind), None, {WHOM: rest[0], LINE: "1"})
        return Pressed(id_(PlentyVerb.MOVE), token)

    def harmless(self, table: str, prompt: int, user: UserId, rng: Random) -> Sequence[Try]:
        """Open forms, nonsense in selects and forms, suggestions, and typed words that fit nothing."""
        phases = rng.choice((TAKING, PLAYING, ANSWERING))
        return [
            Pressed(CustomId(PlentyVerb.MOVE, table, prompt), f"form.{rng.choice(FORMS)}"),
            Pressed(CustomId(PlentyVerb.MOVE, table, prompt), "nonsense"),
            Pressed(CustomId(PlentyVerb.MOVE, table, prompt, "raid.black")),
            Pressed(CustomId(PlentyVerb.FILLED, table, prompt, "gift"), None, {WHOM: "purple", WHAT: "x"}),
            Pressed(CustomId(PlentyVerb.FILLED, table, prompt, "raid.green"), None, {}),
            lambda world: world.suggested(user, lambda asked: moves_offered(asked, "", phases)),
            lambda world: world.suggested(user, lambda asked: moves_offered(asked, "raid", PLAYING)),
            _typed("nonsense", phases),
        ]

    def refused(self, table: str, prompt: int, rng: Random) -> Sequence[Try]:
        """Moves of all kinds out of turn."""
        phases = rng.choice((TAKING, PLAYING, ANSWERING))
        return [
            Pressed(CustomId(PlentyVerb.MOVE, table, prompt), rng.choice(MOVES)),
            Pressed(CustomId(PlentyVerb.MOVE, table, prompt, rng.choice(("end", "decline")))),
            Pressed(CustomId(PlentyVerb.UNDO, table, prompt)),
            _typed(rng.choice(MOVES), phases),
            _typed("raid", phases),
        ]

    def remark(self, seat: Seat, seen: int) -> Remark:
        """Speak of what was seen."""
        return Remark(seat, "ai.forced", (("bid", "1"), ("chance", str(seen)), ("seen", str(seen))))


def _typed(move: str, phases: Sequence[Phase]) -> Press:
    return typed(PlentyVerb.MOVE, move=move, **{PHASES: " ".join(phases)})
