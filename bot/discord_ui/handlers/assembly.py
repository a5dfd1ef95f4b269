"""All handlers, built once with what they need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord_ui.emojis import EmojiProgress
from bot.discord_ui.gateway.guilds import Guilds
from bot.discord_ui.gateway.members import Members
from bot.discord_ui.handlers.ai_seats import AiSeatHandlers
from bot.discord_ui.handlers.autocomplete import AutocompleteHandlers
from bot.discord_ui.handlers.doctor import DoctorHandlers
from bot.discord_ui.handlers.house_files import HouseFileHandlers
from bot.discord_ui.handlers.house_rules import HouseRulesHandlers
from bot.discord_ui.handlers.leaderboards import LeaderboardHandlers
from bot.discord_ui.handlers.lessons import LessonHandlers
from bot.discord_ui.handlers.lobby import LobbyHandlers
from bot.discord_ui.handlers.opening import OpeningHandlers
from bot.discord_ui.handlers.pages import Pages
from bot.discord_ui.handlers.play import PlayHandlers
from bot.discord_ui.handlers.privacy import PrivacyHandlers
from bot.discord_ui.handlers.replays import ReplayHandlers
from bot.discord_ui.handlers.sharing import SharingHandlers
from bot.discord_ui.handlers.statistics import StatisticsHandlers
from bot.discord_ui.handlers.table import TableHandlers
from bot.discord_ui.handlers.table_rules import TableRulesHandlers
from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.languages import Languages
from bot.discord_ui.outbox.dms import DirectMessages
from bot.discord_ui.outbox.private_messages import PrivateMessages
from bot.discord_ui.outbox.publisher import Publisher
from bot.discord_ui.text_only import TextOnly
from bot.host.ports import Clock
from bot.host.tables import Tables
from bot.house_rules.repository import HouseRulesRepository
from bot.store.ports import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerServices:
    """What the handlers are built with."""

    store: Store
    clock: Clock
    tables: Tables
    publisher: Publisher
    dms: DirectMessages
    private: PrivateMessages
    repository: HouseRulesRepository
    guilds: Guilds
    members: Members
    retention_days: int
    command_names: Callable[[Interaction[Any]], Sequence[str]]
    store_is_well: Callable[[], bool]
    latency: Callable[[], float]
    emojis: Callable[[], EmojiProgress | None]
    languages: Languages
    text_only: TextOnly
    illustrator: Illustrator
    fetch_file: Callable[[str], Awaitable[bytes]]
    """Returns what an address of Discord's CDN holds."""


class Handlers:
    """One object for each family of presses and commands."""

    def __init__(self, services: HandlerServices) -> None:
        store, tables, publisher = services.store, services.tables, services.publisher
        self.lobby = LobbyHandlers(store, store.stats, services.dms)
        self.table = TableHandlers(store, tables, publisher, services.text_only, services.command_names)
        self.ai_seats = AiSeatHandlers()
        self.opening = OpeningHandlers(
            tables=tables,
            repository=services.repository,
            publisher=publisher,
            guilds=services.guilds,
            clock=services.clock,
            lobby=self.lobby,
        )
        self.play = PlayHandlers()
        self.lessons = LessonHandlers(store)
        pages = Pages(services.repository, services.illustrator, services.text_only)
        self.leaderboards = LeaderboardHandlers(
            store.stats, services.repository, services.members, services.clock, pages
        )
        self.statistics = StatisticsHandlers(
            store.stats, self.leaderboards, services.members, pages, services.guilds.name_of
        )
        self.replays = ReplayHandlers(store.stats, tables)
        self.sharing = SharingHandlers(store.stats, tables, services.illustrator, services.clock)
        self.privacy = PrivacyHandlers(
            store,
            tables,
            forget_user=(
                services.dms.forget,
                services.private.forget,
                services.languages.forget,
                services.text_only.forget,
                services.members.forget,
            ),
            forget_replays=self.replays.forget,
            retention_days=services.retention_days,
        )
        self.house_rules = HouseRulesHandlers(services.repository)
        self.table_rules = TableRulesHandlers(services.repository)
        self.doctor = DoctorHandlers(
            services.guilds,
            services.repository,
            store_is_well=services.store_is_well,
            latency=services.latency,
            emojis=services.emojis,
        )
        self.house_files = HouseFileHandlers(services.repository, self.house_rules, services.fetch_file)
        self.autocomplete = AutocompleteHandlers(services.repository)
