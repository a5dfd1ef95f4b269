"""Before and after a match: sitting down, leaving, the host's menu, starting, stopping."""

from __future__ import annotations

from typing import Final

from bot.discord_ui.handlers.ports import PlayerDms
from bot.discord_ui.interactions.context import Context
from bot.engine.core import Rejected
from bot.engine.registry import RULES
from bot.host import commands
from bot.host.commands import HostReason
from bot.host.model import FIRST_MATCHES, Stage, Table, UserId
from bot.host.seating import may_stop, other_seat, require_host, require_stage
from bot.screens import lobby
from bot.screens.answers import Done, done_screen, joined_screen
from bot.screens.confirm import CANCEL, leave_screen, remove_screen, stop_screen
from bot.screens.layout import PrivateScreen
from bot.screens.names import mention, safe_name
from bot.screens.presses import Press
from bot.screens.words import named
from bot.store.ports import FinishedGames, PreferenceStore

YES: Final = "yes"
"""The argument of a press that confirms an "Are you sure?" question."""
UP: Final = "up"
"""The argument of the select that moves somebody up, so that it differs from the button that shuffles."""
AI_NAME: Final = "ai"
"""The press field with an AI player's name; a command's user option can name only Discord users."""


def picked_user(press: Press) -> UserId:
    """Return the user picked in a select or a user option; raise Rejected if the value is not an id."""
    picked = (press.picked or "").removeprefix("-")
    if press.picked is None or not picked.isascii() or not picked.isdigit():
        raise Rejected(HostReason.NOT_AT_TABLE)
    return UserId(int(press.picked))


def ai_named(table: Table, name: str) -> UserId:
    """Return the AI player of this name; raise Rejected if none sits at the table."""
    whom = next((player.user for player in table.players if player.ai is not None and player.name == name), None)
    if whom is None:
        raise Rejected(HostReason.NOT_AN_AI)
    return whom


