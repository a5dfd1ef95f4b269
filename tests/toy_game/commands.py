"""`/highcard`: everything that every table has, and nothing more."""

from typing import ClassVar

from bot.discord_ui.client import TableBot
from bot.discord_ui.commands.table_group import TableGroup


class HighCard(TableGroup, group_name="highcard", group_description="Play High Card"):
    game: ClassVar[str] = "highcard"


async def setup(bot: TableBot) -> None:
    await bot.add_cog(HighCard())
