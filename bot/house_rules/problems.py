"""Why a house rule cannot be, or may not be changed. The game's own reasons are `editions.Problem`."""

from __future__ import annotations

from enum import StrEnum


class Misfit(StrEnum):
    """Details: `option` is the setting's key, `value` what was written, `nearest` what may have been meant."""

    UNKNOWN_KEY = "unknown_key"
    NOT_ONE_OF = "not_one_of"
    """`allowed` are the values that can be chosen."""
    NOT_A_NUMBER = "not_a_number"
    OUT_OF_RANGE = "out_of_range"
    NOT_A_TIME = "not_a_time"
    """`lowest`, `highest` and `nearest` are seconds; likewise in the next."""
    TIME_OUT_OF_RANGE = "time_out_of_range"
    OTHER_EDITION = "other_edition"
    """The setting has no meaning in this `edition`; it has in `editions`."""
    NOT_COINS = "not_coins"
    NO_SUCH_DECK = "no_such_deck"
    DECK_NAME = "deck_name"
    TOO_MANY_DECKS = "too_many_decks"
    NOT_A_CHANNEL = "not_a_channel"
    TOO_MANY_CHANNELS = "too_many_channels"
    NOT_A_ROLE = "not_a_role"
    NO_SUCH_PRESET = "no_such_preset"
    NOT_AN_EXPORT = "not_an_export"
    FILE_GONE = "file_gone"
    TOO_LONG = "too_long"
    OTHER_VERSION = "other_version"
    NOT_A_PAIR = "not_a_pair"
    """What was typed is not `key=value`."""

    MANAGERS_ONLY = "managers_only"
    """Only somebody with Manage Server changes house rules."""
    SERVER_WIDE = "server_wide"
    """The setting holds for the whole server and cannot be changed for one table."""
    ONLY_LESS = "only_less"
    """For one table it can be switched off, not on, unless by somebody with Manage Server."""
    OTHER_CHANNEL = "other_channel"
    """Tables stand in `channels` only."""
    ROLE_NEEDED = "role_needed"
    """Only those with `role` open tables."""
