"""Gives the names and descriptions of commands in every language that the catalogues speak."""

from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextTypes, locale_str

from bot.text.catalogue import DEFAULT_LANGUAGE, catalogue


def said(key: str) -> locale_str:
    """Return a command's text: English by default, other languages by its key.

    discord.py wants the default text as the message, so the key travels beside it.
    """
    return locale_str(catalogue()(key), key=key)


class CatalogueTranslator(app_commands.Translator):
    """Translates what `said` made."""

    async def translate(self, string: locale_str, locale: Locale, context: TranslationContextTypes) -> str | None:
        """Return the text in `locale`, or None where English serves."""
        key = string.extras.get("key")
        texts = catalogue(locale.value)
        if key is None or texts.language == DEFAULT_LANGUAGE or key not in texts:
            return None
        return texts(key)
