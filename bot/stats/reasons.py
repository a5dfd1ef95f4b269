"""Why a question about statistics has no answer; `bot.screens.refusals` says it kindly."""

from __future__ import annotations

from enum import StrEnum


class StatsReason(StrEnum):
    """Codes, with the parameters that their sentences need."""

    MISREAD = "misread"
    """What was pressed carries something that nobody made."""
    A_BOT = "a_bot"
    """`whom` is a bot."""
    NEVER_PLAYED = "never_played"
    """`whom` has finished no game here, or none that is kept."""
    YOU_NEVER_PLAYED = "you_never_played"
    KEEPS_OUT = "keeps_out"
    """`whom` keeps out of statistics."""
    YOU_KEEP_OUT = "you_keep_out"
    SAME_PERSON = "same_person"
    NEVER_MET = "never_met"
    """`whom` and `other` have finished no game together."""
    NO_GAMES = "no_games"
    """Nobody has finished a game here."""
    NO_SUCH_GAME = "no_such_game"
    """There is no finished game `game`; the newest is `newest`, if there is one."""
    STILL_PLAYED = "still_played"
    """The game at this table is not finished."""
    NO_REPLAY = "no_replay"
    """There are no screens for this game yet."""
    NO_SUCH_PERIOD = "no_such_period"
    """`value` was typed."""
    MANAGERS_ONLY = "managers_only"
    SEASON_EMPTY = "season_empty"
    """Season `season` has no game that counts."""
    SEASON_CLOSED = "season_closed"
    """Season `season` was closed meanwhile."""
