"""What can be pressed in public: taking from the offer, ending the turn, taking back, answering."""

from __future__ import annotations

from typing import Any

from discord import ButtonStyle, ui

from bot.engine.views import PublicQuestion
from bot.games.plenty_coups.rules.actions import End, Take
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView
from bot.games.plenty_coups.ui.move_words import emoji_of, joined
from bot.games.plenty_coups.ui.moves import DECLINE, END
from bot.games.plenty_coups.ui.status import to_take
from bot.games.plenty_coups.ui.tokens import token_of
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import PublicView, camp_of
from bot.host.model import Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import Item, option, pick, press, row
from bot.text.catalogue import Catalogue


def take_row(say: Catalogue, table: Table, view: PublicView, question: PublicQuestion) -> Item | None:
    """Make the select with which cards are taken: every pair that the offer holds, so one press is enough."""
    takes = [take for choice in question.choices if choice.verb is Take for take in choice.actions(question.seat)]
    if not takes:
        return None
    options = [
        option(say("plenty.move.take.label", cards=joined(say, take.cards)), token_of(take), emoji=emoji_of(say, take))
        for take in takes
    ]
    custom_id = CustomId(PlentyVerb.MOVE, table.id, question.id)
    select = pick(say("plenty.button.take", count=to_take(view)), custom_id, options)
    select.disabled = table.players[question.seat].ai is not None
    return row(select)


def end_button(say: Catalogue, table: Table, view: PlentyCoupsView, prompt: int) -> ui.Button[Any]:
    """Make the button that ends the turn; it is not highlighted while there is an action left."""
    style = ButtonStyle.secondary if view.actions_left else ButtonStyle.primary
    return press(say("plenty.button.end"), CustomId(PlentyVerb.MOVE, table.id, prompt, END), style)


def decline_button(say: Catalogue, table: Table, view: PlentyCoupsView, prompt: int) -> ui.Button[Any]:
    """Make the button that leaves a disdain unanswered, with its price."""
    loses = view.actor is not None and camp_of(view, view.actor).prestige
    key = "plenty.button.decline" if loses else "plenty.button.decline_zero"
    return press(say(key), CustomId(PlentyVerb.MOVE, table.id, prompt, DECLINE))


def undo_button(say: Catalogue, table: Table, prompt: int) -> ui.Button[Any]:
    """Make the button that takes back the last thing that a tribe did."""
    return press(say("plenty.button.undo"), CustomId(PlentyVerb.UNDO, table.id, prompt), emoji="↩️")


def turn_buttons(say: Catalogue, table: Table, view: PublicView, question: PublicQuestion) -> list[Item]:
    """Make the buttons of the tribe in turn: end the turn, take back."""
    if table.players[question.seat].ai is not None:
        return []
    ends = any(choice.verb is End for choice in question.choices)
    buttons: list[Item] = [end_button(say, table, view, question.id)] if ends else []
    return [*buttons, undo_button(say, table, question.id)] if view.may_undo else buttons


def answer_buttons(say: Catalogue, table: Table, view: PublicView, question: PublicQuestion) -> list[Item]:
    """Make the buttons for an answer out of turn. They are the same whatever the hand is."""
    if table.players[question.seat].ai is not None:
        return []
    choose = CustomId(Verb.LOOK, table.id, question.id)  # the prompt tells it from the ordinary look
    if view.phase is Phase.GIFT:
        return [press(say("plenty.button.give"), choose, ButtonStyle.primary)]
    if view.phase is not Phase.DISDAIN:
        return []
    prove = press(say("plenty.button.prove"), choose, ButtonStyle.primary)
    return [prove, decline_button(say, table, view, question.id)]
