"""Coyote's house rules, one entry each, and its presets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bot.games.coyote.decks import read_deck, write_deck
from bot.games.coyote.rules.cards import TIMES_TWO
from bot.games.coyote.rules.editions import (
    CHOICES,
    DEFAULT_EDITION,
    EDITIONS,
    MOST_COINS,
    NAME,
    RANGES,
    TRAITS,
    book_players,
    book_threshold,
    deck_from,
    optional_actions,
    rules_from,
)
from bot.house_rules.game_settings import Book, GameSettings, Options, SavedThings
from bot.house_rules.kinds import Kind, Number, OneOf, Switch, Time, Values
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.saved import Saved
from bot.house_rules.settings import Condition, Setting, SettingScope

GAME_PAGE: Final = "game"
CARDS_PAGE: Final = "cards"
USUAL_GUESS_SECONDS: Final = 5
"""How long a reveal waits for people who guess along, unless the house rules say otherwise."""
_EDITION: Final = "edition"
_USUAL_COINS: Final = next(rules.coins for rules in EDITIONS.values() if rules.coins)
_WITH_REPEATS: Final = tuple(name for name, each in TRAITS.items() if len(each.actions_per) > 1)
_WITH_SEVERAL: Final = tuple(name for name, each in TRAITS.items() if len(each.actions_per_turn) > 1)
_WITH_GUESSES: Final = tuple(name for name, each in TRAITS.items() if len(each.right_guess) > 1)
_WITH_EYES: Final = tuple(name for name, each in TRAITS.items() if each.has_eyes)
_WITH_COINS: Final = tuple(name for name, rules in EDITIONS.items() if rules.coins)
_WITH_X2: Final = tuple(name for name, rules in EDITIONS.items() if TIMES_TWO in rules.cards)
_ORDER: Final = (DEFAULT_EDITION, *(name for name in EDITIONS if name != DEFAULT_EDITION))
"""The editions in the order in which they are offered, the usual one first."""


def edition_of(values: Values) -> str:
    """Return the edition that is played with these settings."""
    return str(values.get(_EDITION, DEFAULT_EDITION))


def _usual(key: str) -> Callable[[Values], Any]:
    """Return a function that looks up the edition's own value of a setting."""

    def of_edition(values: Values) -> Any:
        value = getattr(EDITIONS[edition_of(values)], key)
        return list(value) if isinstance(value, tuple) else value

    return of_edition


def _setting(key: str, kind: Kind, *, page: str = GAME_PAGE, editions: tuple[str, ...] = (), **more: Any) -> Setting:
    """Return a setting; with `editions`, it applies only in these."""
    more.setdefault("default", _usual(key))
    condition = Condition(_EDITION, DEFAULT_EDITION, editions) if editions else None
    return Setting(
        key=key,
        page=page,
        scope=SettingScope.GAME,
        kind=kind,
        game=NAME,
        is_bare=True,
        condition=condition,
        in_presets=key != _EDITION,
        **more,
    )


def _cards_setting(key: str, kind: Kind, **more: Any) -> Setting:
    """Return a setting about the cards and actions of an edition; a table that chooses another edition ignores it."""
    return _setting(key, kind, page=CARDS_PAGE, follows=_EDITION, **more)


def _number(key: str, *suggested: int, optional: bool = False) -> Number:
    allowed = RANGES[key]
    return Number(allowed.start, allowed.stop - 1, optional, suggested)


def _one_of(key: str) -> OneOf:
    return OneOf(lambda: CHOICES[key])


