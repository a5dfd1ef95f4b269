"""The form in which somebody says how their table differs from the house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from discord import RadioGroupOption, SelectOption, ui

from bot.engine.registry import main_game
from bot.house_rules.game_settings import GAME_SETTINGS, setting_of
from bot.house_rules.kinds import OneOf, Switch
from bot.house_rules.settings import Setting
from bot.house_rules.wishes import Typed
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.words import meaning, name_of, value_of, words_of
from bot.screens.layout import Form, Item, PrivateScreen, option, press, row, text
from bot.text.catalogue import Catalogue

RULES: Final = "rules"
"""The field for settings that have no field of their own, as "key=value, key=value"."""
USUAL: Final = "usual"
"""The answer of a switch that follows the house rules."""
YES: Final = "yes"
NO: Final = "no"
_MAX_VALUE_LENGTH: Final = 20
"""Cap on the characters typed for one setting."""
_MAX_RULES_LENGTH: Final = 500
"""Cap on the characters typed for all other settings."""


def new_form(say: Catalogue, game: str) -> Form:
    """Ask for what differs from the house rules. Fields left empty follow the house rules."""
    fields = _settings(game)
    return Form(
        say("new.title"),
        opening_id(Verb.CHOSEN, game),
        *[_field(say, game, field, name_of(say, setting), _input(say, field, setting)) for field, setting in fields],
        _field(say, game, RULES, say("new.rules"), _line(say, RULES, _MAX_RULES_LENGTH)),
    )


def read_form(game: str, fields: Mapping[str, str]) -> tuple[dict[str, Any], str | None]:
    """Return what was asked for in the form: values by the keys of settings, and what was typed as further rules."""
    wanted: dict[str, Any] = {}
    for field, setting in _settings(game):
        answer = fields.get(field, "").strip()
        if answer and not (isinstance(setting.kind, Switch) and answer == USUAL):
            wanted[setting.full_key] = answer == YES if isinstance(setting.kind, Switch) else Typed(answer)
    return wanted, fields.get(RULES, "").strip() or None


def retry_screen(say: Catalogue, why: str, game: str) -> PrivateScreen:
    """Say why no table was opened, with a button for the form."""
    return PrivateScreen(text(why), row(press(say("help.button.choose"), opening_id(Verb.CHOOSE, game))))


def opening_id(verb: Verb, game: str) -> CustomId:
    """Return what a button or form that opens a table of this game carries."""
    return CustomId(verb, argument=None if game == main_game() else game)


def _settings(game: str) -> list[tuple[str, Setting]]:
    fields = GAME_SETTINGS[game].new_fields if game in GAME_SETTINGS else {}
    return [(field, setting_of(key)) for field, key in fields.items()]


def _field(say: Catalogue, game: str, field: str, label: str, component: Item) -> ui.Label[Any]:
    keys = [f"command.{group}.new.option.{field}" for group in (game, "table")]
    description = next((say(key) for key in keys if key in say), None)
    return ui.Label(text=label, description=description, component=component)


def _input(say: Catalogue, field: str, setting: Setting) -> Item:
    """Return the choices, to tick or in a list, or a line for a value that is typed."""
    if isinstance(setting.kind, Switch):
        return _radio(say, field, setting)
    if isinstance(setting.kind, OneOf):
        choices = words_of(setting).listed_values(setting)
        return _select(say, field, [_option(say, setting, value, value) for value in choices])
    return _line(say, field, _MAX_VALUE_LENGTH)


def _option(say: Catalogue, setting: Setting, value: Any, answer: str) -> SelectOption:
    return option(value_of(say, setting, value), answer, meaning(say, setting, value))


def _radio(say: Catalogue, field: str, setting: Setting) -> ui.RadioGroup[Any]:
    """Return the answers of a switch to tick; at first as the house has it."""
    usual = RadioGroupOption(label=say("new.usual"), value=USUAL, default=True)
    made = [_option(say, setting, value, answer) for value, answer in ((True, YES), (False, NO))]
    answers = [RadioGroupOption(label=each.label, value=each.value, description=each.description) for each in made]
    return ui.RadioGroup(custom_id=field, options=[usual, *answers], required=False)


def _select(say: Catalogue, field: str, options: list[SelectOption]) -> ui.Select[Any]:
    return ui.Select(custom_id=field, options=options, placeholder=say("new.usual"), required=False, min_values=0)


def _line(say: Catalogue, field: str, longest: int) -> ui.TextInput[Any]:
    return ui.TextInput(custom_id=field, placeholder=say("new.usual"), required=False, max_length=longest)
