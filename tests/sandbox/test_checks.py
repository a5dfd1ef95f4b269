from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands, ui

from sandbox import bodies
from sandbox.clock import ManualClock
from sandbox.commands import Commands
from sandbox.errors import ApiError, WrongSetting
from sandbox.ids import Snowflakes
from sandbox.problems import Problem, tree
from sandbox.rest.pipeline import routes
from sandbox.schema import Schema
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.needs import needs_file
from tests.sandbox.conftest import Stage
from tests.sandbox.toybot import Buttons, Press, running

Json = dict[str, Any]


def test_errors_are_nested_by_path() -> None:
    problems = (Problem(("a", 0, "b"), "C", "m"), Problem(("a", 0, "b"), "D", "n"), Problem(("c",), "E", "o"))
    assert tree(problems) == {
        "a": {"0": {"b": {"_errors": [{"code": "C", "message": "m"}, {"code": "D", "message": "n"}]}}},
        "c": {"_errors": [{"code": "E", "message": "o"}]},
    }


@pytest.mark.asyncio(loop_scope="module")
async def test_a_violation_is_answered_as_discord_would_and_recorded(stage: Stage) -> None:
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("x" * 2001)
    assert (caught.value.status, caught.value.code) == (400, 50035)
    assert "content: Must be 2000 or fewer in length." in caught.value.text
    (violation,) = found
    assert violation.route == "POST /channels/{channel_id}/messages"
    assert violation.problems[0].path == ("content",)
    assert stage.ana.read() == []
    assert list(stage.sandbox.requests)[-1].problems == violation.problems


@pytest.mark.asyncio(loop_scope="module")
async def test_an_unexpected_violation_fails_the_test_that_caused_it() -> None:
    async with Sandbox() as sandbox:
        guild = sandbox.world.add_guild("Friends")
        async with running(sandbox) as bot:
            channel = bot.get_partial_messageable(int(next(iter(guild.channels))))
            refused = pytest.raises(discord.HTTPException)
            with pytest.raises(AssertionError, match="2000 or fewer"), checked(sandbox), refused:
                await channel.send("x" * 2001)


@pytest.mark.asyncio(loop_scope="module")
async def test_empty_messages_are_refused(stage: Stage) -> None:
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
        await stage.channel.send("  ")
    assert caught.value.code == 50006
    assert found


@pytest.mark.asyncio(loop_scope="module")
async def test_a_v2_message_stays_v2(stage: Stage) -> None:
    view = ui.LayoutView(timeout=None)
    view.add_item(ui.TextDisplay("hello"))
    message = await stage.channel.send(view=view)
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException):
        await stage.bot.http.request(
            discord.http.Route(
                "PATCH",
                "/channels/{channel_id}/messages/{message_id}",
                channel_id=message.channel.id,
                message_id=message.id,
            ),
            json={"content": "plain"},
        )
    assert found[0].problems[0].path == ("content",)
    # The message is already V2, so an edit need not repeat the flag.
    route = discord.http.Route(
        "PATCH", "/channels/{channel_id}/messages/{message_id}", channel_id=message.channel.id, message_id=message.id
    )
    await stage.bot.http.request(route, json={"components": [{"type": 10, "content": "goodbye"}]})
    assert stage.ana.read()[-1].text == "goodbye"


