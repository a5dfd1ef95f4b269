"""`/replay`: a finished match, step by step, as one seat saw it or with nothing hidden. Always private."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from discord import ButtonStyle, ui

from bot.engine.core import Seat
from bot.engine.views import laid_open, private, public
from bot.host.model import Table, UserId
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.game import SCREENS, ReplayScreens
from bot.screens.layout import ASH, MOST_OPTIONS, PrivateScreen, box, option, pick, press, row, rule, text
from bot.screens.replay_frames import Chapter, Frame, HighlightWords
from bot.screens.stats.paging import turn
from bot.screens.stats.queries import ReplayStep
from bot.screens.words import DOT, seat_label
from bot.stats.model import PastGame
from bot.stats.replay import Replay
from bot.text.catalogue import Catalogue

_InWords: TypeAlias = tuple[int, HighlightWords]
"""The step of a highlight, and the highlight in words."""
_JUMPS: Final = ("one", "two", "three")
"""Tells the custom_ids of buttons apart that may lead to the same step."""
_MOVED_FOR: Final = {"clock": "replay.by_clock", "ai": "replay.by_ai"}
"""The texts for moves that a player did not make themselves, by the log's name for who made them."""


def frame_of(replay: Replay, game: PastGame, at: ReplayStep) -> Frame[Any]:
    """Return one step of a replay: the last if it is beyond the end. For an unknown seat, nothing is hidden."""
    step = min(at.step, len(replay) - 1)
    viewer = at.viewer if at.viewer is not None and at.viewer < replay.players else None
    moment = replay.moments[step]
    return Frame(
        game=game,
        at=ReplayStep(at.game, step, viewer),
        steps=len(replay),
        round=min(moment.round, _rounds(game)),
        actor=moment.actor.value,
        mover=moment.seat,
        events=moment.events,
        seen=laid_open(replay.open_view(step)) if viewer is None else private(replay.view(step, viewer), viewer),
        public=public(replay.view(step, None)),
        chapters=chapters(replay),
        highlights=replay.highlights,
    )


def _rounds(game: PastGame) -> int:
    """Return how many rounds are shown; a match without rounds is shown as one."""
    return max(1, game.rounds)


def chapters(replay: Replay) -> tuple[Chapter, ...]:
    """Return the rounds of a match, each with its first step and its events."""
    found: dict[int, Chapter] = {}
    for step, moment in enumerate(replay.moments):
        chapter = found.setdefault(moment.round, Chapter(moment.round, step, ()))
        found[moment.round] = chapter._replace(events=chapter.events + moment.events)
    return tuple(found.values())


def without_hidden_names(say: Catalogue, table: Table, game: PastGame) -> Table:
    """Return the table, for drawing only, without the names of players who opted out of statistics."""
    return table._replace(
        players=tuple(
            player
            if past.ai or past.user is not None
            else player._replace(user=UserId(-1 - past.seat), name=say("history.player", number=past.seat + 1))
            for player, past in zip(table.players, game.seats, strict=True)
        )
    )


def replay_screen(say: Catalogue, table: Table, frame: Frame[Any]) -> PrivateScreen:
    """Show a step: what happened, what the chosen viewer saw then, and where to go next."""
    screens = SCREENS[table.game]
    if screens.replay is None:
        raise ValueError(f"{table.game} has no replays")
    describe = screens.replay.highlight
    highlights = [] if describe is None else [(each.step, describe(say, table, each.what)) for each in frame.highlights]
    return PrivateScreen(
        box(
            ASH,
            text(_heading(say, frame, screens.name(say, table.options))),
            text(*_highlight_lines(say, frame, highlights)),
            *screens.replay.scene(say, table, frame, _moved_for(say, table, frame)),
            rule(),
            _highlight_buttons(say, frame, highlights),
            _step_buttons(say, frame),
            row(_viewer_select(say, table, frame)),
            row(_round_select(say, table, frame, screens.replay)),
        )
    )


def _heading(say: Catalogue, frame: Frame[Any], name: str) -> str:
    place = say("replay.step", step=frame.at.step + 1, steps=frame.steps)
    game = frame.game
    heading = say("replay.over", game=game.number, edition=name, number=frame.round, rounds=_rounds(game))
    return f"-# {heading}{DOT}{place}"


