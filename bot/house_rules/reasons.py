"""The reasons why a house rule is invalid or may not be changed. A game has further reasons of its own."""

from __future__ import annotations

from enum import StrEnum


class HouseReason(StrEnum):
    """A reason to refuse a value or a change.

    Its details: `option` is the setting's full key, `values` the settings that it was checked with, `value` what was
    written, `nearest` what may have been meant.
    """

    UNKNOWN_KEY = "unknown_key"
    NOT_ONE_OF = "not_one_of"
    """`allowed` are the values that can be chosen."""
    NOT_A_NUMBER = "not_a_number"
    OUT_OF_RANGE = "out_of_range"
    NOT_A_TIME = "not_a_time"
    """`lowest`, `highest` and `nearest` are seconds, as in the next reason."""
    TIME_OUT_OF_RANGE = "time_out_of_range"
    MEANS_NOTHING = "means_nothing"
    """The setting has no meaning while the setting `other` is `given`; it has one with the values `needed`."""
    NOT_AMOUNTS = "not_amounts"
    """`allowed` are the words that need a number each."""
    NO_SUCH = "no_such"
    """Nothing is saved under this name; `noun` says what kind of thing, as in the next two reasons."""
    BAD_NAME = "bad_name"
    TOO_MANY = "too_many"
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
    """Only somebody with Manage Server may change house rules."""
    SERVER_WIDE = "server_wide"
    """The setting belongs to the whole server and cannot be changed for one table."""
    AT_OPENING = "at_opening"
    """The setting can be chosen when a table is opened, but not changed in its lobby."""
    ONLY_LESS = "only_less"
    """For one table it can be switched off, but only somebody with Manage Server can switch it on."""
    OTHER_CHANNEL = "other_channel"
    """Tables may be opened in `channels` only."""
    ROLE_NEEDED = "role_needed"
    """Only those with `role` may open tables."""
