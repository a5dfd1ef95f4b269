"""House rules as an admin uses them: form, commands, presets, files and log; and refusals for everybody else."""

import json
from collections.abc import Iterator
from random import Random

import pytest

from bot.house_rules.documents import MARK
from bot.house_rules.game_settings import all_settings, pages
from sandbox.files import Upload
from sandbox.messagelog import Message
from sandbox.permissions import Permission
from sandbox.person import Person
from sandbox.refusals import Refused
from sandbox.shown import Shown
from tests.e2e.harness import Evening
from tests.e2e.servers import Server, held, shown_values

__all__ = ["held"]
pytestmark = pytest.mark.asyncio(loop_scope="module")

NO = "Only somebody with **Manage Server** can change the house rules"


def on(shown: Shown) -> Message:
    """Return the message of an answer."""
    assert shown.message is not None, shown.text
    return shown.message


def exported(server: Server, shown: Shown) -> str:
    (file,) = on(shown).files
    assert file["filename"] == "house-rules.json"
    return server.world.uploads.files[file["id"]].data.decode()


def offered_for(choices: list[dict[str, str]]) -> set[str]:
    return {each["value"] for each in choices}


def upload(text: str) -> Upload:
    return Upload(0, "house-rules.json", "application/json", text.encode())


async def test_settings_can_be_changed_on_the_form(held: Evening) -> None:
    server = Server(held, "form")
    boss = server.boss
    form = on(await boss.slash("houserules set"))
    assert form.only == boss.id
    assert shown_values(form)["Edition"] == "Feathers"
    await boss.select(form, "Change a setting…", "threshold")
    assert "### Out at" in form.text
    assert "Now: **the 3rd coin**" in form.text
    assert "Feathers has:" not in form.text  # not shown while the value is the default
    await boss.select(form, "Choose…", "4")
    assert "**Out at** is now: **the 4th coin**" in form.text
    assert shown_values(form)["Out at"] == "the 4th coin"
    assert "Feathers has: the 3rd coin" in form.text
    await boss.select(form, "Show a page…", "time")
    await boss.select(form, "Change a setting…", "turn_seconds")
    window = await boss.click(form, "Type a value…")
    low = await boss.submit(window, value="5s")
    assert "you wrote 5 seconds. Did you mean 20 seconds?" in low.text
    assert on(low).only == boss.id
    window = await boss.click(form, "Type a value…")
    await boss.submit(window, value="2h")
    assert shown_values(form)["Turn clock"] == "2 hours"


async def test_settings_with_several_values_can_be_changed_on_the_form(held: Evening) -> None:
    server = Server(held, "many")
    boss = server.boss
    form = on(await boss.slash("houserules set"))
    await boss.select(form, "Show a page…", "cards")
    await boss.select(form, "Change a setting…", "coins")
    window = await boss.click(form, "Set the coins…")
    assert "there can be 0 to 9; you wrote 99" in (await boss.submit(window, skip="99")).text
    await boss.submit(window, skip="5", extra="0")
    assert "skip 5" in shown_values(form)["Picture coins"]
    await boss.select(form, "Change a setting…", "actions_off")
    await boss.select(form, "Actions that are left out…", "guess", "reverse")
    assert shown_values(form)["Actions left out"] == "reverse and guess"
    await boss.select(form, "Change a setting…", "actions_off")
    await boss.select(form, "Actions that are left out…")
    assert shown_values(form)["Actions left out"] == "none, all are played"
    await boss.select(form, "Change a setting…", "deck")
    window = await boss.click(form, "New deck…")
    assert "can't be in a deck" in (await boss.submit(window, name="Mine", cards="1..10, dragon")).text
    await boss.submit(window, name="Mine", cards="1..10×2 ? ×2 night")
    assert shown_values(form)["Deck"] == "Mine"
    await boss.select(form, "Change a setting…", "deck")
    await boss.select(form, "Delete a deck…", "Mine")
    assert shown_values(form)["Deck"] == "the edition's own"
    await boss.select(form, "Show a page…", "place")
    await boss.select(form, "Change a setting…", "channels")
    menu = next(each["custom_id"] for each in form.components if each["type"] == 8)
    await boss.select(form, menu, server.games)
    assert shown_values(form)["Allowed channels"] == f"<#{server.games.id}>"
    await boss.select(form, "Change a setting…", "role")
    menu = next(each["custom_id"] for each in form.components if each["type"] == 6)
    await boss.select(form, menu, server.world.add_role(server.guild, "Dealers"))
    assert "<@&" in shown_values(form)["Who may open tables"]
    await boss.select(form, "Change a setting…", "role")
    await boss.click(form, "Back to the default")
    assert shown_values(form)["Who may open tables"] == "anyone"
    seen = (await server.people[0].slash("house")).text
    assert "Feathers and Plenty Coups, with **2** settings of its own" in seen
    await boss.click(form, "Reset all…")
    assert "Put all 2 changed settings" in form.text
    await boss.click(form, "Reset all")
    assert "2 settings are back to their defaults" in form.text
    assert "Nothing has been changed" in (await server.people[0].slash("house")).text


