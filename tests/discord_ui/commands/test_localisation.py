"""Commands, options and choices have names and descriptions in every language, and Discord accepts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import discord
import pytest
from discord import Locale, app_commands
from discord.app_commands import TranslationContextTypes
from discord.ext import commands

from bot.ai_players.characters import ROSTER
from bot.discord_ui.translator import CatalogueTranslator, name_options
from bot.run import EXTENSIONS
from bot.screens.game_names import TITLES, typed_name
from bot.screens.help import help_screen
from bot.text.catalogue import catalogue, code_of, languages
from sandbox.limits import commands as limits
from tests.golden import matches_golden
from tests.screens.rendering import shown_texts
from tests.text.speaking import PSEUDO, english_in, speaking, spoken

FOR_COMMANDS = ("command.", "option.", "person_menu.")
"""The beginnings of the keys that only commands have."""
FOR_OTHER_GAMES = ("command.table.new.", "command.table.look.")
"""The beginnings of the keys that a game uses which has no words of its own; both of ours have."""
OTHERS = [code for code in (*languages(), PSEUDO) if code != "en"]
THE_SAME = {
    *[each.name for each in ROSTER],
    *TITLES.values(),
    *[catalogue(code)("language.name") for code in languages()],
}
"""Names of AI players, games and languages."""


async def tree() -> app_commands.CommandTree[Any]:
    """Load all commands, as the bot does."""
    bot = commands.Bot(command_prefix="!", intents=discord.Intents.none())
    for extension in EXTENSIONS:
        await bot.load_extension(extension)
    name_options(bot.tree)
    return bot.tree


class Recording(CatalogueTranslator):
    """Translates, and knows the keys that it was asked for."""

    def __init__(self) -> None:
        self.asked = set[str]()

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        self.asked |= {string.extras["key"]} if "key" in string.extras else set()
        return await super().translate(string, locale, context)


async def payloads(translator: CatalogueTranslator | None = None) -> list[dict[str, Any]]:
    """Return what Discord is told about all commands."""
    loaded, translator = await tree(), translator or CatalogueTranslator()
    return [await cast(Any, each).get_translated_payload(loaded, translator) for each in loaded.get_commands()]


def parts(of: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a command, its subcommands, its options and their choices."""
    yield of
    for below in (*of.get("options", ()), *of.get("choices", ())):
        yield from parts(below)


@pytest.mark.parametrize("language", OTHERS)
async def test_everything_is_named_and_described_in_every_language(language: str) -> None:
    with speaking("en"):
        found = [each for command in await payloads() for each in parts(command)]
    locales = [each.value for each in Locale if language in (code_of(each.value), each.value)]
    assert locales
    for part in found:
        for name in ("name", "description"):
            if name in part and part[name] not in THE_SAME:
                translated = part.get(f"{name}_localizations") or {}
                assert set(locales) <= set(translated), part


async def test_discord_accepts_all_of_it() -> None:
    with speaking("en"):
        for command in await payloads():
            assert list(limits.check(command, ())) == []


async def test_options_keep_their_names_in_english() -> None:
    for command in (await tree()).walk_commands():
        for option in getattr(command, "_params", {}).values():
            assert option.display_name == option.name, (command.name, option.name)


async def test_help_names_commands_as_the_reader_finds_them() -> None:
    names = [each.qualified_name for each in (await tree()).walk_commands() if isinstance(each, app_commands.Command)]
    say = catalogue()
    assert [typed_name(say, name) for name in names] == names
    with speaking(PSEUDO):
        assert [word for shown in shown_texts(help_screen(spoken(), names)) for word in english_in(shown)] == []
        assert typed_name(spoken(), "plenty ai add") == "þļéñţý åî åðð"
    assert typed_name(say, "chess move") == "chess move"


def in_words(part: dict[str, Any], locale: str, indent: str = "") -> Iterator[str]:
    """Yield a line for a command and whatever it consists of, as Discord shows it in a locale."""

    def shown(of: str) -> str:
        return str((part.get(f"{of}_localizations") or {}).get(locale, part.get(of, "")))

    about = shown("description")
    yield f"{indent}{shown('name')}{f' — {about}' if about else ''}"
    for below in (*part.get("options", ()), *part.get("choices", ())):
        yield from in_words(below, locale, f"{indent}  ")


@pytest.mark.parametrize("language", languages())
async def test_golden_commands(language: str) -> None:
    locale = next(each.value for each in Locale if code_of(each.value) == language)
    shown = [line for command in await payloads() for line in in_words(command, locale)]
    matches_golden("commands.txt", "\n".join([*shown, ""]), language)


async def test_every_text_for_commands_is_used() -> None:
    translator = Recording()
    with speaking("en"):
        await payloads(translator)
    texts = {key for key in catalogue().keys if key.startswith(FOR_COMMANDS) and not key.startswith(FOR_OTHER_GAMES)}
    assert sorted(texts - translator.asked) == []
