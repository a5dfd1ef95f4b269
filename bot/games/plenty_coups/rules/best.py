"""Remembers the best of a tribe's match: coups, the strongest raid that came home, the longest alliance."""

from __future__ import annotations

from msgspec.structs import replace

from bot.engine.frozen import Frozen
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.raid_out import RaidOut


class Best(Frozen, frozen=True):
    """What is worth remembering of one tribe; all of it is public."""

    coups: int = 0
    """All coups that it has struck."""
    raid: RaidOut | None = None
    """Its strongest raid that came home; of equals, the first."""
    ally: Tribe | None = None
    """The tribe in play that it was allied to for longest; of equals, the first."""
    rounds: int = 0
    """For how many rounds."""
    since: int = 0
    """The round in which its present alliance with a player was made; 0 if it has none."""

    def with_raid(self, raid: RaidOut) -> Best:
        """Return this after a raid has come home."""
        return replace(self, raid=raid) if self.raid is None or raid.value > self.raid.value else self

    def without_ally(self, ally: Tribe, round_: int) -> Best:
        """Return this after the alliance with a player has ended in this round."""
        longest = round_ - self.since > self.rounds
        return replace(self, ally=ally, rounds=round_ - self.since, since=0) if longest else replace(self, since=0)
