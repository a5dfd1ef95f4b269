"""The settings of a bot process, read once from the environment and `.env`."""

from __future__ import annotations

import os
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, SettingsError

from bot.health import DEFAULT_DATABASE

DISCORD_API_URL: Final = "https://discord.com/api/v10"
"""Where Discord's REST API is."""
DISCORD_GATEWAY_URL: Final = "wss://gateway.discord.gg/"
"""Where Discord's gateway is."""
MAX_SHARDS: Final = 16_384
"""More shards than Discord has ever given to one bot."""
MAX_PORT: Final = 65_535
MAX_CLOCK_SCALE: Final = 1000
"""How many times as fast as real time the clocks of a bot on the sandbox may run."""

DISCORD_REFUSES: Final = (
    "Discord refuses the token. Copy it again, from the page Bot of Discord's developer portal, "
    "into DISCORD_TOKEN or DISCORD_TOKEN_FILE."
)
"""The line about a token that Discord does not know."""

_ESCAPED: Final = "in a password, write / as %2F, # as %23, ? as %3F, @ as %40, [ as %5B"
"""What is most often wrong with a PostgreSQL address."""
_ALLOWED: Final = {
    "discord_token": "the bot's token as Discord shows it, on one line; or leave it out to play on the sandbox",
    "discord_token_file": "the path of a readable file that holds the bot's token and nothing else",
    "discord_api_url": f"an http or https address with the version and no slash at its end, such as {DISCORD_API_URL}",
    "discord_gateway_url": f"a ws or wss address, such as {DISCORD_GATEWAY_URL}",
    "database_path": "the path of a file, which is created if it is missing",
    "database_url": "the address of a PostgreSQL database, such as postgresql://bot:password@host/coyote",
    "shard_count": "how many shards all processes have together, from 1 to 16384; without it, Discord decides",
    "shard_ids": "the shards that this process may serve, all below SHARD_COUNT, such as 0,1 or 0-3",
    "shards_at_once": "how many of SHARD_IDS this process serves at a time, from 1; other processes serve the rest",
    "process_name": "up to 40 letters, digits, dots and hyphens, another for each process",
    "ai_workers": "how many processes the command cluster starts in which AI players think, from 0 to 256",
    "ai_socket": "the path of the socket at which such processes listen; the command cluster sets it",
    "log_level": "DEBUG, INFO, WARNING, ERROR or CRITICAL",
    "log_format": "text or json",
    "metrics_port": "a port from 1 to 65535, or 0 for neither metrics nor health by HTTP",
    "metrics_host": "an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all who reach it",
    "clock_scale": "1, or on a sandbox on this machine a number up to 1000 by which the bot's clocks go faster",
    "dm_openings_per_second": "a number from 0.01 to 5; Discord is wary of bots that open many DMs at once",
    "retention_days": "a number of days from 0 to 3650, for which a server's data are kept after it removes the bot",
    "backup_folder": "the path of a folder, which is created if it is missing",
    "backup_every_hours": "a number of hours from 0 (no backups) to 8760; RETENTION_DAYS must not be 0 then",
    "backup_keep": "a number of backups from 1 to 1000",
    "emojis": "1 (upload the bot's own emojis to its application, and use them) or 0 (words alone)",
    "require_token": "1 (refuse to start without a token) or 0",
}
"""What each setting may be, for the line about a wrong one."""


