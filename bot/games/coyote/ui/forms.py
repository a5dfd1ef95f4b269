"""The forms of Coyote: for a number to bid, perhaps with a target, and for a feather to guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from discord import ui

from bot.engine.core import Seat
from bot.games.coyote.emoji_names import feather_emoji
from bot.games.coyote.rules.cards import NIGHT, SPECIALS, Card
from bot.games.coyote.rules.view import CoyoteView, Duty
from bot.games.coyote.ui import choices as acts
from bot.games.coyote.ui.acts import Act
from bot.games.coyote.ui.verbs import CoyoteVerb
from bot.games.coyote.ui.views import Question
from bot.games.coyote.ui.words import face, in_order
from bot.host.model import Table
from bot.screens.custom_ids import CustomId
from bot.screens.layout import MOST_OPTIONS, Form, Item, PrivateScreen, option, press, row, text
from bot.screens.names import safe_name
from bot.screens.words import number, seat_label
from bot.text.catalogue import Catalogue

NUMBER: Final = "number"
TARGET: Final = "target"
FACE: Final = "face"
_MAX_TYPED_LENGTH: Final = 8
"""How many characters a typed number or face may have."""
_MOST_EXAMPLES: Final = 40
"""How many numbers are tried, up and down, for an example in a lesson."""
_PLAIN_BID: Final = Act("bid")
_SPELLINGS: Final = {
    "×2": "x2",
    "2x": "x2",
    "max→0": "max0",
    "max→−": "max-",
    "max→-": "max-",
    "max-0": "max0",
    "🌙0": NIGHT,
    "🌙": NIGHT,
}


def bid_form(say: Catalogue, table: Table, view: CoyoteView, question: Question, act: Act | None = None) -> Form:
    """Ask for a number, and for a target if the announcement wants one that has not been chosen yet."""
    plus = None if act is None else act.kind
    title = say("form.bid_title") if plus is None else say(f"form.title_{plus}")
    if plus in ("extra", "next") and act is not None and act.target is not None:
        title = say(f"act.{plus}.label", name=seat_label(say, table, Seat(act.target)))
    argument = None if act is None else act.announced
    fields: list[Item] = []
    if plus in ("extra", "next") and act is not None and act.target is None:
        options = [option(seat_label(say, table, seat), str(seat)) for seat in acts.targets(question, plus)]
        fields.append(_field(say("form.whom_label"), None, ui.Select(custom_id=TARGET, options=options[:MOST_OPTIONS])))
    hint = _hint(say, question)
    number_input: ui.TextInput[Any] = ui.TextInput(custom_id=NUMBER, placeholder=hint, max_length=_MAX_TYPED_LENGTH)
    fields.append(_field(say("form.bid_label"), _about(say, view, question), number_input))
    return Form(title, CustomId(CoyoteVerb.NUMBER, table.id, question.id, argument), *fields)


def _hint(say: Catalogue, question: Question) -> str:
    lowest = acts.lowest(question)
    if lowest is None or lowest < 0:
        return say("form.bid_hint_open")
    return say("form.bid_hint", lowest=number(lowest))


def _about(say: Catalogue, view: CoyoteView, question: Question) -> str:
    slots = {"lowest": number(acts.lowest(question) or 0), "bid": number(view.bid or 0)}
    if view.bid is None:
        return say("form.bid_open") if view.rules.min_bid is None else say("form.bid_from", **slots)
    if view.duty is Duty.OTHER:
        return say("form.bid_from" if acts.must_go_higher(view, question) else "form.bid_other", **slots)
    return say("form.bid_beat", **slots)


def guess_form(say: Catalogue, table: Table, view: CoyoteView, question: Question) -> Form:
    """Ask for the face of one's own feather: from a list, or typed where a custom deck has too many faces.

    The night feather is guessed as 0; it is listed by its own face where no other feather of the deck is a 0.
    """
    zero: Card = 0 if 0 in view.rules.cards else NIGHT
    faces = in_order(acts.guesses(question))
    component: Item
    if len(faces) <= MOST_OPTIONS:
        shown = [(zero if card == 0 else card, str(card)) for card in faces]
        options = [option(face(card), value, emoji=say.emoji(feather_emoji(card))) for card, value in shown]
        component = ui.Select(custom_id=FACE, options=options)
    else:
        component = ui.TextInput(custom_id=FACE, placeholder=say("form.guess_hint"), max_length=_MAX_TYPED_LENGTH)
    field = _field(say("form.guess_label"), say("form.guess_about"), component)
    return Form(say("form.guess_title"), CustomId(CoyoteVerb.GUESS, table.id, question.id), field)


def _field(label: str, about: str | None, component: Item) -> ui.Label[Any]:
    return ui.Label(text=label, description=about, component=component)


def read_number(typed: str) -> int | None:
    """Read a whole number as people type it; None if it is not one."""
    plain = typed.strip().replace("−", "-").replace("–", "-").replace(" ", "").removeprefix("+")
    digits = plain.removeprefix("-")
    if not digits.isascii() or not digits.isdigit() or len(digits) > _MAX_TYPED_LENGTH:
        return None
    return int(plain)


def read_face(typed: str) -> Card | None:
    """Read a feather's face as it was picked or typed; the night feather is guessed as 0. None if it is not one."""
    plain = typed.strip().casefold()
    plain = _SPELLINGS.get(plain, plain)
    for special in SPECIALS:
        if plain == special:
            return 0 if special == NIGHT else special
    return read_number(typed)


def unread_number(
    say: Catalogue,
    table: Table,
    question: Question,
    typed: str,
    act: Act = _PLAIN_BID,
    *,
    taught: Callable[[int], bool] | None = None,
) -> PrivateScreen:
    """Say that the typed text is not a number, with a button for the form; if it is empty, say where to type one.

    In a lesson, the example is a number that is `taught`.
    """
    first = max(acts.lowest(question) or 0, 1)
    example = number(first if taught is None else next(filter(taught, _examples(first)), first))
    if not typed.strip():
        return PrivateScreen(text(say("form.needs_number", example=example)))
    again = press(say("table.button.bid"), CustomId(CoyoteVerb.FORM, table.id, question.id, act.announced))
    return PrivateScreen(text(say("form.not_a_number", typed=safe_name(typed), example=example)), row(again))


def _examples(first: int) -> Iterator[int]:
    """Yield numbers to try in a lesson, the first of them before those below 1."""
    yield from range(first, first + _MOST_EXAMPLES)
    yield from range(0, -_MOST_EXAMPLES, -1)


def unread_face(say: Catalogue, typed: str) -> PrivateScreen:
    """Say that the typed text is not on any feather; if it is empty, say where to type a face."""
    why = say("form.not_a_face", typed=safe_name(typed)) if typed.strip() else say("form.needs_face")
    return PrivateScreen(text(why))
