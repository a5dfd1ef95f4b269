"""Declares the screens that a game provides, and holds those of every game by its name.

What all games share (lobby, votes, pauses, menus, closed tables) is in the other modules of `bot.screens`, as functions
that a game's own screens call. `bot.games.registry` fills `SCREENS` from the games' kits, so no shared screen imports a
game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, Protocol

from bot.engine.core import Json, Rejected, Seat
from bot.engine.views import Open, Private, Public, PublicQuestion, V
from bot.host.model import Remark, Table
from bot.screens.layout import Item, PrivateScreen, PublicScreen
from bot.screens.replay_frames import Frame, HighlightWords
from bot.stats.moments import Highlight
from bot.text.catalogue import Catalogue


class LookScreen(Protocol[V]):
    """Shows a player their own view."""

    def __call__(
        self, say: Catalogue, table: Table, seen: Private[V], *, message: int | None, moves: bool
    ) -> PrivateScreen:
        """Draw it. `message` is the id of the table message; `moves` adds buttons to play, which a DM must not have."""


class BystanderScreen(Protocol[V]):
    """Shows the public state to somebody who is not, or no longer, playing."""

    def __call__(
        self, say: Catalogue, table: Table, seen: Public[V] | Private[V], *, message: int | None
    ) -> PrivateScreen:
        """Draw it. The view is private for a player who is out: it may tell of their own last round."""


class OpenLookScreen(Protocol[V]):
    """Shows everything to somebody who watches AI players among themselves, or who is out."""

    def __call__(
        self, say: Catalogue, table: Table, seen: Open[V], *, message: int | None, is_out: bool
    ) -> PrivateScreen:
        """Draw it. `message` is the id of the table message; `is_out` says that people still play."""


class RevealScreen(Protocol[V]):
    """Shows how the last round ended."""

    def __call__(
        self, say: Catalogue, table: Table, seen: Public[V], *, live: bool, remarks: Sequence[Remark]
    ) -> PublicScreen:
        """Draw it. `live`: the next round is not dealt yet; `remarks` is what the AIs say about it."""


def _no_teaser(_say: Catalogue, _table: Table, _seen: Public[Any], _beat: int) -> PublicScreen | None:
    return None


@dataclass(frozen=True, kw_only=True)
class RoundScreens(Generic[V]):
    """The end of a round, in games whose rounds end with something to see (`Game.rounds_ended`)."""

    is_over: Callable[[Public[V]], bool]
    """Returns whether the last round is over and the next not dealt yet, so that its reveal is the table message."""
    record: Callable[[Catalogue, Table, Public[V], Public[V]], PublicScreen]
    """Draws what the table message becomes, from the views before and after the round's last action."""
    reveal: RevealScreen[V]
    teaser: Callable[[Catalogue, Table, Public[V], int], PublicScreen | None] = _no_teaser
    """Shows the reveal up to a beat before the last, counted from 1; None: this round is revealed at once."""


def _never(_seen: Public[Any], _seat: Seat) -> bool:
    return False


def _no_occasion(_say: Catalogue, _table: Table, _seat: Seat, _seen: Public[Any]) -> str:
    return ""


def _no_buttons(_say: Catalogue, _table: Table, _seen: Public[Any], _question: PublicQuestion) -> Sequence[Item]:
    return ()


@dataclass(frozen=True, kw_only=True)
class NoticeTexts(Generic[V]):
    """A game's own lines in the channel. An argument of type `str` is a mention of the player."""

    moved_for: Callable[[Catalogue, str, Mapping[str, Json]], str]
    """Says which move the table made for a player whose time was up, from the notice's payload."""
    ping: Callable[[Catalogue, str, Public[V]], str]
    """Asks a player to act."""
    restarted: Callable[[Catalogue, Table, Public[V]], str]
    """Says after a restart of the bot what a running table waits for."""
    tells_leaving: Callable[[Public[V], Seat], bool] = _never
    """Returns whether the last reveal says that this player left, so that no notice has to."""
    occasion: Callable[[Catalogue, Table, Seat, Public[V]], str] = _no_occasion
    """Says about which move a player has just said a line, and what came of it so far; empty if that is plain."""
    ping_buttons: Callable[[Catalogue, Table, Public[V], PublicQuestion], Sequence[Item]] = _no_buttons
    """Makes the buttons below a ping, at most five. Everybody sees them, so they come from what is public alone."""


def _no_cases(_refused: Rejected, _table: Table | None, _user: object) -> Sequence[str]:
    return ()


def _no_name(_say: Catalogue, _value: object) -> str | None:
    return None


def _no_button(_say: Catalogue, _table: Table, _refused: Rejected, _prompt: int, _argument: str | None) -> Item | None:
    return None


