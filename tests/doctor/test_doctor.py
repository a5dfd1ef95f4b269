"""`invite` and `doctor` as the host runs them, against the sandbox and against machines with something wrong."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

import bot.games.registry  # noqa: F401 - importing it registers the games and their emojis
from bot.__main__ import main
from bot.doctor.discord_account import permissions_in
from bot.pictures import fonts
from bot.pictures.game import emoji_names
from bot.settings import DISCORD_REFUSES, Settings
from bot.store.sqlite import examining
from sandbox import emojis as sandbox_emojis
from sandbox.faults import Status
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
