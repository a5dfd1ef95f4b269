"""Windows of the house rules, and what is shown of files and the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle, TextStyle, ui

from bot.engine.core import Rejected
from bot.games.coyote.rules.editions import COINS, MOST_COINS
from bot.house_rules.documents import Brought
from bot.house_rules.kinds import Number, Time
from bot.house_rules.list_kinds import LONGEST_NAME, Coins, SavedDeck, write_deck
from bot.house_rules.repository import Line
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.overview import FIRST, change_lines
from bot.screens.house.words import about, change_line, name_of
from bot.screens.layout import SAGE, Form, PrivateScreen, box, cut, press, row, text
from bot.screens.names import mention
from bot.screens.refusals import refusal_text
from bot.screens.words import duration, number
from bot.text.catalogue import Catalogue

VALUE: Final = "value"
NAME: Final = "name"
CARDS: Final = "cards"
FILE: Final = "house-rules.json"
PER_PAGE: Final = 10


def value_form(say: Catalogue, rules: ServerRules, setting: Setting) -> Form:
    """Ask for a value that is not in the list: a number or a time, the coins, or a deck."""
    custom_id = CustomId(Verb.HFORM, argument=setting.key)
    title = name_of(say, setting, rules.edition)
    if isinstance(setting.kind, Coins):
        return Form(title, custom_id, *[_coin(say, rules, setting, coin) for coin in COINS])
    if isinstance(setting.kind, SavedDeck):
        return _deck_form(say, rules, custom_id)
    value = rules.value(setting)
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=VALUE, default=None if value is None else setting.kind.write(value), max_length=100
    )
    label = ui.Label(text=say("house.form.value"), description=cut(_range(say, setting), 100), component=field)
    return Form(title, custom_id, label)


def _range(say: Catalogue, setting: Setting) -> str:
    kind = setting.kind
    if isinstance(kind, Time):
        key = "house.form.time_none" if kind.optional else "house.form.time"
        limits = {name: duration(say, getattr(kind, name) * kind.unit) for name in ("lowest", "highest")}
        return say(key, examples=say.either(kind.examples), **limits)
    if isinstance(kind, Number):
        key = "house.form.range_none" if kind.optional else "house.form.range"
        return say(key, lowest=number(kind.lowest), highest=number(kind.highest))
    return about(say, setting)


def _coin(say: Catalogue, rules: ServerRules, setting: Setting, coin: str) -> ui.Label[Any]:
    field: ui.TextInput[Any] = ui.TextInput(custom_id=coin, default=str(rules.value(setting)[coin]), max_length=8)
    name = say(f"act.coin_{coin}.label")
    label = cut(say("house.form.coin", name=name, most=MOST_COINS), 45)
    return ui.Label(text=label, description=cut(say(f"act.coin_{coin}.about"), 100), component=field)


def _deck_form(say: Catalogue, rules: ServerRules, custom_id: CustomId) -> Form:
    known: str | None = rules.values.get("deck")
    cards = None if known is None else write_deck(rules.decks[known])
    name: ui.TextInput[Any] = ui.TextInput(custom_id=NAME, default=known, max_length=LONGEST_NAME)
    feathers: ui.TextInput[Any] = ui.TextInput(
        custom_id=CARDS, default=cards, style=TextStyle.paragraph, max_length=2_000
    )
    return Form(
        say("house.button.new_deck"),
        custom_id,
        ui.Label(text=say("house.form.deck_name"), description=say("house.form.deck_name_about"), component=name),
        ui.Label(text=say("house.form.deck_cards"), description=say("house.form.deck_cards_about"), component=feathers),
    )


def export_screen(say: Catalogue) -> PrivateScreen:
    """Hand over the file."""
    return PrivateScreen(text(say("house.file.about")), ui.File(f"attachment://{FILE}"))


def import_screen(say: Catalogue, brought: Brought) -> PrivateScreen:
    """Show what a file would change, and ask. The file stays on the message, to be read again when that is pressed."""
    changed = brought.changed
    lines = [
        say("house.ask.import", count=len(changed.changes)),
        *change_lines(say, changed.changes, changed.rules.edition),
        _foreign(say, brought),
    ]
    return PrivateScreen(
        text(*lines),
        ui.File(f"attachment://{FILE}"),
        row(
            press(say("house.button.apply"), CustomId(Verb.HIMPORT), ButtonStyle.primary),
            press(say("confirm.no"), CustomId(Verb.KEEP)),
        ),
    )


def _foreign(say: Catalogue, brought: Brought) -> str | None:
    names = [name_of(say, BY_KEY[key]) for key in brought.foreign]
    return say("house.ask.foreign", names=say.listing(names)) if names else None


def same_text(say: Catalogue, brought: Brought) -> str:
    """Say that a file changes nothing."""
    return "\n".join(filter(None, (say("house.file.same"), _foreign(say, brought))))


def reasons_text(say: Catalogue, reasons: Sequence[Rejected]) -> str:
    """Say everything that is wrong with a file."""
    lines = [say("house.file.reason", reason=refusal_text(say, refused)) for refused in reasons]
    return "\n".join([say("house.file.refused"), *lines])


def log_screen(say: Catalogue, lines: Sequence[Line], edition: str, *, first: bool) -> PrivateScreen:
    """Show who changed what, the newest first, and the way to what is older."""
    told = [
        say(
            "house.log.line",
            time=f"<t:{line.at // 1000}:R>",
            mention=mention(line.user),
            change=change_line(say, line.change, edition),
        )
        for line in lines[:PER_PAGE]
    ]
    older = None
    if len(lines) > PER_PAGE:
        older = press(say("house.button.older"), CustomId(Verb.HLOG, argument=str(lines[PER_PAGE - 1].number)))
    newest = None if first else press(say("house.button.newest"), CustomId(Verb.HLOG))
    back = press(say("house.button.back_form"), CustomId(Verb.HPAGE, argument=FIRST.value))
    body = cut("\n".join(told), 3_600) if told else say("house.log.empty")
    return PrivateScreen(box(SAGE, text(say("house.log.title"), body), row(older, newest, back)))
