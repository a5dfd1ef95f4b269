"""House rules in words: what a setting is called, what its value means, what was changed."""

from __future__ import annotations

from typing import Any, Final

from bot.games.coyote.rules.editions import DEFAULT_EDITION, EDITIONS, book_players, book_threshold, optional_actions
from bot.host.model import House
from bot.house_rules.changes import DECKS, Change
from bot.house_rules.kinds import Choice, Switch, Time
from bot.house_rules.list_kinds import Actions, Channels, Coins, Role, read_deck
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, SETTINGS, Scope, Setting
from bot.screens.names import safe_name
from bot.screens.words import DOT, action_name, duration, face, in_order, number
from bot.text.catalogue import Catalogue

_PEEK: Final = "peek"
_COUNTED: Final = ("away_after", "ranked_after")
"""What the name alone does not say of a number."""
_NOT_TOLD: Final = ("turn_seconds", "thread", "tables_at_once", "lobby_minutes", "language")
"""What the lobby shows anyway, or what is nothing to a player."""
_PLAYERS: Final = ("min_players", "max_players")


def edition_name(say: Catalogue, edition: str) -> str:
    """Name an edition."""
    return say(f"edition.{edition}.name")


def name_of(say: Catalogue, setting: Setting, edition: str = DEFAULT_EDITION) -> str:
    """Name a setting."""
    if setting.key == "threshold" and edition == _PEEK:
        return say("setting.threshold.name_peek")
    return say(f"setting.{setting.key}.name")


def about(say: Catalogue, setting: Setting, edition: str = DEFAULT_EDITION) -> str:
    """Say in a line what a setting is for."""
    if setting.key == "threshold" and edition == _PEEK:
        return say("setting.threshold.about_peek")
    return say(f"setting.{setting.key}.about")


def value_of(say: Catalogue, setting: Setting, value: Any, edition: str = DEFAULT_EDITION) -> str:
    """Say what a value is, as it stands in a text."""
    key, kind = setting.key, setting.kind
    nothing = f"setting.{key}.none"
    if (value is None or value == []) and nothing in say:
        return say(nothing)
    if isinstance(kind, Switch):
        return say("switch.on") if value else say("switch.off")
    if isinstance(kind, Choice):
        return _choice(say, key, value)
    if isinstance(kind, Time):
        return duration(say, value * kind.unit)
    if isinstance(kind, Actions):
        return say.listing([action_name(say, action, edition) for action in value])
    if isinstance(kind, Coins):
        return DOT.join(f"{say(f'coin.{coin}')} {copies}" for coin, copies in value.items())
    if isinstance(kind, Channels):
        return " ".join(f"<#{each}>" for each in value)
    if isinstance(kind, Role):
        return f"<@&{value}>"
    if key == "threshold":
        return (
            say("setting.threshold.value_peek", count=value)
            if edition == _PEEK
            else say("setting.threshold.value", ordinal=say.ordinal(value))
        )
    if key in _COUNTED:
        return say(f"setting.{key}.value", count=value)
    return number(value) if isinstance(value, int) else safe_name(str(value))


def _choice(say: Catalogue, key: str, value: str) -> str:
    match key:
        case "edition":
            return edition_name(say, value)
        case "language":
            return say(f"language.{value}")
        case _:
            return say(f"setting.{key}.choice.{value}.name")


def meant(say: Catalogue, setting: Setting, typed: str) -> str:
    """Return the value that goes by the name that somebody typed; what is no such name stays as it is."""
    if isinstance(setting.kind, Choice):
        names = {_choice(say, setting.key, value).casefold(): value for value in setting.kind.known()}
        return names.get(typed.strip().casefold(), typed)
    if isinstance(setting.kind, Actions):
        known = [
            (action_name(say, action, edition), action) for edition in EDITIONS for action in optional_actions(edition)
        ]
        actions = {name.casefold(): action for name, action in known}
        return ",".join(actions.get(part.strip().casefold(), part) for part in typed.split(","))
    return typed