class WrongSettings(Exception):
    """Some settings are wrong. Each has a line with the variable, the fault and what is allowed."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


class Settings(BaseSettings):
    """All settings. Built once, in `bot.__main__`."""

    model_config = SettingsConfigDict(
        env_file=".env", env_file_encoding="utf-8", extra="ignore", frozen=True, hide_input_in_errors=True
    )

    discord_token: SecretStr | None = None
    discord_token_file: Path | None = None
    require_token: bool = False
    discord_api_url: str = DISCORD_API_URL
    discord_gateway_url: str = DISCORD_GATEWAY_URL
    database_path: Path = Path(DEFAULT_DATABASE)
    database_url: SecretStr | None = None
    shard_count: int | None = Field(default=None, ge=1, le=MAX_SHARDS)
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode] = None
    shards_at_once: int | None = Field(default=None, ge=1, le=MAX_SHARDS)
    process_name: str = Field(default="", pattern=r"^[A-Za-z0-9.-]{0,40}$")
    ai_workers: int | None = Field(default=None, ge=0, le=256)
    ai_socket: Path | None = None
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"],
        BeforeValidator(lambda level: level.strip().upper() if isinstance(level, str) else level),
    ] = Field(default="INFO")
    log_format: Annotated[
        Literal["text", "json"],
        BeforeValidator(lambda written: written.strip().lower() if isinstance(written, str) else written),
    ] = Field(default="text")
    metrics_port: int = Field(default=0, ge=0, le=65535)
    metrics_host: str = Field(default="127.0.0.1", min_length=1)
    clock_scale: float = 1.0
    dm_openings_per_second: float = Field(default=1.0, ge=0.01, le=5.0)
    retention_days: int = Field(default=30, ge=0, le=3650)
    backup_folder: Path | None = None
    backup_every_hours: float = Field(default=0.0, ge=0, le=8760)
    backup_keep: int = Field(default=7, ge=1, le=1000)
    emojis: bool = True

    @property
    def token(self) -> SecretStr | None:
        """The bot's token, from the environment or a file; None to play on the sandbox."""
        if self.discord_token is not None:
            return self.discord_token
        return None if self.discord_token_file is None else _token_in(self.discord_token_file)

    @property
    def is_one_of_many(self) -> bool:
        """Whether this process shares its database, and the servers that it serves, with others."""
        return self.shard_ids is not None and self.database_url is not None

    @property
    def backups(self) -> Path:
        """The folder with backups of the database."""
        return self.backup_folder or self.database_path.parent / "backups"

    @field_validator("discord_token")
    @classmethod
    def _whole_token(cls, token: SecretStr | None) -> SecretStr | None:
        return None if token is None else _checked_token(token.get_secret_value())

    @field_validator("database_url")
    @classmethod
    def _postgres_address(cls, url: SecretStr | None) -> SecretStr | None:
        if url is None or not url.get_secret_value().strip():
            return None
        written = url.get_secret_value().strip()
        check_postgres_address(written)
        return SecretStr(written)

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _list_of_shards(cls, written: str | tuple[int, ...] | None) -> tuple[int, ...] | None:
        if written is None or isinstance(written, tuple):
            return written
        return _numbers(written) if written.strip() else None

    @field_validator("shard_ids")
    @classmethod
    def _known_shards(cls, ids: tuple[int, ...] | None, info: ValidationInfo) -> tuple[int, ...] | None:
        if ids is None or "shard_count" not in info.data:
            return ids
        count = info.data["shard_count"]
        if count is None:
            raise ValueError("is set, but SHARD_COUNT is not")
        if any(each >= count for each in ids):
            raise ValueError(f"names a shard that does not exist: SHARD_COUNT is {count}")
        if len(ids) < count and info.data.get("database_url", "wrong") is None:
            raise ValueError("leaves shards to other processes, but SQLite serves only one: set DATABASE_URL")
        return ids

    @field_validator("discord_token_file")
    @classmethod
    def _readable_token(cls, path: Path | None, info: ValidationInfo) -> Path | None:
        if path is not None:
            if info.data.get("discord_token") is not None:
                raise ValueError("is set, and so is DISCORD_TOKEN: keep one of them")
            _token_in(path)
        return path

    @field_validator("require_token")
    @classmethod
    def _token_present(cls, required: bool, info: ValidationInfo) -> bool:
        if required and not _has_token(info):
            raise ValueError("asks for a token, but neither DISCORD_TOKEN nor DISCORD_TOKEN_FILE is set")
        return required

    @field_validator("discord_api_url")
    @classmethod
    def _api_address(cls, url: str) -> str:
        _check_address(url, ("http", "https"))
        if url.endswith("/"):
            raise ValueError("ends with a slash")
        if not re.search(r"/v\d+$", urlsplit(url).path):
            raise ValueError("does not end with the version of the API")
        return url

    @field_validator("discord_gateway_url")
    @classmethod
    def _gateway_address(cls, url: str) -> str:
        _check_address(url, ("ws", "wss"))
        return url

    @field_validator("clock_scale")
    @classmethod
    def _only_on_a_sandbox(cls, scale: float, info: ValidationInfo) -> float:
        if not 0 < scale <= MAX_CLOCK_SCALE:  # refuses NaN, too
            raise ValueError("is not a valid number")
        api = info.data.get("discord_api_url")
        if scale != 1 and _has_token(info) and api is not None and not _is_loopback(api):
            raise ValueError("is set, but DISCORD_API_URL is not on this machine")
        return scale

    @field_validator("backup_every_hours")
    @classmethod
    def _backups_are_kept(cls, hours: float, info: ValidationInfo) -> float:
        if hours and info.data.get("retention_days") == 0:
            raise ValueError("asks for backups, but RETENTION_DAYS is 0, and they would be deleted at once")
        return hours

    @field_validator("backup_folder", mode="before")
    @classmethod
    def _backups_in_a_folder(cls, path: str | Path | None) -> Path | None:
        if path is None:
            return None
        if not str(path).strip():
            raise ValueError("is empty")
        if os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112 - pathlib may raise
            raise ValueError("is not a folder")
        return Path(path)

    @field_validator("database_path", mode="before")
    @classmethod
    def _database_file(cls, path: str | Path) -> Path:
        if not str(path).strip():
            raise ValueError("is empty")
        if os.path.isdir(path):  # noqa: PTH112 - pathlib raises an error in a folder that this user may not open
            raise ValueError("is a folder")
        return Path(path)


