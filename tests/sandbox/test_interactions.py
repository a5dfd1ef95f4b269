import asyncio
import io
from typing import Any

import discord
import pytest
from discord import app_commands, ui

from sandbox import posting
from sandbox.messagelog import Message
from sandbox.refusals import Refused
from tests.sandbox.conftest import Stage, settle
from tests.sandbox.toybot import Buttons, Press

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def post(stage: Stage, view: ui.View, text: str = "Press!") -> Message:
    sent = await stage.channel.send(text, view=view)
    message = stage.sandbox.world.message(stage.room.id, str(sent.id))
    assert message is not None
    return message


async def test_a_reply_appears_for_everybody(stage: Stage) -> None:
    message = await post(stage, Buttons(Join=lambda press: press.response.send_message("Welcome!")))
    shown = await stage.ana.click(message, "Join")
    assert shown.failed is None
    assert [each.content for each in shown.appeared] == ["Welcome!"]
    assert [each.content for each in stage.ben.read()] == ["Press!", "Welcome!"]
    assert shown.interaction.callback_type == 4


async def test_an_ephemeral_reply_is_seen_by_one_person_only(stage: Stage) -> None:
    message = await post(stage, Buttons(Look=lambda press: press.response.send_message("7", ephemeral=True)))
    shown = await stage.ana.click(message, "Look")
    assert shown.message is not None
    assert shown.message.ephemeral
    assert [each.content for each in stage.ana.private(stage.room)] == ["7"]
    assert stage.ben.private(stage.room) == []
    assert [each.content for each in stage.ana.read()] == ["Press!", "7"]
    assert [each.content for each in stage.ben.read()] == ["Press!"]
    # The bot cannot access it with its own token either.
    with pytest.raises(discord.NotFound) as caught:
        await stage.channel.fetch_message(int(shown.message.id))
    assert caught.value.code == 10008
    assert [each.content async for each in stage.channel.history()] == ["Press!"]
    stage.ana.dismiss(shown.message)
    assert stage.ana.private(stage.room) == []


async def test_discord_accepts_changes_to_a_dismissed_message_which_nobody_sees(stage: Stage) -> None:
    held: list[Press] = []

    async def look(press: Press) -> None:
        held.append(press)
        await press.response.send_message("7", ephemeral=True)

    message = await post(stage, Buttons(Look=look))
    shown = await stage.ana.click(message, "Look")
    assert shown.message is not None
    stage.ana.dismiss(shown.message)
    await held[0].edit_original_response(content="8")
    assert stage.ana.private(stage.room) == []
    assert "8" not in [each.content for each in stage.ana.read()]
    await held[0].delete_original_response()
    with pytest.raises(discord.NotFound):
        await held[0].edit_original_response(content="9")


async def test_a_deferred_reply_shows_thinking_until_it_is_edited(stage: Stage) -> None:
    async def slow(press: Press) -> None:
        await press.response.defer(thinking=True, ephemeral=True)
        thinking = stage.ana.private(stage.room)
        assert [each.thinking for each in thinking] == [True]
        await press.edit_original_response(content="Done.")

    message = await post(stage, Buttons(Slow=slow))
    shown = await stage.ana.click(message, "Slow")
    assert not shown.thinking
    assert shown.text == "Done."
    assert shown.message is not None
    assert shown.message.ephemeral


async def test_a_person_stops_waiting_while_the_bot_still_thinks(stage: Stage) -> None:
    held: list[Press] = []

    async def think(press: Press) -> None:
        await press.response.defer(thinking=True)
        held.append(press)

    message = await post(stage, Buttons(Think=think))
    clicking = asyncio.create_task(stage.ana.click(message, "Think"))
    await settle(lambda: held)
    await asyncio.sleep(0.02)
    await stage.clock.advance(stage.ana.patience + 1)
    shown = await clicking
    assert shown.thinking
    assert shown.message is None
    await held[0].followup.send("At last")
    assert not shown.thinking
    assert shown.text == "At last"


async def test_the_first_follow_up_of_a_public_deferral_is_public(stage: Stage) -> None:
    async def confused(press: Press) -> None:
        await press.response.defer(thinking=True)
        await press.followup.send("secret?", ephemeral=True)
        await press.followup.send("secret!", ephemeral=True)

    message = await post(stage, Buttons(Go=confused))
    shown = await stage.ana.click(message, "Go")
    await settle(lambda: len(shown.appeared) == 2)
    assert [each.ephemeral for each in shown.appeared] == [False, True]
    assert [each.content for each in stage.ben.read()] == ["Press!", "secret?"]


