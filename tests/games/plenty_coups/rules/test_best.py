"""What is worth remembering of a match agrees with its events."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from bot.engine.core import DEALER
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.best import Best
from bot.games.plenty_coups.rules.cards import WARRIORS, Tribe
from bot.games.plenty_coups.rules.game import GAME
from bot.games.plenty_coups.rules.raid_out import RaidOut

BLACK, YELLOW, GREEN = Tribe.BLACK, Tribe.YELLOW, Tribe.GREEN


def _raid(value: int) -> RaidOut:
    return RaidOut(BLACK, YELLOW, (WARRIORS[BLACK, 4],), value, prestige_side=False)


def test_the_strongest_raid_stays() -> None:
    best = Best().with_raid(_raid(4)).with_raid(_raid(6)).with_raid(_raid(5))
    assert best.raid == _raid(6)


def test_the_longest_alliance_stays() -> None:
    first = Best(since=2).without_ally(YELLOW, 6)
    assert first == Best(ally=YELLOW, rounds=4)
    assert first._replace(since=7).without_ally(GREEN, 9) == first
    assert first._replace(since=7).without_ally(GREEN, 12) == Best(ally=GREEN, rounds=5)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_it_agrees_with_the_events_of_whole_matches(players: int) -> None:
    for seed in range(6):
        rng = Random(seed)
        state, round_ = GAME.setup({}, players, None), 0
        coups: dict[Tribe, int] = defaultdict(int)
        raids: dict[Tribe, int] = defaultdict(int)
        allied: dict[Tribe, int] = {}
        longest: dict[Tribe, int] = defaultdict(int)

        def part(
            tribe: Tribe, now: int, allied: dict[Tribe, int] = allied, longest: dict[Tribe, int] = longest
        ) -> None:
            if tribe in allied:
                longest[tribe] = max(longest[tribe], now - allied.pop(tribe))

        while prompts := GAME.prompts(state):
            # Alliances and coups are rare at random, so they are made whenever they can be.
            pacts = [
                choice for choice in prompts[0].choices if choice.verb.__name__ in ("Accept", "Propose", "StrikeCoup")
            ]
            picked = rng.choice(pacts).pick(prompts[0].seat, rng) if pacts else None
            action = GAME.deal(state, rng) if prompts[0].seat == DEALER else picked or prompts[0].pick(rng)
            state, events = GAME.apply(state, action)
            for event in events:
                match event:
                    case e.TurnBegan(round=number):
                        round_ = number
                    case e.CoupStruck(tribe):
                        coups[tribe] += 1
                    case e.RaidCameHome(raid):
                        raids[raid.raider] = max(raids[raid.raider], raid.value)
                    case e.AllianceEnded(tribe, ally):
                        part(tribe, round_)
                        part(ally, round_)
                    case e.AllianceMade(proposer, _, accepter, _):
                        allied |= {proposer: round_, accepter: round_}
        for tribe in [*allied]:
            part(tribe, round_)
        for camp in GAME.view_for(state, None).camps:
            assert camp.best.coups == coups[camp.tribe]
            assert (camp.best.raid.value if camp.best.raid else 0) == raids[camp.tribe]
            assert camp.best.rounds == longest[camp.tribe]
        assert any(raids.values())
        assert players < 4 or any(longest.values())
