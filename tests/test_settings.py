from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import DISCORD_API_URL, DISCORD_GATEWAY_URL, Settings, WrongSettings, load_settings

SECRET = "very.secret-token"  # noqa: S105 - a made-up one
POSTGRES = {"DATABASE_URL": "postgresql://bot@localhost/coyote"}
ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)


def load_faults(monkeypatch: pytest.MonkeyPatch, **environment: str) -> list[str]:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(WrongSettings) as refused:
        load_settings()
    assert SECRET not in str(refused.value)
    return refused.value.lines


def test_without_settings_the_bot_plays_on_the_sandbox() -> None:
    settings = load_settings()
    assert settings.token is None
    assert (settings.discord_api_url, settings.discord_gateway_url) == (DISCORD_API_URL, DISCORD_GATEWAY_URL)
    assert settings.log_level == "INFO"
    assert settings.database_path == Path("data/coyote.sqlite3")


def test_a_token_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f" {SECRET}\n")
    token = load_settings().token
    assert token is not None
    assert token.get_secret_value() == SECRET
    assert SECRET not in repr(load_settings())


def test_a_token_comes_from_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(f"{SECRET}\n")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("REQUIRE_TOKEN", "1")
    token = load_settings().token
    assert token is not None
    assert token.get_secret_value() == SECRET


@pytest.mark.parametrize(
    ("written", "ids"), [("0", (0,)), (" 2 , 0 ", (0, 2)), ("0-2", (0, 1, 2)), ("3,0-1", (0, 1, 3)), ("", None)]
)
def test_one_of_many_processes_names_its_shards(
    written: str, ids: tuple[int, ...] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"SHARD_COUNT": "4", "SHARD_IDS": written, **POSTGRES}.items():
        monkeypatch.setenv(name, value)
    assert load_settings().shard_ids == ids
    assert load_settings().is_one_of_many == (ids is not None)


def test_one_process_on_sqlite_may_have_several_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHARD_COUNT", "2")
    monkeypatch.setenv("SHARD_IDS", "0-1")
    assert load_settings().shard_ids == (0, 1)
    assert not load_settings().is_one_of_many


def test_dot_env_is_read_and_the_environment_takes_precedence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=debug\nDATABASE_PATH=games.db\nUNKNOWN=1\n")
    monkeypatch.setenv("LOG_LEVEL", "warning")
    settings = load_settings()
    assert settings.log_level == "WARNING"
    assert settings.database_path == Path("games.db")