@pytest.mark.asyncio(loop_scope="module")
async def test_limits_also_apply_to_edits_and_updates(stage: Stage) -> None:
    async def too_long(press: Press) -> None:
        with pytest.raises(discord.HTTPException):
            await press.response.edit_message(content="x" * 2001)
        await press.response.edit_message(content="short")

    message = await stage.channel.send("x", view=Buttons(Go=too_long))
    with stage.sandbox.expecting_violations() as found:
        with pytest.raises(discord.HTTPException):
            await message.edit(content="x" * 2001)
        await stage.ana.click(stage.ana.read()[-1], "Go")
    assert [each.problems[0].path for each in found] == [("content",), ("data", "content")]
    assert stage.ana.read()[-1].content == "short"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_modal_that_is_too_long_fails_the_press(stage: Stage) -> None:
    refused: list[int] = []

    async def open_it(press: Press) -> None:
        form = ui.Modal(title="T", custom_id="m")
        form.add_item(ui.TextInput(label="x" * 46))
        try:
            await press.response.send_modal(form)
        except discord.HTTPException as error:
            refused.append(error.code)
            await press.response.send_message("sorry", ephemeral=True)

    await stage.channel.send("x", view=Buttons(Go=open_it))
    with stage.sandbox.expecting_violations() as found:
        shown = await stage.ana.click(stage.ana.read()[-1], "Go")
    assert refused == [50035]
    assert shown.text == "sorry"
    assert found[0].problems[0].path[-1] == "label"


@pytest.mark.asyncio(loop_scope="module")
async def test_bad_commands_are_refused_with_their_path(stage: Stage) -> None:
    async def callback(press: Press) -> None: ...

    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name="fine", description="x", callback=callback
    )
    command.description = "x" * 101
    stage.bot.tree.add_command(command)
    try:
        with stage.sandbox.expecting_violations() as found, pytest.raises(app_commands.CommandSyncFailure):
            await stage.bot.tree.sync()
    finally:
        stage.bot.tree.clear_commands(guild=None)
    assert (0, "description") in [problem.path for problem in found[0].problems]


@pytest.mark.asyncio(loop_scope="module")
async def test_an_unknown_route_is_a_violation(stage: Stage) -> None:
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.NotFound):
        await stage.bot.http.request(discord.http.Route("GET", "/nowhere"))
    assert found[0].problems[0].code == "UNKNOWN_ROUTE"


SCHEMA_CASES: list[tuple[str, str, str, Any, tuple[str | int, ...]]] = [
    ("wrong type", "POST", "/channels/{channel_id}/messages", {"content": 5}, ("content",)),
    (
        "deep in a union",
        "POST",
        "/channels/{channel_id}/messages",
        {"components": [{"type": 1, "components": [{"type": 2, "style": "blue", "custom_id": "x"}]}]},
        ("components", 0, "components", 0, "style"),
    ),
    (
        "missing field",
        "POST",
        "/channels/{channel_id}/messages",
        {"components": [{"type": 1}]},
        ("components", 0, "components"),
    ),
    (
        "callback data",
        "POST",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        {"type": 4, "data": {"content": 5}},
        ("data", "content"),
    ),
    (
        "a modal without title",
        "POST",
        "/interactions/{interaction_id}/{interaction_token}/callback",
        {"type": 9, "data": {"custom_id": "x", "components": [{"type": 10, "content": "x"}]}},
        ("data", "title"),
    ),
    ("commands are a list", "PUT", "/applications/{application_id}/commands", {"name": "x"}, ()),
]


schema_cases = pytest.mark.parametrize(
    ("method", "route", "body", "path"), [each[1:] for each in SCHEMA_CASES], ids=[each[0] for each in SCHEMA_CASES]
)


@schema_cases
def test_the_sandboxs_own_checks_find_wrong_fields_and_types(
    method: str, route: str, body: Any, path: tuple[str | int, ...]
) -> None:
    assert path in [problem.path for problem in bodies.check(f"{method} {route}", body)]


@needs_file
@schema_cases
def test_the_openapi_file_finds_wrong_fields_and_types(
    method: str, route: str, body: Any, path: tuple[str | int, ...]
) -> None:
    schema = Schema.load()
    assert schema is not None
    assert path in [problem.path for problem in schema.check_request(method, route, body)]