def _highlight_lines(say: Catalogue, frame: Frame[Any], highlights: Sequence[_InWords]) -> list[str]:
    """List the best moments above the first step; above each of them, say which one it is."""
    if not frame.at.step and highlights:
        return [say("replay.highlights"), *[f"✨ {words.sentence}" for _, words in highlights]]
    return [f"✨ {words.sentence}" for step, words in highlights if step == frame.at.step]


def _highlight_buttons(say: Catalogue, frame: Frame[Any], highlights: Sequence[_InWords]) -> ui.ActionRow[Any] | None:
    """Make the buttons that jump to the best moments, and the one that posts the end of the match again."""

    def to(step: int, place: int) -> CustomId:
        return CustomId(Verb.REPLAY, prompt=1, argument=f"{frame.at._replace(step=step)}.{_JUMPS[place]}")

    jumps = [
        turn(words.name, to(step, place), "✨", off=step == frame.at.step)
        for place, (step, words) in enumerate(highlights)
    ]
    return row(*jumps, _share(say, CustomId(Verb.SHARE, argument=str(frame.game.number))))


def _moved_for(say: Catalogue, table: Table, frame: Frame[Any]) -> list[str]:
    """Say that a move was not the player's own; an AI in its own seat is named as one already."""
    key = _MOVED_FOR.get(frame.actor)
    own = frame.actor == "ai" and frame.mover is not None and table.players[frame.mover].ai is not None
    return [] if key is None or own else [f"-# {say(key)}"]


def _step_buttons(say: Catalogue, frame: Frame[Any]) -> ui.ActionRow[Any] | None:
    here, last = frame.at.step, frame.steps - 1

    def to(step: int, which: str) -> CustomId:
        return CustomId(Verb.REPLAY, prompt=1, argument=f"{frame.at._replace(step=step)}.{which}")

    return row(
        turn(say("replay.button.first"), to(0, "first"), "⏮", off=here <= 0),
        turn(say("replay.button.back"), to(max(0, here - 1), "back"), "◀", off=here <= 0),
        turn(say("replay.button.next"), to(min(last, here + 1), "next"), "▶", off=here >= last),
        turn(say("replay.button.last"), to(last, "last"), "⏭", off=here >= last),
    )


def _viewer_select(say: Catalogue, table: Table, frame: Frame[Any]) -> ui.Select[Any]:
    at = frame.at
    options = [
        option(say("replay.all"), str(at._replace(viewer=None)), say("replay.all_about"), chosen=at.viewer is None),
        *[
            option(
                say("replay.as_seat", name=seat_label(say, table, Seat(seat))),
                str(at._replace(viewer=Seat(seat))),
                chosen=at.viewer == seat,
            )
            for seat in range(len(table.players))
        ],
    ]
    return pick(say("replay.pick_eyes"), CustomId(Verb.REPLAY, prompt=1, argument="eyes"), options)


def _round_select(say: Catalogue, table: Table, frame: Frame[Any], replay: ReplayScreens[Any]) -> ui.Select[Any]:
    """Make the select of rounds to jump to: all, or those around the one that is shown."""
    here = next((place for place, each in enumerate(frame.chapters) if each.number == frame.round), 0)
    start = max(0, min(here - MOST_OPTIONS // 2, len(frame.chapters) - MOST_OPTIONS))
    options = [
        option(
            say("replay.round", number=chapter.number),
            str(frame.at._replace(step=chapter.first)),
            replay.ending(say, table, chapter.events),
            chosen=chapter.number == frame.round,
        )
        for chapter in frame.chapters[start : start + MOST_OPTIONS]
    ]
    return pick(say("replay.pick_round"), CustomId(Verb.REPLAY, prompt=1, argument="round"), options)


def replay_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that opens the replay of a table's match, privately."""
    return press(say("replay.button.open"), CustomId(Verb.REPLAY, table.id), ButtonStyle.secondary, emoji="🎞️")


def share_button(say: Catalogue, table: Table) -> ui.Button[Any]:
    """Make the button that posts the end of a table's match in the channel once more."""
    return _share(say, CustomId(Verb.SHARE, table.id))


def _share(say: Catalogue, custom_id: CustomId) -> ui.Button[Any]:
    return press(say("replay.button.share"), custom_id, emoji="📣")
