"""Finished games, step by step: always private, only this server's, and drawn from views alone."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.host.model import Stage, TableId
from bot.screens.game import SCREENS
from bot.screens.layout import PrivateScreen
from bot.screens.replay import frame_of, replay_screen, without_hidden_names
from bot.screens.stats.queries import Step, parse_step
from bot.stats.model import PastGame
from bot.stats.reasons import StatsReason
from bot.stats.replay import Replay

if TYPE_CHECKING:
    from bot.screens.presses import Press

KEPT: Final = 16


class Films:
    """The replays that are being watched: a finished game hardly changes, so it is not played again for every step."""

    def __init__(self) -> None:
        self._kept: OrderedDict[TableId, Replay] = OrderedDict()

    async def of(self, context: Context, game: PastGame) -> Replay | None:
        """Return the replay of a game of this server."""
        replay = self._kept.pop(game.table, None) or await context.bot.store.stats.replay(context.guild, game.number)
        if replay is not None:
            self._kept[game.table] = replay
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return replay

    def clear(self) -> None:
        """Read all replays anew: somebody in them is a former player now."""
        self._kept.clear()


async def watch(context: Context, at: Step) -> None:
    """Open a replay."""
    await context.tell(await _draw(context, at))


async def turn(context: Context, press: Press) -> None:
    """Go to another step, another round, or behind other eyes; or open the replay of a game."""
    if context.table_id is not None:
        await watch(context, Step(await _game_here(context)))
        return
    at = parse_step(press.picked)
    if at is None:
        raise Rejected(StatsReason.MISREAD)
    if press.id.prompt:
        await context.change(await _draw(context, at))
    else:
        await watch(context, at)


async def _game_here(context: Context) -> int:
    """Return the number of the game that was played at a table."""
    table = await context.table()
    ending = await context.bot.store.stats.ending(table.id) if table.stage is Stage.OVER else None
    if ending is None:
        raise Rejected(StatsReason.STILL_PLAYED)
    return ending.game.number


async def _draw(context: Context, at: Step) -> PrivateScreen:
    stats = context.bot.store.stats
    game = await stats.game(context.guild, at.game)
    if game is None:
        newest = (await stats.history(context.guild, size=1)).games
        raise Rejected(StatsReason.NO_SUCH_GAME, game=at.game, newest=newest or None)
    screens = SCREENS.get(game.game)
    if screens is None or screens.replay is None:
        raise Rejected(StatsReason.NO_REPLAY)
    replay = await context.bot.films.of(context, game)
    table = await context.bot.tables.get(game.table)
    if replay is None or table.stage is not Stage.OVER:
        raise Rejected(StatsReason.STILL_PLAYED)
    return replay_screen(context.say, without_hidden_names(context.say, table, game), frame_of(replay, game, at))