async def test_every_setting_can_be_opened_and_typed(held: Evening) -> None:
    server = Server(held, "all")
    boss = server.boss
    form = on(await boss.slash("houserules set"))
    for page in pages():
        await boss.select(form, "Show a page…", page)
        for setting in (each for each in all_settings() if each.full_page == page and each.applies({})):
            await boss.select(form, "Change a setting…", setting.full_key)
            assert f"set key:{setting.full_key}" in form.text
            await boss.click(form, "Back to the page")
    offered = offered_for(await boss.autocomplete("houserules set", "key", ""))
    assert offered < {each.full_key for each in all_settings()}
    for setting in all_settings():
        found = setting.full_key in offered_for(await boss.autocomplete("houserules set", "key", setting.full_key))
        assert found == setting.applies({})
        values = await boss.autocomplete("houserules set", "value", "", key=setting.full_key)
        assert values
        for each in values[:1] if found else ():
            shown = await boss.slash("houserules set", key=setting.full_key, value=each["value"])
            assert "is now" in shown.text or "already" in shown.text, shown.text
    assert "Did you mean threshold?" in (await boss.slash("houserules set", key="treshold", value="3")).text
    assert await boss.autocomplete("houserules set", "value", "", key="nonsense") == []


async def test_a_choice_can_also_be_typed_by_its_displayed_name(held: Evening) -> None:
    server = Server(held, "names")
    boss = server.boss
    assert "is now" in (await boss.slash("houserules set", key="edition", value="camps")).text
    assert "is now" in (await boss.slash("houserules set", key="edition", value="Feathers")).text
    assert "Camps" in (await server.open(rules="edition=Camps")).text


async def test_commands_that_change_the_rules_are_offered_to_managers_alone(held: Evening) -> None:
    server = Server(held, "hidden")
    ana = server.people[0]
    assert "houserules" in {each["name"] for each in server.boss.commands()}
    offered = {each["name"] for each in ana.commands()}
    assert not offered & {"houserules", "season"}
    assert {"house", "rules", "leaderboard", "stats"} <= offered, "everybody may look"
    assert "Nothing has been changed" in (await ana.slash("house")).text


@pytest.fixture
def open_to_all(held: Evening) -> Iterator[None]:
    """Offer `/houserules` to everybody, as a server can do in its integration settings."""
    found = held.sandbox.world.commands.offered(held.guild.id)
    group = next(each for each in found if each["name"] == "houserules")
    usual, group["default_member_permissions"] = group["default_member_permissions"], None
    yield
    group["default_member_permissions"] = usual


@pytest.mark.usefixtures("open_to_all")
async def test_changes_without_permission_are_refused_privately(held: Evening) -> None:
    server = Server(held, "no")
    ana = server.people[0]
    tries = (
        ana.slash("houserules set"),
        ana.slash("houserules set", key="threshold", value="2"),
        ana.slash("houserules set", key="threshold"),
        ana.slash("houserules preset", preset="coyote.quick"),
        ana.slash("houserules reset"),
        ana.slash("houserules reset", key="threshold"),
        ana.slash("houserules export"),
        ana.slash("houserules import", text="{}"),
        ana.slash("houserules log"),
    )
    for each in tries:
        shown = await each
        assert NO in shown.text
        assert on(shown).only == ana.id
    look = on(await ana.slash("house"))
    assert "Somebody with **Manage Server** can change them" in look.text
    await ana.select(look, "Show a page…", "time")
    assert shown_values(look)["Turn clock"] == "90 seconds"
    assert {each["custom_id"] for each in look.components if "custom_id" in each} == {"c1:0:0:hpage"}
    for verb, values in FORGED:
        shown = await ana.forge(look, f"c1:0:0:{verb}", kind=3 if values is not None else 2, values=values)
        assert NO in shown.text, verb
    assert "Nobody has changed anything" in (await server.boss.slash("houserules log")).text