async def test_a_deferred_update_changes_nothing_by_itself(stage: Stage) -> None:
    async def later(press: Press) -> None:
        await press.response.defer()
        await press.edit_original_response(content="Pressed.")

    message = await post(stage, Buttons(Go=later))
    shown = await stage.ana.click(message, "Go")
    assert shown.interaction.callback_type == 6
    await stage.ana.wait_for(lambda: message.content == "Pressed.")
    assert shown.changed == [message]


async def test_an_update_changes_the_message_that_was_pressed(stage: Stage) -> None:
    message = await post(stage, Buttons(Go=lambda press: press.response.edit_message(content="Gone", view=None)))
    shown = await stage.ana.click(message, "Go")
    assert shown.changed == [message]
    assert message.content == "Gone"
    assert message.buttons == []
    assert shown.interaction.callback_type == 7


async def test_an_ephemeral_message_can_be_updated_by_its_button(stage: Stage) -> None:
    inner = Buttons(Again=lambda press: press.response.edit_message(content="second"))
    message = await post(stage, Buttons(Look=lambda p: p.response.send_message("first", view=inner, ephemeral=True)))
    private = (await stage.ana.click(message, "Look")).message
    assert private is not None
    await stage.ana.click(private, "Again")
    assert private.content == "second"
    assert private.ephemeral


async def test_a_modal_opens_and_its_submission_is_answered(stage: Stage) -> None:
    class Form(ui.Modal, title="How many?"):
        number: ui.Label[Any] = ui.Label(text="Number", component=ui.TextInput(custom_id="number", max_length=3))
        kind: ui.Label[Any] = ui.Label(
            text="Kind",
            component=ui.Select(
                custom_id="kind", options=[discord.SelectOption(label="Red"), discord.SelectOption(label="Blue")]
            ),
        )

        async def on_submit(self, interaction: Press) -> None:
            number, kind = self.number.component, self.kind.component
            assert isinstance(number, ui.TextInput)
            assert isinstance(kind, ui.Select)
            await interaction.response.edit_message(content=f"{number.value} {kind.values[0]}", view=None)

    message = await post(stage, Buttons(Bid=lambda press: press.response.send_modal(Form())))
    opened = await stage.ana.click(message, "Bid")
    assert opened.interaction.callback_type == 9
    assert opened.modal is not None
    assert opened.modal.title == "How many?"
    assert [each["label"] for each in opened.modal.fields] == ["Number", "Kind"]
    shown = await stage.ana.submit(opened, Number="12", Kind="Blue")
    assert shown.changed == [message]
    assert message.content == "12 Blue"


async def test_follow_ups_can_be_fetched_edited_and_deleted(stage: Stage) -> None:
    async def chat(press: Press) -> None:
        await press.response.send_message("one")
        original = await press.original_response()
        assert original.content == "one"
        await press.edit_original_response(content="uno")
        two = await press.followup.send("two", wait=True)
        assert (await press.followup.fetch_message(two.id)).content == "two"
        await two.edit(content="dos")
        three = await press.followup.send("three", ephemeral=True, wait=True)
        await three.edit(content="tres")
        await press.followup.send("four", wait=True)
        await two.delete()
        await press.delete_original_response()

    message = await post(stage, Buttons(Go=chat))
    await stage.ana.click(message, "Go")
    await stage.ana.wait_for(lambda: [each.content for each in stage.ana.read()] == ["Press!", "tres", "four"])
    assert [each.content for each in stage.ben.read()] == ["Press!", "four"]


async def test_after_three_seconds_the_client_gives_up_and_the_token_is_void(stage: Stage) -> None:
    arrived: list[Press] = []

    async def hold(press: Press) -> None:
        arrived.append(press)

    message = await post(stage, Buttons(Hold=hold))
    clicking = asyncio.create_task(stage.ana.click(message, "Hold"))
    await settle(lambda: arrived)
    await stage.clock.advance(2.9)
    assert not clicking.done()
    await stage.clock.advance(0.2)
    shown = await clicking
    assert shown.failed == "This interaction failed"
    with pytest.raises(discord.NotFound) as caught:
        await arrived[0].response.send_message("too late")
    assert caught.value.code == 10062
    with pytest.raises(discord.NotFound) as unknown:
        await arrived[0].followup.send("too late")
    assert unknown.value.code == 10015


