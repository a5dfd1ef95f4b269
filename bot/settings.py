"""The settings of a bot process, read once from the environment and `.env`."""

from __future__ import annotations

import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

DISCORD_API_URL: Final = "https://discord.com/api/v10"
"""Where Discord's REST API is."""
DISCORD_GATEWAY_URL: Final = "wss://gateway.discord.gg/"
"""Where Discord's gateway is."""
MAX_CLOCK_SCALE: Final = 1000
"""How many times as fast as real time the clocks of a bot on the sandbox may run."""

_ALLOWED: Final = {
    "discord_token": "the bot's token as Discord shows it, on one line; or leave it out to play on the sandbox",
    "discord_token_file": "the path of a readable file that holds the bot's token and nothing else",
    "discord_api_url": f"an http or https address with the version and no slash at its end, such as {DISCORD_API_URL}",
    "discord_gateway_url": f"a ws or wss address, such as {DISCORD_GATEWAY_URL}",
    "database_path": "the path of a file, which is created if it is missing",
    "log_level": "DEBUG, INFO, WARNING, ERROR or CRITICAL",
    "clock_scale": "1, or on a sandbox on this machine a number up to 1000 by which the bot's clocks go faster",
    "dm_openings_per_second": "a number from 0.01 to 5; Discord is wary of bots that open many DMs at once",
    "retention_days": "a number of days from 0 to 3650, for which a server's data are kept after it removes the bot",
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
    database_path: Path = Path("data/coyote.sqlite3")
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"],
        BeforeValidator(lambda level: level.strip().upper() if isinstance(level, str) else level),
    ] = Field(default="INFO")
    clock_scale: float = 1.0
    dm_openings_per_second: float = Field(default=1.0, ge=0.01, le=5.0)
    retention_days: int = Field(default=30, ge=0, le=3650)

    @property
    def token(self) -> SecretStr | None:
        """The bot's token, from the environment or a file; None to play on the sandbox."""
        if self.discord_token is not None:
            return self.discord_token
        return None if self.discord_token_file is None else _token_in(self.discord_token_file)

    @field_validator("discord_token")
    @classmethod
    def _whole_token(cls, token: SecretStr | None) -> SecretStr | None:
        return None if token is None else _checked_token(token.get_secret_value())

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

    @field_validator("database_path", mode="before")
    @classmethod
    def _database_file(cls, path: str | Path) -> Path:
        if not str(path).strip():
            raise ValueError("is empty")
        if Path(path).is_dir():
            raise ValueError("is a folder")
        return Path(path)


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


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def load_settings() -> Settings:
    """Read the environment and `.env`; raise WrongSettings with a line for each wrong setting."""
    try:
        return Settings()
    except ValidationError as wrong:
        lines = [_line(str(error["loc"][0]), error["type"], error["msg"]) for error in wrong.errors()]
        raise WrongSettings(lines) from None
    except (SettingsError, UnicodeDecodeError):
        raise WrongSettings([".env cannot be read. Allowed: UTF-8 text with one NAME=value on each line."]) from None


def _line(field: str, kind: str, message: str) -> str:
    """Describe a wrong setting without quoting its value, which may be a misplaced secret."""
    fault = message.removeprefix("Value error, ") if kind == "value_error" else "has a value that is not allowed"
    return f"{field.upper()} {fault}. Allowed: {_ALLOWED[field]}."
