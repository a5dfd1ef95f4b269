"""`invite` and `doctor` as the host runs them, against the sandbox and against machines with something wrong."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from aiohttp import web

import bot.games.registry  # noqa: F401 - importing it registers the games and their emojis
from bot.__main__ import main
from bot.doctor.discord_account import Account, permissions_in
from bot.pictures import fonts
from bot.pictures.game import emoji_names
from bot.settings import DISCORD_REFUSES, Settings
from bot.store.sqlite import examining
from sandbox import emojis as sandbox_emojis
from sandbox.faults import RateLimited, Status
from sandbox.permissions import Permission
from sandbox.server import Sandbox
from sandbox.testing import checked
from tests.host.world import world
from tests.sandbox.pictures import png, uri

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "coyote.sqlite3"))


async def command(sandbox: Sandbox, *arguments: str, token: str = "") -> tuple[int, str, str]:
    """Run `python -m bot` beside the sandbox; return its exit code, output and errors."""
    env = os.environ | {
        "PYTHONPATH": str(ROOT),
        "DISCORD_TOKEN": token or sandbox.token,
        "DISCORD_API_URL": sandbox.api_url,
    }
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments), env=env, stdout=-1, stderr=-1
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def findings(sandbox: Sandbox, *arguments: str) -> dict[str, dict[str, Any]]:
    code, out, err = await command(sandbox, "doctor", "--json", *arguments)
    found = json.loads(out)
    assert code == (0 if found["well"] else 1), err
    return {each["check"]: each for each in found["findings"]}


async def test_the_invitation_asks_for_the_least(tmp_path: Path) -> None:
    async with Sandbox() as sandbox:
        with checked(sandbox):
            code, out, _ = await command(sandbox, "invite")
            as_json = json.loads((await command(sandbox, "invite", "--json"))[1])
        assert (code, as_json["link"]) == (0, out.strip())
        query = parse_qs(urlsplit(out.strip()).query)
        assert query["client_id"] == [sandbox.world.bot.id]
        assert query["scope"] == ["bot applications.commands"]
        wanted = discord.Permissions(int(query["permissions"][0]))
        assert {name for name, given in wanted if given} == {
            *("read_messages", "send_messages", "attach_files", "create_public_threads", "send_messages_in_threads")
        }


async def test_a_wrong_token_and_a_silent_discord_are_one_line(tmp_path: Path) -> None:
    async with Sandbox() as sandbox:
        code, _, err = await command(sandbox, "invite", token="wrong")  # noqa: S106
        assert (code, err) == (4, f"{DISCORD_REFUSES}\n")
        code, out, _ = await command(sandbox, "doctor", token="wrong")  # noqa: S106
        assert code == 1
        assert "BAD  token: Discord refuses it." in out
        port = urlsplit(sandbox.api_url).port
    with socket.socket() as silent:  # keeps the port, on which another test's sandbox might listen otherwise
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        silent.bind(("127.0.0.1", port))
        code, _, err = await command(sandbox, "invite")
        assert (code, err.count("\n")) == (1, 1)
        assert "cannot be reached" in err
        assert "BAD  Discord: it cannot be reached" in (await command(sandbox, "doctor"))[1]


@pytest.fixture
async def nonsense() -> AsyncIterator[tuple[str, list[web.Response]]]:
    """Something that answers in Discord's place with the last response of the list."""
    answers: list[web.Response] = []

    async def answer(_: web.Request) -> web.Response:
        given = answers[0]
        return web.Response(body=given.body, status=given.status, headers=given.headers)

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/api/v10", answers
    await runner.cleanup()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda: web.json_response({}), "does not speak as Discord does"),
        (lambda: web.json_response([]), "does not speak as Discord does"),
        (lambda: web.Response(text='{"id": ', content_type="application/json"), "does not speak as Discord does"),
        (lambda: web.Response(text="<h1>Log in to our wifi</h1>"), "does not speak as Discord does"),
        (lambda: web.json_response({}, headers={"Date": "yesterday"}), "does not speak as Discord does"),
        (lambda: web.json_response({}, status=429, headers={"Retry-After": "soon"}), "does not speak as Discord does"),
        (
            lambda: web.json_response({}, status=429, headers={"Retry-After": "3600"}),
            "wait for 3,600 s; try again then",
        ),
    ],
)
async def test_what_does_not_answer_like_discord_is_one_line(
    answer: Callable[[], web.Response], says: str, nonsense: tuple[str, list[web.Response]]
) -> None:
    address, answers = nonsense
    answers.append(answer())
    here: Any = SimpleNamespace(api_url=address, token="some.token")  # noqa: S106
    code, _, err = await command(here, "invite")
    assert (code, err.count("\n")) == (1, 1), err
    assert says in err
    code, out, err = await command(here, "doctor")
    assert (code, err) == (1, "")
    assert re.search(rf"BAD  Discord: it cannot be reached \(.*{says}", out)


