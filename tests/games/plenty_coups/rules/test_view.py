"""Section 10: who may see what."""

from __future__ import annotations

from random import Random

import pytest

from bot.engine.core import DEALER, Leave, Outcome, Seat
from bot.games.plenty_coups.rules.actions import Breed, Deal, Decline, Disdain, End, Give, LayGift, Prove, Take
from bot.games.plenty_coups.rules.cards import DECK, HORSE, WEAPONS, Tribe, ordered
from bot.games.plenty_coups.rules.choices import prompts
from bot.games.plenty_coups.rules.game import GAME, apply, setup, view_for
from bot.games.plenty_coups.rules.state import State
from bot.games.plenty_coups.rules.view import GiftView, NotAdded, Phase, Score
from tests.games.plenty_coups.rules.cases import given
from tests.games.plenty_coups.rules.script_adapter import ScriptTable


def dealt(players: int, starter: int | None = 0, seed: int = 1) -> State:
    order = tuple(Random(seed).sample(DECK, len(DECK)))
    opened = setup({}, players, None if starter is None else Seat(starter))
    return apply(opened, Deal(DEALER, order, Seat(1) if starter is None else None)).state


def position(script: dict[str, object]) -> State:
    return ScriptTable({"shuffles": [], **script}).state


def test_players_see_their_own_hand_and_only_the_size_of_others() -> None:
    state = dealt(4)
    for viewer in (None, *range(4)):
        view = view_for(state, None if viewer is None else Seat(viewer))
        assert view.viewer == viewer
        for seat, camp in enumerate(view.camps):
            assert camp.owner == seat
            assert camp.controller == seat
            assert camp.hand_size == 3
            assert camp.hand == (state.camps[camp.tribe].hand if viewer == seat else None)


def test_public_facts_are_the_same_for_all() -> None:
    state = dealt(4)
    for viewer in (None, Seat(0), Seat(3)):
        view = view_for(state, viewer)
        assert (view.phase, view.round, view.turn, view.actor) == (Phase.TAKE, 1, Tribe.BLACK, Tribe.BLACK)
        assert (view.plain, view.pile, view.offer) == (20, 38, state.stock.offer)
        assert (view.discards, view.raids, view.left, view.gift, view.outcome) == ((), (), (), None, None)
        assert [(camp.horses, camp.prestige, camp.herd_points, camp.score) for camp in view.camps] == [
            (1, 0, 0, None)
        ] * 4


def test_only_the_prompted_player_sees_the_question() -> None:
    state = dealt(4)
    (prompt,) = prompts(state)
    assert view_for(state, Seat(0)).prompt == prompt
    assert prompt.id == 1
    assert prompt.allows(prompt.timeout)
    for viewer in (None, Seat(1), Seat(2), Seat(3)):
        assert view_for(state, viewer).prompt is None


def test_before_the_deal_nobody_has_cards() -> None:
    state = setup({}, 3, None)
    view = view_for(state, Seat(0))
    assert (view.phase, view.round, view.turn, view.actor, view.prompt) == (Phase.DEAL, 0, None, None, None)
    assert [camp.hand_size for camp in view.camps] == [0, 0, 0]
    assert [(p.id, p.seat, p.choices, p.timeout) for p in prompts(state)] == [(0, DEALER, (), None)]
    assert view.plain == 15


@pytest.mark.parametrize(("round_number", "controller"), [(1, 0), (2, 1), (5, 0), (12, 1)])
def test_the_third_tribe_shows_its_hand_to_its_controller(round_number: int, controller: int) -> None:
    state = position(given("black green yellow", players=2, round=round_number, green="arm2 arm3"))
    for viewer in (None, Seat(0), Seat(1)):
        third = view_for(state, viewer).camps[1]
        assert third.owner is None
        assert third.controller == controller
        assert third.hand == ((WEAPONS[2], WEAPONS[3]) if viewer == controller else None)


def test_while_the_deal_waits_for_a_shuffle_the_elder_controls_the_third_tribe() -> None:
    state = dealt(2)
    waiting = state.with_turn(round=0, phase=Phase.REFILL)
    waiting = waiting._replace(stock=waiting.stock._replace(offer=(), pile=(), discards=(HORSE,)))
    view = view_for(waiting, Seat(1))
    assert view.camps[1].hand is None
    assert view.camps[1].controller == 0
    assert (view.turn, view.actor, view.round) == (None, None, 0)
    assert prompts(waiting)[0].seat == DEALER


