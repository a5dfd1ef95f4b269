"""Events that Discord should never send: the bot logs them, goes on, and answers where it can."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.common import altered, make, started, until
from tests.e2e.driver import Driver
from tests.e2e.harness import Evening, evening

Json = dict[str, Any]


def put(value: Any, *path: str) -> Callable[[Json], Any]:
    """Return a function that puts a value somewhere into an event."""

    def change(event: Json) -> Json:
        place: Any = event
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
        return event

    return change


def drop(*path: str) -> Callable[[Json], Any]:
    """Return a function that drops something from an event."""

    def change(event: Json) -> Json:
        place: Any = event
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        return event

    return change


PRESSES = {
    "custom_id a list": put([], "data", "custom_id"),
    "custom_id an object": put({}, "data", "custom_id"),
    "no custom_id": drop("data", "custom_id"),
    "no component_type": drop("data", "component_type"),
    "component_type a list": put([], "data", "component_type"),
    "values a number": put(7, "data", "values"),
    "data null": put(None, "data"),
    "data a list": put([], "data"),
    "no data": drop("data"),
    "no member": drop("member"),
    "member null": put(None, "member"),
    "member a list": put([], "member"),
    "no member.user": drop("member", "user"),
    "member.user null": put(None, "member", "user"),
    "no member.user.id": drop("member", "user", "id"),
    "roles a number": put(5, "member", "roles"),
    "message null": put(None, "message"),
    "message.author null": put(None, "message", "author"),
    "channel null": put(None, "channel"),
    "channel a list": put([], "channel"),
    "guild_id a word": put("here", "guild_id"),
    "no version": drop("version"),
    "no application_id": drop("application_id"),
    "no attachment_size_limit": drop("attachment_size_limit"),
    "owners null": put(None, "authorizing_integration_owners"),
    "entitlements null": put(None, "entitlements"),
    "app_permissions a word": put("all", "app_permissions"),
    "no type": drop("type"),
    "type a word": put("3", "type"),
    "type unknown": put(99, "type"),
}
FORMS = {
    "components null": put(None, "data", "components"),
    "components a number": put(7, "data", "components"),
    "components of nothing": put([None], "data", "components"),
    "no components": drop("data", "components"),
}
COMMANDS = {
    "data null": put(None, "data"),
    "no name": drop("data", "name"),
    "name unknown": put("chess", "data", "name"),
    "options a number": put(7, "data", "options"),
    "options of numbers": put([7], "data", "options"),
    "resolved a list": put([], "data", "resolved"),
    "no member": drop("member"),
    "no member.user": drop("member", "user"),
}
UNANSWERABLE = {
    "nothing": lambda event: None,
    "a list": lambda event: [],
    "a word": lambda event: "hello",
    "no id": drop("id"),
    "id a word": put("first", "id"),
    "no token": drop("token"),
    "token null": put(None, "token"),
}


async def check_alive(held: Evening) -> None:
    """Check that the bot still answers, through the connection that it had, and expect its errors in the log."""
    assert held.bot.process is not None
    assert held.bot.process.returncode is None, held.bot.log_text[-3000:]
    assert held.sandbox.gateway.identified == 1
    assert "Your own settings" in (await held.slash(held.people[0], "settings")).text
    held.bot.log.clear()


@pytest.mark.parametrize("what", ["press", "form", "command"])
async def test_a_malformed_interaction_is_apologised_for(tmp_path: Path, driver: Driver, what: str) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = held.move(message)
        if what == "form":
            submit, sign = await driver.form(move.by, message)
            act, shapes = submit, FORMS
        elif what == "press":
            act, shapes, sign = move.press, PRESSES, move.sign
        else:
            command = driver.command(move.by, message)
            act, shapes, sign = command.press, COMMANDS, command.sign
        for name, change in shapes.items():
            shown = await (await altered(held, act, change))
            assert shown.failed is None, (name, held.bot.log_text[-3000:])
            assert shown.text, name
            assert sign not in message.text, name
            assert sign not in message.text, name
        await check_alive(held)
        await (await altered(held, act, put({}, "message")))  # enough is left of it
        await until(held, lambda: sign in message.text)


async def test_a_malformed_event_that_cannot_be_answered_does_no_harm(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        message = await started(held)
        move = held.move(message)
        acts = [await altered(held, move.press, change) for change in UNANSWERABLE.values()]
        shapes: list[Any] = [None, {}, [], {"id": "x"}, {"id": None, "guild_id": []}]
        for kind in (
            "MESSAGE_CREATE",
            "GUILD_CREATE",
            "GUILD_DELETE",
            "CHANNEL_DELETE",
            "THREAD_DELETE",
            "CHANNEL_UPDATE",
        ):
            for shape in shapes:
                held.sandbox.gateway.send(kind, shape)
        assert all(shown.failed for shown in await asyncio.gather(*acts))
        await check_alive(held)
        await make(held, move)


async def test_a_malformed_request_for_suggestions_is_answered_with_none(tmp_path: Path, driver: Driver) -> None:
    async with evening(tmp_path, driver=driver) as held:
        await started(held)
        ana = held.people[0]
        for change in (drop("member"), drop("member", "user"), put(None, "data"), put(7, "data", "options")):
            assert await (await altered(held, lambda: ana.autocomplete(*driver.suggested, ""), change)) == []
            newest_ = list(held.sandbox.world.interactions.by_id.values())[-1]
            assert newest_.answered
        await check_alive(held)