@dataclass(frozen=True, kw_only=True)
class RefusalTexts:
    """A game's own reasons to refuse something, and where their texts are."""

    groups: Mapping[type[StrEnum], str]
    """By type of reason, the group of texts below `refused.` that has its sentences."""
    seat_details: frozenset[str] = frozenset()
    """The details of a refusal that are seats; sentences name the players who sit there."""
    cases: Callable[[Rejected, Table | None, object], Sequence[str]] = _no_cases
    """Names the special cases for which a sentence may have a form of its own, the most specific first.

    The third argument is the user who is refused, if known.
    """
    value_name: Callable[[Catalogue, object], str | None] = _no_name
    """Names a value that a sentence lists as allowed, such as an edition; None: it is written plainly."""
    look_helps: frozenset[StrEnum] = frozenset()
    """The reasons after which a look at the table helps."""
    try_again: Callable[[Catalogue, Table, Rejected, int, str | None], Item | None] = _no_button
    """Makes the button with which the player can try again, from the prompt's id and the move's argument."""


NO_REFUSAL_TEXTS: Final = RefusalTexts(groups={})


@dataclass(frozen=True, kw_only=True)
class RulesPages:
    """The pages of a game's rules; their texts are `rules.topic.<topic>`."""

    topics: tuple[str, ...]
    """No two games share a topic."""
    topic_for: Callable[[Mapping[str, Json]], str]
    """Returns the page about what a table plays, from its options; the first page if there is no other."""
    body_for: Callable[[str, Mapping[str, Json]], str] = lambda topic, _options: f"rules.topic.{topic}.body"
    """Returns the key of a page's text, from its topic and the options of the table where it is read, if any."""


@dataclass(frozen=True, kw_only=True)
class ReplayScreens(Generic[V]):
    """A game's part of a replay; the frame around it is shared."""

    scene: Callable[[Catalogue, Table, Frame[V], Sequence[str]], Sequence[Item | None]]
    """Shows what happened in a step and what the chosen viewer saw; the given lines go below the first one."""
    ending: Callable[[Catalogue, Table, Sequence[Any]], str | None]
    """Says in a label how a round went or ended, from its public events."""
    highlight: Callable[[Catalogue, Table, Any], HighlightWords] | None = None
    """Puts into words what `GameFigures.highlights` found. Without it, a replay offers no moments."""


def _no_lines(_say: Catalogue, _table: Table, _seen: Public[Any]) -> Sequence[str]:
    return ()


def _no_supplies(_say: Catalogue, _table: Table, _seen: Public[Any] | None) -> Sequence[str]:
    return ()


def _no_highlights(_say: Catalogue, _table: Table, _seen: Public[Any], _found: Sequence[Highlight]) -> Sequence[str]:
    return ()


def _as_they_are(_say: Catalogue, _table: Table, slots: Mapping[str, str]) -> Mapping[str, str]:
    return slots


@dataclass(frozen=True, kw_only=True)
class GameScreens(Generic[V]):
    """The screens of one game. All of them get the language, the table, and a view of the right kind."""

    name: Callable[[Catalogue, Mapping[str, Json]], str]
    """Names what is played, from a table's options: the game, or its edition if it has several."""
    terms: Callable[[Catalogue, Table], str]
    """Sums up in one line the rules that a table plays by."""
    table: Callable[[Catalogue, Table, Public[V], Sequence[PublicQuestion]], PublicScreen]
    """Shows a running match to everybody."""
    look: LookScreen[V]
    bystander: BystanderScreen[V]
    supplies: Callable[[Catalogue, Table, Public[V] | None], Sequence[str]] = _no_supplies
    """Lists what is played with, such as the deck and what of it has been used; there is no view before the match."""
    open_look: OpenLookScreen[V] | None = None
    """Without one, people who watch AI players see what bystanders see."""
    round_number: Callable[[Public[V]], int]
    """Returns the current round, or the last one that was played."""
    rounds: RoundScreens[V] | None = None
    marks: Callable[[Catalogue, Table, Public[V]], Sequence[str]] = _no_lines
    """Shows in emojis, by seat, what each player has at the end of a match; nothing if there are no emojis."""
    scoring: Callable[[Catalogue, Table, Public[V]], Sequence[str]] = _no_lines
    """Explains the points of a finished match, in games that have some."""
    highlights: Callable[[Catalogue, Table, Public[V], Sequence[Highlight]], Sequence[str]] = _no_highlights
    """Names the memorable moments of a finished match. The last argument is what `GameFigures.highlights` found."""
    notices: NoticeTexts[V]
    refusals: RefusalTexts = field(default=NO_REFUSAL_TEXTS)
    rules: RulesPages | None = None
    replay: ReplayScreens[V] | None = None
    remark_slots: Callable[[Catalogue, Table, Mapping[str, str]], Mapping[str, str]] = _as_they_are
    """Puts the slots of an AI's remark into words, if the game's AIs explain themselves after a match."""


SCREENS: Final[dict[str, GameScreens[Any]]] = {}