async def test_only_the_first_answer_is_sound(nonsense: tuple[str, list[web.Response]]) -> None:
    address, answers = nonsense
    answers.append(web.json_response({"id": "5", "name": "Coyote", "flags": 0}, headers={"Date": "yesterday"}))
    here: Any = SimpleNamespace(api_url=address, token="some.token")  # noqa: S106
    code, out, err = await command(here, "doctor")
    assert (code, err) == (1, "")
    for check in ("gateway", "commands", "servers"):
        assert f"BAD  {check}:" in out


async def test_a_short_rate_limit_is_waited_for_and_said() -> None:
    async with Sandbox() as sandbox:
        sandbox.faults.on("GET /applications/@me", RateLimited(2.1))
        code, out, err = await command(sandbox, "invite")
        assert (code, err.count("wait for")) == (0, 1)
        assert "client_id" in out


async def test_more_servers_than_discord_lists_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with Sandbox() as sandbox:
        names = [sandbox.world.add_guild(f"Friends {number}").name for number in range(203)]
        found = await findings(sandbox, "--servers", "0")
        assert found["servers"]["says"] == "only the first 0 were examined"
        async with Account(sandbox.api_url, sandbox.token) as account:
            assert [each["name"] for each in await account.guilds()] == names


@pytest.mark.parametrize("number", ["-1", "many", "100001"])
def test_the_number_of_servers_is_checked(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", f"--servers={number}"])
    assert ended.value.code == 2
    assert "use a number from 0 to 100000" in capsys.readouterr().err


def test_without_a_token_the_image_cannot_do_anything(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor"]) == 0
    assert (
        "note token: there is none, so Discord was not asked: this bot plays on the sandbox" in capsys.readouterr().out
    )
    monkeypatch.setattr("bot.cli.doctor.find_spec", lambda _: None)
    assert main(["doctor"]) == 1
    assert "BAD  token: there is none" in capsys.readouterr().out


async def test_whatever_is_found_can_be_mended() -> None:
    async with Sandbox() as sandbox:
        world_ = sandbox.world
        friends = world_.add_guild("Friends")
        for name, permission in {"quiet": Permission.SEND_MESSAGES, "plain": Permission.ATTACH_FILES}.items():
            world_.set_overwrite(world_.add_channel(friends, name), friends.roles[friends.id], deny=permission)
        found = await findings(sandbox)
        says = found["server Friends"]["says"]
        assert says == "the bot can play in 2 of 3 channels, but not in #quiet; #plain lacks Attach Files"
        assert all(each["fix"] for each in found.values() if each["level"] != "good"), found


async def test_a_healthy_bot_has_nothing_to_fix() -> None:
    async with Sandbox() as sandbox:
        sandbox.world.add_guild("Friends")
        with checked(sandbox):
            found = await findings(sandbox)
        assert {each["level"] for each in found.values()} == {"good", "note"}
        assert found["server Friends"]["says"] == "the bot can play in 1 of 1 channels"
        assert "Discord does not know" in found["commands"]["says"], "the bot has not run yet"
        assert "/coyote" in found["commands"]["says"]


async def test_the_bots_own_emojis_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    names, picture = emoji_names(), uri(png(8, 8))
    async with Sandbox() as sandbox:
        uploads = sandbox.world.uploads
        for name in names[1:]:
            sandbox_emojis.add(sandbox.world, name, picture)
        with checked(sandbox):
            found = (await findings(sandbox))["emojis"]
        assert found["level"] == "note", "games work without"
        assert found["says"].startswith(f"{len(names) - 1} of {len(names)} are uploaded")
        assert "in the background" in found["fix"]
        assert found["link"].endswith(f"/{sandbox.world.bot.id}/emojis")
        for number in range(sandbox_emojis.MAX_EMOJIS - len(uploads.emojis)):
            sandbox_emojis.add(sandbox.world, f"other_{number}", picture)
        assert (await findings(sandbox))["emojis"]["fix"].startswith("Delete some others: the application has 2000,")
        del uploads.emojis[next(iter(reversed(uploads.emojis)))]
        sandbox_emojis.add(sandbox.world, names[0], picture)
        found = (await findings(sandbox))["emojis"]
        assert (found["level"], found["says"]) == ("good", f"all {len(names)} are uploaded")
        sandbox.faults.on("GET /applications/{application_id}/emojis", Status(500))
        assert "Discord does not list them (Discord answered 500)" in (await findings(sandbox))["emojis"]["says"]
        monkeypatch.setenv("EMOJIS", "0")
        assert "EMOJIS=0" in (await findings(sandbox))["emojis"]["says"]


async def test_an_application_that_nobody_can_add_to_their_account_is_noted() -> None:
    async with Sandbox() as sandbox:
        assert "application" not in await findings(sandbox)
        sandbox.world.install_types = [0]
        found = (await findings(sandbox))["application"]
        assert found["level"] == "note"
        assert "their own account" in found["says"]
        assert found["link"].endswith("/installation")


async def test_a_bot_in_no_server_is_given_the_link() -> None:
    async with Sandbox() as sandbox:
        found = await findings(sandbox)
        assert found["servers"]["says"] == "the bot is in none"
        assert f"client_id={sandbox.world.bot.id}" in found["servers"]["link"]


async def test_permissions_are_found_per_server_and_channel() -> None:
    async with Sandbox() as sandbox:
        world_ = sandbox.world
        friends, strangers = world_.add_guild("Friends"), world_.add_guild("Strangers")
        quiet = world_.add_channel(friends, "quiet")
        world_.set_overwrite(quiet, friends.roles[friends.id], deny=Permission.SEND_MESSAGES)
        for role in strangers.roles.values():
            role.permissions &= ~(Permission.SEND_MESSAGES | Permission.ADMINISTRATOR)
        found = await findings(sandbox)
        assert found["server Friends"]["level"] == "note"
        assert found["server Friends"]["says"] == "the bot can play in 1 of 2 channels, but not in #quiet"
        bad = found["server Strangers"]
        assert (bad["level"], bad["says"]) == (
            "bad",
            "the bot can play in 0 of 1 channels; its role lacks Send Messages",
        )
        assert f"guild_id={strangers.id}" in bad["link"]
        one = await findings(sandbox, "--servers", "1")
        assert one["servers"]["says"] == "only the first 1 were examined"


def test_a_channel_adds_up_its_rules_as_discord_does() -> None:
    send, view = Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL
    rules = [
        {"id": "1", "allow": "0", "deny": str(send | view)},
        {"id": "7", "allow": str(view), "deny": "0"},
        {"id": "8", "allow": str(send), "deny": "0"},
        {"id": "9", "allow": "0", "deny": str(send)},
    ]
    base = discord.Permissions(send | view)

    def found(roles: tuple[str, ...], user: str) -> int:
        return permissions_in(base, {"permission_overwrites": rules}, "1", roles, user).value

    assert found((), "5") == 0
    assert found(("7",), "5") == view
    assert found(("7", "8"), "5") == view | send
    assert found(("7", "8", "9"), "5") == view | send, "among roles, what one allows is allowed"
    assert found(("7", "8"), "9") == view, "the member's own rule comes last"
    admin = discord.Permissions(administrator=True)
    assert permissions_in(admin, {"permission_overwrites": rules}, "1", (), "5") == discord.Permissions.all()


def test_what_is_wrong_with_the_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "coyote.sqlite3"

    def doctor() -> tuple[int, str]:
        return main(["doctor", "--offline"]), capsys.readouterr().out

    assert doctor()[0] == 0
    path.write_bytes(b"not a database, but a rather long text about something else")
    path.chmod(0o644)
    code, out = doctor()
    assert code == 1
    assert "file is not a database" in out
    assert f"→ Run: chmod 600 {path}" in out


def test_a_token_that_everybody_can_read_is_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    env = tmp_path / ".env"
    for text, mode, well in (
        ("# DISCORD_TOKEN=\n", 0o644, True),
        ("LOG_LEVEL=INFO\nDISCORD_TOKEN=some.token\n", 0o600, True),
        ("LOG_LEVEL=INFO\nDISCORD_TOKEN=some.token\n", 0o640, False),
    ):
        env.write_text(text)
        env.chmod(mode)
        assert main(["doctor", "--offline"]) == (0 if well else 1)
        assert ("→ Run: chmod 600 .env" in capsys.readouterr().out) is not well


def test_a_missing_font_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("bot.pictures.fonts._FOLDER", tmp_path)
    fonts.font.cache_clear()
    assert main(["doctor", "--offline"]) == 1
    assert "BAD  fonts: a font cannot be read" in capsys.readouterr().out
    fonts.font.cache_clear()


async def test_a_database_in_use_is_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with world(tmp_path / "coyote.sqlite3") as here:
        await here.lobby()
        assert main_in_thread() == 0
        assert "is whole: schema" in capsys.readouterr().out
    with closing(sqlite3.connect(tmp_path / "coyote.sqlite3")) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert main_in_thread() == 1
    assert "a newer version (schema 99)" in capsys.readouterr().out


def main_in_thread() -> int:
    """Run the command outside the test's event loop."""
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(main(["doctor", "--offline"])))
    thread.start()
    thread.join()
    return codes[0]


def test_old_backups_and_a_full_disk_are_mentioned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BACKUP_EVERY_HOURS", "24")
    (tmp_path / "backups").mkdir()
    old = tmp_path / "backups" / "coyote-2020-01-01-000000.sqlite3"
    old.touch()
    os.utime(old, (time.time() - 5 * 86_400,) * 2)
    assert main(["doctor", "--offline"]) == 0
    assert "note backups: one every 24 h, but the newest is of" in capsys.readouterr().out
    (tmp_path / "backups" / old.name).unlink()
    (tmp_path / "backups").rmdir()
    (tmp_path / "backups").touch()
    monkeypatch.setenv("BACKUP_FOLDER", str(tmp_path / "backups" / "more"))
    assert main(["doctor", "--offline"]) == 1
    assert "BAD  backups: none can be made" in capsys.readouterr().out
    (tmp_path / "backups").unlink()
    monkeypatch.setattr(examining, "MIN_FREE_BYTES", 10**18)
    assert main(["doctor", "--offline"]) == 1
    assert "BAD  disk" in capsys.readouterr().out
