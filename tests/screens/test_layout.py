"""discord.py does not keep sent screens, views are checked for their viewer, and typed values are read."""

import asyncio

import discord
import pytest
from discord import ui
from discord.ui.view import ViewStore

from bot.engine.core import Seat
from bot.engine.views import private, public
from bot.games.coyote.rules import game as rules
from bot.games.coyote.ui.forms import read_face, read_number
from bot.screens.layout import cut
from bot.screens.words import plainly
from tests.screens import scenes


def test_a_screen_counts_as_finished_inside_and_outside_a_loop() -> None:
    outside = dict(scenes.rounds())["table turn"]
    assert outside.is_finished()
    assert dict(scenes.forms())["form bid"].is_finished()

    async def inside() -> bool:
        return dict(scenes.rounds())["table turn"].is_finished()

    assert asyncio.run(inside())


def test_stopping_a_view_made_outside_a_loop_does_not_finish_it() -> None:
    view = ui.LayoutView(timeout=None)
    view.stop()
    assert not view.is_finished()


async def test_discord_py_does_not_listen_to_a_screen_that_it_sends() -> None:
    client = discord.Client(intents=discord.Intents.none())
    store: ViewStore = client._connection._view_store
    screen = dict(scenes.rounds())["table turn"]
    with pytest.raises(ValueError, match="finished"):
        client.add_view(screen)
    assert store._views == {}
    assert store._synced_message_views == {}


def test_a_view_is_refused_for_another_viewer() -> None:
    state = scenes.story()
    own = rules.view_for(state, Seat(1))
    with pytest.raises(ValueError, match="not for everybody"):
        public(own)
    with pytest.raises(ValueError, match="not for that seat"):
        private(own, Seat(2))
    with pytest.raises(ValueError, match="not for that seat"):
        private(rules.view_for(state, None), Seat(2))


def test_long_labels_are_shortened() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"


@pytest.mark.parametrize(
    ("typed", "read"),
    [("15", 15), (" +15 ", 15), ("−5", -5), ("- 5", -5), ("–5", -5), ("0", 0), ("1.5", None), ("x", None), ("", None)],
)
def test_numbers_as_people_type_them(typed: str, read: int | None) -> None:
    assert read_number(typed) == read


@pytest.mark.parametrize("typed", ["٣", "1e3", "--5", "9" * 9, "0x1"])
def test_anything_else_is_not_a_number(typed: str) -> None:
    assert read_number(typed) is None


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("x2", "x2"),
        ("×2", "x2"),
        ("MAX0", "max0"),
        ("Max→−", "max-"),
        ("?", "?"),
        ("night", 0),
        ("🌙0", 0),
        ("-5", -5),
        ("y", None),
    ],
)
def test_faces_as_people_type_them(typed: str, read: int | str | None) -> None:
    assert read_face(typed) == read


def test_settings_are_shown_as_inert_text() -> None:
    assert plainly(scenes.SAY, True) == "on"
    assert plainly(scenes.SAY, "<@1>") == "‹＠1›"
    assert plainly(scenes.SAY, ("a", -1)).replace("\u00a0", " ") == "a · −1"
