"""House rules in words: what a setting is called, what its value means, what was changed.

The words of a setting are in the catalogue under `setting.<full key>`. A game that says something in its own way has
a subclass of `SettingWords`; `bot.games.registry` fills `SETTING_WORDS`, so no game is imported here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.host.model import House
from bot.house_rules.changes import SettingChange
from bot.house_rules.game_settings import GAME_SETTINGS, find_setting, saving_settings
from bot.house_rules.kinds import EMPTY, Basis, Number, OneOf, Switch, Time, Values
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.saved import Saved
from bot.house_rules.server_kinds import Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import SHARED_SETTINGS, Setting, SettingScope
from bot.screens.game_names import game_title, spelled_out
from bot.screens.names import safe_name
from bot.screens.words import DOT, duration, number, plainly
from bot.text.catalogue import Catalogue, catalogue, languages

_NOT_IN_LOBBY: Final = ("turn_seconds", "thread", "tables_at_once", "lobby_minutes", "language")
"""Settings that a lobby does not mention: it shows them anyway, or they do not concern players."""
_TIME_UNITS: Final = ("seconds", "minutes", "hours", "days")


class SettingWords:
    """The words for settings. A game overrides what is special about its own settings.

    `values` are the settings in force, because a name or a value may depend on them.
    """

    def title(self, say: Catalogue, game: str, values: Values) -> str:
        """Name what a server plays with these settings."""
        return game_title(game)

    def page(self, say: Catalogue, page: str) -> str:
        """Name a page of the form."""
        key = f"house.page.{page}"
        if key in say:
            return say(key)
        game, _, own = page.rpartition(".")
        if not game:
            return spelled_out(own)
        return game_title(game) if own == game else f"{game_title(game)}: {own.replace('_', ' ')}"

    def name(self, say: Catalogue, setting: Setting, values: Values) -> str:
        """Name a setting."""
        key = f"setting.{setting.full_key}.name"
        return say(key) if key in say else setting.key.replace("_", " ").capitalize()

    def about(self, say: Catalogue, setting: Setting, values: Values) -> str:
        """Say in one line what a setting is for."""
        key = f"setting.{setting.full_key}.about"
        return say(key) if key in say else self.name(say, setting, values)

    def value(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Name a value within a sentence."""
        nothing, counted = (f"setting.{setting.full_key}.{form}" for form in ("none", "value"))
        if (value is None or value == []) and nothing in say:
            return say(nothing)
        match setting.kind:
            case Switch():
                return say("switch.on") if value else say("switch.off")
            case OneOf():
                return self.choice(say, setting, value)
            case Time():
                return duration(say, value * setting.kind.unit)
            case Several():
                return say.listing([self.item(say, setting, each, values) for each in value])
            case Amounts():
                return DOT.join(f"{self.item(say, setting, each, values)} {count}" for each, count in value.items())
            case Channels():
                return " ".join(f"<#{each}>" for each in value)
            case Role():
                return f"<@&{value}>"
        if counted in say:
            return say(counted, count=value)
        return number(value) if isinstance(value, int) else safe_name(str(value))

    def usual(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Name the usual value where it is said that it is the usual one."""
        return self.value(say, setting, value, values)

    def value_alone(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Name a value where the setting's name is not next to it."""
        return self.value(say, setting, value, values)

    def choice(self, say: Catalogue, setting: Setting, value: str) -> str:
        """Name a value of a `OneOf`."""
        key = f"setting.{setting.full_key}.choice.{value}.name"
        return say(key) if key in say else safe_name(value)

    def item(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str:
        """Name one of the words of `Several` or `Amounts`."""
        return safe_name(word)

    def item_label(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str:
        """Name one of these words where it stands alone, as on a field of a form."""
        return self.item(say, setting, word, values)

    def item_about(self, say: Catalogue, setting: Setting, word: str, values: Values) -> str | None:
        """Say what one of these words does; None if there is nothing to add."""
        return None

    def limit(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str:
        """Name the lowest or highest value in a refusal."""
        return plainly(say, value)

    def meaning(self, say: Catalogue, setting: Setting, value: Any, values: Values) -> str | None:
        """Say what choosing a value means; None if the value explains itself."""
        key = f"setting.{setting.full_key}"
        if isinstance(setting.kind, Switch):
            meant = f"{key}.on" if value else f"{key}.off"
        elif isinstance(setting.kind, OneOf):
            meant = f"{key}.choice.{value}.about"
        else:
            return None
        return say(meant) if meant in say else None

    def note(self, say: Catalogue, setting: Setting, values: Values) -> str | None:
        """Quote what the rulebook says about a setting; None if it says nothing."""
        return None

    def advice(self, say: Catalogue, setting: Setting, values: Values, players: int) -> str | None:
        """Say what the rulebook advises a table with this many players; by default, what it says to everybody."""
        return self.note(say, setting, values)

    def contents(self, say: Catalogue, kind: Saved, written: str) -> str:
        """Show the contents of a saved thing, given the way they can be typed."""
        return safe_name(written)

    def read_names(self, say: Catalogue, setting: Setting, typed: str) -> str:
        """Replace displayed names and other words of a language with what the setting's kind can read."""
        if isinstance(setting.kind, OneOf):
            names = {self.choice(say, setting, value).casefold(): value for value in setting.kind.known()}
            return names.get(typed.strip().casefold(), typed)
        if isinstance(setting.kind, Several):
            words = self.named_items(say, setting)
            named = ",".join(words.get(part.strip().casefold(), part) for part in typed.split(","))
            return _read_words(say, setting, typed) if named == typed else named
        if isinstance(setting.kind, Amounts):
            return self._read_amounts(say, setting, setting.kind, typed)
        return _read_words(say, setting, typed)

    def _read_amounts(self, say: Catalogue, setting: Setting, kind: Amounts, typed: str) -> str:
        """Replace the displayed names of words that have a number each."""
        names = {self.item(say, setting, word, EMPTY).casefold(): word for word in kind.usual}
        for name, word in sorted(names.items(), key=lambda each: -len(each[0])):
            typed = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", word, typed, flags=re.IGNORECASE)
        return typed

    def named_items(self, say: Catalogue, setting: Setting) -> dict[str, str]:
        """Return the words of `Several` by their names in lower case."""
        offers = setting.kind.offers(Basis())
        return {self.item(say, setting, word, EMPTY).casefold(): word for offer in offers for word in offer}

    def refusal_form(self, setting: Setting, values: Values) -> str:
        """Return the ending of a refusal's key that is special to this setting, if there is such a text."""
        return setting.key

    def listed_values(self, setting: Setting) -> Sequence[Any]:
        """Return the values of a choice in the order in which they are listed side by side."""
        return setting.kind.offers(Basis())

    # For docs/house-rules.md only, which is in English.

    def documented_values(self, setting: Setting) -> str | None:
        """Say in the docs what the setting can be; None: the docs describe its kind."""
        return None

    def compared_rows(self, say: Catalogue, leader: Setting) -> list[tuple[str, list[str]]]:
        """Return further rows of the docs' comparison of a leading setting's values: a name, and a cell for each."""
        return []


class _SharedWords(SettingWords):
    """The words for the settings that all games share."""

    def choice(self, say: Catalogue, setting: Setting, value: str) -> str:
        """Name a language in its own words, any other value as usual."""
        if setting.key == "language" and value in languages():
            return catalogue(value)("language.name")
        return super().choice(say, setting, value)


def _read_words(say: Catalogue, setting: Setting, typed: str) -> str:
    """Replace a language's words for on, off, no value, units of time and ordinals with what every kind can read."""
    word = typed.strip().casefold()
    match setting.kind:
        case Switch():
            return next((each for each in ("on", "off") if word in say(f"typed.{each}").split()), typed)
        case Number():
            digits = re.match(r"\d{1,9}", word)
            is_ordinal = digits is not None and word in (say.ordinal(int(digits[0]), of) for of in ("coin", "place"))
            if digits is not None and is_ordinal:
                return digits[0]
        case Time():
            found = re.fullmatch(r"(\d{1,9})\s*([^\W\d]+)\.?", word)
            unit = (
                None if found is None else next((u for u in _TIME_UNITS if found[2] in say(f"typed.{u}").split()), None)
            )
            if found is not None and unit is not None:
                return f"{found[1]}{unit[0]}"
    none = f"setting.{setting.full_key}.none"
    if none in say and word == say(none).casefold():
        return "none"
    may_be_none = getattr(setting.kind, "optional", isinstance(setting.kind, Several | Channels | Role))
    return "none" if may_be_none and word in say("typed.none").split() else typed


def typed_times(say: Catalogue, kind: Time) -> str:
    """Offer times as they can be typed, with the language's short names of units: "90s, 5m or 1d"."""
    units = {unit[0]: say(f"typed.{unit}").split()[0] for unit in _TIME_UNITS}
    return say.either([f"{typed[:-1]}{units[typed[-1]]}" for typed in kind.examples])


SETTING_WORDS: Final[dict[str, SettingWords]] = {}
"""The words of each game that has some of its own, by the game's name."""
_SHARED: Final = _SharedWords()
_PLAIN: Final = SettingWords()


def words_of(setting: Setting) -> SettingWords:
    """Return the words for a setting."""
    return _SHARED if setting.game is None else SETTING_WORDS.get(setting.game, _PLAIN)


def title_of(say: Catalogue, values: Values, game: str | None = None) -> str:
    """Name what a server plays, in one game or in all of them that have settings."""
    games = list(GAME_SETTINGS) if game is None else [game]
    return say.listing([SETTING_WORDS.get(each, _PLAIN).title(say, each, values) for each in games])


def page_name(say: Catalogue, setting: Setting) -> str:
    """Name the page of a setting."""
    return words_of(setting).page(say, setting.full_page)


def name_of(say: Catalogue, setting: Setting, values: Values = EMPTY) -> str:
    """Name a setting."""
    return words_of(setting).name(say, setting, values)


def about(say: Catalogue, setting: Setting, values: Values = EMPTY) -> str:
    """Say in one line what a setting is for."""
    return words_of(setting).about(say, setting, values)


def value_of(say: Catalogue, setting: Setting, value: Any, values: Values = EMPTY) -> str:
    """Name a value within a sentence."""
    return words_of(setting).value(say, setting, value, values)


def usual_of(say: Catalogue, setting: Setting, value: Any, values: Values = EMPTY) -> str:
    """Name the usual value of a setting where it is said that it is the usual one."""
    return words_of(setting).usual(say, setting, value, values)


def meaning(say: Catalogue, setting: Setting, value: Any, values: Values = EMPTY) -> str | None:
    """Say what choosing a value means; None if the value explains itself."""
    return words_of(setting).meaning(say, setting, value, values)


def book_note(say: Catalogue, setting: Setting, values: Values) -> str | None:
    """Quote what the rulebook says about a setting, which nobody has to follow."""
    return words_of(setting).note(say, setting, values)


def advice(say: Catalogue, setting: Setting, values: Values, players: int) -> str | None:
    """Say what the rulebook advises a table with this many players."""
    return words_of(setting).advice(say, setting, values, players)


def read_names(say: Catalogue, setting: Setting, typed: str) -> str:
    """Replace displayed names that somebody typed with the values that they stand for."""
    return words_of(setting).read_names(say, setting, typed)


def read_named_values(say: Catalogue, wanted: Mapping[str, Any], game: str) -> dict[str, Any]:
    """Replace displayed names in wishes (values by setting key) with the values that they stand for."""
    found: dict[str, Any] = {}
    for key, value in wanted.items():
        setting = find_setting(key, game) if isinstance(value, str) else None
        found[key] = value if setting is None else type(value)(read_names(say, setting, value))
    return found


def usual_line(say: Catalogue, rules: ServerRules, setting: Setting) -> str:
    """Say what would be in force if nothing were set."""
    usual = usual_of(say, setting, rules.usual(setting), rules.values)
    if setting.game is not None and not setting.leads:
        return say("house.usual_game", title=title_of(say, rules.values, setting.game), usual=usual)
    return say("house.usual", usual=usual)


def hosting(say: Catalogue, house: House) -> str | None:
    """List in one line the hosting settings that are not as usual; the clock is shown with the game's rules."""
    usual = House()
    unusual = [
        say("terms.hosting.one", name=name_of(say, setting), value=value_of(say, setting, getattr(house, setting.key)))
        for setting in SHARED_SETTINGS
        if setting.scope is SettingScope.TABLE
        and setting.key not in _NOT_IN_LOBBY
        and getattr(house, setting.key) != getattr(usual, setting.key)
    ]
    return say("terms.hosting.line", terms=DOT.join(unusual)) if unusual else None


def change_line(say: Catalogue, change: SettingChange, values: Values) -> str:
    """Write one change from the log."""
    for setting, kind in saving_settings():
        if kind.key == change.key:
            return _saved_line(say, setting, kind, change)
    changed = find_setting(change.key)
    if changed is None:  # a setting of another version of the bot
        return safe_name(change.key)
    old, new = (_logged(say, changed, each, values) for each in (change.old, change.new))
    return say("house.ask.change", name=name_of(say, changed, values), old=old, new=new)


def _saved_line(say: Catalogue, setting: Setting, kind: Saved, change: SettingChange) -> str:
    thing = change.new or change.old or {}
    contents = words_of(setting).contents(say, kind, str(thing.get(kind.contents, "")))
    slots = {kind.noun: safe_name(str(thing.get("name"))), kind.contents: contents}
    what = "gone" if change.new is None else "new" if change.old is None else "other"
    return say(f"house.ask.{kind.noun}_{what}", **slots)


def _logged(say: Catalogue, setting: Setting, wrapped: Any, values: Values) -> str:
    value = setting.usual(values) if wrapped is None else wrapped[0]
    try:
        return value_of(say, setting, value, values)
    except (KeyError, TypeError, AttributeError):  # it was valid with other settings or in another version
        return safe_name(str(value))
