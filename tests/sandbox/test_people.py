import discord
import pytest
from discord import app_commands, ui

from sandbox import posting
from sandbox.events import Change
from sandbox.model import CATEGORY
from sandbox.permissions import Permission
from sandbox.refusals import Refused
from tests.sandbox.conftest import Stage
from tests.sandbox.toybot import Buttons, Press

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def ack(press: Press) -> None:
    await press.response.send_message("ok", ephemeral=True)


async def test_a_disabled_missing_or_link_button_cannot_be_pressed(stage: Stage) -> None:
    view = Buttons(Go=ack, Off=ack)
    view.children[1].disabled = True  # type: ignore[attr-defined]
    view.add_item(ui.Button(label="Docs", url="https://example.com/"))
    await stage.channel.send("x", view=view)
    message = stage.ana.read()[-1]
    for label, why in (("Off", "disabled"), ("Nope", "no 'Nope'"), ("Docs", "link")):
        with pytest.raises(Refused, match=why):
            await stage.ana.click(message, label)
    assert (await stage.ana.click(message, "Go")).text == "ok"


async def test_gone_and_invisible_messages_cannot_be_pressed(stage: Stage) -> None:
    await stage.channel.send("x", view=Buttons(Go=ack))
    message = stage.ana.read()[-1]
    world, everyone = stage.sandbox.world, stage.guild.roles[stage.guild.id]
    world.set_overwrite(stage.room, everyone, deny=Permission.VIEW_CHANNEL)
    with pytest.raises(Refused, match="invisible"):
        await stage.ana.click(message, "Go")
    world.set_overwrite(stage.room, everyone, remove=True)
    private = posting.post(world, stage.room, world.bot, {"content": "psst"}, only=stage.ben.id)
    with pytest.raises(Refused, match="invisible"):
        await stage.ana.click(private, "Go")
    posting.delete(world, message)
    with pytest.raises(Refused, match="gone"):
        await stage.ana.click(message, "Go")


async def test_selects_accept_only_what_they_offer(stage: Stage) -> None:
    view = ui.View(timeout=None)
    select: ui.Select[ui.View] = ui.Select(custom_id="s", min_values=1, max_values=2, placeholder="Pick")
    for label in ("A", "B", "C"):
        select.add_option(label=label, value=label.lower(), emoji="🐺")
    view.add_item(select)
    view.add_item(ui.UserSelect(custom_id="u"))
    await stage.channel.send("x", view=view)
    message = stage.ana.read()[-1]
    for values, why in (((), "1 to 2"), (("A", "B", "C"), "1 to 2"), (("D",), "no option"), (("A", "a"), "twice")):
        with pytest.raises(Refused, match=why):
            await stage.ana.select(message, "Pick", *values)
    with pytest.raises(Refused, match="does not offer"):
        await stage.ana.select(message, "u", stage.room)


async def test_modal_fields_enforce_their_lengths(stage: Stage) -> None:
    class Form(ui.Modal, title="Form"):
        short: ui.TextInput["Form"] = ui.TextInput(label="Short", custom_id="short", min_length=2, max_length=3)
        free: ui.TextInput["Form"] = ui.TextInput(label="Free", custom_id="free", required=False, default="as it was")

        async def on_submit(self, interaction: Press) -> None:
            await interaction.response.send_message(f"{self.short.value}/{self.free.value}")

    await stage.channel.send("x", view=Buttons(Open=lambda press: press.response.send_modal(Form())))
    opened = await stage.ana.click(stage.ana.read()[-1], "Open")
    bad: list[dict[str, object]] = [{}, {"short": "1"}, {"short": "1234"}, {"short": 12}, {"short": "12", "x": "y"}]
    for fields in bad:
        with pytest.raises(Refused):
            await stage.ana.submit(opened, fields)
    with pytest.raises(Refused, match="no such form"):
        await stage.ben.submit(opened, short="12")
    assert (await stage.ana.submit(opened, Short="12")).text == "12/as it was"


async def test_commands_are_offered_only_where_and_to_whom_they_are_allowed(stage: Stage) -> None:
    tree = stage.bot.tree

    @tree.command(description="Everywhere")
    async def anywhere(press: Press) -> None:
        await ack(press)

    @tree.command(description="In servers")
    @app_commands.guild_only()
    async def guildish(press: Press) -> None:
        await ack(press)

    @tree.command(description="For managers")
    @app_commands.default_permissions(manage_channels=True)
    async def manage(press: Press) -> None:
        await ack(press)

    await tree.sync()
    world = stage.sandbox.world
    try:
        assert {each["name"] for each in stage.ana.commands()} == {"anywhere", "guildish"}
        dm = stage.ana.open_dm()
        assert {each["name"] for each in stage.ana.commands(dm)} == {"anywhere", "manage"}
        assert (await stage.ana.slash("anywhere", dm)).text == "ok"
        with pytest.raises(Refused, match="no command /guildish"):
            await stage.ana.slash("guildish", dm)
        with pytest.raises(Refused, match="not allowed"):
            await stage.ana.slash("manage")
        with pytest.raises(Refused, match="no command /missing"):
            await stage.ana.slash("missing")
        role = world.add_role(stage.guild, "Manager", Permission.MANAGE_CHANNELS)
        world.grant(stage.guild, stage.ben.user, role)
        assert (await stage.ben.slash("manage")).text == "ok"
        everyone = stage.guild.roles[stage.guild.id]
        world.set_overwrite(stage.room, everyone, deny=Permission.USE_APPLICATION_COMMANDS)
        with pytest.raises(Refused, match="not allowed"):
            await stage.ana.slash("anywhere")
    finally:
        tree.clear_commands(guild=None)
        await tree.sync()


