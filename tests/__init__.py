"""All tests. Importing the package registers the games, even for programs that tests start with `python -m`."""

import bot.games.registry  # noqa: F401 - importing it registers the games
