"""House rules in every situation."""

from collections.abc import Iterator

from bot.engine.core import Rejected
from bot.games.coyote.decks import read_deck
from bot.games.coyote.settings import DECKS
from bot.host.model import UserId
from bot.house_rules.changes import change, save
from bot.house_rules.documents import export, read_file
from bot.house_rules.game_settings import all_settings, pages, setting_of
from bot.house_rules.kinds import Basis
from bot.house_rules.presets import use_preset
from bot.house_rules.reasons import HouseReason
from bot.house_rules.repository import Line
from bot.house_rules.server_rules import ServerRules
from bot.screens.house.forms import (
    export_screen,
    import_form,
    import_screen,
    log_screen,
    reasons_text,
    unchanged_text,
    value_form,
)
from bot.screens.house.overview import (
    Missing,
    overview_screen,
    page_screen,
    preset_screen,
    presets_screen,
    reset_screen,
)
from bot.screens.house.setting import setting_screen
from bot.screens.layout import Form, PrivateScreen, Screen, text
from tests.text.speaking import spoken

SAY = spoken()
USUAL = ServerRules(2000)
_CHANGED = change(
    save(USUAL, setting_of("deck"), DECKS, "Small", read_deck("1..9×2 −5 ? x2 night"), use=True).rules,
    {"threshold": 5, "variant": True, "actions_off": ["guess"], "turn_seconds": None, "channels": [3000], "role": 7},
)
CHANGED = _CHANGED.rules
PEEK = change(USUAL, {"edition": "peek", "threshold": 2}).rules
HERE = frozenset({3000, 7})


def screens() -> Iterator[tuple[str, Screen]]:
    yield "overview", overview_screen(SAY, USUAL, Missing(), manager=False)
    yield "overview changed", overview_screen(SAY, CHANGED, Missing(1, all_channels=True, role=True), manager=True)
    for page in pages():
        yield f"page {page}", page_screen(SAY, CHANGED, page, Missing(), manager=True)
    yield "page read only", page_screen(SAY, PEEK, "game", Missing(1), manager=False)
    yield "page done", page_screen(SAY, PEEK, "cards", Missing(), manager=True, done="Done.")
    for setting in all_settings():
        if setting.applies(CHANGED.values):
            yield f"setting {setting.key}", setting_screen(SAY, CHANGED, setting, HERE)
    yield "setting peek cards", setting_screen(SAY, PEEK, setting_of("threshold"), HERE)
    yield "presets", presets_screen(SAY)
    yield "preset", preset_screen(SAY, "coyote.party", use_preset(CHANGED, "coyote.party").changes, CHANGED.values)
    yield "preset in force", preset_screen(SAY, "book", (), CHANGED.values)
    yield "reset?", reset_screen(SAY, 3)
    found = read_file(USUAL, export(CHANGED), Basis(channels=frozenset(), roles=frozenset()))
    yield "import?", import_screen(SAY, found)
    yield "import same", PrivateScreen(text(unchanged_text(SAY, found)))
    reasons = [Rejected(HouseReason.NOT_AN_EXPORT), Rejected(HouseReason.UNKNOWN_KEY, value="ghost")]
    yield "import refused", PrivateScreen(text(reasons_text(SAY, reasons)))
    yield "export", export_screen(SAY)
    lines = [Line(n, 1_600_000_000_000, UserId(1001), each) for n, each in enumerate(_CHANGED.changes, 1)]
    yield "log", log_screen(SAY, lines * 2, CHANGED.values, first=True)
    yield "log older", log_screen(SAY, lines[:2], CHANGED.values, first=False)
    yield "log empty", log_screen(SAY, [], CHANGED.values, first=True)


def forms() -> Iterator[tuple[str, Form]]:
    for key in ("turn_seconds", "min_bid", "coins", "deck", "pause_seconds"):
        yield f"form {key}", value_form(SAY, CHANGED, setting_of(key))
    yield "form import", import_form(SAY)
    yield "form new deck", value_form(SAY, USUAL, setting_of("deck"))
