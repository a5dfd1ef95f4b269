"""The rating: OpenSkill's Plackett–Luce model over final places, and the number that people see of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

START: Final = 1000
SCALE: Final = 40


class Skill(NamedTuple):
    """What the model thinks of somebody: how good, and how sure it is of that."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """The number that people see: what the model is almost sure of. Whoever has not been rated has START."""
        return START + round(SCALE * (self.mu - 3.0 * self.sigma))


NEWCOMER: Final = Skill()
_MODEL: Final = PlackettLuce()


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return what a match makes of everybody in it; equal places are a draw. One alone learns nothing."""
    if len(skills) < 2:
        return list(skills)
    teams = [[_MODEL.rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [Skill(team[0].mu, team[0].sigma) for team in rated]