def test_only_the_giver_sees_the_card_of_an_unfinished_gift() -> None:
    state = position(given(black="arm2 arm3 stick", green="arm4 horse"))
    laid = apply(state, LayGift(Seat(0), Tribe.BLACK, Tribe.GREEN, WEAPONS[2], WEAPONS[3])).state
    assert view_for(laid, Seat(0)).gift == GiftView(Tribe.BLACK, Tribe.GREEN, WEAPONS[3])
    for viewer in (None, Seat(1), Seat(2), Seat(3)):
        assert view_for(laid, viewer).gift == GiftView(Tribe.BLACK, Tribe.GREEN, None)
    given_back = apply(laid, Give(Seat(2), Tribe.GREEN, HORSE)).state
    assert view_for(given_back, Seat(0)).gift is None


def test_each_of_two_who_exchanged_gifts_sees_what_came_and_nobody_else_does() -> None:
    state = position(given(black="arm2 arm3 stick", green="arm4 horse"))
    laid = apply(state, LayGift(Seat(0), Tribe.BLACK, Tribe.GREEN, WEAPONS[2], WEAPONS[3])).state
    assert all(camp.received is None for seat in range(4) for camp in view_for(laid, Seat(seat)).camps)
    done = apply(laid, Give(Seat(2), Tribe.GREEN, HORSE)).state
    seen = {seat: [camp.received for camp in view_for(done, seat).camps] for seat in (None, *map(Seat, range(4)))}
    nothing = [None] * 4
    assert seen.pop(Seat(0)) == [HORSE, None, None, None]
    assert seen.pop(Seat(2)) == [None, None, WEAPONS[3], None]
    assert [*seen.values()] == [nothing] * 3
    assert GAME.load(GAME.dump(done)) == done


def test_a_card_that_was_received_is_told_only_while_it_is_news_and_in_the_hand() -> None:
    laid = apply(
        position(given(black="arm2 arm3 stick", green="arm4 horse", actions_left=2)),
        LayGift(Seat(0), Tribe.BLACK, Tribe.GREEN, WEAPONS[2], WEAPONS[3]),
    ).state
    done = apply(laid, Give(Seat(2), Tribe.GREEN, HORSE)).state
    bred = apply(done, Breed(Seat(0), Tribe.BLACK)).state
    assert view_for(bred, Seat(0)).camps[0].received is None
    assert view_for(bred, Seat(2)).camps[2].received == WEAPONS[3]
    assert view_for(done._replace(news=()), Seat(2)).camps[2].received is None


def test_nothing_more_is_revealed_after_the_match() -> None:
    state = position(given(round=12, turn="red", black="arm2", red="stick", horses={"black": 7}))
    assert GAME.seated(state) == (0, 1, 2, 3)
    over = apply(state, prompts(state)[0].timeout).state
    assert GAME.seated(over) == ()
    for viewer in (None, *map(Seat, range(4))):
        view = view_for(over, viewer)
        assert view.prompt is None
        assert (view.turn, view.actor, view.phase) == (None, None, Phase.OVER)
        assert [camp.hand is not None for camp in view.camps] == [viewer == seat for seat in range(4)]
        assert view.camps[0].score == Score(0, 2, 2, 0, 2, None, NotAdded.NO_ALLY, 1)
        assert view.outcome == Outcome((Seat(0),), (1, 2, 2, 2))


def test_players_who_left_are_public_and_come_last() -> None:
    state = position(given(round=12, turn="red", prestige={"black": 4, "yellow": 2}))
    state = apply(state, Leave(Seat(0))).state
    assert view_for(state, None).left == (Seat(0),)
    over = apply(state, prompts(state)[0].timeout).state
    assert GAME.outcome(over) == Outcome((Seat(1),), (4, 1, 2, 2))


@pytest.mark.parametrize(("starter", "order"), [(0, [0, 1, 2, 3]), (2, [2, 3, 0, 1]), (None, [1, 2, 3, 0])])
def test_the_elder_begins(starter: int | None, order: list[int]) -> None:
    state = dealt(4, starter)
    assert [camp.owner for camp in view_for(state, None).camps] == order
    assert GAME.dump(state)["starter"] == order[0]
    assert prompts(state)[0].seat == order[0]


