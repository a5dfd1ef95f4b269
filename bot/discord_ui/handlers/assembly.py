"""All handlers, built once with what they need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.handlers.ai_seats import AiSeatHandlers
from bot.discord_ui.handlers.autocomplete import AutocompleteHandlers
from bot.discord_ui.handlers.house_files import HouseFileHandlers
from bot.discord_ui.handlers.house_rules import HouseRulesHandlers
from bot.discord_ui.handlers.leaderboards import LeaderboardHandlers
from bot.discord_ui.handlers.lobby import LobbyHandlers
from bot.discord_ui.handlers.opening import OpeningHandlers
from bot.discord_ui.handlers.pages import Pages
from bot.discord_ui.handlers.play import PlayHandlers
from bot.discord_ui.handlers.privacy import PrivacyHandlers
from bot.discord_ui.handlers.replays import ReplayHandlers
from bot.discord_ui.handlers.statistics import StatisticsHandlers
from bot.discord_ui.handlers.table import TableHandlers
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.house_rules.repository import Houses
from bot.store.sqlite.store import SqliteStore


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerServices:
    """What the handlers are built with."""

    store: SqliteStore
    clock: Clock
    tables: Tables
    publisher: Publisher
    dms: DirectMessages
    house: Houses
    guilds: Guilds
    members: Members
    retention_days: int
    command_names: Callable[[], Sequence[str]]


class Handlers:
    """One object for each family of presses and commands."""

    def __init__(self, services: HandlerServices) -> None:
        store, tables, publisher = services.store, services.tables, services.publisher
        self.lobby = LobbyHandlers(store, services.dms)
        self.table = TableHandlers(store, tables, publisher, services.command_names)
        self.ai_seats = AiSeatHandlers()
        self.opening = OpeningHandlers(
            tables=tables,
            house=services.house,
            publisher=publisher,
            guilds=services.guilds,
            clock=services.clock,
            lobby=self.lobby,
        )
        self.play = PlayHandlers()
        pages = Pages(services.house)
        self.leaderboards = LeaderboardHandlers(store.stats, services.house, services.members, services.clock, pages)
        self.statistics = StatisticsHandlers(store.stats, self.leaderboards, pages)
        self.replays = ReplayHandlers(store.stats, tables)
        self.privacy = PrivacyHandlers(store, tables, services.dms, self.replays.forget, services.retention_days)
        self.house_rules = HouseRulesHandlers(services.house)
        self.house_files = HouseFileHandlers(services.house, self.house_rules)
        self.autocomplete = AutocompleteHandlers(services.house)
