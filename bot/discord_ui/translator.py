"""Translates the names and descriptions of commands into every language that has a catalogue."""

from __future__ import annotations

from typing import Any

from discord import Locale, app_commands
from discord.app_commands import TranslationContextTypes, locale_str

from bot.text.catalogue import DEFAULT_LANGUAGE, catalogue


def localised(key: str) -> locale_str:
    """Return a command's text for discord.py: the English words, with the key for other languages.

    discord.py needs the default text as the message, so the key is added as an extra.
    """
    return locale_str(catalogue()(key), key=key)


def name_options(tree: app_commands.CommandTree[Any]) -> None:
    """Let the names of all options be translated; by itself, discord.py translates only their descriptions."""
    for command in tree.walk_commands():
        for option in getattr(command, "_params", {}).values():
            if f"option.{option.name}" in catalogue():
                option._rename = localised(f"option.{option.name}")


class CatalogueTranslator(app_commands.Translator):
    """Translates the texts that `localised` returned."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """Return the text in `locale`, or None if the English one will do."""
        key = string.extras.get("key")
        texts = catalogue(locale.value)
        if key is None or texts.language == DEFAULT_LANGUAGE or key not in texts:
            return None
        return texts(key)