@pytest.mark.parametrize(("starter", "order"), [(0, [0, None, 1]), (1, [1, None, 0])])
def test_the_third_tribe_sits_at_the_elders_right(starter: int, order: list[int | None]) -> None:
    view = view_for(dealt(2, starter), None)
    assert [camp.owner for camp in view.camps] == order
    assert [camp.controller for camp in view.camps] == [starter, starter, 1 - starter]


def test_events_do_not_depend_on_the_hands_of_other_players() -> None:
    rng = Random(5)
    state = dealt(5)
    while questions := prompts(state):
        (prompt,) = questions
        action = GAME.deal(state, rng) if prompt.seat == DEALER else prompt.pick(rng)
        hidden = [camp for camp in state.camps.values() if camp.owner != prompt.seat]
        pool = [card for camp in hidden for card in camp.hand]
        rng.shuffle(pool)
        other = state.with_camps(*(camp._replace(hand=ordered(pool.pop() for _ in camp.hand)) for camp in hidden))
        assert apply(other, action).events == apply(state, action).events
        state = apply(state, action).state


def test_a_question_keeps_its_id_until_it_is_answered() -> None:
    state = dealt(4)
    assert prompts(state)[0].id == 1
    assert prompts(apply(state, Leave(Seat(2))).state)[0].id == 1
    taken = apply(state, Take(Seat(0), Tribe.BLACK, state.stock.offer[:2])).state
    assert prompts(taken)[0].id == 2
    # Taking, two hunts and their discards are five decisions, all made by default.
    assert prompts(apply(state, Leave(Seat(0))).state)[0].id == 6


def test_private_news_reach_players_whose_cards_changed() -> None:
    before = dealt(4)
    (prompt,) = prompts(before)
    after = apply(before, prompt.timeout).state
    assert isinstance(prompt.timeout, Take)
    assert GAME.private_news(before, after) == (Seat(0),)
    assert GAME.private_news(before, before) == ()


def test_the_open_view_shows_every_hand() -> None:
    state = dealt(4)
    view = GAME.open_view(state)
    assert [camp.hand for camp in view.camps] == [camp.hand for camp in state.camps.values()]
    assert (view.viewer, view.prompt, view.gift) == (None, None, None)


def test_the_open_view_shows_both_cards_of_an_exchange() -> None:
    state = position(given(black="arm2 arm3 stick", green="arm4 horse"))
    laid = apply(state, LayGift(Seat(0), Tribe.BLACK, Tribe.GREEN, WEAPONS[2], WEAPONS[3])).state
    black, _, green, _ = GAME.open_view(apply(laid, Give(Seat(2), Tribe.GREEN, HORSE)).state).camps
    assert (black.given, black.received) == (WEAPONS[3], HORSE)
    assert (green.given, green.received) == (HORSE, WEAPONS[3])


def test_the_open_view_shows_the_card_of_an_unfinished_gift() -> None:
    state = position(given(black="arm2 arm3 black1", green="horse"))
    gift = LayGift(Seat(0), Tribe.BLACK, Tribe.GREEN, WEAPONS[2], WEAPONS[3])
    assert GAME.open_view(apply(state, gift).state).gift == GiftView(Tribe.BLACK, Tribe.GREEN, WEAPONS[3])


def test_everybody_sees_what_can_be_taken() -> None:
    (prompt,) = prompts(dealt(3))
    assert GAME.public_choices(prompt) == prompt.choices != ()


def test_everybody_sees_only_that_a_turn_can_end_of_what_can_be_done_in_it() -> None:
    (prompt,) = prompts(position(given(round=11, black="arm2 black1 horse")))
    assert [choice.verb for choice in GAME.public_choices(prompt)] == [End]
    (prompt,) = prompts(position(given(round=5, black="arm2 black1 horse")))
    assert GAME.public_choices(prompt) == ()


def test_nobody_else_sees_how_disdain_can_be_answered() -> None:
    state = position(given(black="stick arm2 arm3", green="arm4 horse"))
    (prompt,) = prompts(apply(state, Disdain(Seat(0), Tribe.BLACK, Tribe.GREEN)).state)
    assert {choice.verb for choice in prompt.choices} == {Prove, Decline}
    assert GAME.public_choices(prompt) == ()