def meaning(say: Catalogue, setting: Setting, value: Any, edition: str = DEFAULT_EDITION) -> str | None:
    """Say what choosing a value means; None where the value says it all."""
    if setting.key == "threshold":
        return _in_the_book(say, value, edition)
    if isinstance(setting.kind, Switch):
        return say(f"setting.{setting.key}.{'on' if value else 'off'}")
    if setting.key == "edition":
        return say(f"edition.{value}.about")
    if isinstance(setting.kind, Choice) and setting.key != "language":
        return say(f"setting.{setting.key}.choice.{value}.about")
    return None


def action_about(say: Catalogue, action: str, edition: str) -> str:
    """Say what an optional action of an edition does."""
    return say(f"act.coin_{action}.about") if edition == "feathers" else say(f"action.about.{action}")


def _in_the_book(say: Catalogue, value: int, edition: str) -> str:
    """Say for which tables the rulebook knows this number of coins."""
    sizes = book_players(edition)
    known = [size for size in sizes if value in book_threshold(edition, size)]
    if len(known) == len(sizes):
        return say("setting.threshold.choice.always")
    if not known:
        return say("setting.threshold.choice.never")
    return say("setting.threshold.choice.sizes", sizes=say.listing([str(size) for size in known]))


def book_note(say: Catalogue, setting: Setting, edition: str) -> str | None:
    """Say what the rulebook has to say about it; nobody is held to that."""
    if setting.key == "threshold":
        return say(f"setting.threshold.book.{edition}")
    if setting.key in _PLAYERS:
        known = book_players(edition)
        return say(
            "setting.players.book", edition=edition_name(say, edition), lowest=known.start, highest=known.stop - 1
        )
    return None


def usual_line(say: Catalogue, rules: ServerRules, setting: Setting) -> str:
    """Say what would hold if nothing were set: by the edition, or by us."""
    usual = value_of(say, setting, rules.usual(setting), rules.edition)
    if setting.scope is Scope.GAME and setting.key != "edition":
        return say("house.usual_game", edition=edition_name(say, rules.edition), usual=usual)
    return say("house.usual", usual=usual)


def hosting(say: Catalogue, house: House) -> str | None:
    """Say in a line how a table is hosted, where that is not as usual; the clock stands with the rules of the game."""
    usual = House()
    said = [
        say("terms.hosting.one", name=name_of(say, setting), value=value_of(say, setting, getattr(house, setting.key)))
        for setting in SETTINGS
        if setting.scope is Scope.TABLE
        and setting.key not in _NOT_TOLD
        and getattr(house, setting.key) != getattr(usual, setting.key)
    ]
    return say("terms.hosting.line", terms=DOT.join(said)) if said else None


def change_line(say: Catalogue, change: Change, edition: str) -> str:
    """Tell one change of the log."""
    if change.key == DECKS:
        deck = change.new or change.old or {}
        slots = {"deck": safe_name(str(deck.get("name"))), "cards": deck_text(str(deck.get("cards", "")))}
        kind = "gone" if change.new is None else "new" if change.old is None else "other"
        return say(f"house.ask.deck_{kind}", **slots)
    setting = BY_KEY.get(change.key)
    if setting is None:  # a setting of another version of the bot
        return safe_name(change.key)
    old, new = (_logged(say, setting, each, edition) for each in (change.old, change.new))
    return say("house.ask.change", name=name_of(say, setting, edition), old=old, new=new)


def _logged(say: Catalogue, setting: Setting, wrapped: Any, edition: str) -> str:
    value = setting.usual(edition) if wrapped is None else wrapped[0]
    try:
        return value_of(say, setting, value, edition)
    except (KeyError, TypeError, AttributeError):  # it was valid in another edition or version
        return safe_name(str(value))


def deck_text(written: str) -> str:
    """Write a deck's feathers as they look."""
    deck = dict(read_deck(written))
    return DOT.join(face(card) if deck[card] == 1 else f"{face(card)} ×{deck[card]}" for card in in_order(deck))
