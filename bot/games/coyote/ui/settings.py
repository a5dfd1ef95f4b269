"""Coyote's settings in words: editions, actions, coins, decks, and what the rulebooks say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.games.coyote.decks import read_deck
from bot.games.coyote.rules.editions import EDITIONS, book_players, book_threshold, optional_actions, rules_from
from bot.games.coyote.settings import edition_of
from bot.games.coyote.ui.words import action_name, tallied
from bot.house_rules.game_settings import setting_of
from bot.house_rules.kinds import Values
from bot.house_rules.saved import MAX_SAVED, Saved
from bot.house_rules.settings import Setting
from bot.screens.house.words import SettingWords, name_of
from bot.text.catalogue import Catalogue

_THRESHOLD: Final = "threshold"
_OPEN_EYES: Final = "open_eyes"
_VARIANT: Final = "variant"
_PLAYER_LIMITS: Final = ("min_players", "max_players")


def edition_name(say: Catalogue, edition: str) -> str:
    """Name an edition."""
    return say(f"edition.{edition}.name")


def deck_text(say: Catalogue, written: str) -> str:
    """Show the feathers of a deck that is written as users type it."""
    return tallied(say, dict(read_deck(written)))


def _counts_eyes(setting: Setting, values: Values) -> bool:
    """Return whether the threshold is a number of peek cards rather than coins."""
    return setting.key == _THRESHOLD and EDITIONS[edition_of(values)].has_centre


def _usual_eyes(values: Values) -> int:
    """Return how many eyes are open at the start by the book, with these settings."""
    known = {key: values[key] for key in (_VARIANT, _THRESHOLD) if values.get(key) is not None}
    return rules_from({"edition": edition_of(values), **known}).eyes[0]


class CoyoteSettingWords(SettingWords):
    """Puts Coyote's settings into words where the shared words do not fit."""

    def title(self, say: Catalogue, game: str, values: Values) -> str:
        """Name the edition."""
        return edition_name(say, edition_of(values))

    def name(self, say: Catalogue, setting: Setting, values: Values) -> str:
        """Name a setting; in Peek the threshold has another name."""
        if _counts_eyes(setting, values):
            return say("setting.threshold.name_peek")
        return super().name(say, setting, values)

    def about(self, say: Catalogue, setting: Setting, values: Values) -> str:
        """Say what a setting is for; in Peek the threshold means something else."""
        if _counts_eyes(setting, values):
            return say("setting.threshold.about_peek")
        return super().about(say, setting, values)

    def value(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Say what a value is; the threshold is the ordinal of a coin, or a number of peek cards."""
        if setting.key == _OPEN_EYES and value is None and EDITIONS[edition_of(values)].has_eyes:
            return say("setting.open_eyes.none_count", count=_usual_eyes(values))
        if setting.key != _THRESHOLD:
            return super().value(say, setting, value, values)
        if _counts_eyes(setting, values):
            return say("setting.threshold.value_peek", count=value)
        return say("setting.threshold.value", ordinal=say.ordinal(value, "coin"))

    def usual(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Name the usual value; for open eyes, it is a number by itself."""
        if setting.key == _OPEN_EYES and value is None and EDITIONS[edition_of(values)].has_eyes:
            return say("setting.open_eyes.value", count=_usual_eyes(values))
        return super().usual(say, setting, value, values)

    def value_alone(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Say what a value is where its name is not shown: in Peek, the threshold must say what it counts."""
        if _counts_eyes(setting, values):
            return say("terms.eyes", count=value)
        return self.value(say, setting, value, values)

    def choice(self, say: Catalogue, setting: Setting, value: str) -> str:
        """Name a value; an edition has a name of its own."""
        return edition_name(say, value) if setting.key == "edition" else super().choice(say, setting, value)

    def item(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str:
        """Name an optional action, or a picture coin."""
        return say(f"coin.{word}") if setting.key == "coins" else action_name(say, word, edition_of(values))

    def item_label(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str:
        """Name an action on its own; a picture coin is labelled as the action that it allows."""
        return say(f"act.coin_{word}.label") if setting.key == "coins" else self.item(say, setting, word, values)

    def item_about(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str | None:
        """Say what an action does."""
        if setting.key == "coins" or EDITIONS[edition_of(values)].coins:
            return say(f"act.coin_{word}.about")
        return say(f"action.about.{word}")

    def meaning(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str | None:
        """Say what choosing a value means."""
        if setting.key == _THRESHOLD:
            return _sizes_in_the_book(say, value, edition_of(values))
        if setting.key == "edition":
            return say(f"edition.{value}.about")
        return super().meaning(say, setting, value, values)

    def note(self, say: Catalogue, setting: Setting, values: Values) -> str | None:
        """Say what the rulebook says about the threshold and the number of players."""
        edition = edition_of(values)
        if setting.key == _THRESHOLD:
            return say(f"setting.threshold.book.{edition}")
        if setting.key in _PLAYER_LIMITS:
            known = book_players(edition)
            return say(
                "setting.players.book", edition=edition_name(say, edition), lowest=known.start, highest=known.stop - 1
            )
        return None

    def advice(self, say: Catalogue, setting: Setting, values: Values, players: int) -> str | None:
        """Say which thresholds the rulebook has for this many players, and whether the edition is for them."""
        edition = edition_of(values)
        known = book_players(edition)
        if setting.key == "edition" and players > known[0] and players not in known:
            name = edition_name(say, edition)
            return say("setting.edition.advice", edition=name, lowest=known[0], highest=known[-1], players=players)
        if setting.key != _THRESHOLD or _counts_eyes(setting, values):
            return None if setting.key in _PLAYER_LIMITS else self.note(say, setting, values)
        size = max(players, known[0])
        allowed = say.either([say.ordinal(each, "coin") for each in book_threshold(edition, size)])
        return say("setting.threshold.advice", count=size, allowed=allowed)

    def contents(self, say: Catalogue, kind: Saved, written: str) -> str:
        """Show the feathers of a deck."""
        return deck_text(say, written)

    def named_items(self, say: Catalogue, setting: Setting) -> dict[str, str]:
        """Return the actions of all editions by their names; an action may have another name in each edition."""
        return {
            action_name(say, action, edition).casefold(): action
            for edition in EDITIONS
            for action in optional_actions(edition)
        }

    def refusal_form(self, setting: Setting, values: Values) -> str:
        """Return which words refuse a value: peek cards need other words than coins."""
        return "eyes" if _counts_eyes(setting, values) else super().refusal_form(setting, values)

    def documented_values(self, setting: Setting) -> str | None:
        """Say for the docs which values the actions and the deck may have."""
        if setting.key == "actions_off":
            return "a list of the edition's actions, or `none`"
        if setting.key == "deck":
            named = f"the name of a saved deck (at most {MAX_SAVED}), or `none`"
            return f"{named}<br>`Name: 1..10×2, −5×2, ?, x2` saves one, `Name:` deletes it"
        return None

    def listed_values(self, setting: Setting) -> Sequence[Any]:
        """List the editions in the order of the rules."""
        return tuple(EDITIONS) if setting.key == "edition" else super().listed_values(setting)

    def compared_rows(self, say: Catalogue, leader: Setting) -> list[tuple[str, list[str]]]:
        """Add what the books say about the threshold."""
        books = [say(f"setting.threshold.book.{edition}") for edition in EDITIONS]
        return [(f"{name_of(say, setting_of(_THRESHOLD))}, by the book", books)]


def _sizes_in_the_book(say: Catalogue, value: int, edition: str) -> str:
    """Say for which numbers of players the rulebook has this threshold."""
    sizes = book_players(edition)
    known = [size for size in sizes if value in book_threshold(edition, size)]
    if len(known) == len(sizes):
        return say("setting.threshold.choice.always")
    if not known:
        return say("setting.threshold.choice.never")
    return say("setting.threshold.choice.sizes", sizes=say.listing([str(size) for size in known]))
