"""The settings of a bot process, read once from the environment and `.env`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

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


class Secret:
    """A text that is not shown by mistake: neither in a log nor in a traceback."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Secret()"

    def get_secret_value(self) -> str:
        """Return the text."""
        return self._value


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings. Built once, in `bot.__main__`, by `load_settings`."""

    discord_token: Secret | None = None
    discord_token_file: Path | None = None
    require_token: bool = False
    discord_api_url: str = DISCORD_API_URL
    discord_gateway_url: str = DISCORD_GATEWAY_URL
    database_path: Path = Path(DEFAULT_DATABASE)
    database_url: Secret | None = None
    shard_count: int | None = None
    shard_ids: tuple[int, ...] | None = None
    shards_at_once: int | None = None
    process_name: str = ""
    ai_workers: int | None = None
    ai_socket: Path | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = "INFO"
    log_format: Literal["text", "json"] = "text"
    metrics_port: int = 0
    metrics_host: str = "127.0.0.1"
    clock_scale: float = 1.0
    dm_openings_per_second: float = 1.0
    retention_days: int = 30
    backup_folder: Path | None = None
    backup_every_hours: float = 0.0
    backup_keep: int = 7
    emojis: bool = True
    given: frozenset[str] = frozenset()
    """The names of the settings that somebody has set."""

    @property
    def token(self) -> Secret | None:
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


Known: TypeAlias = Mapping[str, Any]
"""The settings that were read before; one that was wrong is missing, since its own line says so."""
_NOT_ALLOWED: Final = "has a value that is not allowed"
_YES: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
_NO: Final = frozenset({"0", "false", "f", "no", "n", "off"})


def _yes_or_no(written: str, _: Known) -> bool:
    word = written.strip().lower()
    if word not in _YES | _NO:
        raise ValueError(_NOT_ALLOWED)
    return word in _YES


def _number(written: str, _: Known, *, kind: type[int] | type[float], least: float, most: float) -> float:
    try:
        number = kind(written)
    except ValueError:
        raise ValueError(_NOT_ALLOWED) from None
    if not least <= number <= most:  # refuses NaN, too
        raise ValueError(_NOT_ALLOWED)
    return number


def _whole(least: int, most: int) -> Reader:
    return partial(_number, kind=int, least=least, most=most)


def _decimal(least: float, most: float) -> Reader:
    return partial(_number, kind=float, least=least, most=most)


def _word(written: str, _: Known, *, change: Callable[[str], str], words: tuple[str, ...]) -> str:
    word = change(written.strip())
    if word not in words:
        raise ValueError(_NOT_ALLOWED)
    return word


def _matching(written: str, _: Known, *, pattern: str) -> str:
    if re.fullmatch(pattern, written, re.DOTALL) is None:
        raise ValueError(_NOT_ALLOWED)
    return written


def _token(written: str, _: Known) -> Secret:
    return _checked_token(written)


def _token_file(written: str, known: Known) -> Path:
    if known.get("discord_token") is not None:
        raise ValueError("is set, and so is DISCORD_TOKEN: keep one of them")
    path = Path(written)
    _token_in(path)
    return path


def _token_required(written: str, known: Known) -> bool:
    required = _yes_or_no(written, known)
    if required and not _has_token(known):
        raise ValueError("asks for a token, but neither DISCORD_TOKEN nor DISCORD_TOKEN_FILE is set")
    return required


def _api_address(url: str, _: Known) -> str:
    _check_address(url, ("http", "https"))
    if url.endswith("/"):
        raise ValueError("ends with a slash")
    if not re.search(r"/v\d+$", urlsplit(url).path):
        raise ValueError("does not end with the version of the API")
    return url


def _gateway_address(url: str, _: Known) -> str:
    _check_address(url, ("ws", "wss"))
    return url


def _database_file(path: str, _: Known) -> Path:
    if not path.strip():
        raise ValueError("is empty")
    if os.path.isdir(path):  # noqa: PTH112 - pathlib raises an error in a folder that this user may not open
        raise ValueError("is a folder")
    return Path(path)


def _postgres_address(written: str, _: Known) -> Secret | None:
    written = written.strip()
    if not written:
        return None
    check_postgres_address(written)
    return Secret(written)


def _shards(written: str, known: Known) -> tuple[int, ...] | None:
    ids = _numbers(written) if written.strip() else None
    if ids is None or "shard_count" not in known:
        return ids
    count = known["shard_count"]
    if count is None:
        raise ValueError("is set, but SHARD_COUNT is not")
    if any(each >= count for each in ids):
        raise ValueError(f"names a shard that does not exist: SHARD_COUNT is {count}")
    if len(ids) < count and known.get("database_url", "wrong") is None:
        raise ValueError("leaves shards to other processes, but SQLite serves only one: set DATABASE_URL")
    return ids


def _clock_scale(written: str, known: Known) -> float:
    try:
        scale = float(written)
    except ValueError:
        raise ValueError(_NOT_ALLOWED) from None
    if not 0 < scale <= MAX_CLOCK_SCALE:  # refuses NaN, too
        raise ValueError("is not a valid number")
    api = known.get("discord_api_url")
    if scale != 1 and _has_token(known) and api is not None and not _is_loopback(api):
        raise ValueError("is set, but DISCORD_API_URL is not on this machine")
    return scale


def _backup_folder(path: str, _: Known) -> Path:
    if not path.strip():
        raise ValueError("is empty")
    if os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112 - pathlib may raise
        raise ValueError("is not a folder")
    return Path(path)


def _backup_hours(written: str, known: Known) -> float:
    hours = _number(written, known, kind=float, least=0, most=8760)
    if hours and known.get("retention_days") == 0:
        raise ValueError("asks for backups, but RETENTION_DAYS is 0, and they would be deleted at once")
    return hours


Reader: TypeAlias = Callable[[str, Known], Any]
"""Makes a setting from what is written; raises ValueError with what is wrong, without quoting the value."""
_READERS: Final[Mapping[str, Reader]] = {
    "discord_token": _token,
    "discord_token_file": _token_file,
    "require_token": _token_required,
    "discord_api_url": _api_address,
    "discord_gateway_url": _gateway_address,
    "database_path": _database_file,
    "database_url": _postgres_address,
    "shard_count": _whole(1, MAX_SHARDS),
    "shard_ids": _shards,
    "shards_at_once": _whole(1, MAX_SHARDS),
    "process_name": partial(_matching, pattern="[A-Za-z0-9.-]{0,40}"),
    "ai_workers": _whole(0, 256),
    "ai_socket": lambda written, _: Path(written),
    "log_level": partial(_word, change=str.upper, words=("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")),
    "log_format": partial(_word, change=str.lower, words=("text", "json")),
    "metrics_port": _whole(0, MAX_PORT),
    "metrics_host": partial(_matching, pattern=".+"),
    "clock_scale": _clock_scale,
    "dm_openings_per_second": _decimal(0.01, 5.0),
    "retention_days": _whole(0, 3650),
    "backup_folder": _backup_folder,
    "backup_every_hours": _backup_hours,
    "backup_keep": _whole(1, 1000),
    "emojis": _yes_or_no,
}
"""In this order, because some depend on others."""
NAMES: Final = tuple(_READERS)
"""The names of all settings; in the environment they are in capitals."""


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


def _has_token(known: Known) -> bool:
    return any(known.get(name, "wrong") is not None for name in ("discord_token", "discord_token_file"))


def _checked_token(token: str) -> Secret:
    token = token.strip()
    if not token:
        raise ValueError("is set but empty")
    if not token.isascii() or re.search(r"\s", token):
        raise ValueError("holds more than a token")
    return Secret(token)


def _token_in(path: Path) -> Secret:
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
    written = {**(_dot_env() if env_file else {}), **{name.lower(): value for name, value in os.environ.items()}}
    known: dict[str, Any] = {}
    lines = []
    for name, read in _READERS.items():
        # The file of the database is examined even where nobody has named it.
        text = written.get(name, DEFAULT_DATABASE if name == "database_path" else None)
        try:
            known[name] = getattr(Settings, name) if text is None else read(text, known)
        except ValueError as fault:
            lines.append(f"{name.upper()} {fault}. Allowed: {_ALLOWED[name]}.")
    if lines:
        raise WrongSettings(lines)
    return Settings(**known, given=frozenset(_READERS.keys() & written.keys()))


def _dot_env() -> dict[str, str]:
    """Read `.env` in the current folder, if there is one."""
    path = Path(".env")
    try:
        if not (path.is_file() or path.is_fifo()):
            return {}
        from dotenv import dotenv_values  # noqa: PLC0415 - a container has no such file

        found = dotenv_values(path, encoding="utf-8")
    except PermissionError:
        raise WrongSettings(
            [".env cannot be read by this user. Allowed: a file of the user who runs the bot (chown, chmod 600)."]
        ) from None
    except UnicodeDecodeError:
        raise WrongSettings([".env cannot be read. Allowed: UTF-8 text with one NAME=value on each line."]) from None
    return {name.lower(): value for name, value in found.items() if value is not None}