@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "[::1]:99"])
def test_the_clock_runs_faster_only_on_this_machine(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", SECRET)
    monkeypatch.setenv("DISCORD_API_URL", f"http://{host}/api/v10")
    monkeypatch.setenv("CLOCK_SCALE", "20")
    assert load_settings().clock_scale == 20


def test_without_a_token_the_sandbox_clock_runs_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOCK_SCALE", "20")
    assert load_settings().clock_scale == 20


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().log_level = "DEBUG"


@pytest.mark.parametrize(
    ("environment", "fault"),
    [
        ({"DISCORD_TOKEN": ""}, "DISCORD_TOKEN is set but empty."),
        ({"DISCORD_TOKEN": "  "}, "DISCORD_TOKEN is set but empty."),
        ({"DISCORD_TOKEN": f"Bot {SECRET}"}, "DISCORD_TOKEN holds more than a token."),
        ({"DISCORD_TOKEN": f"{SECRET}é"}, "DISCORD_TOKEN holds more than a token."),
        ({"DISCORD_TOKEN_FILE": ""}, "DISCORD_TOKEN_FILE names a file that cannot be read (Is a directory)."),
        ({"DISCORD_TOKEN_FILE": "nowhere"}, "DISCORD_TOKEN_FILE names a file that cannot be read (No such file"),
        ({"DISCORD_TOKEN_FILE": "blank"}, "DISCORD_TOKEN_FILE is set but empty."),
        ({"DISCORD_TOKEN_FILE": "picture"}, "DISCORD_TOKEN_FILE names a file that is not text."),
        (
            {"DISCORD_TOKEN": SECRET, "DISCORD_TOKEN_FILE": "token"},
            "DISCORD_TOKEN_FILE is set, and so is DISCORD_TOKEN: keep one of them.",
        ),
        ({"REQUIRE_TOKEN": "1"}, "REQUIRE_TOKEN asks for a token, but neither DISCORD_TOKEN nor"),
        ({"REQUIRE_TOKEN": "perhaps"}, "REQUIRE_TOKEN has a value that is not allowed. Allowed: 1 (refuse"),
        ({"DISCORD_API_URL": "https://discord.com/api/v10/"}, "DISCORD_API_URL ends with a slash."),
        ({"DISCORD_API_URL": "https://discord.com/api"}, "DISCORD_API_URL does not end with the version"),
        ({"DISCORD_API_URL": "ftp://discord.com/api/v10"}, "DISCORD_API_URL is not a valid address. Allowed: an http"),
        ({"DISCORD_API_URL": "http://[::1/api/v10"}, "DISCORD_API_URL is not a valid address."),
        ({"DISCORD_API_URL": "http://host:99999/api/v10"}, "DISCORD_API_URL is not a valid address."),
        ({"DISCORD_API_URL": f"http://a b/{SECRET}/v10"}, "DISCORD_API_URL is not a valid address."),
        ({"DISCORD_GATEWAY_URL": ""}, "DISCORD_GATEWAY_URL is not a valid address. Allowed: a ws or wss"),
        ({"DISCORD_GATEWAY_URL": "https://gateway.discord.gg/"}, "DISCORD_GATEWAY_URL is not a valid address."),
        ({"DATABASE_PATH": " "}, "DATABASE_PATH is empty."),
        ({"DATABASE_PATH": "."}, "DATABASE_PATH is a folder."),
        ({"BACKUP_FOLDER": ""}, "BACKUP_FOLDER is empty."),
        ({"BACKUP_FOLDER": "token"}, "BACKUP_FOLDER is not a folder."),
        ({"BACKUP_KEEP": "0"}, "BACKUP_KEEP has a value that is not allowed. Allowed: a number of backups from 1"),
        ({"BACKUP_EVERY_HOURS": "-1"}, "BACKUP_EVERY_HOURS has a value that is not allowed."),
        (
            {"BACKUP_EVERY_HOURS": "24", "RETENTION_DAYS": "0"},
            "BACKUP_EVERY_HOURS asks for backups, but RETENTION_DAYS is 0, and they would be deleted at once.",
        ),
        (
            {"DISCORD_TOKEN": SECRET, "CLOCK_SCALE": "10"},
            "CLOCK_SCALE is set, but DISCORD_API_URL is not on this machine. Allowed: 1, or",
        ),
        ({"SHARD_COUNT": "0"}, "SHARD_COUNT has a value that is not allowed. Allowed: how many shards"),
        ({"SHARD_IDS": "0"}, "SHARD_IDS is set, but SHARD_COUNT is not."),
        (
            {"SHARD_COUNT": "4", "SHARD_IDS": "3,4", **POSTGRES},
            "SHARD_IDS names a shard that does not exist: SHARD_COUNT is 4.",
        ),
        (
            {"SHARD_COUNT": "4", "SHARD_IDS": "0,1"},
            "SHARD_IDS leaves shards to other processes, but SQLite serves only one: set DATABASE_URL.",
        ),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "0,1-2,2", **POSTGRES}, "SHARD_IDS names a shard twice."),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "2-1", **POSTGRES}, "SHARD_IDS is not a list of numbers."),
        ({"SHARD_COUNT": "4", "SHARD_IDS": "first", **POSTGRES}, "SHARD_IDS is not a list of numbers."),
        ({"SHARDS_AT_ONCE": "0"}, "SHARDS_AT_ONCE has a value that is not allowed."),
        ({"AI_WORKERS": "-1"}, "AI_WORKERS has a value that is not allowed. Allowed: how many processes"),
        ({"PROCESS_NAME": "two words"}, "PROCESS_NAME has a value that is not allowed. Allowed: up to 40 letters"),
        ({"CLOCK_SCALE": "0"}, "CLOCK_SCALE is not a valid number."),
        ({"CLOCK_SCALE": "nan"}, "CLOCK_SCALE is not a valid number."),
        ({"CLOCK_SCALE": "inf"}, "CLOCK_SCALE is not a valid number."),
        ({"CLOCK_SCALE": "fast"}, "CLOCK_SCALE has a value that is not allowed. Allowed: 1, or"),
        ({"LOG_LEVEL": SECRET}, "LOG_LEVEL has a value that is not allowed. Allowed: DEBUG, INFO, WARNING, ERROR"),
    ],
)
def test_a_wrong_value_is_reported_on_one_line(
    environment: dict[str, str], fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(SECRET)
    (tmp_path / "blank").write_text("\n")
    (tmp_path / "picture").write_bytes(b"\xff\xd8\xff")
    (line,) = load_faults(monkeypatch, **environment)
    assert line.startswith(fault)
    assert "Allowed: " in line
    assert "\n" not in line


def test_an_unusable_token_is_reported_once_even_if_one_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = load_faults(monkeypatch, DISCORD_TOKEN="", REQUIRE_TOKEN="yes")  # noqa: S106 - not a password
    assert line.startswith("DISCORD_TOKEN is set but empty.")


def test_several_wrong_values_are_reported_on_a_line_each(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(load_faults(monkeypatch, LOG_LEVEL="loud", DATABASE_PATH="")) == 2


def test_an_unreadable_dot_env_is_reported_on_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"LOG_LEVEL=\xff\xfe")
    assert load_faults(monkeypatch) == [".env cannot be read. Allowed: UTF-8 text with one NAME=value on each line."]


def test_the_process_reports_a_wrong_value_on_one_line_and_exits_with_2(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "DISCORD_TOKEN": f"two {SECRET}"}
    ended = subprocess.run(
        [sys.executable, "-m", "bot"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert ended.stderr.startswith("DISCORD_TOKEN holds more than a token.")
    assert SECRET not in ended.stderr