def _numbers(written: str) -> tuple[int, ...]:
    """Read numbers and ranges such as `0,4-6`."""
    found: list[int] = []
    for part in written.split(","):
        match = re.fullmatch(r"\s*(\d{1,5})(?:\s*-\s*(\d{1,5}))?\s*", part)
        if match is None:
            raise ValueError("is not a list of numbers")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or last >= MAX_SHARDS:
            raise ValueError("is not a list of numbers")
        found += range(first, last + 1)
    if len(set(found)) < len(found):
        raise ValueError("names a shard twice")
    return tuple(sorted(found))


def _has_token(info: ValidationInfo) -> bool:
    # A field that failed is missing from info.data; then its own line says what is wrong.
    return any(info.data.get(name, "wrong") is not None for name in ("discord_token", "discord_token_file"))


def _checked_token(token: str) -> SecretStr:
    token = token.strip()
    if not token:
        raise ValueError("is set but empty")
    if not token.isascii() or re.search(r"\s", token):
        raise ValueError("holds more than a token")
    return SecretStr(token)


def _token_in(path: Path) -> SecretStr:
    try:
        return _checked_token(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError("names a file that is not text") from None
    except OSError as fault:
        raise ValueError(f"names a file that cannot be read ({fault.strerror})") from None


def _check_address(url: str, schemes: tuple[str, ...]) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or re.search(r"\s", url):
        raise ValueError("is not a valid address")


def check_postgres_address(url: str) -> None:
    """Raise ValueError, without quoting anything, unless an address can be one of PostgreSQL."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise ValueError("is not an address that begins with postgresql://")
    try:
        hosts = urlsplit(url).netloc.rpartition("@")[2].split(",")
    except ValueError:
        raise ValueError(f"is not a valid address ({_ESCAPED})") from None
    for host in hosts:
        port = host.rpartition("]")[2].partition(":")[2]
        if port and not (port.isascii() and port.isdigit() and 0 < int(port) <= MAX_PORT):
            raise ValueError(f"has a port that is no number from 1 to {MAX_PORT} ({_ESCAPED})")


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def load_settings(*, env_file: bool = True) -> Settings:
    """Read the environment and `.env`; raise WrongSettings with a line for each wrong setting."""
    try:
        return Settings() if env_file else Settings(_env_file=None)  # type: ignore[call-arg]  # pydantic-settings adds it
    except ValidationError as wrong:
        lines = [_line(str(error["loc"][0]), error["type"], error["msg"]) for error in wrong.errors()]
        raise WrongSettings(lines) from None
    except PermissionError:
        raise WrongSettings(
            [".env cannot be read by this user. Allowed: a file of the user who runs the bot (chown, chmod 600)."]
        ) from None
    except (SettingsError, UnicodeDecodeError):
        raise WrongSettings([".env cannot be read. Allowed: UTF-8 text with one NAME=value on each line."]) from None


def _line(field: str, kind: str, message: str) -> str:
    """Describe a wrong setting without quoting its value, which may be a misplaced secret."""
    fault = message.removeprefix("Value error, ") if kind == "value_error" else "has a value that is not allowed"
    return f"{field.upper()} {fault}. Allowed: {_ALLOWED[field]}."