async def test_a_second_answer_is_refused(stage: Stage) -> None:
    codes: list[int] = []

    async def twice(press: Press) -> None:
        await press.response.send_message("one")
        again = discord.InteractionResponse(press)
        try:
            await again.send_message("two")
        except discord.HTTPException as error:
            codes.append(error.code)

    message = await post(stage, Buttons(Go=twice))
    await stage.ana.click(message, "Go")
    await settle(lambda: codes)
    assert codes == [40060]
    assert [each.content for each in stage.ana.read()] == ["Press!", "one"]


async def test_after_fifteen_minutes_the_token_is_void(stage: Stage) -> None:
    kept: list[Press] = []

    async def keep(press: Press) -> None:
        await press.response.send_message("one")
        kept.append(press)

    message = await post(stage, Buttons(Go=keep))
    await stage.ana.click(message, "Go")
    await settle(lambda: kept)
    await stage.clock.advance(14 * 60)
    await kept[0].followup.send("still fine")
    await stage.clock.advance(61)
    for attempt in (kept[0].followup.send("no"), kept[0].edit_original_response(content="no")):
        with pytest.raises(discord.HTTPException) as caught:
            await attempt
        assert (caught.value.status, caught.value.code) == (401, 50027)


async def test_selects_send_values_people_and_channels(stage: Stage) -> None:
    class Selects(ui.View):
        @ui.select(custom_id="colour", placeholder="Colour", min_values=1, max_values=2,
                   options=[discord.SelectOption(label=each) for each in ("Red", "Green", "Blue")])  # fmt: skip
        async def colour(self, press: Press, select: ui.Select[Any]) -> None:
            await press.response.send_message("+".join(select.values))

        @ui.select(cls=ui.UserSelect, custom_id="who", placeholder="Who")
        async def who(self, press: Press, select: ui.UserSelect[Any]) -> None:
            (chosen,) = select.values
            assert isinstance(chosen, discord.Member)
            await press.response.send_message(chosen.display_name)

        @ui.select(cls=ui.ChannelSelect, custom_id="where", placeholder="Where")
        async def where(self, press: Press, select: ui.ChannelSelect[Any]) -> None:
            await press.response.send_message(select.values[0].name)

    message = await post(stage, Selects(timeout=None))
    assert (await stage.ana.select(message, "Colour", "Green", "Red")).text == "Green+Red"
    assert (await stage.ana.select(message, "Who", stage.ben)).text == "Ben"
    assert (await stage.ana.select(message, "where", stage.room)).text == "room"


async def test_a_click_in_a_dm_reaches_the_bot(stage: Stage) -> None:
    user = await stage.bot.fetch_user(int(stage.ana.id))
    await user.send(
        "Hello", view=Buttons(Hi=lambda press: press.response.send_message(f"in {press.context.dm_channel}"))
    )
    message = stage.ana.dms()[-1]
    shown = await stage.ana.click(message, "Hi")
    assert shown.text == "in True"
    assert [each.content for each in stage.ana.dms()][-2:] == ["Hello", "in True"]
    assert stage.ben.dms() == []


async def test_commands_have_options_autocomplete_and_choices(stage: Stage) -> None:
    tree = stage.bot.tree
    group = app_commands.Group(name="coyote", description="Play", guild_only=True)

    @group.command(description="Bid")
    @app_commands.choices(how=[app_commands.Choice(name="Loudly", value="loud")])
    async def bid(
        press: Press, number: app_commands.Range[int, 1, 200], how: str | None = None, who: discord.Member | None = None
    ) -> None:
        await press.response.send_message(f"{number} {how} {who and who.display_name} {press.locale}")

    @bid.autocomplete("number")
    async def suggest(press: Press, typed: str) -> list[app_commands.Choice[int]]:
        return [
            app_commands.Choice(name=f"{each}!", value=each)
            for each in (1, 12, 123)
            if str(each).startswith(str(typed))
        ]

    tree.add_command(group, guild=discord.Object(int(stage.guild.id)))
    await tree.sync(guild=discord.Object(int(stage.guild.id)))
    try:
        stage.ana.locale = "de"
        shown = await stage.ana.slash("coyote bid", number=12, how="Loudly", who=stage.ben)
        assert shown.text == "12 loud Ben de"
        choices = await stage.ana.autocomplete("coyote bid", "number", "12")
        assert [(each["name"], each["value"]) for each in choices] == [("12!", 12), ("123!", 123)]
    finally:
        stage.ana.locale = "en-US"
        tree.clear_commands(guild=discord.Object(int(stage.guild.id)))
        await tree.sync(guild=discord.Object(int(stage.guild.id)))


