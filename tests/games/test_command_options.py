"""The options of the command that opens a table allow exactly the values of the settings that they stand for."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from discord.app_commands import Parameter

from bot.discord_ui.commands.registry import COMMAND_MODULES
from bot.discord_ui.commands.table_group import TableGroup
from bot.games.registry import KITS
from bot.house_rules.game_settings import GAME_SETTINGS
from bot.house_rules.kinds import Kind, Number, OneOf, Switch
from bot.house_rules.settings import SHARED_SETTINGS

MODULES = sorted({*COMMAND_MODULES.values(), "tests.toy_game.commands"})


class Group(TableGroup, group_name="any"):
    """A group that remembers which settings a table would be opened with."""

    asked: dict[str, Any]

    async def open_table(self, interaction: Any, rules: str | None, **settings: object) -> None:
        self.asked = settings


def group_of(module: str) -> type[TableGroup]:
    found = [each for each in vars(import_module(module)).values() if isinstance(each, type)]
    (group,) = [each for each in found if issubclass(each, TableGroup) and each is not TableGroup]
    return group


def kind_of(game: str, key: str) -> Kind:
    own = GAME_SETTINGS[game].settings if game in GAME_SETTINGS else ()
    (kind,) = [each.kind for each in (*own, *SHARED_SETTINGS) if each.key == key]
    return kind


async def setting_of(group: type[TableGroup], option: Parameter) -> str | None:
    """Return the key of the setting that an option stands for; None if it stands for none."""
    asked = Group.__new__(Group)
    mark = "mark"
    callback: Any = group.new.callback
    await callback(asked, None, **{option.name: mark})
    return next((key for key, value in asked.asked.items() if value is mark), None)


def allowed(option: Parameter) -> Any:
    if option.choices:
        return {choice.value for choice in option.choices}
    return (option.min_value, option.max_value)


def expected(kind: Kind) -> Any:
    match kind:
        case Number():
            return (kind.lowest, kind.highest)
        case OneOf():
            return set(kind.known())
        case Switch():
            return (None, None)
    raise AssertionError(kind)


@pytest.mark.parametrize("module", MODULES)
async def test_options_allow_what_their_settings_allow(module: str) -> None:
    group = group_of(module)
    compared = set()
    for option in group.new.parameters:
        key = await setting_of(group, option)
        if key is not None:
            assert allowed(option) == expected(kind_of(group.game, key)), option.name
            compared.add(option.name)
    bounded = {each.name for each in group.new.parameters if allowed(each) != (None, None)}
    assert bounded <= compared, "an option with bounds stands for a setting"


def test_every_game_with_commands_is_compared() -> None:
    games = {group_of(module).game for module in MODULES}
    assert {kit.name for kit in KITS if kit.commands is not None} <= games
