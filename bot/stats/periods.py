"""Finds the boards on which a finished match is counted."""

from __future__ import annotations

from datetime import UTC, datetime

from bot.host.model import Millis
from bot.stats.figures import WHOLE_GAME
from bot.stats.model import ALL_TIME, Board, GameRecord, season_period


def month_of(moment: Millis) -> str:
    """Return the month, in UTC, as the period of its boards: "2026-11"."""
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m")


def boards_of(record: GameRecord, guild: int, season: int) -> tuple[Board, ...]:
    """Return the boards of a match: the whole game's, and its edition's if the game has editions."""
    editions = dict.fromkeys((WHOLE_GAME, record.edition))
    periods = (ALL_TIME, month_of(record.ended), season_period(season))
    return tuple(Board(guild, record.game, edition, period) for edition in editions for period in periods)
