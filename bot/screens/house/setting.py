"""One house rule on screen: what it is, what holds, and every value that can be chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ButtonStyle, ChannelType, SelectDefaultValue, SelectDefaultValueType, SelectOption, ui

from bot.games.coyote.rules.editions import optional_actions
from bot.house_rules.kinds import Number, Time
from bot.house_rules.list_kinds import MOST_CHANNELS, Actions, Channels, Coins, Role, SavedDeck
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.words import about, action_about, book_note, meaning, name_of, usual_line, value_of
from bot.screens.layout import MOST_OPTIONS, SAGE, Item, PrivateScreen, box, option, pick, press, row, text
from bot.screens.words import action_name
from bot.text.catalogue import Catalogue


def setting_screen(say: Catalogue, rules: ServerRules, setting: Setting, known: frozenset[int]) -> PrivateScreen:
    """Show one setting: what it is, what holds, what each choice means. `known` are channels and roles that exist."""
    edition, key = rules.edition, setting.key
    value = rules.value(setting)
    back = press(say("house.button.back"), CustomId(Verb.HPAGE, argument=setting.page.value))
    usual = None
    if key in rules.values:
        usual = press(say("house.button.usual"), CustomId(Verb.HRESET, argument=key))
    now = say("house.one.now", value=value_of(say, setting, value, edition))
    differs = usual_line(say, rules, setting) if value != rules.usual(setting) else None
    return PrivateScreen(
        box(
            SAGE,
            text(say("house.one.title", name=name_of(say, setting, edition)), about(say, setting, edition)),
            text(now, differs, book_note(say, setting, edition), _waits(say, rules, setting)),
            *_controls(say, rules, setting, value, known),
            row(back, usual, _typing(say, setting)),
            text(say("house.one.typed", setting=key)),
        )
    )


def _waits(say: Catalogue, rules: ServerRules, setting: Setting) -> str | None:
    return say("house.one.resting") if setting.optional and not rules.value(BY_KEY["variant"]) else None


def _typing(say: Catalogue, setting: Setting) -> Item | None:
    """Return the button that opens a window, where a list does not have all values."""
    ask = CustomId(Verb.HASK, argument=setting.key)
    if isinstance(setting.kind, SavedDeck):
        return press(say("house.button.new_deck"), ask)
    if isinstance(setting.kind, Coins):
        return press(say("house.button.coins"), ask, ButtonStyle.primary)
    if isinstance(setting.kind, Time) or (isinstance(setting.kind, Number) and not _is_short(setting.kind)):
        return press(say("house.button.type"), ask)
    return None


def _is_short(kind: Number) -> bool:
    return kind.highest - kind.lowest < MOST_OPTIONS


def _controls(
    say: Catalogue, rules: ServerRules, setting: Setting, value: Any, known: frozenset[int]
) -> list[Item | None]:
    kind, custom_id = setting.kind, CustomId(Verb.HSET, argument=setting.key)
    match kind:
        case Actions():
            options = [
                option(
                    action_name(say, action, rules.edition),
                    action,
                    action_about(say, action, rules.edition),
                    chosen=action in value,
                )
                for action in optional_actions(rules.edition)
            ]
            return [row(_some(say("house.one.actions"), custom_id, options))]
        case Channels():
            return [row(_channels(say, custom_id, [each for each in value if each in known]))]
        case Role():
            return [row(_roles(say, custom_id, value if value in known else None))]
        case Coins():
            return []
        case SavedDeck():
            drop = [option(name, name) for name in rules.decks]
            away = CustomId(Verb.HDROP)
            return [
                row(pick(say("house.one.choose"), custom_id, _values(say, rules, setting, value))),
                row(pick(say("house.one.drop_deck"), away, drop)) if drop else None,
            ]
        case _:
            return [row(pick(say("house.one.choose"), custom_id, _values(say, rules, setting, value)))]


def _values(say: Catalogue, rules: ServerRules, setting: Setting, value: Any) -> list[SelectOption]:
    """List the values worth choosing, in their order, with what each means; what is in force is among them."""
    kind = setting.kind
    offers = list(kind.offers(rules.ground()))
    if isinstance(kind, Number) and _is_short(kind):
        offers = list(range(kind.lowest, kind.highest + 1))
    if value not in offers:
        offers.append(value)
    if isinstance(kind, Number | Time):
        offers.sort(key=lambda each: (each is None, each or 0))
    return [
        option(
            _capital(value_of(say, setting, each, rules.edition)),
            kind.write(each),
            meaning(say, setting, each, rules.edition),
            chosen=each == value,
        )
        for each in offers[:MOST_OPTIONS]
    ]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _some(placeholder: str, custom_id: CustomId, options: Sequence[SelectOption]) -> Item:
    return ui.Select(
        placeholder=placeholder, custom_id=str(custom_id), options=list(options), min_values=0, max_values=len(options)
    )


def _channels(say: Catalogue, custom_id: CustomId, chosen: Sequence[int]) -> Item:
    return ui.ChannelSelect(
        custom_id=str(custom_id),
        placeholder=say("house.one.channels"),
        channel_types=[ChannelType.text, ChannelType.news],
        min_values=0,
        max_values=MOST_CHANNELS,
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
