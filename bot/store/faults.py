"""What keeps a store from being opened. What goes wrong later is `bot.host.ports.StoreFault`."""

from __future__ import annotations


class DatabaseRefused(Exception):
    """The database cannot be opened or used. The message is one line for the operator."""


class Away(DatabaseRefused):
    """The database's server cannot be reached just now; trying again later may help."""
