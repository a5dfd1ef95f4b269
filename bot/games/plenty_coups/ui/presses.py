"""Turns the buttons, selects, forms and commands of Plenty Coups into moves, forms and private screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.engine.core import Rejected
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView
from bot.games.plenty_coups.ui import forms
from bot.games.plenty_coups.ui.hand import hand_screen
from bot.games.plenty_coups.ui.move_words import MoveWords, move_words
from bot.games.plenty_coups.ui.moves import FORM, groups, legal_moves
from bot.games.plenty_coups.ui.tokens import read_token
from bot.games.plenty_coups.ui.typed import UNDO, matches
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import PrivateView
from bot.games.plenty_coups.ui.words import tribe_of
from bot.host.commands import MAX_LINE_LENGTH, HostReason
from bot.screens.layout import PrivateScreen, text
from bot.screens.names import safe_name
from bot.screens.presses import Answer, GamePresses, Move, Situation

MOVE: Final = "move"
"""What was typed as the move of a slash command."""
LINE: Final = "line"
"""What was typed as the line to say with it."""
PHASES: Final = "phases"
"""The phases to which a slash command belongs, separated by spaces."""
TAKING: Final = (Phase.TAKE,)
PLAYING: Final = (Phase.ACT, Phase.HUNT)
ANSWERING: Final = (Phase.GIFT, Phase.DISDAIN)

_GIFT: Final = "gift."
"""How the tokens of gifts that cost an action begin."""

PlentySituation = Situation[PlentyCoupsView]


# -- buttons, selects and forms


def _move(asked: PlentySituation) -> Answer:
    """Make the move that was picked; one that needs more to be said opens its form."""
    if asked.press.typed:
        return _typed_move(asked)
    picked = asked.press.picked or ""
    return _form(asked, picked.removeprefix(FORM)) if picked.startswith(FORM) else _read(asked, picked)


def _form(asked: PlentySituation, name: str) -> Answer:
    prompt = asked.needs_prompt()
    group = next((each for each in groups(prompt) if each.name == name), None)
    if group is None:
        kind, _, target = name.partition(".")
        known = {"target": target} if target else {}
        raise asked.why_not_verb(kind, **known) or Rejected(Reason.NOT_NOW)
    return forms.form_for(asked.say, asked.table, PrivateView(asked.view), prompt.id, group)


def _filled(asked: PlentySituation) -> Answer:
    """Make the move that was put together in a form."""
    kind = (asked.press.id.argument or "").partition(".")[0]
    fields = asked.press.fields
    return _read(asked, forms.read_form(kind, fields), forms.read_line(asked.table, fields))


def _undo(asked: PlentySituation) -> Move:
    return Move(UNDO, {"tribe": _tribe(asked)}, shows_look=True)


def _read(asked: PlentySituation, token: str, line: str | None = None) -> Move:
    """Return the move that a token stands for; the game judges whether it is allowed."""
    if token == UNDO:
        return _undo(asked)
    found = read_token(token)
    if found is None:
        asked.needs_prompt()  # somebody who cannot move at all is told that first
        raise Rejected(HostReason.NO_SUCH_ACTION)
    do, fields = found
    spoken = line if do == "disdain" else None
    return Move(do, {"tribe": _tribe(asked), **fields}, shows_look=do == "take", line=spoken)


def _tribe(asked: PlentySituation) -> str:
    """Name the tribe that the user decides for: the one that is asked, or else their own."""
    if asked.open_prompt is not None and asked.view.actor is not None:
        return asked.view.actor.name.lower()
    seat = asked.seat
    return tribe_of(asked.table, seat).name.lower() if seat is not None else ""


# -- slash commands


def _typed_move(asked: PlentySituation) -> Answer:
    """Make the move that was typed: picked from the list, or in words that fit one of them."""
    fields = asked.press.fields
    typed, phases = fields.get(MOVE, ""), fields.get(PHASES, "").split()
    line = fields.get(LINE, "").strip()[:MAX_LINE_LENGTH] or None
    asked.needs_prompt()
    if typed == UNDO:
        return _undo(asked)
    if asked.view.phase not in phases:
        return _hand_with_note(asked, asked.say(f"plenty.typed.asked_{asked.view.phase}"))
    if read_token(typed) is not None:
        return _read(asked, typed, line)
    found = matches(_words(asked), typed)
    if len(found) == 1:
        return _read(asked, found[0].token, line)
    key = "plenty.typed.several" if found else "plenty.typed.none"
    return _hand_with_note(asked, asked.say(key, typed=safe_name(typed), count=len(found)), found)


def _hand_with_note(asked: PlentySituation, why: str, entries: Sequence[MoveWords] = ()) -> PrivateScreen:
    """Show the hand below a sentence, with these moves to choose from; with all of them if none are given."""
    view = PrivateView(asked.view)
    screen = hand_screen(asked.say, asked.table, view, message=None, moves=True, entries=entries or None)
    return PrivateScreen(text(why), *screen.children)


def _words(asked: PlentySituation) -> list[MoveWords]:
    prompt, view = asked.open_prompt, PrivateView(asked.view)
    if prompt is None:
        return []
    return [move_words(asked.say, asked.table, view, action) for action in legal_moves(prompt)]


def offered_moves(asked: PlentySituation, typed: str, phases: Sequence[Phase]) -> list[tuple[str, str]]:
    """Return the moves that are open to the user who types, as words and tokens; those that fit what is typed."""
    if asked.table.match is None or asked.open_prompt is None:
        return []
    found = matches(_words(asked), typed) if asked.view.phase in phases else []
    undo = asked.say("plenty.button.undo")
    offered = [(each.label, each.token) for each in found]
    if asked.view.may_undo and typed.casefold() in undo.casefold():
        offered.append((undo, UNDO))
    # There can be dozens of gifts: below the rest, they push nothing out of a list that Discord cuts.
    return sorted(offered, key=lambda each: each[1].startswith(_GIFT))


PRESSES: Final[GamePresses[Any]] = GamePresses[PlentyCoupsView](
    verbs={PlentyVerb.MOVE: _move, PlentyVerb.FILLED: _filled, PlentyVerb.UNDO: _undo},
    naming=(),
)
