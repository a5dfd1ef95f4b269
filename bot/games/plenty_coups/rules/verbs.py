"""What each verb of a player needs and does, and why a seat cannot use one now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from bot.engine.core import Json, Rejected, Seat
from bot.games.plenty_coups.rules import actions, alliances, gifts, legal, raids, readers, rounds
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.choices import prompts
from bot.games.plenty_coups.rules.codec import VERBS
from bot.games.plenty_coups.rules.events import Events
from bot.games.plenty_coups.rules.legal import Refusal
from bot.games.plenty_coups.rules.state import Camp, State
from bot.games.plenty_coups.rules.view import Phase


class Verb(NamedTuple):
    """The rules of one verb."""

    phase: Phase
    """The only phase in which it is used."""
    perform: Callable[[State, Any, Events], State]
    costs_action: bool = False
    why_not: Callable[[State], Refusal | None] | None = None
    """Checks what does not depend on a target or on chosen cards."""
    why_not_target: Callable[[State, Camp], Refusal | None] | None = None


def _action(
    perform: Callable[[State, Any, Events], State],
    why_not: Callable[[State], Refusal | None] | None,
    why_not_target: Callable[[State, Camp], Refusal | None] | None = None,
) -> Verb:
    return Verb(Phase.ACT, perform, True, why_not, why_not_target)


PLAYERS_VERBS: Final[Mapping[type, Verb]] = {
    actions.Take: Verb(Phase.TAKE, rounds.take),
    actions.Breed: _action(gifts.breed, legal.why_no_breeding),
    actions.Raid: _action(raids.raid, legal.why_no_raid, legal.why_no_raid_on),
    actions.DoubleRaid: _action(raids.double_raid, legal.why_no_double_raid, legal.why_no_raid_on),
    actions.Defend: _action(raids.defend, legal.why_no_defence),
    actions.DoubleDefend: _action(raids.double_defend, legal.why_no_double_defence),
    actions.StrikeCoup: _action(raids.strike_coup, legal.why_no_coup),
    actions.LayGift: _action(gifts.lay_gift, legal.why_no_gift, legal.why_no_gift_to),
    actions.LayFreeGift: Verb(Phase.ACT, gifts.lay_free_gift, why_not=legal.why_no_free_gift),
    actions.Give: Verb(Phase.GIFT, gifts.give),
    actions.Propose: _action(alliances.propose, legal.why_no_proposal, legal.why_no_proposal_to),
    actions.Accept: _action(alliances.accept, None, legal.why_not_accepted_from),
    actions.AllyNeutral: _action(alliances.ally_neutral, legal.why_no_neutral_ally),
    actions.Disdain: _action(alliances.disdain, legal.why_no_disdain, legal.why_no_disdain_of),
    actions.Prove: Verb(Phase.DISDAIN, alliances.prove),
    actions.Decline: Verb(Phase.DISDAIN, alliances.decline, why_not=legal.why_not_declined),
    actions.Donate: _action(gifts.donate, legal.why_no_donation, legal.why_no_donation_to),
    actions.Hunt: _action(gifts.hunt, legal.why_no_hunt),
    actions.DiscardAfterHunt: Verb(Phase.HUNT, gifts.discard_after_hunt),
    actions.End: Verb(Phase.ACT, rounds.end, why_not=legal.why_no_end),
}


def why_not_verb(state: State, seat: Seat, do: str, known: Mapping[str, Json]) -> Rejected | None:
    """Return why a seat cannot use a verb now, given the tribe and the target if it has named them; None if it can."""
    try:
        tribe = readers.tribe(known["tribe"]) if "tribe" in known else state.turn.actor
        target = readers.tribe(known["target"]) if "target" in known else None
    except ValueError:
        return Rejected(Reason.MALFORMED)
    kind: Any = VERBS.get(do)
    if kind is actions.Undo:
        refusal = legal.why_not_act(state, seat, tribe, state.turn.phase) or legal.why_no_undo(state)
        return refusal.rejected() if refusal else None
    verb = PLAYERS_VERBS.get(kind)
    if verb is None:
        return None
    refusal = legal.why_not_act(state, seat, tribe, verb.phase)
    refusal = refusal or (legal.why_no_action(state) if verb.costs_action else None)
    refusal = refusal or (verb.why_not(state) if verb.why_not else None)
    if refusal:
        return refusal.rejected()
    try:
        return _why_no_target(state, verb, target) or _why_no_card(state, kind, target)
    except Rejected as no_such_target:
        return no_such_target


def _why_no_target(state: State, verb: Verb, target: Any) -> Rejected | None:
    """Return why the target does not do; if none is named yet, why the first does not, unless another does."""
    if verb.why_not_target is None:
        return None
    targets = state.others() if target is None else [legal.other_camp(state, target)]
    refusals = [verb.why_not_target(state, camp) for camp in targets]
    first = refusals[0]
    return None if first is None or None in refusals else first.rejected()


def _why_no_card(state: State, kind: Any, target: Any) -> Rejected | None:
    """Return the refusal of a hand that has no card for it."""
    (prompt,) = prompts(state)
    any_target = target is None or "target" not in kind._fields
    for choice in prompt.choices:
        if choice.verb is kind and (any_target or target in choice.fields[1]):
            return None
    return Rejected(Reason.NOT_HELD)
