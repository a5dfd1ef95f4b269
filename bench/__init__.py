"""The benchmarks of `make bench`. Importing the package registers all games."""

import bot.games.registry  # noqa: F401 - importing it registers the games
