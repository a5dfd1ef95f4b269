"""Commands in texts can be clicked once Discord's ids of them are known; nowhere else does an id appear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from discord import app_commands

from bot.engine.core import Rejected
from bot.host.commands import HostReason
from bot.screens.game_names import link_commands, new_commands, typed_name
from bot.screens.help import OTHER_COMMANDS, help_screen
from bot.screens.refusals import refusal_text
from bot.text.catalogue import Catalogue, Text, _with_mentions, catalogue, languages, make_clickable
from tests.discord_ui.commands.test_localisation import tree
from tests.screens.limits import check_limits, walk
from tests.screens.rendering import rendered
from tests.screens.test_snapshots import SCENES
from tests.text.checks import _COMMAND, _begins, _quoted
from tests.text.speaking import speaking

LONGEST_ID = 9_223_372_036_854_775_807
MENTION = re.compile(r"</([-\w]+(?: [-\w]+)*):(\d+)>")
TEXT = 10


async def all_names() -> list[str]:
    """Return the English names of all commands."""
    return [each.qualified_name for each in (await tree()).walk_commands() if isinstance(each, app_commands.Command)]


@contextmanager
def linked(names: list[str]) -> Iterator[None]:
    """Let all commands have an id, the longest possible."""
    link_commands(dict.fromkeys(names, LONGEST_ID))
    try:
        yield
    finally:
        make_clickable({})


async def test_a_command_in_bold_or_as_code_can_be_clicked() -> None:
    mentions = {"/chess neu": "</chess new:7>", "/hilfe": "</help:8>"}
    texts: dict[str, Text] = {
        "bold": "Tippe **/chess neu** oder `/hilfe`.",
        "option": "Oder `/hilfe key:{setting}`, **/chess** und /hilfe",
        "counted": {"one": "**/hilfe**", "other": "{count}-mal **/hilfe**"},
    }
    say = Catalogue("de", _with_mentions(texts, mentions), None, mentions)
    for each in (say, say.for_game("coyote"), say.for_table("coyote", "en")):
        assert each("bold") == "Tippe **</chess new:7>** oder **</help:8>**."
        assert each("option", setting="x") == "Oder `/hilfe key:x`, **/chess** und /hilfe"
        assert each("counted", count=2) == "2-mal **</help:8>**"
        assert each.clickable("/hilfe") == "</help:8>"
        assert each.clickable("/help") == "/help"


async def test_it_is_plain_text_while_no_ids_are_known() -> None:
    names = await all_names()
    say = catalogue()
    assert new_commands(say) == "/coyote new or /plenty new"
    refused = Rejected(HostReason.NO_TABLE)
    with linked(names):
        say = catalogue()
        one, other = f"</coyote new:{LONGEST_ID}>", f"</plenty new:{LONGEST_ID}>"
        assert new_commands(say) == f"{one} or {other}"
        assert refusal_text(say, refused) == f"There's no table in this channel. **{one} or {other}** opens one."
        assert say("privacy.counting.off").count(f"**</privacy delete:{LONGEST_ID}>**") == 1
    assert "<" not in refusal_text(catalogue(), refused)


@pytest.mark.parametrize("language", languages())
async def test_help_makes_every_command_clickable_by_its_english_name(language: str) -> None:
    names = await all_names()
    with linked(names):
        say = catalogue(language)
        overview = help_screen(say, names)
        pages = [help_screen(say, names, page) for page in ("coyote", "plenty", OTHER_COMMANDS)]
        for screen in (overview, *pages):
            check_limits(screen)
        listed = [name for page in pages for name, _ in MENTION.findall(rendered(page))]
    assert sorted(listed) == sorted(names)
    shown = {name for name, _ in MENTION.findall(rendered(overview))}
    assert {"coyote new", "plenty hand", "help", "privacy show"} <= shown <= set(names)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("scene", SCENES)
async def test_only_texts_have_mentions_and_every_scene_fits(scene: str, language: str) -> None:
    with linked(await all_names()), speaking(language):
        for title, screen in SCENES[scene]():
            check_limits(screen)
            for component in walk(screen.to_components()):
                own = {key: value for key, value in component.items() if key not in ("components", "component")}
                if component["type"] == TEXT:
                    own.pop("content")
                assert "</" not in str(own), title


@pytest.mark.parametrize("language", languages())
async def test_texts_name_only_commands_that_exist(language: str) -> None:
    say = catalogue(language)
    known = {typed_name(say, name) for name in await all_names()}
    groups = {" ".join(name.split()[:depth]) for name in known for depth in (1, 2)}
    for key in say.keys:
        for form in say.forms(key):
            for named in _quoted(_COMMAND, form):
                assert named in groups or any(_begins(named, each) for each in known), (key, named)
