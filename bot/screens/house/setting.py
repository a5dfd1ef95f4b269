"""One setting on screen: what it is, its value, and every value that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, ChannelType, SelectDefaultValue, SelectDefaultValueType, SelectOption, ui

from bot.house_rules.game_settings import saving_settings, setting_of
from bot.house_rules.kinds import Number, Time
from bot.house_rules.list_kinds import Amounts, Several
from bot.house_rules.saved import Saved
from bot.house_rules.server_kinds import MAX_CHANNELS, Channels, Role
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.words import about, book_note, meaning, name_of, usual_line, value_of, words_of
from bot.screens.layout import MOST_OPTIONS, SAGE, Item, PrivateScreen, box, option, pick, press, row, text
from bot.text.catalogue import Catalogue


def setting_screen(say: Catalogue, rules: ServerRules, setting: Setting, known: frozenset[int]) -> PrivateScreen:
    """Show one setting, its value, and what each choice means. `known` are the channels and roles that exist."""
    values, key = rules.values, setting.full_key
    value = rules.value(setting)
    back = press(say("house.button.back"), CustomId(Verb.HOUSE_PAGE, argument=setting.full_page))
    usual = None
    if rules.is_set(setting):
        usual = press(say("house.button.usual"), CustomId(Verb.HOUSE_RESET, argument=key))
    now = say("house.one.now", value=value_of(say, setting, value, values))
    differs = usual_line(say, rules, setting) if value != rules.usual(setting) else None
    return PrivateScreen(
        box(
            SAGE,
            text(say("house.one.title", name=name_of(say, setting, values)), about(say, setting, values)),
            text(now, differs, book_note(say, setting, values), _switched_off_note(say, rules, setting)),
            *_controls(say, rules, setting, value, known),
            row(back, usual, _form_button(say, setting)),
            text(say("house.one.typed", setting=key)),
        )
    )


def _switched_off_note(say: Catalogue, rules: ServerRules, setting: Setting) -> str | None:
    if setting.waits_for is None or rules.value(setting_of(setting.waits_for)):
        return None
    return say(f"setting.{setting.waits_for}.is_off")


def _form_button(say: Catalogue, setting: Setting) -> Item | None:
    """Return the button that opens a form, if a list cannot hold all values."""
    ask = CustomId(Verb.HOUSE_ASK, argument=setting.full_key)
    if isinstance(setting.kind, Saved):
        return press(say(f"house.button.new_{setting.kind.noun}"), ask)
    return typing_button(say, setting, ask)


def typing_button(say: Catalogue, setting: Setting, ask: CustomId) -> Item | None:
    """Make the button that opens a form for a value; None if a list holds all values."""
    if isinstance(setting.kind, Amounts):
        return press(_own_text(say, setting, "button", "house.button.type"), ask, ButtonStyle.primary)
    if isinstance(setting.kind, Time) or (isinstance(setting.kind, Number) and not _is_short(setting.kind)):
        return press(say("house.button.type"), ask)
    return None


def _own_text(say: Catalogue, setting: Setting, form: str, otherwise: str) -> str:
    """Return the setting's own text if it has one, otherwise the shared one."""
    key = f"setting.{setting.full_key}.{form}"
    return say(key if key in say else otherwise)


def _is_short(kind: Number) -> bool:
    return kind.highest - kind.lowest < MOST_OPTIONS


def _controls(
    say: Catalogue, rules: ServerRules, setting: Setting, value: Any, known: frozenset[int]
) -> list[Item | None]:
    kind, custom_id = setting.kind, CustomId(Verb.HOUSE_SET, argument=setting.full_key)
    match kind:
        case Several():
            return [row(several_select(say, rules, setting, kind, custom_id))]
        case Channels():
            return [row(_channels(say, custom_id, [each for each in value if each in known]))]
        case Role():
            return [row(_roles(say, custom_id, value if value in known else None))]
        case Amounts():
            return []
        case Saved():
            names = [option(name, name) for name in rules.saved.get(kind.key, ())]
            return [
                row(pick(say("house.one.choose"), custom_id, value_options(say, rules, setting))),
                row(pick(say(f"house.one.drop_{kind.noun}"), drop_id(setting), names)) if names else None,
            ]
        case _:
            return [row(pick(say("house.one.choose"), custom_id, value_options(say, rules, setting)))]


def drop_id(setting: Setting) -> CustomId:
    """Return the custom id that deletes something saved; the first setting that saves things is not named in it."""
    first, _ = saving_settings()[0]
    return CustomId(Verb.HOUSE_DROP, argument=None if setting is first else setting.full_key)


def value_options(say: Catalogue, rules: ServerRules, setting: Setting) -> list[SelectOption]:
    """List the values worth choosing, in their order, with what each means; the current value is among them."""
    kind, value = setting.kind, rules.value(setting)
    offers = list(kind.offers(rules.basis()))
    if isinstance(kind, Number) and _is_short(kind):
        offers = list(range(kind.lowest, kind.highest + 1))
    if value not in offers:
        offers.append(value)
    if isinstance(kind, Number | Time):
        offers.sort(key=lambda each: (each is None, each or 0))
    return [
        option(
            _capital(value_of(say, setting, each, rules.values)),
            kind.write(each),
            meaning(say, setting, each, rules.values),
            chosen=each == value,
        )
        for each in offers[:MOST_OPTIONS]
    ]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def several_select(
    say: Catalogue, rules: ServerRules, setting: Setting, kind: Several, custom_id: CustomId
) -> ui.Select[Any]:
    """Make the select from which any number of words can be picked."""
    words, values, value = words_of(setting), rules.values, rules.value(setting)
    options = [
        option(
            words.item_label(say, setting, each, values),
            each,
            words.item_about(say, setting, each, values),
            chosen=each in value,
        )
        for each in kind.known(values)
    ]
    return ui.Select(
        placeholder=_own_text(say, setting, "pick", "house.one.choose"),
        custom_id=str(custom_id),
        options=options,
        min_values=0,
        max_values=len(options),
    )


def _channels(say: Catalogue, custom_id: CustomId, chosen: Sequence[int]) -> Item:
    return ui.ChannelSelect(
        custom_id=str(custom_id),
        placeholder=say("house.one.channels"),
        channel_types=[ChannelType.text, ChannelType.news],
        min_values=0,
        max_values=MAX_CHANNELS,
        default_values=[SelectDefaultValue(id=each, type=SelectDefaultValueType.channel) for each in chosen],
    )


def _roles(say: Catalogue, custom_id: CustomId, chosen: int | None) -> Item:
    return ui.RoleSelect(
        custom_id=str(custom_id),
        placeholder=say("house.one.role"),
        min_values=0,
        max_values=1,
        default_values=[] if chosen is None else [SelectDefaultValue(id=chosen, type=SelectDefaultValueType.role)],
    )
