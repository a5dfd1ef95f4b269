"""The forms of Plenty Coups: whom, which cards, and what to say. Every combination that can be picked is legal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from discord import SelectOption, ui

from bot.games.plenty_coups.rules.actions import Disdain, Donate, LayGift, PlayerAction
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.ui.camps import wealth
from bot.games.plenty_coups.ui.move_words import MoveWords, emoji_of, move_words
from bot.games.plenty_coups.ui.moves import TWO_PARTS, Group
from bot.games.plenty_coups.ui.tokens import token_of
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import PrivateView, camp_of
from bot.games.plenty_coups.ui.words import card_label, player_label
from bot.host.commands import MAX_LINE_LENGTH
from bot.host.model import Table
from bot.screens.custom_ids import CustomId
from bot.screens.layout import MOST_OPTIONS, Form, Item, option
from bot.text.catalogue import Catalogue, catalogue

WHOM: Final = "whom"
WHAT: Final = "what"
LINE: Final = "line"
"""A line from the list."""
WORDS: Final = "words"
"""A line that was typed."""


def form_for(say: Catalogue, table: Table, view: PrivateView, prompt: int, group: Group) -> Form:
    """Ask for everything that the moves of a group differ in."""
    name = "" if group.target is None else player_label(say, table, group.target)
    key = f"plenty.form.{group.kind}"
    fields = _two_parts(say, table, view, group) if group.kind in TWO_PARTS else [_whole(say, table, view, group)]
    if group.kind == "disdain":
        fields += _spoken(say)
    return Form(say(f"{key}.title", name=name), CustomId(PlentyVerb.FILLED, table.id, prompt, group.name), *fields)


def _whole(say: Catalogue, table: Table, view: PrivateView, group: Group) -> Item:
    moves = [move_words(say, table, view, action) for action in group.actions]
    return _field(say(f"plenty.form.{group.kind}.what"), WHAT, _options(moves))


def _two_parts(say: Catalogue, table: Table, view: PrivateView, group: Group) -> list[Item]:
    """Make a list of targets and, if the moves differ in their cards, one of those: any two of them go together."""
    moves = [action for action in group.actions if isinstance(action, LayGift | Donate | Disdain)]
    targets = list(dict.fromkeys(move.target for move in moves))
    whom = [
        option(player_label(say, table, target), target.name.lower(), _about(say, table, view, group, target))
        for target in targets
    ]
    fields: list[Item] = [_field(say("plenty.form.whom"), WHOM, _alone_chosen(whom))]
    if group.kind != "disdain":
        first = [move for move in moves if move.target == targets[0]]
        fields.append(_field(say(f"plenty.form.{group.kind}.what"), WHAT, [_rest(say, each) for each in first]))
    return fields


def _about(say: Catalogue, table: Table, view: PrivateView, group: Group, target: Tribe) -> str:
    """Say what it means to disdain a tribe; for a gift, say what the tribe has."""
    action = next((each for each in group.actions if isinstance(each, Disdain) and each.target == target), None)
    if action is None:
        return wealth(say.without_emojis, camp_of(view, target))
    return move_words(say, table, view, action).about


def _rest(say: Catalogue, action: PlayerAction) -> SelectOption:
    """Make the option for a move without its target."""
    cards = {name: card_label(say, getattr(action, name)) for name in ("discard", "card") if hasattr(action, name)}
    key = "plenty.form.gift.cards" if "card" in cards else "plenty.form.donate.card"
    return option(say(key, **cards), token_of(action).split(".", 2)[2], emoji=emoji_of(say, action))


def _spoken(say: Catalogue) -> list[Item]:
    """Ask for what to say: a line from the list, or one's own words."""
    listed = [option(line, str(number)) for number, line in enumerate(lines(say), 1)]
    typed: ui.TextInput[Any] = ui.TextInput(
        custom_id=WORDS, required=False, max_length=MAX_LINE_LENGTH, placeholder=say("plenty.form.disdain.words_hint")
    )
    chosen: ui.Select[Any] = ui.Select(
        custom_id=LINE,
        options=listed[:MOST_OPTIONS],
        placeholder=say("plenty.form.disdain.line_hint"),
        required=False,
        min_values=0,
    )
    return [
        ui.Label(text=say("plenty.form.disdain.line"), component=chosen),
        ui.Label(text=say("plenty.form.disdain.words"), component=typed),
    ]


def lines(say: Catalogue) -> list[str]:
    """Return the lines that go with a disdain."""
    return [say(key) for number in range(1, MOST_OPTIONS + 1) if (key := f"plenty.disdain.line.{number}") in say]


def _field(label: str, name: str, options: Sequence[SelectOption]) -> ui.Label[Any]:
    return ui.Label(text=label, component=ui.Select(custom_id=name, options=list(options[:MOST_OPTIONS])))


def _options(moves: Sequence[MoveWords]) -> list[SelectOption]:
    return _alone_chosen([option(each.label, each.token, each.about, emoji=each.emoji) for each in moves])


def _alone_chosen(options: list[SelectOption]) -> list[SelectOption]:
    """Choose an option that has no alternative."""
    if len(options) == 1:
        options[0].default = True
    return options


def read_form(kind: str, fields: Mapping[str, str]) -> str:
    """Return the token of the move that was put together in a form; it may not be one, if the form is forged."""
    if kind not in TWO_PARTS:
        return fields.get(WHAT, "")
    parts = (kind, fields.get(WHOM, ""), fields.get(WHAT))
    return ".".join(part for part in parts if part is not None)


def read_line(table: Table, fields: Mapping[str, str]) -> str | None:
    """Return what is to be said: the typed words, the line that was picked, in the table's language, or nothing."""
    typed = fields.get(WORDS, "").strip()
    if typed:
        return typed[:MAX_LINE_LENGTH]
    picked = fields.get(LINE, "")
    return next(
        (line for number, line in enumerate(lines(catalogue(table.house.language)), 1) if str(number) == picked), None
    )
