"""Why a question about statistics is refused; `bot.screens.refusals` puts it into kind words."""

from __future__ import annotations

from enum import StrEnum


class StatsReason(StrEnum):
    """Codes. Each docstring names the parameters that its sentence needs."""

    MISREAD = "misread"
    """The button carries an argument that the bot never writes."""
    A_BOT = "a_bot"
    """`whom` is a bot."""
    NEVER_PLAYED = "never_played"
    """`whom` has finished no game here, or none that is kept."""
    YOU_NEVER_PLAYED = "you_never_played"
    KEEPS_OUT = "keeps_out"
    """`whom` opted out of statistics."""
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
    """This game has no screens for replays."""
    NO_SUCH_PERIOD = "no_such_period"
    """`value` was typed."""
    MANAGERS_ONLY = "managers_only"
    SEASON_EMPTY = "season_empty"
    """Season `season` has no game that counts."""
    SEASON_CLOSED = "season_closed"
    """Season `season` has been closed in the meantime."""
