"""Writes moves as text for selects, custom_ids and slash commands, and reads them back.

A token is the move's name and its fields without seat and tribe: `raid.yellow.black4`, `take.horse+stick`, `end`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.games.plenty_coups.rules import actions
from bot.games.plenty_coups.rules.actions import PlayerAction
from bot.games.plenty_coups.rules.cards import CARD_NAMED, Card, Tribe, name_of

DO: Final[Mapping[type, str]] = {
    actions.Take: "take",
    actions.Breed: "breed",
    actions.Raid: "raid",
    actions.DoubleRaid: "double_raid",
    actions.Defend: "defend",
    actions.DoubleDefend: "double_defend",
    actions.StrikeCoup: "coup",
    actions.LayGift: "gift",
    actions.LayFreeGift: "free_gift",
    actions.Give: "give",
    actions.Propose: "propose",
    actions.Accept: "accept",
    actions.AllyNeutral: "neutral",
    actions.Disdain: "disdain",
    actions.Prove: "prove",
    actions.Decline: "decline",
    actions.Donate: "donate",
    actions.Hunt: "hunt",
    actions.DiscardAfterHunt: "hunt_discard",
    actions.End: "end",
}
"""Every move of a player, by the name that the game's codec has for it."""
_NAMED: Final[Mapping[str, Any]] = {name: verb for verb, name in DO.items()}
_COLOURS: Final = frozenset(tribe.name.lower() for tribe in Tribe)
_LISTS: Final = ("cards", "warriors")
"""The fields that hold several cards."""


def token_of(action: PlayerAction) -> str:
    """Write a move."""
    return ".".join([DO[type(action)], *map(_written, action[2:])])


def _written(value: Any) -> str:
    if isinstance(value, Tribe):
        return value.name.lower()
    return name_of(value) if isinstance(value, Card) else "+".join(map(name_of, value))


def read_token(token: str) -> tuple[str, dict[str, Any]] | None:
    """Return a move's name and its fields as the codec knows them, without seat and tribe; None if it is not one."""
    do, *written = token.split(".")
    verb = _NAMED.get(do)
    if verb is None or len(written) != len(verb._fields) - 2:
        return None
    fields: dict[str, Any] = {}
    for name, value in zip(verb._fields[2:], written, strict=True):
        parts = value.split("+")
        if name == "target":
            if value not in _COLOURS:
                return None
            fields[name] = value
        elif any(part not in CARD_NAMED for part in parts) or (name not in _LISTS and len(parts) > 1):
            return None
        else:
            fields[name] = parts if name in _LISTS else value
    return do, fields
