"""Counts the figures of a match of Plenty Coups from its public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from bot.engine.core import Seat
from bot.games.plenty_coups.highlights import find_highlights
from bot.games.plenty_coups.rules import events as e
from bot.games.plenty_coups.rules.cards import Tribe
from bot.stats.figures import Counted, GameFigures

COUPS: Final = "coups"
"""Coups struck, on return and in defence."""
RAIDS: Final = "raids"
"""Raids that the seat sent out."""
RAIDS_HOME: Final = "raids_home"
"""Of those, raids that came home, including those that were bought off."""
REPELLED: Final = "repelled"
"""Raids on the seat's camp that it drove away."""
HORSES: Final = "horses"
"""Horses in the herd at the end."""
PRESTIGE: Final = "prestige"
"""Prestige at the end."""
DISDAINS: Final = "disdains"
"""How often the seat disdained another tribe."""
ALLIANCES: Final = "alliances"
"""Alliances that it made with players, no matter who proposed them."""


def without_undone(events: Sequence[e.Event]) -> list[e.Event]:
    """Return the events that stand: what was taken back has not happened."""
    kept: list[e.Event] = []
    for event in events:
        if isinstance(event, e.Undone):
            del kept[len(kept) - len(event.events) :]
        else:
            kept.append(event)
    return kept


def count(players: int, events: Sequence[e.Event]) -> Counted:
    """Count rounds, the figures of every seat, and who took how many horses from whom."""
    tribes: dict[Tribe, Counter[str]] = {}
    owners: dict[Tribe, Seat | None] = {}
    taken: Counter[tuple[Tribe, Tribe]] = Counter()
    rounds = 0
    for event in without_undone(events):
        match event:
            case e.Dealt():
                owners = dict(zip(event.tribes, event.owners, strict=True))
                tribes = {tribe: Counter({HORSES: 1}) for tribe in event.tribes}
            case e.TurnBegan():
                rounds = event.round
            case e.RaidCameHome(raid, horse, _):
                tribes[raid.raider][RAIDS_HOME] += 1
                if horse:
                    taken[raid.raider, raid.target] += 1
                    tribes[raid.raider][HORSES] += 1
                    tribes[raid.target][HORSES] -= 1
            case _:
                _count_one(event, tribes)
    figures = {owners[tribe]: found for tribe, found in tribes.items()}
    duels = {(owners[raider], owners[target]): number for (raider, target), number in taken.items()}
    return Counted(
        rounds,
        [figures.get(Seat(seat), Counter()) for seat in range(players)],
        tuple((one, other, number) for (one, other), number in duels.items() if one is not None and other is not None),
    )


def _count_one(event: e.Event, tribes: dict[Tribe, Counter[str]]) -> None:
    """Count what concerns the figures of single tribes."""
    match event:
        case e.RaidLaunched(raid):
            tribes[raid.raider][RAIDS] += 1
        case e.RaidRepelled(raid, _):
            tribes[raid.target][REPELLED] += 1
        case e.CoupStruck(tribe, _):
            tribes[tribe][COUPS] += 1
        case e.Bred(tribe):
            tribes[tribe][HORSES] += 1
        case e.HorsesGiven(tribe, target, _):
            tribes[tribe][HORSES] -= 2
            tribes[target][HORSES] += 2
        case e.PrestigeChanged(tribe, prestige):
            tribes[tribe][PRESTIGE] = prestige
        case e.Disdained(tribe, _):
            tribes[tribe][DISDAINS] += 1
        case e.AllianceMade(proposer, _, accepter, _):
            tribes[proposer][ALLIANCES] += 1
            tribes[accepter][ALLIANCES] += 1
        case _:
            pass


FIGURES: Final = GameFigures(
    names=(COUPS, RAIDS, RAIDS_HOME, REPELLED, HORSES, PRESTIGE, DISDAINS, ALLIANCES),
    count=count,
    rankings=("rating", "wins", "win_rate", COUPS, RAIDS_HOME, HORSES, PRESTIGE, "best_run", "games"),
    highlights=find_highlights,
)
