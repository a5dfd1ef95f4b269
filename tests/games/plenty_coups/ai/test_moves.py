"""Moves that are tried out in a brain's mind have the same effect as at the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.games.plenty_coups.ai.ideas import ideas
from bot.games.plenty_coups.ai.memory import remembered
from bot.games.plenty_coups.ai.moves import after
from bot.games.plenty_coups.ai.odds import knowledge_of
from bot.games.plenty_coups.ai.plans import after_discarding, after_taking
from bot.games.plenty_coups.ai.position import Camp, Position, position_of, unseen_cards
from bot.games.plenty_coups.rules.actions import DiscardAfterHunt, Disdain, DoubleDefend, DoubleRaid, Hunt, Take
from bot.games.plenty_coups.rules.cards import DECK, ordered
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import Phase
from tests.games.plenty_coups.ai.tables import positions

every_size = pytest.mark.parametrize("players", [2, 3, 4, 6])


def known_cards(state: State, viewer: Any) -> Position:
    return position_of(GAME.view_for(state, viewer), {})


def goes_on(state: State, done: State) -> bool:
    """Return whether the same turn goes on."""
    begun, now = state.turn, done.turn
    same = (now.round, now.tribe) == (begun.round, begun.tribe)
    return same and now.phase not in (Phase.REFILL, Phase.OVER)


def outside(camp: Camp) -> tuple[Any, ...]:
    """Return what a camp has besides its hand."""
    return camp.horses, camp.prestige, camp.proposal, camp.bond, camp.disdained


@every_size
def test_ideas_are_legal_and_have_the_effect_that_is_expected(players: int) -> None:
    tried = set()
    for seed in range(6):
        for state, prompt in positions({"accepter_gains": True} if seed % 2 else {}, players, seed):
            view = GAME.view_for(state, prompt.seat)
            if view.phase is not Phase.ACT:
                continue
            position = position_of(view, {})
            for action in ideas(position, knowledge_of(view, prompt.seat, {})):
                assert prompt.allows(action), action
                done = GAME.apply(state, action).state
                if not goes_on(state, done):
                    continue
                tried.add(type(action))
                expected, found = after(position, action), known_cards(done, prompt.seat)
                assert list(map(outside, expected.camps)) == list(map(outside, found.camps)), action
                assert (expected.raids, expected.plain) == (found.raids, found.plain), action
                if found.actions_left and not isinstance(action, Hunt | Disdain):
                    assert expected[3:7] == found[3:7], action
                if view.gift is None and done.gift is None and not isinstance(action, Hunt):
                    assert expected.me.hand == found.me.hand, action
    assert len(tried) >= (8 if players < 4 else 10)
    assert not tried & {DoubleRaid, DoubleDefend}, "they end the turn"


@every_size
def test_every_legal_kind_of_move_is_thought_of_or_left_out_on_purpose(players: int) -> None:
    """Left out are gifts to strangers, giving horses at four prestige, and what cannot bring anything.

    That is disdain where there is no prestige to lose, and raids and hunts in the last turn.
    """
    for state, prompt in positions({}, players, 9):
        view = GAME.view_for(state, prompt.seat)
        if view.phase is Phase.ACT:
            found = {type(action) for action in ideas(position_of(view, {}), knowledge_of(view, prompt.seat, {}))}
            missing = {choice.verb.__name__ for choice in prompt.choices if choice.verb not in found}
            pointless = {"LayGift", "Donate", "DoubleDefend"}
            if not any(camp.prestige and not camp.disdained for camp in view.camps if camp.tribe != view.turn):
                pointless.add("Disdain")
            if view.round == view.options.last_round:
                pointless |= {"Raid", "Hunt"}
            assert missing <= pointless, missing


@every_size
def test_taking_and_discarding_have_the_effect_that_is_expected(players: int) -> None:
    rng = Random(1)
    for state, prompt in positions({}, players, 2):
        action = prompt.pick(rng)
        if isinstance(action, Take):
            expected = after_taking(known_cards(state, prompt.seat), action.cards)
        elif isinstance(action, DiscardAfterHunt):
            expected = after_discarding(known_cards(state, prompt.seat), action.cards)
        else:
            continue
        done = GAME.apply(state, action).state
        if goes_on(state, done):
            found = known_cards(done, prompt.seat)
            assert expected.camps == found.camps
            assert (expected.raids, expected.coups_open, expected.offer) == (found.raids, found.coups_open, found.offer)


@every_size
def test_remembered_cards_are_held(players: int) -> None:
    """A tribe that took a card openly still has it, unless it was shown or may have been given away."""
    recalled = 0
    for seed in range(3):
        for state, _ in positions({}, players, seed):
            for tribe, cards in remembered(state.news).items():
                left = list(state.camps[tribe].hand)
                recalled += len(cards)
                for card in cards:
                    left.remove(card)
    assert recalled > 100


@every_size
def test_unseen_cards_are_those_of_the_pile_and_of_hidden_hands(players: int) -> None:
    for state, prompt in positions({}, players, 3):
        view = GAME.view_for(state, prompt.seat)
        hidden = [camp for camp in view.camps if camp.hand is None]
        held = [card for camp in hidden for card in state.camps[camp.tribe].hand]
        gift = [state.gift.card] if state.gift and (view.gift is None or view.gift.card is None) else []
        assert unseen_cards(view, {}) == ordered([*state.stock.pile, *held, *gift])
        recalled = remembered(view.news)
        position = position_of(view, recalled)
        unseen = unseen_cards(view, recalled)
        sure = [card for camp in position.camps for card in camp.hand]
        assert len(unseen) + len(sure) <= len(DECK)
        assert all(camp.hidden >= 0 for camp in position.camps)
        assert sum(camp.hidden for camp in position.camps) + view.pile + len(gift) == len(unseen)
