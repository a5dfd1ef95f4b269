"""Turns the buttons, selects, forms and commands of Plenty Coups into moves, forms and private screens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.engine.core import Rejected
from bot.games.plenty_coups.rules.actions import Reason
from bot.games.plenty_coups.rules.cards import Tribe
from bot.games.plenty_coups.rules.view import Phase, PlentyCoupsView
from bot.games.plenty_coups.ui import forms
from bot.games.plenty_coups.ui.hand import hand_screen
from bot.games.plenty_coups.ui.move_words import MoveWords, move_words, target_of
from bot.games.plenty_coups.ui.moves import FORM, groups, shortened, useful_first
from bot.games.plenty_coups.ui.tokens import DO, read_token
from bot.games.plenty_coups.ui.typed import UNDO, Findable, matches
from bot.games.plenty_coups.ui.verbs import PlentyVerb
from bot.games.plenty_coups.ui.views import PrivateView, is_deep_winter
from bot.games.plenty_coups.ui.words import colour, player_label, tribe_name, tribe_of
from bot.host.commands import MAX_LINE_LENGTH, HostReason
from bot.screens.layout import PrivateScreen, text
from bot.screens.names import safe_name
from bot.screens.presses import Answer, GamePresses, Move, Situation
from bot.text.catalogue import Catalogue

MOVE: Final = "move"
"""What was typed as the move of a slash command."""
LINE: Final = "line"
"""What was typed as the line to say with it."""
PHASES: Final = "phases"
"""The phases to which a slash command belongs, separated by spaces."""
MOST_LABEL: Final = 100
"""How many characters of a move's label stand in a sentence."""
TAKING: Final = (Phase.TAKE,)
PLAYING: Final = (Phase.ACT, Phase.HUNT)
ANSWERING: Final = (Phase.GIFT, Phase.DISDAIN)

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
    """Make the move that was typed: picked from the list, or in words that can mean only one of them."""
    fields = asked.press.fields
    typed, phases = fields.get(MOVE, ""), fields.get(PHASES, "").split()
    line = fields.get(LINE, "").strip()[:MAX_LINE_LENGTH] or None
    asked.needs_prompt()
    if typed == UNDO:
        return _undo(asked)
    if asked.view.phase not in phases:
        return _hand_with_note(asked, _what_is_asked(asked, phases))
    if typed.startswith(FORM):
        return _form(asked, typed.removeprefix(FORM))
    if read_token(typed) is not None:
        return _spoken(asked, typed, line)
    found = matches(_findable(asked), typed, _targets(asked))
    if found.sure:
        return _spoken(asked, found.moves[0].words.token, line)
    count = len(found.moves)
    key = "none" if not count else "one" if count == 1 else "several"
    return _hand_with_note(asked, asked.say(f"plenty.typed.{key}", typed=safe_name(typed), count=count), found.moves)


def _what_is_asked(asked: PlentySituation, phases: Sequence[str]) -> str:
    """Say what is open instead, to somebody who typed a move that belongs to other phases."""
    phase = asked.view.phase
    if Phase.GIFT in phases:
        return asked.say(f"plenty.typed.unasked_{phase}")
    snow = phase is Phase.ACT and Phase.TAKE in phases and is_deep_winter(asked.view)
    return asked.say("plenty.typed.asked_snow" if snow else f"plenty.typed.asked_{phase}")


def _spoken(asked: PlentySituation, token: str, line: str | None) -> Answer:
    """Make a move, with what is to be said; if nothing can be said with it, say that and offer it without."""
    unspoken = [move for move in _findable(asked) if move.words.token == token and move.group != "disdain"]
    if line is None or not unspoken:
        return _read(asked, token, line)
    label = safe_name(unspoken[0].words.label, MOST_LABEL)
    return _hand_with_note(asked, asked.say("plenty.typed.no_line", move=label), unspoken)


def _hand_with_note(asked: PlentySituation, why: str, found: Sequence[Findable] = ()) -> PrivateScreen:
    """Show the hand below a sentence, with these moves to choose from; with all of them if none are given."""
    view = PrivateView(asked.view)
    entries = _listed(asked, found)
    screen = hand_screen(asked.say, asked.table, view, message=None, moves=True, entries=entries or None)
    return PrivateScreen(text(why), *screen.children)


def _findable(asked: PlentySituation) -> list[Findable]:
    """Return every move that is open, with the words by which it is found."""
    prompt, view, say = asked.open_prompt, PrivateView(asked.view), asked.say
    if prompt is None:
        return []
    moves = [
        Findable(move_words(say, asked.table, view, action), say(f"plenty.called.{DO[type(action)]}"), group.name, whom)
        for group in useful_first(view, groups(prompt))
        for action in group.actions
        for whom in [target_of(view, action)]
    ]
    return [*moves, _undo_words(say)] if view.may_undo else moves


def _undo_words(say: Catalogue) -> Findable:
    return Findable(MoveWords(UNDO, say("plenty.button.undo"), ""), say("plenty.called.undo"), UNDO)


def _targets(asked: PlentySituation) -> dict[Tribe, str]:
    """Return the names of every other tribe in play: its own, its colour as cards have it, and its player's."""
    say, table = asked.say, asked.table
    others = [camp.tribe for camp in asked.view.camps if camp.tribe != asked.view.actor]
    return {
        tribe: f"{tribe_name(say, tribe)} {colour(say, tribe)} {player_label(say, table, tribe)}" for tribe in others
    }


def _listed(asked: PlentySituation, found: Sequence[Findable]) -> list[MoveWords]:
    """Return the moves as a list offers them: if they are too many, with entries that open a form instead."""
    prompt = asked.open_prompt
    if prompt is None:
        return []
    return shortened(asked.say, asked.table, prompt, [(move.group, move.words) for move in found])


def offered_moves(asked: PlentySituation, typed: str, phases: Sequence[Phase]) -> list[tuple[str, str]]:
    """Return the moves that are open to the user who types, as words and tokens; those that fit what is typed."""
    if asked.table.match is None or asked.open_prompt is None:
        return []
    open_ = [move for move in _findable(asked) if move.group == UNDO or asked.view.phase in phases]
    found = matches(open_, typed, _targets(asked)).moves
    return [(each.label, each.token) for each in _listed(asked, found)]


PRESSES: Final[GamePresses[Any]] = GamePresses[PlentyCoupsView](
    verbs={PlentyVerb.MOVE: _move, PlentyVerb.FILLED: _filled, PlentyVerb.UNDO: _undo},
    naming=(),
)
