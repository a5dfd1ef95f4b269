"""Tests that pages of one message are drawn in the order in which they were chosen."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from bot.discord_ui.handlers.pages import Pages
from bot.pictures.picture import Picture
from bot.text.catalogue import Catalogue, catalogue

COMMAND = 1
"""The interaction that the message answers."""


class Press:
    """A press on a private page; what it shows is written down when Discord has answered."""

    is_private = True
    answered = COMMAND

    def __init__(self, number: int, shown: list[int], seconds: float = 0.0) -> None:
        self.id = number
        self.say = catalogue("en")
        self._shown = shown
        self._seconds = seconds

    async def change(self, screen: object, picture: object = None) -> None:
        await asyncio.sleep(self._seconds)
        self._shown.append(self.id)

    redraw = change


def draw(kind: Any, say: Catalogue, picture: Picture | None = None) -> Any:
    return SimpleNamespace()


def pages() -> Pages:
    unused: Any = None
    return Pages(unused, unused, unused)


async def test_a_late_picture_does_not_bring_back_the_page_before() -> None:
    shown: list[int] = []
    book = pages()
    first: Any = Press(2, shown)
    second: Any = Press(3, shown)
    before = await book.in_place(first, draw)
    after = await book.in_place(second, draw)
    await before.redraw(draw)
    await after.redraw(draw)
    assert shown == [2, 3, 3]


async def test_a_page_waits_for_the_picture_that_is_being_sent() -> None:
    shown: list[int] = []
    book = pages()
    first: Any = Press(2, shown, seconds=0.05)
    second: Any = Press(3, shown)
    before = await book.in_place(first, draw)
    sending = asyncio.create_task(before.redraw(draw))
    await asyncio.sleep(0.01)
    await book.in_place(second, draw)
    await sending
    assert shown == [2, 2, 3]
