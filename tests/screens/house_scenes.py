"""House rules in every situation."""

from collections.abc import Iterator

from bot.engine.core import Rejected
from bot.host.model import UserId
from bot.house_rules.changes import change, save_deck
from bot.house_rules.documents import bring, export
from bot.house_rules.kinds import Ground
from bot.house_rules.list_kinds import read_deck
from bot.house_rules.presets import preset
from bot.house_rules.problems import Misfit
from bot.house_rules.repository import Line
from bot.house_rules.server_rules import ServerRules
from bot.house_rules.settings import BY_KEY, SETTINGS, Page
from bot.screens.house.forms import export_screen, import_screen, log_screen, reasons_text, same_text, value_form
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
from bot.text.catalogue import catalogue

SAY = catalogue()
USUAL = ServerRules(2000)
_CHANGED = change(
    save_deck(USUAL, "Small", read_deck("1..9×2 −5 ? x2 night"), use=True).rules,
    {"threshold": 5, "variant": True, "actions_off": ["guess"], "turn_seconds": None, "channels": [3000], "role": 7},
)
CHANGED = _CHANGED.rules
PEEK = change(USUAL, {"edition": "peek", "threshold": 2}).rules
HERE = frozenset({3000, 7})


def screens() -> Iterator[tuple[str, Screen]]:
    yield "overview", overview_screen(SAY, USUAL, Missing(), manager=False)
    yield "overview changed", overview_screen(SAY, CHANGED, Missing(1, all_channels=True, role=True), manager=True)
    for page in Page:
        yield f"page {page}", page_screen(SAY, CHANGED, page, Missing(), manager=True)
    yield "page read only", page_screen(SAY, PEEK, Page.GAME, Missing(1), manager=False)
    yield "page done", page_screen(SAY, PEEK, Page.CARDS, Missing(), manager=True, done="Done.")
    for setting in SETTINGS:
        if "feathers" in setting.editions:
            yield f"setting {setting.key}", setting_screen(SAY, CHANGED, setting, HERE)
    yield "setting peek cards", setting_screen(SAY, PEEK, BY_KEY["threshold"], HERE)
    yield "presets", presets_screen(SAY)
    yield "preset", preset_screen(SAY, "party", preset(CHANGED, "party").changes, "feathers")
    yield "preset in force", preset_screen(SAY, "book", (), "feathers")
    yield "reset?", reset_screen(SAY, 3)
    brought = bring(USUAL, export(CHANGED), Ground(channels=frozenset(), roles=frozenset()))
    yield "import?", import_screen(SAY, brought)
    yield "import same", PrivateScreen(text(same_text(SAY, brought)))
    reasons = [Rejected(Misfit.NOT_AN_EXPORT), Rejected(Misfit.UNKNOWN_KEY, value="ghost")]
    yield "import refused", PrivateScreen(text(reasons_text(SAY, reasons)))
    yield "export", export_screen(SAY)
    lines = [Line(n, 1_600_000_000_000, UserId(1001), each) for n, each in enumerate(_CHANGED.changes, 1)]
    yield "log", log_screen(SAY, lines * 2, "feathers", first=True)
    yield "log older", log_screen(SAY, lines[:2], "feathers", first=False)
    yield "log empty", log_screen(SAY, [], "feathers", first=True)


def forms() -> Iterator[tuple[str, Form]]:
    for key in ("turn_seconds", "min_bid", "coins", "deck", "pause_seconds"):
        yield f"form {key}", value_form(SAY, CHANGED, BY_KEY[key])
    yield "form new deck", value_form(SAY, USUAL, BY_KEY["deck"])