async def test_menu_commands_reach_people_and_messages(stage: Stage) -> None:
    tree, home = stage.bot.tree, discord.Object(int(stage.guild.id))

    @tree.context_menu(name="Poke", guild=home)
    async def poke(press: Press, member: discord.Member) -> None:
        await press.response.send_message(f"poked {member.display_name}")

    @tree.context_menu(name="Quote", guild=home)
    async def quote(press: Press, message: discord.Message) -> None:
        await press.response.send_message(f"“{message.content}”")

    await tree.sync(guild=home)
    try:
        assert (await stage.ana.use("Poke", stage.ben)).text == "poked Ben"
        said = posting.post(stage.sandbox.world, stage.room, stage.ben.user, {"content": "hm"})
        assert (await stage.ana.use("Quote", said)).text == "“hm”"
    finally:
        tree.clear_commands(guild=home)
        await tree.sync(guild=home)


async def test_answers_that_do_not_fit_the_interaction_are_violations(stage: Stage) -> None:
    async def wrong(press: Press) -> None:
        route = discord.http.Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=press.id,
            webhook_token=press.token,
        )
        with pytest.raises(discord.HTTPException):
            await stage.bot.http.request(route, json={"type": 8, "data": {"choices": []}})
        await press.response.send_message("sorry")

    message = await post(stage, Buttons(Go=wrong))
    with stage.sandbox.expecting_violations() as found:
        shown = await stage.ana.click(message, "Go")
    assert shown.text == "sorry"
    assert [problem.path for problem in found[0].problems] == [("type",)]


async def test_answers_follow_ups_and_updates_may_have_files(stage: Stage) -> None:
    def file(text: str) -> discord.File:
        return discord.File(io.BytesIO(text.encode()), f"{text}.txt")

    async def chat(press: Press) -> None:
        await press.response.send_message("a", file=file("one"), ephemeral=True)
        await press.edit_original_response(attachments=[file("two")])
        await press.followup.send(file=file("three"))

    message = await post(stage, Buttons(Go=chat, Swap=lambda p: p.response.edit_message(attachments=[file("four")])))
    shown = await stage.ana.click(message, "Go")
    await settle(lambda: len(shown.appeared) == 2)
    private, public = shown.appeared
    assert [each["filename"] for each in private.json["attachments"]] == ["two.txt"]
    assert private.json["attachments"][0]["ephemeral"]
    assert [each["filename"] for each in public.json["attachments"]] == ["three.txt"]
    await stage.ana.click(message, "Swap")
    assert [each["filename"] for each in message.json["attachments"]] == ["four.txt"]


async def test_an_answer_may_be_a_layout_and_stays_one(stage: Stage) -> None:
    def layout(text: str) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(text))
        return view

    async def chat(press: Press) -> None:
        await press.response.send_message(view=layout("one"), ephemeral=True)
        await press.edit_original_response(view=layout("two"))

    async def think(press: Press) -> None:
        await press.response.defer(thinking=True)
        await press.edit_original_response(view=layout("thought"))

    message = await post(stage, Buttons(Go=chat, Think=think))
    shown = await stage.ana.click(message, "Go")
    await stage.ana.wait_for(lambda: shown.message is not None and shown.message.text == "two")
    assert (await stage.ana.click(message, "Think")).text == "thought"


async def test_somebody_who_has_left_cannot_press(stage: Stage) -> None:
    message = await post(stage, Buttons(Go=lambda press: press.response.defer()))
    dora = stage.sandbox.people.add("Dora", stage.guild)
    await dora.click(message, "Go")
    dora.leave(stage.guild)
    for attempt in (dora.click(message, "Go"), dora.forge(message, "toy:Go")):
        with pytest.raises(Refused):
            await attempt
