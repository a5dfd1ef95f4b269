"""Tests of everything. All games are registered, also for the programs that tests start with `python -m`."""

import bot.games.registry  # noqa: F401 - importing it registers the games
