"""Defines settings, and lists those that all games share, one entry each.

Checking, the form, autocomplete, help, export, import and docs are all made from the entries. A game's own settings are
in its `GameSettings`. The words of a setting are in `bot/text` under `setting.<key>`. Keys are the names of the game's
options or of the fields of `House`; settings of the server itself have keys of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bot.engine.core import Rejected
from bot.host.model import IN_STEPS, SERVER_LANGUAGE, House
from bot.house_rules.kinds import Basis, Kind, Number, OneOf, Switch, Time, Values
from bot.house_rules.reasons import HouseReason
from bot.house_rules.server_kinds import Channels, Role
from bot.text.catalogue import languages


class SettingScope(StrEnum):
    """What a setting belongs to."""

    GAME = "game"
    """The match: an option of the game."""
    TABLE = "table"
    """The table: a field of `House`."""
    SERVER = "server"
    """The server itself, not a table."""


class FormPage(StrEnum):
    """The pages of the form that all games share."""

    TIME = "time"
    PLACE = "place"
    RANKS = "ranks"


class PerTable(StrEnum):
    """What the person who opens a table may change for it."""

    FREE = "free"
    LESS = "less"
    """They may switch it off; only somebody with Manage Server may switch it on."""
    MANAGERS = "managers"
    """Only somebody with Manage Server may change it."""
    NEVER = "never"


class Condition(NamedTuple):
    """A setting means something only while another setting has certain values."""

    other: str
    """The full key of the other setting."""
    usual: Any
    """The usual value of the other setting."""
    needed: tuple[Any, ...]

    def given(self, values: Values) -> Any:
        """Return the value of the other setting."""
        return values.get(self.other, self.usual)

    def holds(self, values: Values) -> bool:
        """Return whether the setting means something."""
        return self.given(values) in self.needed


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One house rule."""

    key: str
    page: str
    scope: SettingScope
    kind: Kind
    default: Any = None
    """The usual value, or a function that returns it for the settings in force."""
    game: str | None = None
    """The game that it belongs to; None if all games share it."""
    is_bare: bool = False
    """A game's setting is typed by its key alone, without the game's name in front. Shared settings always are."""
    leads: bool = False
    """The game's other settings depend on it, so it is judged before them."""
    condition: Condition | None = None
    follows: str | None = None
    """The full key of a leading setting: a table that chooses another value for that one ignores this one."""
    waits_for: str | None = None
    """The full key of a switch; while that is off, this setting has no effect."""
    in_presets: bool = False
    """Every preset decides it: it has its usual value unless the preset names it."""
    per_table: PerTable = PerTable.FREE

    @property
    def full_key(self) -> str:
        """The key by which people, custom ids and files name it; unique among the settings of all games."""
        return self.key if self.is_bare or self.game is None else f"{self.game}.{self.key}"

    @property
    def full_page(self) -> str:
        """The name of its page, unique among the pages of all games."""
        return self.page if self.is_bare or self.game is None else f"{self.game}.{self.page}"

    def applies(self, values: Values) -> bool:
        """Return whether the setting means something while these are in force."""
        return self.condition is None or self.condition.holds(values)

    def usual(self, values: Values) -> Any:
        """Return the value that applies while it is not set."""
        return self.default(values) if callable(self.default) else self.default

    def check(self, value: Any, basis: Basis) -> Any:
        """Return the value in its canonical form; raise Rejected, naming this setting, if it is invalid."""
        return self._judge(basis, lambda: self.kind.check(value, basis))

    def read(self, typed: str, basis: Basis) -> Any:
        """Return the value that somebody typed; raise Rejected, naming this setting, if it is invalid."""
        return self._judge(basis, lambda: self.kind.read(typed, basis))

    def require_meaning(self, values: Values) -> None:
        """Raise Rejected if the setting means nothing while these are in force."""
        condition = self.condition
        if condition is not None and not condition.holds(values):
            given = condition.given(values)
            raise self.refusal(
                HouseReason.MEANS_NOTHING, values, other=condition.other, given=given, needed=condition.needed
            )

    def refusal(self, reason: StrEnum, values: Values, **details: Any) -> Rejected:
        """Return a refusal that names this setting."""
        return Rejected(reason, **{**details, "option": self.full_key, "values": values})

    def _judge(self, basis: Basis, judge: Callable[[], Any]) -> Any:
        self.require_meaning(basis.values)
        try:
            return judge()
        except Rejected as refused:
            raise self.refusal(refused.reason, basis.values, **refused.details) from None


