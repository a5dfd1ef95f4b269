"""Logging to standard error, without cards, tokens or other secrets."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Final

_INDISCREET: Final = ("discord.http", "discord.gateway", "discord.webhook", "aiosqlite")
"""Loggers that print message bodies, events, interaction tokens or database rows at DEBUG."""
_SUGGESTIONS: Final = "discord.app_commands.tree"
"""The logger on which discord.py reports suggestions that could not be sent."""
_TOO_LATE: Final = (10062, 40060)
"""Discord's codes for an interaction that has expired, or was answered already."""


def is_worth_logging(record: logging.LogRecord) -> bool:
    """Return whether a record is more than suggestions that came too late, which harm nobody."""
    error = record.exc_info[1] if record.exc_info else None
    return getattr(error, "code", None) not in _TOO_LATE


class JsonFormatter(logging.Formatter):
    """Writes each record as one line of JSON, for machines that collect logs."""

    def __init__(self, process: str = "") -> None:
        super().__init__()
        self._process = {"process": process} if process else {}

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        line |= self._process
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def print_fatal(line: str, *, as_json: bool = False) -> None:
    """Print the line about why the bot ends, in the form of the log: it is the last one that a machine reads."""
    formatters = [handler.formatter for handler in logging.getLogger().handlers]
    machine = next(
        (each for each in formatters if isinstance(each, JsonFormatter)), JsonFormatter() if as_json else None
    )
    if machine is not None:
        line = machine.format(logging.LogRecord("bot", logging.CRITICAL, "", 0, "%s", (line,), None))
    print(line, file=sys.stderr)


def set_up_logs(level: str, form: str = "text", process: str = "") -> None:
    """Log to standard error at `level`, as text or JSON; loggers that would print secrets stay at INFO or above.

    `process` is the name of this one of many processes.
    """
    which = f" [{process}]" if process else ""
    logging.basicConfig(level=level, format=f"%(asctime)s %(levelname)-7s{which} %(name)s: %(message)s", force=True)
    if form == "json":
        for handler in logging.getLogger().handlers:
            handler.setFormatter(JsonFormatter(process))
    for name in _INDISCREET:
        logging.getLogger(name).setLevel(max(logging.INFO, logging.getLogger().level))
    logging.getLogger(_SUGGESTIONS).addFilter(is_worth_logging)
