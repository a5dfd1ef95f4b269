"""The command line: help with an example, one-line errors, exit codes, and progress."""

from __future__ import annotations

import asyncio
import io
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import bot.doctor.discord_account
import bot.games.registry
import bot.run
import bot.store.postgres.transfer
import bot.store.sqlite.backup  # noqa: F401 - the other user may not be able to read the modules
from bot.__main__ import main
from bot.cli.progress import Progress, duration, size
from bot.exit_codes import AWAY, DATABASE
from bot.settings import Settings, check_postgres_address
from bot.version import VERSION
from tests.host.world import world
from tests.other_user import as_other_user

ROOT = Path(__file__).parents[2]
COMMANDS = ("run", "play", "cluster", "invite", "doctor", "health", "backup", "restore", "store", "stats", "rules")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_the_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = printed(capsys, "--help")
    listed = re.findall(r"^    ([a-z]+) ", out, re.MULTILINE)
    assert (code, sorted(listed)) == (0, sorted(COMMANDS))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_shows_an_example_that_can_be_read(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = printed(capsys, command, "--help")
    assert code == 0
    example = out.partition("example:\n  python -m bot ")[2].splitlines()[0]
    assert shlex.split(example)[0] == command
    options = set(re.findall(r"--[a-z-]+", example))
    assert options <= set(re.findall(r"--[a-z-]+", out.partition("example:")[0]))


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    code, out, _ = printed(capsys, "--version")
    assert (code, project["version"]) == (0, VERSION)
    assert re.fullmatch(rf"Coyote Table {re.escape(VERSION)} \(Python [\d.]+\S*, SQLite [\d.]+\)\n", out)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["stats", "forget"], "invalid choice: 'forget'"),
        (["stats"], "the following arguments are required: rebuild. Try: python -m bot stats --help"),
        (["health", "--json"], "unrecognized arguments: --json. Try: python -m bot health --help"),
        (["doctor", "--off"], "unrecognized arguments: --off. Try: python -m bot doctor --help"),
        (["rules", "--game", "chess"], "there is no game 'chess'; choose coyote or plenty-coups"),
        (["rules", "--simulate", "many"], "invalid int value: 'many'"),
        (["cluster"], "the following arguments are required: --processes"),
        (["cluster", "--processes", "0"], "argument --processes: use a number from 1 to 256"),
        (["cluster", "--processes", "2"], "There is no token: set DISCORD_TOKEN."),
        (["run"], "There is no token: set DISCORD_TOKEN, or play without one: python -m bot play."),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = printed(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert expected in err


def test_play_ignores_a_token_for_discord(tmp_path: Path) -> None:
    """The bot on the sandbox must neither use the real token nor stumble over it."""
    (tmp_path / "token").write_text("the.real.one")
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN_FILE={tmp_path / 'token'}\n")
    env = {"PYTHONPATH": str(ROOT), "SANDBOX_PORT": "0", "SCENE": "empty", "LOG_LEVEL": "INFO", "PATH": ""}
    command = [sys.executable, "-m", "bot", "play"]
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stdout.readline().startswith("Sandbox: ")
            for line in process.stderr:
                assert "keep one of them" not in line
                if "has connected to Gateway" in line:
                    break
            else:
                pytest.fail("the bot did not connect")
        finally:
            process.terminate()
    assert process.returncode == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_with_a_rate_and_the_time_left() -> None:
    now, stream = [100.0], Terminal()
    with Progress("games", stream, lambda: now[0]) as progress:
        progress(1, 400)
        assert stream.getvalue() == "", "not at once: quick work needs no bar"
        now[0] += 2
        progress(100, 400)
        assert stream.getvalue().endswith("[######------------------]  25 % 100 of 400 games, 50/s, 6 s left")
        now[0] += 0.01
        progress(101, 400)
        assert "101" not in stream.getvalue()
        progress(400, 400)
        assert stream.getvalue().endswith("[########################] 100 % 400 of 400 games")
    assert stream.getvalue().endswith("\r\x1b[K"), "the bar is removed at the end"


def test_elsewhere_there_are_plain_lines_from_time_to_time() -> None:
    now, stream = [100.0], io.StringIO()
    with Progress("games", stream, lambda: now[0]) as progress:
        for done in range(1, 21):
            now[0] += 1
            progress(done, 20)
    assert stream.getvalue().splitlines() == [
        "5 of 20 games, 1/s, 15 s left",
        "10 of 20 games, 1/s, 10 s left",
        "15 of 20 games, 1/s, 5 s left",
        "20 of 20 games",
    ]


def test_quick_work_needs_no_line() -> None:
    stream = io.StringIO()
    with Progress("servers", stream, lambda: 100.0) as progress:
        progress(1, 2)
        progress(2, 2)
    assert stream.getvalue() == ""


def test_a_python_without_the_packages_is_told_how_to_get_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> int:
        raise ModuleNotFoundError("No module named 'aiohttp'", name="aiohttp")

    monkeypatch.setattr("bot.cli.main.main", fail)
    code, _, err = printed(capsys, "doctor")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("This Python has no package aiohttp. Install all of them with: make .venv/.play;")

    def fail_inside(_: object) -> int:
        raise ModuleNotFoundError("No module named 'bot.nothing'", name="bot.nothing")

    monkeypatch.setattr("bot.cli.main.main", fail_inside)
    with pytest.raises(ModuleNotFoundError):
        printed(capsys, "doctor")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may use; pytest's own are for one user alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o777)
        yield folder


@pytest.fixture
def locked(open_folder: Path) -> Iterator[Path]:
    """A folder that this user may not open, such as one that root has made."""
    folder = open_folder / "locked"
    folder.mkdir()
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


def test_a_database_of_another_user_is_one_line(locked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(locked / "coyote.sqlite3"))
    monkeypatch.setenv("BACKUP_FOLDER", str(locked / "backups"))
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")

    def run(*arguments: str) -> tuple[int, str, str]:
        return as_other_user(lambda: main(arguments), locked.parent)

    code, _, err = run("run")
    assert (code, err) == (3, f"{locked / 'coyote.sqlite3.lock'} cannot be written (Permission denied).\n")
    for command in (["backup"], ["stats", "rebuild"]):
        code, _, err = run(*command)
        assert (code, err.count("\n")) == (3, 1)
        assert "this user may not read it" in err
    code, out, _ = run("health")
    assert (code, out.count("\n")) == (1, 1)
    assert f"this user may not read {locked / 'coyote.sqlite3.health'}" in out
    code, out, _ = run("doctor", "--offline")
    assert code == 1
    assert re.search(rf"chown -R \d+ {locked}", out)


async def _a_database(path: Path) -> None:
    async with world(path) as here:
        await here.lobby()


def test_a_folder_of_another_user_is_one_line(locked: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_PATH", str(open_folder / "coyote.sqlite3"))
    asyncio.run(_a_database(open_folder / "coyote.sqlite3"))
    for each in open_folder.glob("coyote*"):
        each.chmod(0o666)

    def run(*arguments: str) -> tuple[int, str, str]:
        return as_other_user(lambda: main(arguments), open_folder)

    code, _, err = run("backup", str(locked / "x.sqlite3"))
    assert (code, err) == (3, f"{locked / 'x.sqlite3'} cannot be written (Permission denied).\n")
    code, _, err = run("restore", str(locked / "b.sqlite3"))
    assert (code, err) == (3, f"{locked / 'b.sqlite3'} cannot be read (Permission denied).\n")
    assert run("backup", "copy.sqlite3")[0] == 0
    monkeypatch.setenv("DATABASE_PATH", str(locked / "coyote.sqlite3"))
    code, _, err = run("restore", "copy.sqlite3")
    assert (code, err) == (3, f"{locked / 'coyote.sqlite3.lock'} cannot be written (Permission denied).\n")


def test_a_fault_of_the_system_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: object) -> int:
        raise OSError(28, "No space left on device", "somewhere")

    parser = SimpleNamespace(parse_known_args=lambda _: (SimpleNamespace(run=fail), []))
    monkeypatch.setattr("bot.cli.main._parser", lambda: parser)
    assert printed(capsys, "doctor") == (1, "", "somewhere: No space left on device.\n")


@pytest.mark.parametrize(
    "command", [["doctor", "--offline"], ["stats", "rebuild"], ["store", "copy", "sqlite", "postgres"]]
)
@pytest.mark.parametrize(
    "address",
    ["postgresql://[bad", "postgresql://bot:s3cret/more@host:5432/c", "postgresql://bot:s3cret@host:notaport/c"],
)
def test_a_wrong_database_address_is_one_line_without_a_password(
    address: str, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", address)
    code, _, err = printed(capsys, *command)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("DATABASE_URL ")
    assert "s3cret" not in err
    monkeypatch.delenv("DATABASE_URL")
    code, _, err = printed(capsys, "store", "copy", "sqlite", address)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith("The PostgreSQL address ")
    assert "s3cret" not in err


def test_a_server_that_is_away_is_told_from_one_that_is_in_use(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = "postgresql://bot:s3cret@127.0.0.1:1/c"
    monkeypatch.setenv("DATABASE_URL", away)
    monkeypatch.setenv("DISCORD_TOKEN", "some.token")
    for command, expected in (
        (["run"], AWAY),
        (["stats", "rebuild"], DATABASE),
        (["store", "copy", away, "new.sqlite3"], DATABASE),
    ):
        code, _, err = as_other_user(partial(main, command), open_folder)
        assert (code, err.count("\n")) == (expected, 1), err
        assert "cannot be used: the database is away: " in err
        assert "in use" not in err
        assert "keeps trying" not in err


def test_addresses_with_several_servers_are_allowed() -> None:
    for hosts in ("one,two", "one:5432,two:5433", "[::1]:5432", "", "%2Frun%2Fpostgresql"):
        check_postgres_address(f"postgresql://bot:pw@{hosts}/coyote?target_session_attrs=read-write")


@pytest.mark.parametrize("command", [["backup"], ["restore", "copy.sqlite3"]])
def test_files_are_not_backed_up_when_the_data_is_in_postgres(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://bot@localhost/coyote")
    asyncio.run(_a_database(tmp_path / "coyote.sqlite3"))
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "coyote.sqlite3"))
    code, out, err = printed(capsys, *command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "is in PostgreSQL (DATABASE_URL): use pg_dump" in err


def test_an_env_file_of_another_user_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", ".env")

    (tmp_path / ".env").touch()
    monkeypatch.setattr("dotenv.main.open", refuse, raising=False)
    code, _, err = printed(capsys, "invite")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(".env cannot be read by this user.")


def test_durations_and_sizes_are_written_as_people_read_them() -> None:
    assert [duration(each) for each in (3.4, 200, 7500)] == ["3 s", "3 min 20 s", "2 h 5 min"]
    assert [size(each) for each in (10, 812_000, 4_200_000, 1_300_000_000)] == ["1 KB", "812 KB", "4.2 MB", "1.3 GB"]
