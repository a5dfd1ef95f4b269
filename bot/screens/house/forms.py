"""Forms of the house rules, files that are exported and imported, and the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from discord import ButtonStyle, TextStyle, ui

from bot.engine.core import Rejected
from bot.house_rules.documents import Import
from bot.house_rules.game_settings import setting_of
from bot.house_rules.kinds import Number, Time, Values
from bot.house_rules.list_kinds import Amounts
from bot.house_rules.repository import Line
from bot.house_rules.saved import MAX_NAME_LENGTH, Saved
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import Setting
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.house.overview import change_lines, first_page
from bot.screens.house.words import about, change_line, name_of, typed_times, words_of
from bot.screens.layout import SAGE, Form, PrivateScreen, box, cut, press, row, text
from bot.screens.names import mention
from bot.screens.refusals import refusal_text
from bot.screens.words import duration, number
from bot.text.catalogue import Catalogue

VALUE: Final = "value"
"""The field of a form that holds a value."""
NAME: Final = "name"
"""The field that holds the name of something saved."""
FILE: Final = "file"
"""The field for a file to import."""
PASTED: Final = "pasted"
"""The field for the text of such a file."""
FILE_NAME: Final = "house-rules.json"
LINES_PER_PAGE: Final = 10
"""Cap on the changes that one page of the log lists."""


def value_form(say: Catalogue, rules: ServerRules, setting: Setting, custom_id: CustomId | None = None) -> Form:
    """Ask for a value that cannot be picked from a list: a number, a time, amounts, or something to save.

    `custom_id` is that of the submitted form; by default it sets the house rule.
    """
    custom_id = custom_id or CustomId(Verb.HOUSE_FORM, argument=setting.full_key)
    title, kind = name_of(say, setting, rules.values), setting.kind
    if isinstance(kind, Amounts):
        return Form(title, custom_id, *[_amount(say, rules, setting, kind, word) for word in kind.usual])
    if isinstance(kind, Saved):
        return _saved_form(say, rules, setting, kind, custom_id)
    value = rules.value(setting)
    field: ui.TextInput[Any] = ui.TextInput(
        custom_id=VALUE, default=None if value is None else kind.write(value), max_length=100
    )
    label = ui.Label(text=say("house.form.value"), description=cut(_range(say, setting), 100), component=field)
    return Form(title, custom_id, label)


def _range(say: Catalogue, setting: Setting) -> str:
    kind = setting.kind
    if isinstance(kind, Time):
        key = "house.form.time_none" if kind.optional else "house.form.time"
        limits = {name: duration(say, getattr(kind, name) * kind.unit) for name in ("lowest", "highest")}
        return say(key, examples=typed_times(say, kind), **limits)
    if isinstance(kind, Number):
        key = "house.form.range_none" if kind.optional else "house.form.range"
        return say(key, lowest=number(kind.lowest), highest=number(kind.highest))
    return about(say, setting)


def _amount(say: Catalogue, rules: ServerRules, setting: Setting, kind: Amounts, word: str) -> ui.Label[Any]:
    field: ui.TextInput[Any] = ui.TextInput(custom_id=word, default=str(rules.value(setting)[word]), max_length=8)
    words = words_of(setting)
    name, does = (tell(say, setting, word, rules.values) for tell in (words.item_label, words.item_about))
    label = cut(say("house.form.amount", name=name, most=kind.highest), 45)
    return ui.Label(text=label, description=None if does is None else cut(does, 100), component=field)


def _saved_form(say: Catalogue, rules: ServerRules, setting: Setting, kind: Saved, custom_id: CustomId) -> Form:
    known: str | None = rules.values.get(setting.full_key)
    written = None if known is None else kind.write_contents(rules.saved[kind.key][known])
    name: ui.TextInput[Any] = ui.TextInput(custom_id=NAME, default=known, max_length=MAX_NAME_LENGTH)
    contents: ui.TextInput[Any] = ui.TextInput(
        custom_id=kind.contents, default=written, style=TextStyle.paragraph, max_length=2_000
    )
    key = f"house.form.{kind.noun}"
    return Form(
        say(f"house.button.new_{kind.noun}"),
        custom_id,
        ui.Label(text=say(f"{key}_name"), description=say(f"{key}_name_about"), component=name),
        ui.Label(text=say(f"{key}_contents"), description=say(f"{key}_contents_about"), component=contents),
    )


def import_form(say: Catalogue) -> Form:
    """Ask for the file of house rules to import, or for its text."""
    pasted: ui.TextInput[Any] = ui.TextInput(custom_id=PASTED, style=TextStyle.paragraph, required=False)
    file: ui.FileUpload[Any] = ui.FileUpload(custom_id=FILE, required=False, min_values=0)
    about_file = say("command.houserules.import.option.file")
    return Form(
        say("house.form.import"),
        CustomId(Verb.HOUSE_FILE),
        ui.Label(text=say("house.form.file"), description=about_file, component=file),
        ui.Label(text=say("house.form.pasted"), component=pasted),
    )


def export_screen(say: Catalogue) -> PrivateScreen:
    """Give the user the exported file."""
    return PrivateScreen(text(say("house.file.about")), ui.File(f"attachment://{FILE_NAME}"))


def import_screen(say: Catalogue, found: Import) -> PrivateScreen:
    """Show what a file would change, and ask. The file stays on the message and is read again when it is confirmed."""
    result = found.result
    lines = [
        say("house.ask.import", count=len(result.changes)),
        *change_lines(say, result.changes, result.rules.values),
        _foreign(say, found),
    ]
    return PrivateScreen(
        text(*lines),
        ui.File(f"attachment://{FILE_NAME}"),
        row(
            press(say("house.button.apply"), CustomId(Verb.HOUSE_IMPORT), ButtonStyle.primary),
            press(say("confirm.no"), CustomId(Verb.KEEP)),
        ),
    )


def _foreign(say: Catalogue, found: Import) -> str | None:
    names = [name_of(say, setting_of(key)) for key in found.foreign]
    return say("house.ask.foreign", names=say.listing(names)) if names else None


def unchanged_text(say: Catalogue, found: Import) -> str:
    """Say that a file changes nothing."""
    return "\n".join(filter(None, (say("house.file.same"), _foreign(say, found))))


def reasons_text(say: Catalogue, reasons: Sequence[Rejected]) -> str:
    """Say everything that is wrong with a file."""
    lines = [say("house.file.reason", reason=refusal_text(say, refused)) for refused in reasons]
    return "\n".join([say("house.file.refused"), *lines])


def log_screen(say: Catalogue, lines: Sequence[Line], values: Values, *, first: bool) -> PrivateScreen:
    """Show who changed what, the newest first, with a button for older lines."""
    written = [
        say(
            "house.log.line",
            time=f"<t:{line.at // 1000}:R>",
            mention=mention(say, line.user),
            change=change_line(say, line.change, values),
        )
        for line in lines[:LINES_PER_PAGE]
    ]
    older = None
    if len(lines) > LINES_PER_PAGE:
        older = press(
            say("house.button.older"), CustomId(Verb.HOUSE_LOG, argument=str(lines[LINES_PER_PAGE - 1].number))
        )
    newest = None if first else press(say("house.button.newest"), CustomId(Verb.HOUSE_LOG))
    back = press(say("house.button.back_form"), CustomId(Verb.HOUSE_PAGE, argument=first_page()))
    body = cut("\n".join(written), 3_600) if written else say("house.log.empty")
    return PrivateScreen(box(SAGE, text(say("house.log.title"), body), row(older, newest, back)))