DECKS: Final = Saved("deck", "decks", "cards", read_deck, write_deck, deck_from)
COINS: Final = Amounts(dict(_USUAL_COINS), MOST_COINS, suggested=(1, 3))
ACTIONS: Final = Several(lambda values: optional_actions(edition_of(values)))
_GUESS_TIME: Final = Time(RANGES["guess_along"][0], RANGES["guess_along"][-1], (USUAL_GUESS_SECONDS, 0, 3, 8, 15))
_SETTINGS: Final = (
    _setting("edition", OneOf(lambda: _ORDER), default=DEFAULT_EDITION, leads=True),
    _setting("variant", Switch()),
    _setting("threshold", _number("threshold", 3, 2, 4, 5)),
    _setting("min_bid", _number("min_bid", 1, 0, 5, 10, -10, optional=True)),
    _setting("next_starter", _one_of("next_starter")),
    _setting("if_starter_is_out", _one_of("if_starter_is_out")),
    _setting("min_players", _number("min_players")),
    _setting("max_players", _number("max_players")),
    _setting("guess_along", _GUESS_TIME, default=USUAL_GUESS_SECONDS),
    _cards_setting("actions_off", ACTIONS, waits_for="variant"),
    _cards_setting("actions_per", _one_of("actions_per"), waits_for="variant", editions=_WITH_REPEATS),
    _cards_setting("actions_per_turn", _one_of("actions_per_turn"), waits_for="variant", editions=_WITH_SEVERAL),
    _cards_setting("right_guess", _one_of("right_guess"), waits_for="variant", editions=_WITH_GUESSES),
    _cards_setting("open_eyes", _number("open_eyes", 2, 1, 0, optional=True), editions=_WITH_EYES),
    _cards_setting("coins", COINS, waits_for="variant", editions=_WITH_COINS, default=lambda _: dict(_USUAL_COINS)),
    _cards_setting("x2_doubles", _one_of("x2_doubles"), editions=_WITH_X2),
    _cards_setting("max_zero_hits", _one_of("max_zero_hits")),
    _cards_setting("deck", DECKS, default=None),
)
_PRESETS: Final[Mapping[str, Mapping[str, Any]]] = {
    "book": {},
    "quick": {"threshold": 2, "turn_seconds": 30, "pause_seconds": 6, "lobby_minutes": 15},
    "party": {
        "edition": "feathers",
        "variant": True,
        "threshold": 2,
        "turn_seconds": 45,
        "max_players": 12,
        "coins": {"extra": 3, "reverse": 2, "skip": 3, "replace": 3, "guess": 2},
    },
    "post": {
        "turn_seconds": 86_400,
        "pause_seconds": 60,
        "away_after": 3,
        "away_seconds": 3_600,
        "lobby_minutes": 10_080,
    },
    "gentle": {"threshold": 4, "variant": False, "turn_seconds": 300, "pause_seconds": 30, "away_after": 4},
    "trickster": {"edition": "peek", "variant": True, "threshold": 3, "turn_seconds": 120},
}


def make_options(chosen: Mapping[str, Any], wishes: Mapping[str, Any], saved: SavedThings) -> Options:
    """Return the options of a table: the chosen values, with the edition always named and the deck spelt out.

    People guess along unless the house rules say otherwise; the rules alone know nothing of that.
    """
    options: Options = {_EDITION: edition_of(chosen), "guess_along": USUAL_GUESS_SECONDS, **chosen}
    name = options.pop("deck", None)
    if name is not None:
        options["deck"] = [list(pair) for pair in saved[DECKS.key][name]]
    if wishes:
        _uncross_limits(options, wishes)
    return options


def _uncross_limits(options: Options, wishes: Mapping[str, Any]) -> None:
    """Resolve contradicting limits on players: wishes win over the server's values, and both over the edition's."""
    standard = EDITIONS[options[_EDITION]]
    fewest = options.get("min_players", standard.min_players)
    most = options.get("max_players", standard.max_players)
    if fewest > most:
        if "max_players" not in options or ("min_players" in wishes and "max_players" not in wishes):
            options["max_players"] = fewest
        elif "min_players" not in wishes:
            options["min_players"] = most


def allowed_by_book(key: str, value: Any, options: Mapping[str, Any], players: int) -> bool:
    """Tell what the books leave to the players: optional actions, and thresholds for some sizes of table (R18)."""
    edition = options.get(_EDITION, DEFAULT_EDITION)
    match key:
        case "variant" | "actions_off" | "right_guess" | "actions_per" | "actions_per_turn":
            return True
        case "threshold":
            return value in book_threshold(edition, max(players, EDITIONS[edition].min_players))
        case "min_players" | "max_players":
            return value in book_players(edition)
        case _:
            return False


def in_book(key: str, options: Mapping[str, Any]) -> Any:
    """Return what the book has for a setting: no numbers of coins, no guesses, its own numbers of players (R19)."""
    edition = options.get(_EDITION, DEFAULT_EDITION)
    match key:
        case "coins" | "guess_along":
            return Book.SILENT
        case "min_players":
            return book_players(edition)[0]
        case "max_players":
            return book_players(edition)[-1]
        case "open_eyes":
            return _book_eyes(edition, options)
        case _:
            return Book.AS_USUAL


def _book_eyes(edition: str, options: Mapping[str, Any]) -> Any:
    """Return how many eyes the book opens at the start; it knows all of the trickster variant or none of it."""
    rules = rules_from(
        {name: options[name] for name in ("variant", "threshold") if name in options} | {_EDITION: edition}
    )
    is_partial = rules.variant and bool(options.get("actions_off"))
    if is_partial or rules.threshold != EDITIONS[edition].threshold:
        return Book.SILENT
    return None if options.get("open_eyes") is None else rules.eyes[0]


def is_felt(key: str, book: Any, players: int) -> bool:
    """Tell whether a table notices that a usual value is not the book's: room for twelve, once more than six sit."""
    return key != "max_players" or players > book


SETTINGS: Final = GameSettings(
    settings=_SETTINGS,
    presets=_PRESETS,
    make_options=make_options,
    check_options=rules_from,
    allowed_by_book=allowed_by_book,
    in_book=in_book,
    is_felt=is_felt,
    new_fields={"edition": "edition", "actions": "variant", "clock": "turn_seconds", "thread": "thread"},
)
