"""Registers the commands with Discord when they have changed, and returns the ids that Discord gave them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping
from typing import Any, Final

from discord import AppCommandType, app_commands

from bot.discord_ui.translator import CatalogueTranslator
from bot.store.ports import MetaStore

log = logging.getLogger(__name__)

COMMANDS_KEY: Final = "commands"
"""The key under which the store keeps a hash of the commands that Discord knows, and their ids."""


async def register_commands(
    tree: app_commands.CommandTree[Any], store: MetaStore, application: int | None
) -> dict[str, int]:
    """Send Discord the commands, but only if they have changed: it accepts no more than 200 a day.

    Returns the id of each slash command by its name; a group's subcommands share that of the group.
    """
    fingerprint = f"{application}:{await _digest(tree)}"
    known = _read(await store.meta(COMMANDS_KEY))
    if known.get("fingerprint") != fingerprint:
        synced = await tree.sync()
        ids = {each.name: each.id for each in synced if each.type is AppCommandType.chat_input}
        known = {"fingerprint": fingerprint, "ids": ids}
        await store.set_meta(COMMANDS_KEY, json.dumps(known))
        log.info("commands: %s", ", ".join(sorted(each.name for each in synced)))
    return _ids_of_all(tree, known["ids"])


async def _digest(tree: app_commands.CommandTree[Any]) -> str:
    """Return a hash of everything that Discord is told about the commands."""
    found: list[Any] = sorted(tree.get_commands(), key=lambda command: command.name)
    written = [await each.get_translated_payload(tree, CatalogueTranslator()) for each in found]
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()


def _read(written: str | None) -> dict[str, Any]:
    """Parse the stored value; empty if there is none, or if an earlier version wrote it in another format."""
    try:
        found = json.loads(written or "")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _ids_of_all(tree: app_commands.CommandTree[Any], ids: Mapping[str, int]) -> dict[str, int]:
    """Return the ids of all commands that can be typed, by full name."""
    return {
        each.qualified_name: ids[root]
        for each in tree.walk_commands()
        if isinstance(each, app_commands.Command) and (root := each.qualified_name.partition(" ")[0]) in ids
    }
