"""What the exit codes of `python -m bot` mean; docs/configuration.md lists them."""

from __future__ import annotations

from typing import Final

FAILED: Final = 1
"""The bot is unwell, something needs to be fixed, or Discord could not be reached."""
WRONG_SETTINGS: Final = 2
"""Settings or arguments are wrong."""
DATABASE: Final = 3
"""A database cannot be used, or another process is using it."""
REFUSED: Final = 4
"""Discord refuses this bot, and trying again would not help."""
AWAY: Final = 5
"""The database's server cannot be reached; trying again later may help."""
INTERRUPTED: Final = 130
"""Ctrl-C, as shells count it."""
