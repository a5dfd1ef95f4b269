"""A server's rules as text: the document that the store keeps, and the file that is exported and imported.

The store's document is our own and is read kindly: a setting that no longer exists, or a value that is no longer
valid, is left out, and play goes on. A file comes from anywhere: it is checked as a whole and refused with all reasons.
"""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.games.coyote.rules.cards import Deck
from bot.games.coyote.rules.editions import deck_from
from bot.house_rules.changes import Changed, replace
from bot.house_rules.kinds import Ground
from bot.house_rules.list_kinds import deck_name, read_deck, write_deck
from bot.house_rules.problems import Misfit
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, SETTINGS, setting_of

VERSION: Final = 1
MARK: Final = "coyote_house_rules"
LONGEST: Final = 50_000
"""Bytes of a file; twenty large decks need a third of it."""
MOST_REASONS: Final = 8
_IDS: Final = ("channels", "role")


def dump(rules: ServerRules) -> str:
    """Write the document."""
    decks = {name: [list(pair) for pair in deck] for name, deck in rules.decks.items()}
    return json.dumps({"version": VERSION, "rules": dict(rules.values), "decks": decks})


def load(guild: int, seq: int, document: str) -> ServerRules:
    """Read the document; ValueError if it is damaged or of another version."""
    read = json.loads(document)
    if not isinstance(read, dict) or read.get("version") != VERSION:
        raise ValueError(f"not house rules in version {VERSION}")
    decks: dict[str, Deck] = {}
    for name, cards in read["decks"].items():
        try:
            decks[name] = deck_from(cards)
        except Rejected:
            continue
    kept: dict[str, Any] = {}
    ground = Ground(decks=decks)
    for setting in SETTINGS:  # the edition comes first, and the others are judged by it
        if setting.key in read["rules"]:
            try:
                kept[setting.key] = setting.check(read["rules"][setting.key], ground)
            except Rejected:
                continue
            if setting.key == "edition":
                ground = ground._replace(edition=kept["edition"])
    return ServerRules(guild, kept, decks, seq)


def export(rules: ServerRules) -> str:
    """Write the file: what differs from the usual, and the saved decks, as people can read them."""
    values = {key: _outward(key, value) for key, value in rules.values.items()}
    decks = {name: write_deck(deck) for name, deck in rules.decks.items()}
    return json.dumps({MARK: VERSION, "rules": values, "decks": decks}, indent=2, ensure_ascii=False) + "\n"


def _outward(key: str, value: Any) -> Any:
    """Write ids as text: many programs that read JSON round large numbers."""
    if key not in _IDS or value is None:
        return value
    return [str(each) for each in value] if isinstance(value, list) else str(value)


class Brought(NamedTuple):
    """What a file would change."""

    changed: Changed
    foreign: tuple[str, ...]
    """Settings that name channels or roles of another server; they stay as they are here."""


class Reasons(Exception):
    """A file that cannot be imported, and everything that is wrong with it."""

    def __init__(self, reasons: list[Rejected]) -> None:
        super().__init__(f"{len(reasons)} reasons")
        self.reasons = reasons[:MOST_REASONS]


def bring(rules: ServerRules, text: str, ground: Ground) -> Brought:
    """Judge a file as a whole; raise Reasons if anything in it cannot be. `ground` knows the server's channels."""
    values, written = _read(text)
    reasons: list[Rejected] = []
    decks: dict[str, Deck] = {}
    for name, cards in written.items():
        try:
            decks[deck_name(name)] = read_deck(cards) if isinstance(cards, str) else deck_from(cards)
        except Rejected as refused:
            reasons.append(refused)
    ground = ground._replace(decks={**rules.decks, **decks})
    checked, foreign = _checked(rules, values, ground, reasons)
    if reasons:
        raise Reasons(reasons)
    try:
        return Brought(replace(rules, checked, decks, ground), foreign)
    except Rejected as refused:
        raise Reasons([refused]) from None


def _checked(
    rules: ServerRules, values: dict[str, Any], ground: Ground, reasons: list[Rejected]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    checked: dict[str, Any] = {}
    foreign: list[str] = []
    for key in sorted(values, key=lambda key: key != "edition"):
        try:
            setting = setting_of(key)
            inward = _inward(setting.key, values[key])
            checked[setting.key] = setting.check(inward, ground)
            if setting.key == "edition":
                ground = ground._replace(edition=checked["edition"])
        except Rejected as refused:
            if refused.reason in (Misfit.NOT_A_CHANNEL, Misfit.NOT_A_ROLE) and _is_id(refused.details.get("value")):
                foreign.append(str(refused.details["option"]))
                checked[foreign[-1]] = rules.value(BY_KEY[foreign[-1]])
            else:
                reasons.append(refused)
    return checked, tuple(foreign)


def _is_id(value: Any) -> bool:
    return type(value) is int and 0 < value < 2**63


def _inward(key: str, value: Any) -> Any:
    if key not in _IDS:
        return value
    if isinstance(value, list):
        return [_inward(key, each) for each in value]
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20 else value


def _read(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    if len(text) > LONGEST:
        raise Reasons([Rejected(Misfit.TOO_LONG, highest=LONGEST)])
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        raise Reasons([Rejected(Misfit.NOT_AN_EXPORT)]) from None
    if not isinstance(read, dict) or MARK not in read or _is_deep(read):
        raise Reasons([Rejected(Misfit.NOT_AN_EXPORT)])
    if read[MARK] != VERSION:
        raise Reasons([Rejected(Misfit.OTHER_VERSION, value=read[MARK], highest=VERSION)])
    values, decks = read.get("rules", {}), read.get("decks", {})
    if not isinstance(values, dict) or not isinstance(decks, dict) or set(read) - {MARK, "rules", "decks"}:
        raise Reasons([Rejected(Misfit.NOT_AN_EXPORT)])
    return values, decks


def _is_deep(value: Any, levels: int = 5) -> bool:
    """Tell whether something holds more within itself than rules do: decks of pairs are the deepest."""
    if not isinstance(value, dict | list):
        return False
    within = value.values() if isinstance(value, dict) else value
    return not levels or any(_is_deep(each, levels - 1) for each in within)
