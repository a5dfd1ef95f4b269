from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from discord import InteractionType

from bot.discord_ui.handlers.pages import Pages
from bot.discord_ui.illustrator import Illustrator
from bot.discord_ui.interactions.context import Context
from bot.discord_ui.languages import Languages
from bot.discord_ui.text_only import TextOnly
from bot.host.commands import SetLanguage
from bot.host.model import House, UserId
from bot.pictures.picture import Picture
from bot.pictures.studio import Studio
from bot.screens.layout import text
from bot.text.catalogue import Catalogue, catalogue
from tests.screens.scenes import a_table
from tests.text.speaking import PSEUDO, speaking


def drawing() -> dict[str, Any]:
    """Return the services of an interaction that concern pictures and emojis: here there are none."""
    store: Any = None
    return {"illustrator": Illustrator(Studio(), TextOnly(), lambda _: False, store), "emoji_refused": lambda: None}


class Pressed:
    """A fake press on another user's public message; `defer` waits until `arrived` is set."""

    def __init__(self) -> None:
        self.id, self.user, self.locale = 1, SimpleNamespace(id=2), SimpleNamespace(value="en-US")
        self.type, self.message = InteractionType.component, None
        self.guild_id = None
        self.response = self.followup = self
        self.done = False
        self.arrived = asyncio.Event()
        self.sent: list[str] = []

    def is_done(self) -> bool:
        return self.done

    async def defer(self, **how: object) -> None:
        await self.arrived.wait()
        self.done = True

    async def send(self, **what: object) -> None:
        self.sent.append("followup")

    async def edit_original_response(self, **what: object) -> None:
        self.sent.append("edit of the message that was pressed")


async def test_a_late_private_answer_never_replaces_the_pressed_message() -> None:
    pressed: Any = Pressed()
    dms = SimpleNamespace(take_dm_warning=lambda user: False)
    services: Any = SimpleNamespace(dms=dms, is_closed=lambda: False, languages=Languages(), **drawing())
    context = Context(pressed, services)

    def draw(kind: Any, say: Catalogue, picture: Picture | None = None) -> Any:
        return kind(text("a page"))

    context.defer_soon()
    await asyncio.sleep(0)
    unused: Any = None
    showing = asyncio.create_task(Pages(unused, unused, unused).privately(context, draw))
    await asyncio.sleep(0)
    pressed.arrived.set()
    again = await showing
    await again.redraw(draw)
    assert pressed.sent == ["followup"]


async def test_texts_use_the_words_of_the_game_in_question() -> None:
    pressed: Any = Pressed()
    found = SimpleNamespace(id="k7Q2", guild=7, game="coyote", players=(), house=House())

    async def get(*_: object) -> Any:
        return found

    pressed.guild_id, pressed.channel_id = 7, 70
    tables = SimpleNamespace(get=get, at=get)
    services: Any = SimpleNamespace(tables=tables, is_closed=lambda: False, languages=Languages(), **drawing())
    context = Context(pressed, services)
    assert context.say("replay.all") == "Everything"
    await context.find_table()
    assert context.say("replay.all") == "All feathers"
    found.game = "highcard"
    await context.table()
    assert context.say("replay.all") == "Everything"


class Tables:
    """A fake host with one table; records what is submitted."""

    def __init__(self, language: str) -> None:
        table = a_table(3, house=House(language=language))
        me = table.players[0]._replace(user=UserId(2))
        self.table, self.submitted = table._replace(guild=7, players=(me, *table.players[1:])), list[Any]()

    async def get(self, *_: object) -> Any:
        return self.table

    async def submit(self, _: object, command: Any) -> None:
        self.submitted.append(command)


async def test_a_reader_of_another_language_finds_the_buttons_as_the_table_has_them() -> None:
    pressed: Any = Pressed()
    pressed.guild_id, pressed.channel_id, pressed.locale.value = 7, 70, "en-GB"
    with speaking("en"):
        tables: Any = Tables(PSEUDO)
        services: Any = SimpleNamespace(tables=tables, is_closed=lambda: False, languages=Languages(), **drawing())
        context = Context(pressed, services)
        context.table_id = tables.table.id
        await context.table()
        told = context.say("refused.host.not_seated_lobby")
        assert told == "You aren't at this table. Press **⟦Ĵöîñ ŵ⟧** to take a seat."
        assert context.say("lobby.button.join") == "Join"
        assert context.say.button("lobby.button.join") == "⟦Ĵöîñ ŵ⟧"


def test_a_button_with_a_count_is_named_without_it() -> None:
    english = catalogue()
    labels = {"table.button.go_on": "Reprendre ({count} sur {needed})", "table.button.go_on_alone": "Reprendre"}
    there = Catalogue("fr", labels, english)
    told = english._naming_buttons_of(there)("refused.host.paused", asked_by="<@1>")
    assert "Press **Reprendre** to go on" in told


async def test_the_table_remembers_which_language_a_player_reads() -> None:
    pressed: Any = Pressed()
    pressed.guild_id, pressed.channel_id = 7, 70
    tables: Any = Tables("en")
    services: Any = SimpleNamespace(
        tables=tables, is_closed=lambda: False, languages=Languages({UserId(2): "en"}), **drawing()
    )
    context = Context(pressed, services)
    await context.note_language()
    assert tables.submitted == []
    context.table_id = tables.table.id
    await context.note_language()
    assert tables.submitted == [SetLanguage(UserId(2), "en")]
    seated = tables.table.players[0]._replace(language="en")
    tables.table = tables.table._replace(players=(seated, *tables.table.players[1:]))
    await context.note_language()
    assert len(tables.submitted) == 1


def test_a_chosen_language_comes_before_that_of_discord() -> None:
    here, user = Languages({UserId(5): "tlh"}), UserId(4)
    assert here.of(user, "fr") in ("fr", "en")
    assert here.of(UserId(5), "en-GB") == "en", "a language that is gone"
    here.choose(user, "en")
    assert here.of(user, "fr") == "en"
    here.choose(user, None)
    here.forget(user)
