"""The window in which somebody says how their table differs from what the house plays."""

from __future__ import annotations

from typing import Any, Final

from discord import ui

from bot.games.coyote.rules.editions import EDITIONS
from bot.house_rules.settings import BY_KEY
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.words import edition_name, meaning, name_of, value_of
from bot.screens.layout import Form, Item, PrivateScreen, option, press, row, text
from bot.text.catalogue import Catalogue

EDITION: Final = "edition"
ACTIONS: Final = "actions"
CLOCK: Final = "clock"
THREAD: Final = "thread"
RULES: Final = "rules"
YES: Final = "yes"
NO: Final = "no"
_CLOCK_LENGTH: Final = 20
_RULES_LENGTH: Final = 500


def new_form(say: Catalogue) -> Form:
    """Ask for what `/coyote new` takes. Whatever is left empty is as the house has it.

    A window holds five fields: what has none of its own goes with the rules.
    """
    setting = BY_KEY["edition"]
    editions = [option(edition_name(say, each), each, meaning(say, setting, each)) for each in EDITIONS]
    actions, thread = (_yes_or_no(say, key) for key in ("variant", "thread"))
    return Form(
        say("new.title"),
        CustomId(Verb.CHOSEN),
        _field(say, EDITION, name_of(say, setting), _select(say, EDITION, editions)),
        _field(say, ACTIONS, name_of(say, BY_KEY["variant"]), _select(say, ACTIONS, actions)),
        _field(say, CLOCK, name_of(say, BY_KEY["turn_seconds"]), _line(say, CLOCK, _CLOCK_LENGTH)),
        _field(say, THREAD, name_of(say, BY_KEY["thread"]), _select(say, THREAD, thread)),
        _field(say, RULES, say("new.rules"), _line(say, RULES, _RULES_LENGTH)),
    )


def again_screen(say: Catalogue, why: str) -> PrivateScreen:
    """Say why no table was opened, with the window again."""
    return PrivateScreen(text(why), row(press(say("help.button.choose"), CustomId(Verb.CHOOSE))))


def _field(say: Catalogue, key: str, label: str, component: Item) -> ui.Label[Any]:
    return ui.Label(text=label, description=say(f"command.coyote.new.option.{key}"), component=component)


def _select(say: Catalogue, key: str, options: list[Any]) -> ui.Select[Any]:
    return ui.Select(custom_id=key, options=options, placeholder=say("new.usual"), required=False, min_values=0)


def _line(say: Catalogue, key: str, longest: int) -> ui.TextInput[Any]:
    return ui.TextInput(custom_id=key, placeholder=say("new.usual"), required=False, max_length=longest)


def _yes_or_no(say: Catalogue, key: str) -> list[Any]:
    setting = BY_KEY[key]
    answers = ((True, YES), (False, NO))
    return [option(value_of(say, setting, value), answer, meaning(say, setting, value)) for value, answer in answers]
