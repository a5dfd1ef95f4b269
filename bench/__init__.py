"""What `make bench` measures. All games are registered."""

import bot.games.registry  # noqa: F401 - importing it registers the games