FORGED: list[tuple[str, list[str] | None]] = [
    ("hpick", ["threshold"]),
    ("hset:threshold", ["2"]),
    ("hset:channels", ["1"]),
    ("hask:turn_seconds", None),
    ("hdrop", ["Mine"]),
    ("hreset:all.yes", None),
    ("hreset:threshold", None),
    ("hpreset", None),
    ("hpreset:coyote.quick.yes", None),
    ("himport", None),
    ("hfile", None),
    ("hlog", None),
]


async def test_a_former_admin_cannot_use_a_form_that_is_still_open(held: Evening) -> None:
    server = Server(held, "demoted")
    ana, guild = server.people[0], server.guild
    admins = server.world.add_role(guild, "Admins", int(Permission.MANAGE_GUILD))
    server.world.grant(guild, ana.user, admins)
    form = on(await ana.slash("houserules set"))
    one = on(await ana.slash("houserules set", key="turn_seconds"))
    window = await ana.click(one, "Type a value…")
    preview = on(await ana.slash("houserules import", text=json.dumps({MARK: 1, "rules": {"threshold": 2}})))
    question = on(await ana.slash("houserules preset", preset="coyote.quick"))
    assert window.modal is not None
    server.world.set_role_permissions(guild, admins, 0)
    assert NO in (await ana.submit(window, value="2h")).text
    assert NO in (await ana.select(form, "Change a setting…", "threshold")).text
    assert NO in (await ana.select(one, "Choose…", "30s")).text
    assert NO in (await ana.click(form, "Reset all…")).text
    assert NO in (await ana.click(form, "Presets…")).text
    assert NO in (await ana.click(preview, "Use these rules")).text
    assert NO in (await ana.click(question, "Use these rules")).text
    assert "Nothing has been changed" in (await server.boss.slash("house")).text
    ana.leave(guild)
    with pytest.raises(Refused):
        await ana.click(form, "Reset all…")


async def test_export_and_import_on_another_server_give_the_same_rules(held: Evening) -> None:
    one, other = Server(held, "one"), Server(held, "other")
    for key, value in CHOSEN.items():
        await one.set(key, value)
    await one.set("channels", f"<#{one.games.id}>")
    written = exported(one, await one.boss.slash("houserules export"))
    assert on(await one.boss.slash("houserules export")).only == one.boss.id
    shown = await other.boss.slash("houserules import", file=upload(written))
    assert "names something of another server: Allowed channels" in shown.text
    assert "Feathers → **Camps**" in shown.text
    assert "Nothing has been changed" in (await other.people[0].slash("house")).text, "nothing yet"
    await held.bot.restart()  # the confirmation works after a restart
    preview = on(shown)
    done = await other.boss.click(preview, "Use these rules")
    assert "Imported:" in done.text
    theirs, ours = json.loads(written), json.loads(exported(other, await other.boss.slash("houserules export")))
    del theirs["rules"]["channels"]
    assert theirs == ours
    await one.set("channels", "everywhere")
    await one.start(3)
    await other.start(3)
    mine, yours = one.kept(), other.kept()
    assert mine["options"] == yours["options"]
    assert mine["house"] == yours["house"]
    again = await other.boss.slash("houserules import", text=written)
    assert "Nothing to change" in again.text


CHOSEN = {
    "edition": "tomahawk",
    "variant": "on",
    "threshold": "4",
    "min_bid": "none",
    "actions_off": "redo",
    "actions_per": "player",
    "x2_doubles": "positives",
    "deck": "Émile's: 1..10×2 −5×2 x2 max0",
    "turn_seconds": "off",
    "pause_seconds": "30s",
    "lobby_minutes": "2h",
    "pings": "off",
    "who_stops": "players",
    "ranked_after": "7",
    "min_players": "3",
    "max_players": "8",
}


