"""Ratings: OpenSkill's Plackett–Luce model over final places, and the number that people see."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

START: Final = 1000
"""The shown rating of a newcomer."""
SCALE: Final = 40
"""Points in the shown rating for one point of the model."""


class Skill(NamedTuple):
    """The model's estimate of a person's skill, and how uncertain it is."""

    mu: float = 25.0
    sigma: float = 25.0 / 3.0

    @property
    def shown(self) -> int:
        """The number that people see: a bound that the true skill almost surely exceeds. It starts at `START`."""
        return START + round(SCALE * (self.mu - 3.0 * self.sigma))


NEWCOMER: Final = Skill()


@cache
def model() -> PlackettLuce:
    """Return the model. It is imported when the first match is rated: a bot at rest does without its megabyte."""
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()


def rate(skills: Sequence[Skill], places: Sequence[int]) -> list[Skill]:
    """Return everybody's skill after a match. Equal places are a draw; a single player's skill stays the same."""
    return list(_rate(tuple(skills), tuple(places)))


@lru_cache(maxsize=16)  # boards with the same matches repeat a question, such as all time and the first season
def _rate(skills: tuple[Skill, ...], places: tuple[int, ...]) -> tuple[Skill, ...]:
    if len(skills) < 2:
        return skills
    teams = [[model().rating(mu=skill.mu, sigma=skill.sigma)] for skill in skills]
    rated = model().rate(teams, ranks=[float(place) for place in places])
    return tuple(Skill(team[0].mu, team[0].sigma) for team in rated)