@needs_file
def test_the_known_false_alarms_of_the_openapi_file_are_allowed() -> None:
    schema = Schema.load()
    assert schema is not None
    send = ("POST", "/channels/{channel_id}/messages")
    body = {"content": "x", "allowed_mentions": {"users": [1], "roles": [2]}, "message_reference": {"message_id": 5}}
    assert schema.check_request(*send, body | {"attachments": [{"id": 0, "filename": "a.png"}]}) == []
    assert schema.check_request("POST", "/users/@me/channels", {"recipient_id": 1}) == []
    overwrite = {"id": 1, "type": 0, "allow": "0", "deny": "2048"}
    assert schema.check_request("PUT", "/channels/{channel_id}/permissions/{overwrite_id}", overwrite) == []
    assert schema.check_request("POST", "/guilds/{guild_id}/roles", {"permissions": "16"}) == []
    assert schema.check_request("POST", "/guilds/{guild_id}/roles", {"permissions": "many"}) != []


@needs_file
def test_discord_has_every_route_of_the_sandbox() -> None:
    schema = Schema.load()
    assert schema is not None
    unknown = [each.route for each in routes().endpoints if not schema.knows(each.method, each.template)]
    assert unknown == []


def test_without_the_variable_no_file_is_looked_for_and_nothing_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("DISCORD_OPENAPI", raising=False)
    assert Schema.load() is None
    assert caplog.text == ""


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_read_is_a_wrong_setting(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISCORD_OPENAPI", str(tmp_path / name))
    with pytest.raises(WrongSetting, match=r"^DISCORD_OPENAPI is .* cannot be read; write the path"):
        Schema.load()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("data", [b"{", b"\xff"])
async def test_invalid_json_is_refused(stage: Stage, data: bytes) -> None:
    headers = {"Authorization": f"Bot {stage.sandbox.token}", "Content-Type": "application/json"}
    url = f"{stage.sandbox.api_url}/channels/{stage.room.id}/messages"
    async with aiohttp.ClientSession(headers=headers) as session:
        with stage.sandbox.expecting_violations() as found:
            answer = await session.post(url, data=data)
        assert answer.status == 400
        assert (await answer.json())["code"] == 50109
    assert found


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    "body", [[], {"content": 5}, {"components": [5]}, {"embeds": {"title": "x"}}, {"contents": "x"}]
)
async def test_wrong_fields_and_types_are_refused_without_the_openapi_file(stage: Stage, body: Any) -> None:
    schema, stage.sandbox.api.schema = stage.sandbox.api.schema, None
    route = discord.http.Route("POST", "/channels/{channel_id}/messages", channel_id=stage.room.id)
    try:
        with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException) as caught:
            await stage.bot.http.request(route, json=body)
    finally:
        stage.sandbox.api.schema = schema
    assert (caught.value.status, caught.value.code) == (400, 50035)
    assert found


@pytest.mark.asyncio(loop_scope="module")
async def test_a_route_without_a_body_takes_none(stage: Stage) -> None:
    route = discord.http.Route("POST", "/channels/{channel_id}/typing", channel_id=stage.room.id)
    await stage.bot.http.request(route)
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException):
        await stage.bot.http.request(route, json={"seconds": 5})
    assert [problem.path for problem in found[0].problems] == [("seconds",)]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_long_reason_is_refused(stage: Stage) -> None:
    message = await stage.channel.send("x")
    with stage.sandbox.expecting_violations() as found, pytest.raises(discord.HTTPException):
        await message.pin(reason="x" * 513)
    assert found[0].problems[0].path == ("X-Audit-Log-Reason",)


def test_only_200_commands_can_be_created_per_day() -> None:
    clock = ManualClock()
    commands = Commands(Snowflakes(clock))
    bodies: list[Json] = [{"name": f"c{number}", "description": "x"} for number in range(100)]
    for _ in range(2):
        commands.replace_all("1", [])
        commands.replace_all("1", bodies)
        commands.replace_all("1", bodies)  # repeating it creates nothing
    commands.replace_all("1", [])
    with pytest.raises(ApiError, match="30034"):
        commands.replace_all("1", bodies[:1])
    clock._now += 86_401
    commands.replace_all("1", bodies[:1])