async def test_a_file_is_handed_over_in_a_form(held: Evening) -> None:
    server = Server(held, "form")
    boss = server.boss
    written = json.dumps({MARK: 1, "rules": {"threshold": 2}})
    empty = await boss.submit(await boss.slash("houserules import"))
    assert "Attach the file" in empty.text
    for field, value in (("file", upload(written)), ("pasted", written)):
        window = await boss.slash("houserules import")
        assert window.modal is not None
        preview = await boss.submit(window, {field: value})
        assert "Out at" in preview.text, preview.text
        assert on(preview).only == boss.id
    bad = Upload(0, "x.json", "application/json", bytes(range(256)))
    refused = await boss.submit(await boss.slash("houserules import"), file=bad)
    assert "isn't a file of house rules" in refused.text
    large = Upload(0, "x.json", "application/json", b" " * 60_000)
    assert "longer than" in (await boss.submit(await boss.slash("houserules import"), file=large)).text
    assert "Nothing has been changed" in (await boss.slash("house")).text
    await boss.click(on(preview), "Use these rules")
    assert "Nothing has been changed" not in (await boss.slash("house")).text


async def test_a_bad_file_is_refused_as_a_whole_with_all_reasons(held: Evening) -> None:
    server = Server(held, "bad file")
    boss = server.boss
    rules = {"threshold": 9, "turn_seconds": 3, "edition": "chess", "ghost": 1, "pings": "loud", "min_bid": 4}
    shown = await boss.slash("houserules import", text=json.dumps({MARK: 1, "rules": rules, "decks": {"<@1>": "1"}}))
    for words in ("you wrote 9", "3 seconds", "can't be chess", "no setting called ghost", "can't be loud", "won't do"):
        assert words in shown.text
    assert "min_bid" not in shown.text
    for text in ("nonsense", "[]", "{}", json.dumps({MARK: 2}), "[" * 5000, json.dumps({MARK: 1, "rules": [1]})):
        shown = await boss.slash("houserules import", text=text)
        assert not shown.failed
        assert "went wrong" not in shown.text
        assert not on(shown).buttons
    crossed = json.dumps({MARK: 1, "rules": {"min_players": 9, "max_players": 3}})
    assert "can't be bigger than" in (await boss.slash("houserules import", text=crossed)).text
    binary = Upload(0, "x.json", "application/json", bytes(range(256)))
    assert "isn't a file of house rules" in (await boss.slash("houserules import", file=binary)).text
    large = Upload(0, "x.json", "application/json", b" " * 60_000)
    assert "longer than" in (await boss.slash("houserules import", file=large)).text
    assert "Nothing has been changed" in (await server.people[0].slash("house")).text


async def test_presets_and_the_log(held: Evening) -> None:
    server = Server(held, "presets")
    boss = server.boss
    shown = await boss.slash("houserules preset", preset="coyote.quick")
    assert "Out at**: the 3rd coin → **the 2nd coin" in shown.text
    await boss.click(on(shown), "Use these rules")
    assert "**Coyote: quick** it is" in on(shown).text
    form = on(await boss.slash("houserules set"))
    await boss.click(form, "Presets…")
    await boss.select(form, "A set of rules to begin with…", "coyote.party")
    await boss.click(form, "Use these rules")
    assert shown_values(form)["Most players"] == "12"
    for number in range(9):
        await server.set("pause_seconds", f"{number + 20}s")
    await boss.click(form, "Who changed what")
    assert boss.mention in form.text
    assert "27 seconds → **28 seconds**" in form.text
    assert "the 2nd coin" not in form.text
    await boss.click(form, "Older")
    assert "the 3rd coin → **the 2nd coin**" in form.text
    await boss.click(form, "Newest")
    assert "27 seconds → **28 seconds**" in form.text