async def test_options_are_checked_as_a_clients_form_would(stage: Stage) -> None:
    tree = stage.bot.tree
    group = app_commands.Group(name="coyote", description="Play")

    @group.command(description="Everything")
    @app_commands.choices(edition=[app_commands.Choice(name="Peek", value="peek")])
    async def new(  # noqa: PLR0917
        press: Press,
        edition: str,
        number: app_commands.Range[int, 1, 9] = 1,
        share: app_commands.Range[float, 0.0, 1.0] = 0.0,
        note: app_commands.Range[str, 2, 5] = "none",
        loud: bool = False,
        who: discord.User | None = None,
        where: discord.TextChannel | None = None,
        what: discord.Role | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        given = (edition, number, share, note, loud, who and who.name, where and where.name, what and what.name)
        await press.response.send_message(" ".join(map(str, given)))

    tree.add_command(group)
    await tree.sync()
    try:
        category = stage.sandbox.world.add_channel(stage.guild, "c", kind=CATEGORY)
        elsewhere = stage.sandbox.world.add_guild("Elsewhere")
        bad: list[dict[str, object]] = [
            {},
            {"edition": "none"},
            {"edition": "peek", "number": 0},
            {"edition": "peek", "number": 10},
            {"edition": "peek", "number": "3"},
            {"edition": "peek", "number": True},
            {"edition": "peek", "share": 1.5},
            {"edition": "peek", "note": "x"},
            {"edition": "peek", "note": "too long"},
            {"edition": "peek", "loud": "yes"},
            {"edition": "peek", "who": "ben"},
            {"edition": "peek", "where": category},
            {"edition": "peek", "what": stage.ben},
            {"edition": "peek", "where": next(iter(elsewhere.channels.values()))},
            {"edition": "peek", "what": next(iter(elsewhere.roles.values()))},
            {"edition": "peek", "unknown": 1},
        ]
        for options in bad:
            with pytest.raises(Refused):
                await stage.ana.slash("coyote new", **options)
        with pytest.raises(Refused, match="not a complete command"):
            await stage.ana.slash("coyote")
        everyone = stage.guild.roles[stage.guild.id]
        shown = await stage.ana.slash(
            "coyote new", edition="Peek", number=9, share=0.5, note="abc", loud=True, who=stage.ben, where=stage.room,
            what=everyone,
        )  # fmt: skip
        assert shown.text == "peek 9 0.5 abc True ben room @everyone"
        with pytest.raises(Refused, match="no suggestions"):
            await stage.ana.autocomplete("coyote new", "note", "a")
    finally:
        tree.clear_commands(guild=None)
        await tree.sync()


async def test_people_cannot_say_what_a_client_would_not_send(stage: Stage) -> None:
    for text in ("", "   ", "x" * 2001):
        with pytest.raises(Refused):
            await stage.ana.say(text)
    gone = stage.sandbox.world.add_channel(stage.guild, "gone")
    stage.sandbox.world.remove_channel(gone)
    with pytest.raises(Refused, match="gone"):
        await stage.ana.say("hello", gone)


async def test_a_forged_press_is_sent_unchecked(stage: Stage) -> None:
    heard: list[str] = []

    async def on_interaction(press: Press) -> None:
        assert press.data is not None
        heard.append(str(press.data.get("custom_id")))
        await press.response.send_message("no", ephemeral=True)

    stage.bot.add_listener(on_interaction)
    await stage.channel.send("x", view=Buttons(Go=ack))
    shown = await stage.ana.forge(stage.ana.read()[-1], "play:1:forged")
    stage.bot.remove_listener(on_interaction)
    assert shown.text == "no"
    assert heard == ["play:1:forged"]


async def test_each_person_sees_only_their_own_ephemeral_messages(stage: Stage) -> None:
    async def look(press: Press) -> None:
        await press.response.send_message(f"for {press.user.display_name}", ephemeral=True)

    await stage.channel.send("x", view=Buttons(Look=look))
    message = stage.ana.read()[-1]
    await stage.ana.click(message, "Look")
    await stage.ben.click(message, "Look")
    assert [each.text for each in stage.ana.private(stage.room)] == ["for Ana"]
    assert [each.text for each in stage.ben.private(stage.room)] == ["for Ben"]
    assert stage.cleo.private(stage.room) == []
    seen: dict[str, list[str]] = {"Ana": [], "Ben": []}
    world = stage.sandbox.world

    def listen(change: Change) -> None:
        for person in (stage.ana, stage.ben):
            if world.may_see(change, person.id):
                seen[person.user.display_name].append(change.kind)

    end = world.subscribe(listen)
    await stage.ana.click(message, "Look")
    end()
    assert seen == {"Ana": ["MESSAGE_CREATE", "INTERACTION_SUCCESS"], "Ben": []}