class LobbyHandlers:
    """What people do before and after a match."""

    def __init__(self, store: PreferenceStore, finished: FinishedGames, dms: PlayerDms) -> None:
        self._store = store
        self._finished = finished
        self._dms = dms

    async def join_command(self, context: Context, game: str) -> commands.Join:
        """Return the command to sit down at a table of this game, with the user's own settings."""
        preferences = await self._store.preferences(context.user)
        name = safe_name(context.interaction.user.display_name)
        known = self._dms.state_of(context.user)
        learning = await self._learning(context.user, game)
        return commands.Join(
            context.user, name, preferences.slow, preferences.pinged, known, learning, context.language
        )

    async def _learning(self, user: UserId, game: str) -> int:
        return FIRST_MATCHES - await self._finished.finished(user, game, FIRST_MATCHES)

    async def join(self, context: Context, press: Press) -> None:
        """Take a seat; the table shows it, and a private answer says how the player will see their cards."""
        game = (await context.table()).game
        table = await context.submit(await self.join_command(context, game))
        if not context.is_command:
            await context.acknowledge()
        await context.tell(self._welcome(context, table))

    def _welcome(self, context: Context, table: Table) -> PrivateScreen:
        self._dms.take_dm_warning(context.user)  # the welcome itself says whether DMs reach them
        seat = table.seat_of(context.user)
        dm = table.players[seat if seat is not None else 0].dm
        return joined_screen(context.say, table, dm, elsewhere=context.interaction.channel_id != table.channel)

    async def leave(self, context: Context, press: Press) -> None:
        """Leave the table: at once in the lobby, after a confirmation in a match."""
        table = await context.table()
        seat = table.seat_of(context.user)
        if table.stage is Stage.PLAYING and seat is not None and not _is_sure(press):
            living = seat in RULES[table.game].seated(table.match)
            dealt = table.next_deal is None
            await context.change(leave_screen(context.say, table, context.user, living=living, dealt=dealt))
            return
        after = await context.submit(commands.Leave(context.user))
        if not context.is_command and after.stage is not Stage.PLAYING and not context.is_private:
            await context.acknowledge()
            return
        await context.change(done_screen(context.say, Done.LEFT if table.stage is Stage.LOBBY else Done.LEFT_FOR_GOOD))

    async def start(self, context: Context, press: Press) -> None:
        """Begin the match; a host who typed the command is shown their own view of it."""
        before = await context.table()
        new = [player.user for player in before.people if player.learning]
        learning = tuple([(user, await self._learning(user, before.game)) for user in new])
        table = await context.submit(commands.Start(context.user, learning))
        if context.is_command:
            await context.show_look(table)
        else:
            await context.acknowledge()

    async def host_menu(self, context: Context, press: Press) -> None:
        """Show the host's menu."""
        table = await context.table()
        require_stage(table, Stage.LOBBY)
        require_host(table, context.user)
        await context.change(lobby.host_menu(context.say, table))

    async def kick(self, context: Context, press: Press) -> None:
        """Remove a player from the lobby, after a confirmation."""
        whom, table = picked_user(press), await context.table()
        if press.id.argument is None:
            require_stage(table, Stage.LOBBY)
            require_host(table, context.user)
            other_seat(table, context.user, whom)
            await context.change(remove_screen(context.say, table, whom))
            return
        await context.submit(commands.Kick(context.user, whom))
        await context.change(done_screen(context.say, Done.KICKED, mention=mention(context.say, whom)))

    async def pass_host(self, context: Context, press: Press) -> None:
        """Make another player the host."""
        to = picked_user(press)
        await context.submit(commands.PassHost(context.user, to))
        await context.change(done_screen(context.say, Done.PASSED, mention=mention(context.say, to)))

    async def choose_starter(self, context: Context, press: Press) -> None:
        """Choose who begins; 0 leaves it to chance."""
        ai = press.fields.get(AI_NAME)
        who = picked_user(press) if ai is None else ai_named(await context.table(), ai)
        table = await context.submit(commands.ChooseStarter(context.user, who or None))
        chosen = done_screen(context.say, Done.STARTER, mention=named(context.say, table, who))
        await context.change(chosen if who else done_screen(context.say, Done.CHANCE))

    async def arrange_seats(self, context: Context, press: Press) -> None:
        """Shuffle the seats or, if somebody was picked, move them up one seat."""
        ai = press.fields.get(AI_NAME)
        if ai is None and (press.picked is None or press.picked == UP):
            await context.submit(commands.ShuffleSeats(context.user))
            await self._show_seats(context, done_screen(context.say, Done.SHUFFLED))
            return
        whom = picked_user(press) if ai is None else ai_named(await context.table(), ai)
        table = await context.submit(commands.MoveUp(context.user, whom))
        await self._show_seats(context, done_screen(context.say, Done.MOVED, mention=named(context.say, table, whom)))

    async def _show_seats(self, context: Context, done: PrivateScreen) -> None:
        """Say what was done; the host's menu stays open, since one change of seats is rarely enough."""
        if context.is_private:
            await context.change(lobby.host_menu(context.say, await context.table()))
        else:
            await context.change(done)

    async def stop(self, context: Context, press: Press) -> None:
        """End the table, after a confirmation."""
        table = await context.table()
        manager = context.may_manage
        cancels = table.stage is Stage.LOBBY and press.id.argument == CANCEL
        if table.is_open and not cancels and not _is_sure(press):
            if not may_stop(table, context.user, manager=manager):
                raise Rejected(HostReason.MAY_NOT_STOP, host=table.host, who=table.house.who_stops)
            await context.change(stop_screen(context.say, table))
            return
        await context.submit(commands.Stop(context.user, manager))
        if context.is_command:
            await context.tell(done_screen(context.say, Done.STOPPED))
        else:
            await context.dismiss()


def _is_sure(press: Press) -> bool:
    return press.id.argument == YES