async def test_a_table_may_have_its_own_rules_and_keeps_them(held: Evening) -> None:
    server = Server(held, "override")
    ana, ben, chloe = server.people[:3]
    await server.set("threshold", "2")
    keys = {each["value"] for each in await ana.autocomplete("coyote new", "rules", "")}
    assert {"threshold=", "pause_seconds="} <= keys
    assert not {"channels=", "tables_at_once=", "who_stops="} & keys
    offered = await ana.autocomplete("coyote new", "rules", "threshold=4, pause_sec")
    assert [each["value"] for each in offered] == ["threshold=4, pause_seconds="]
    offered = await ana.autocomplete("coyote new", "rules", "threshold=4, pause_seconds=3")
    assert "threshold=4, pause_seconds=30s" in [each["value"] for each in offered]
    lobby = await server.open(ana, rules="threshold=4, coins=extra 1, skip 0, variant=on, pause_seconds=0")
    assert "Out at the 4th coin" in lobby.text
    assert "Pause between rounds: 0 seconds" in lobby.text
    await server.set("threshold", "5")
    for person in (ben, chloe):
        await person.click(lobby, "Join")
    await ana.click(lobby, "Start")
    assert "○○○○" in (await server.turn()).text
    for person in (ben, chloe):
        asked = on(await person.slash("coyote leave"))
        await person.click(asked, "Leave")
    await server.see("wins")
    final = next(each for each in reversed(ana.read()) if each.component("Rematch"))
    await ana.click(final, "Rematch")
    await ana.wait_for(
        lambda: any("Out at the 4th coin" in each.text for each in ana.read() if each.component("Start"))
    )
    assert server.kept()["options"]["threshold"] == 4
    for wrong, why in WRONG.items():
        elsewhere = server.world.add_channel(server.guild, "elsewhere")
        shown = await ana.slash("coyote new", elsewhere, rules=wrong)
        assert why in shown.text, wrong
        assert on(shown).only == ana.id


WRONG = {
    "threshold=9": "**Out at** can be 2 to 5 coins; you wrote 9. Did you mean 5?",
    "threshold": "Write settings as **key=value**",
    "=4": "no setting called",
    "edition=chess": "can't be chess",
    "edition=peek, coins=extra 1": "means nothing in Peek",
    "min_players=9, max_players=3": "can't be bigger than",
    "role=anyone": "for the whole server",
    "deck=<@1>": "no deck called ‹＠1›",
    "<@&1>=**x**": "no setting called ‹＠&1›",
}


async def test_hostile_values_change_nothing_and_are_answered(held: Evening) -> None:
    server = Server(held, "hostile")
    boss, rng = server.boss, Random(6)
    nasty = ["<@1>", "@everyone", "**", "−" * 90, "9" * 60, "\u202e1", "1e9", "null", "[]", "0x10", "¼", "٣", "a" * 900]
    form = on(await boss.slash("houserules set"))
    for setting in all_settings():
        for value in rng.sample(nasty, 2):
            shown = await boss.slash("houserules set", key=setting.full_key, value=value)
            await _is_refused(boss, shown)
            shown = await boss.forge(form, f"c1:0:0:hset:{setting.key}", kind=3, values=[value])
            await _is_refused(boss, shown)
    for custom_id in ("hset:ghost", "hset", "hask:ghost", "hreset:ghost", "hpreset:ghost.yes", "hpreset:coyote.no.yes"):
        await _is_refused(boss, await boss.forge(form, f"c1:0:0:{custom_id}", kind=3, values=None))
    for custom_id in ("himport", f"hlog:{'9' * 30}", "hlog:-1", "hpage:ghost"):
        await _is_refused(boss, await boss.forge(form, f"c1:0:0:{custom_id}"))
    await _is_refused(boss, await boss.forge(form, "c1:0:0:hdrop", kind=3, values=["ghost"]))
    assert "Nobody has changed anything" in (await boss.slash("houserules log")).text


async def _is_refused(person: Person, shown: Shown) -> None:
    assert not shown.failed
    assert "went wrong" not in shown.text
    assert "is now" not in shown.text, shown.text
    assert on(shown).only == person.id
    assert "@everyone" not in shown.text
    assert "\u202e" not in shown.text


async def test_names_are_shown_inert(held: Evening) -> None:
    server = Server(held, "names")
    boss = server.boss
    channel = server.world.add_channel(server.guild, "games-**x**-@everyone")
    server.world.add_role(server.guild, "@everyone **boo** <@1>")
    for key in ("channels", "role"):
        for each in await boss.autocomplete("houserules set", "value", "", key=key):
            assert "**" not in each["name"]
            assert "@everyone" not in each["name"]
    await server.set("channels", f"<#{channel.id}>")
    shown = await boss.slash("house")
    assert f"<#{channel.id}>" in shown.text
    assert not on(shown).pinged