_HOUR, _DAY, _WEEK = 3600, 86400, 604800  # in seconds
_USUAL_HOUSE: Final = House()


def _table(key: str, page: FormPage, kind: Kind, per_table: PerTable = PerTable.FREE) -> Setting:
    return Setting(
        key=key,
        page=page.value,
        scope=SettingScope.TABLE,
        kind=kind,
        default=getattr(_USUAL_HOUSE, key),
        in_presets=page is FormPage.TIME,
        per_table=per_table,
    )


def _server(key: str, page: FormPage, kind: Kind, default: Any) -> Setting:
    return Setting(
        key=key, page=page.value, scope=SettingScope.SERVER, kind=kind, default=default, per_table=PerTable.NEVER
    )


SHARED_SETTINGS: Final[tuple[Setting, ...]] = (
    _table(
        "turn_seconds",
        FormPage.TIME,
        Time(20, _WEEK, (90, 30, 45, 60, 120, 300, 900, _HOUR, 12 * _HOUR, _DAY, 3 * _DAY, _WEEK), optional=True),
    ),
    _table("pause_seconds", FormPage.TIME, Time(0, _HOUR, (12, 0, 5, 8, 20, 30, 60, 300))),
    _table("away_after", FormPage.TIME, Number(1, 10, suggested=(2, 1, 3, 4, 5, 10))),
    _table("away_seconds", FormPage.TIME, Time(1, _DAY, (4, 2, 10, 20, 60, 300, _HOUR))),
    _table("reminders", FormPage.TIME, Switch(), PerTable.LESS),
    _table("lobby_minutes", FormPage.TIME, Time(1, 7 * 1440, (60, 10, 30, 180, 720, 1440, 7 * 1440), unit=60)),
    _server("channels", FormPage.PLACE, Channels(), []),
    _server("role", FormPage.PLACE, Role(), None),
    _table("thread", FormPage.PLACE, Switch()),
    _table("tables_at_once", FormPage.PLACE, Number(1, 100, suggested=(10, 1, 2, 3, 5, 20, 50, 100)), PerTable.NEVER),
    _table("pings", FormPage.PLACE, Switch(), PerTable.LESS),
    _table("dms", FormPage.PLACE, Switch(), PerTable.LESS),
    _table("pictures", FormPage.PLACE, Switch(), PerTable.LESS),
    _table("reveal", FormPage.PLACE, OneOf(lambda: (IN_STEPS, "instantly"))),
    _table("who_stops", FormPage.PLACE, OneOf(lambda: ("host", "players", "managers")), PerTable.MANAGERS),
    _table("language", FormPage.PLACE, OneOf(lambda: (SERVER_LANGUAGE, *languages()))),
    _table("ai_seats", FormPage.RANKS, Switch(), PerTable.LESS),
    _table("ai_for_away", FormPage.RANKS, Switch(), PerTable.LESS),
    _table("ai_for_left", FormPage.RANKS, Switch(), PerTable.LESS),
    _table("open_looks", FormPage.RANKS, Switch(), PerTable.LESS),
    _table("out_may_look", FormPage.RANKS, Switch()),
    _table("counts", FormPage.RANKS, Switch(), PerTable.LESS),
    _table("count_ai", FormPage.RANKS, Switch(), PerTable.LESS),
    _server("ranked_after", FormPage.RANKS, Number(1, 100, suggested=(5, 1, 3, 10, 20, 50)), 5),
)
