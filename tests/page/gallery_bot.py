"""A bot that can show every kind of message and form; for viewing the page, and for its tests.

Run as a process of its own: `python -m tests.page.gallery_bot API_URL GATEWAY_URL TOKEN`.
"""

import asyncio
import io
import struct
import sys
import time
import zlib
from typing import Any

import discord
import yarl
from discord import app_commands, ui
from discord.ext import commands

PLAYERS = ("Ana", "Ben", "Chloé", "Dmitri", "Emi", "Farid", "Greta", "Hugo", "Ines", "Jun", "Kofi", "Lena")
EDITIONS = ("feathers", "peek", "classic", "trickster")
MARKDOWN = """# One
## Two
### Three
-# subtext under it
**bold** *italic* __underlined__ ~~struck~~ ||a spoiler|| `code` ***all*** \\*escaped\\*
[a link](https://example.org/page "with a title") <https://example.org> https://example.org/bare.
> quoted
> twice
- one
  - nested
- two
1. first
2. second
```py
print("a block")
```"""


def picture(width: int, height: int, colour: tuple[int, int, int], name: str, alt: str) -> discord.File:
    """Return a PNG of one colour that fades to the right."""
    row = b"\0" + b"".join(bytes(int(part * (1 - 0.5 * x / width)) for part in colour) for x in range(width))
    return discord.File(io.BytesIO(png(width, height, 2, row * height)), name, description=alt)


def disc(size: int, colour: tuple[int, int, int]) -> bytes:
    """Return a PNG of a disc on a transparent ground, to serve as an emoji."""
    middle = (size - 1) / 2
    inside = bytes((*colour, 255))
    rows = (
        b"\0"
        + b"".join(inside if (x - middle) ** 2 + (y - middle) ** 2 <= middle**2 else bytes(4) for x in range(size))
        for y in range(size)
    )
    return png(size, size, 6, b"".join(rows))


def png(width: int, height: int, colours: int, rows: bytes) -> bytes:
    """Return rows of pixels as a PNG; `colours` is the PNG's colour type."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    body = b"".join(struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in chunks)
    return b"\x89PNG\r\n\x1a\n" + body


class Counter(ui.View):
    """Buttons of every style."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0
        self.add_item(ui.Button(label="Elsewhere", url="https://example.org"))

    @ui.button(label="Count", style=discord.ButtonStyle.primary)
    async def count_up(self, interaction: discord.Interaction, button: ui.Button["Counter"]) -> None:
        self.count += 1
        button.label = f"Count: {self.count}"
        await interaction.response.edit_message(content=f"Pressed {self.count} times.", view=self)

    @ui.button(label="Whisper", style=discord.ButtonStyle.success, emoji="👁")
    async def whisper(self, interaction: discord.Interaction, _: ui.Button["Counter"]) -> None:
        await interaction.response.send_message(f"Only {interaction.user.mention} reads this.", ephemeral=True)

    @ui.button(label="Fill in…", style=discord.ButtonStyle.secondary)
    async def form(self, interaction: discord.Interaction, _: ui.Button["Counter"]) -> None:
        await interaction.response.send_modal(Bid())

    @ui.button(label="Silence", style=discord.ButtonStyle.danger, emoji="🐺")
    async def silence(self, _: discord.Interaction, __: ui.Button["Counter"]) -> None:
        """Never answer."""

    @ui.button(label="Disabled", style=discord.ButtonStyle.primary, disabled=True)
    async def disabled(self, _: discord.Interaction, __: ui.Button["Counter"]) -> None:
        """Cannot be pressed."""


class Bid(ui.Modal, title="Your bid"):
    """A form built from action rows, the older kind."""

    number: ui.TextInput["Bid"] = ui.TextInput(label="Number", placeholder="15 or more", max_length=4)
    why: ui.TextInput["Bid"] = ui.TextInput(label="Why?", style=discord.TextStyle.paragraph, required=False)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{interaction.user.mention} bids **{self.number.value}**.")


class HouseRules(ui.Modal, title="House rules"):
    """A form built from labels, the newer kind."""

    intro: ui.TextDisplay[Any] = ui.TextDisplay("What you choose holds for **this table** only.")
    coins: ui.Label["HouseRules"] = ui.Label(
        text="Out at the",
        description="How many coins end it for a player",
        component=ui.Select(options=[discord.SelectOption(label=f"{n} coins", value=str(n)) for n in (2, 3, 4, 5)]),
    )
    host: ui.Label["HouseRules"] = ui.Label(
        text="Host", component=ui.UserSelect(placeholder="Somebody", required=False)
    )
    note: ui.Label["HouseRules"] = ui.Label(
        text="Note", component=ui.TextInput(style=discord.TextStyle.paragraph, required=False, default="Be kind.")
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.coins.component, ui.Select)
        assert isinstance(self.host.component, ui.UserSelect)
        host = "".join(f", with {user.mention} as host" for user in self.host.component.values)
        await interaction.response.send_message(f"Out at {self.coins.component.values[0]} coins{host}.", ephemeral=True)


class Extras(ui.Modal, title="Extras"):
    """A form with checkboxes."""

    pace: ui.Label["Extras"] = ui.Label(
        text="Pace",
        component=ui.RadioGroup(options=[discord.RadioGroupOption(label=each) for each in ("Calm", "Quick")]),
    )
    coins: ui.Label["Extras"] = ui.Label(
        text="Coins",
        component=ui.CheckboxGroup(
            options=[discord.CheckboxGroupOption(label=each) for each in ("Extra", "Skip", "Guess")], required=False
        ),
    )
    sure: ui.Label["Extras"] = ui.Label(text="Tell everybody", component=ui.Checkbox(default=True))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.pace.component, ui.RadioGroup)
        await interaction.response.send_message(f"Pace: {self.pace.component.value}", ephemeral=True)


class Table(ui.LayoutView):
    """A table message as a game would show it, with every layout component."""

    def __init__(self, players: list[str]) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Table] = ui.Container(accent_colour=discord.Colour(0xC9653B))
        ends = int(time.time()) + 90
        box.add_item(
            ui.TextDisplay(f"### Round 5 · {players[2]}'s turn · ⏳ <t:{ends}:R>\nBid to beat: **14** by {players[1]}")
        )
        box.add_item(ui.Separator())
        coins = " · ".join(f"{name} {'●' * (n % 3)}{'○' * (3 - n % 3)}" for n, name in enumerate(players))
        box.add_item(ui.TextDisplay(f"Coins: {coins}\n-# Picture coins left: extra 2 · skip 2 · ~~reverse~~"))
        thumbnail: ui.Thumbnail[Table] = ui.Thumbnail("attachment://feather.png", description="A feather")
        box.add_item(ui.Section("**The deck**", "30 feathers, 11 discarded", accessory=thumbnail))
        box.add_item(ui.Section("The rules in a minute", accessory=ui.Button(label="Rules", custom_id="rules")))
        gallery: ui.MediaGallery[Table] = ui.MediaGallery()
        gallery.add_item(
            media="attachment://table.png", description="Ana wears a 7, Ben a 3. Yours is hidden from you."
        )
        box.add_item(gallery)
        box.add_item(ui.Separator(visible=False, spacing=discord.SeparatorSpacing.large))
        box.add_item(
            ui.ActionRow(*[Raise(number) for number in (15, 16, 19, 24)], ui.Button(label="Bid…", custom_id="bid"))
        )
        box.add_item(
            ui.ActionRow(ui.Button(label="Coyote!", emoji="🐺", style=discord.ButtonStyle.danger, custom_id="call"))
        )
        self.add_item(box)
        self.add_item(ui.File("attachment://record.txt"))

    @staticmethod
    def files() -> list[discord.File]:
        """Return the files that the layout refers to."""
        return [
            picture(96, 96, (229, 154, 60), "feather.png", "A feather"),
            picture(560, 240, (74, 95, 193), "table.png", "The table"),
            discord.File(io.BytesIO(b"8 Ana\n13 Emi\n14 Ben\n"), "record.txt"),
        ]


class Raise(ui.Button[Table]):
    """A button that raises the bid."""

    def __init__(self, number: int) -> None:
        super().__init__(label=str(number), style=discord.ButtonStyle.primary, custom_id=f"raise:{number}")

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{interaction.user.mention} says **{self.label}**.")


class Choices(ui.View):
    """Selects of every kind."""

    @ui.select(
        placeholder="An action",
        options=[
            discord.SelectOption(label="Extra feather", value="extra", description="Wear one more", emoji="🪶"),
            discord.SelectOption(label="Skip", value="skip", description="The next one plays"),
        ],
    )
    async def action(self, interaction: discord.Interaction, select: ui.Select["Choices"]) -> None:
        await interaction.response.send_message(f"Chosen: {', '.join(select.values)}", ephemeral=True)

    @ui.select(cls=ui.UserSelect, placeholder="Some people", min_values=1, max_values=3)
    async def people(self, interaction: discord.Interaction, select: ui.UserSelect["Choices"]) -> None:
        names = ", ".join(user.mention for user in select.values)
        await interaction.response.send_message(f"Chosen: {names}", ephemeral=True)

    @ui.select(cls=ui.RoleSelect, placeholder="A role")
    async def role(self, interaction: discord.Interaction, _: ui.RoleSelect["Choices"]) -> None:
        await interaction.response.defer()

    @ui.select(cls=ui.MentionableSelect, placeholder="Anybody")
    async def anybody(self, interaction: discord.Interaction, _: ui.MentionableSelect["Choices"]) -> None:
        await interaction.response.defer()

    @ui.select(cls=ui.ChannelSelect, placeholder="A channel")
    async def where(self, interaction: discord.Interaction, select: ui.ChannelSelect["Choices"]) -> None:
        await interaction.response.send_message(f"Chosen: {select.values[0].mention}", ephemeral=True)


class Show(app_commands.Group, name="show", description="Show what a message can hold"):
    """Commands that send sample messages."""

    @app_commands.command(description="Markdown of every kind")
    async def text(self, interaction: discord.Interaction) -> None:
        now = int(time.time())
        stamps = f"<t:{now + 50}:R> <t:{now}:t> <t:{now}:D>"
        where = f"<#{interaction.channel_id}>"
        await interaction.response.send_message(f"{MARKDOWN}\n{interaction.user.mention} {where} {stamps} <:gone:1>")

    @app_commands.command(description="An embed with fields")
    async def embed(self, interaction: discord.Interaction) -> None:
        card = discord.Embed(
            title="Standing", description="After **11** rounds", colour=0xE59A3C, url="https://example.org"
        )
        for name, value in (("Ana", "●○○"), ("Ben", "●●○"), ("Chloé", "out")):
            card.add_field(name=name, value=value)
        card.set_author(name="The table").set_footer(text="Next deal in 8 seconds")
        await interaction.response.send_message(embed=card)

    @app_commands.command(description="A layout with everything")
    @app_commands.describe(players="How many players sit there", long_names="Whether they have very long names")
    async def layout(
        self, interaction: discord.Interaction, players: app_commands.Range[int, 3, 12] = 5, long_names: bool = False
    ) -> None:
        names = [f"{name} {'von und zu ' * 2}Feather" if long_names else name for name in PLAYERS[:players]]
        await interaction.response.send_message(view=Table(names), files=Table.files())

    @app_commands.command(description="Selects of every kind")
    async def selects(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Choose something.", view=Choices(timeout=None))

    @app_commands.command(description="Buttons of every style")
    async def buttons(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("Pressed 0 times.", view=Counter())

    @app_commands.command(description="Pictures with alt text")
    async def pictures(self, interaction: discord.Interaction) -> None:
        files = [picture(320, 200, (60 * n, 120, 90), f"p{n}.png", f"Picture {n}") for n in (1, 2, 3)]
        await interaction.response.send_message("Three pictures.", files=files)

    @app_commands.command(description="The bot's own emojis in texts, buttons and options")
    async def emojis(self, interaction: discord.Interaction) -> None:
        assert isinstance(interaction.client, Gallery)
        feather, coin = interaction.client.drawn
        lines = (
            f"## {feather} Round 5\nAna wears {feather}, Ben has {coin}{coin}, lost: <:gone:1>\n-# {coin} small print"
        )
        await interaction.response.send_message(lines, view=EmojiControls(feather, coin))
        await interaction.followup.send(f"{feather}{coin} {feather}")

    @app_commands.command(description="Pictures in a media gallery")
    async def mosaic(self, interaction: discord.Interaction, count: app_commands.Range[int, 1, 10] = 3) -> None:
        files = [picture(300 + 40 * (n % 3), 260, (25 * n, 200 - 15 * n, 120), f"m{n}.png", "") for n in range(count)]
        items = [
            discord.MediaGalleryItem(f"attachment://m{n}.png", description=f"Picture {n + 1} of {count}")
            for n in range(count)
        ]
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.TextDisplay(f"A mosaic of {count}"))
        view.add_item(ui.MediaGallery(*items))
        await interaction.response.send_message(view=view, files=files)

    @app_commands.command(description="A picture that only you see, and that is replaced at once")
    async def private(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(
            view=one_picture("old.png", "An old look"),
            file=picture(90, 60, (200, 60, 60), "old.png", ""),
            ephemeral=True,
        )
        fresh = picture(400, 180, (60, 140, 200), "look.png", "")
        await interaction.edit_original_response(view=one_picture("look.png", "Ana wears a 7."), attachments=[fresh])

    @app_commands.command(description="Pictures and files behind spoilers")
    async def spoilers(self, interaction: discord.Interaction) -> None:
        first = picture(200, 120, (120, 60, 160), "SPOILER_end.png", "Who won")
        second = discord.File(io.BytesIO(b"Ana"), "SPOILER_winner.txt")
        await interaction.response.send_message("The end.", files=[first, second])
        hidden = discord.MediaGalleryItem("attachment://a.png", description="The winner", spoiler=True)
        shown = discord.MediaGalleryItem("attachment://b.png", description="The table")
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.MediaGallery(hidden, shown))
        files = [picture(200, 200, (200, 160, 60), f"{name}.png", "") for name in "ab"]
        await interaction.followup.send(view=view, files=files)


def one_picture(name: str, alt: str) -> ui.LayoutView:
    """Return a layout with one picture."""
    view = ui.LayoutView(timeout=None)
    view.add_item(
        ui.Container[Any](
            ui.TextDisplay("What you see"),
            ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{name}", description=alt)),
        )
    )
    return view


class EmojiControls(ui.View):
    """Buttons and a select with custom emojis."""

    def __init__(self, feather: discord.Emoji, coin: discord.Emoji) -> None:
        super().__init__(timeout=None)
        self.add_item(ui.Button(label="Look", emoji=feather, custom_id="emoji:look"))
        self.add_item(ui.Button(emoji=coin, style=discord.ButtonStyle.primary, custom_id="emoji:coin"))
        options = [
            discord.SelectOption(label="Feather", value="f", emoji=feather, description="Seven", default=True),
            discord.SelectOption(label="Coin", value="c", emoji=coin),
        ]
        self.add_item(ui.Select(placeholder="A piece", options=options, custom_id="emoji:piece"))


class Gallery(commands.Bot):
    """The bot of the gallery."""

    drawn: list[discord.Emoji]

    def __init__(self) -> None:
        super().__init__("!", intents=discord.Intents.default(), allowed_mentions=discord.AllowedMentions(users=True))

    async def setup_hook(self) -> None:
        self.tree.add_command(Show())
        for command in COMMANDS:
            self.tree.add_command(command)
        await self.tree.sync()
        shades = {"feather_7": (229, 154, 60), "coin": (90, 140, 220)}
        self.drawn = [await self.create_application_emoji(name=name, image=disc(96, shades[name])) for name in shades]


@app_commands.command(name="help", description="What this bot can do")
async def help_(interaction: discord.Interaction) -> None:
    """Answer privately."""
    await interaction.response.send_message("Type `/show` and look around.", ephemeral=True)


@app_commands.command(name="dm", description="Write to you privately")
async def dm(interaction: discord.Interaction) -> None:
    """Send a DM, or say that it cannot be sent."""
    try:
        await interaction.user.send(
            f"**Round 5 · what you see**\nAna **7** · Chloé **−5**\nYou, {interaction.user.mention}: **?**"
        )
    except discord.Forbidden:
        await interaction.response.send_message("I couldn't DM you.", ephemeral=True)
    else:
        await interaction.response.send_message("Look at your direct messages.", ephemeral=True)


@app_commands.command(name="slow", description="Think for a while")
async def slow(
    interaction: discord.Interaction, seconds: app_commands.Range[float, 0, 60] = 2.0, private: bool = False
) -> None:
    """Defer, then answer."""
    await interaction.response.defer(thinking=True, ephemeral=private)
    await asyncio.sleep(seconds)
    await interaction.followup.send("Here I am.")


@app_commands.command(name="silent", description="Never answer")
async def silent(_: discord.Interaction) -> None:
    """Never answer, so that the interaction fails."""


@app_commands.command(name="rules", description="House rules, in a form")
async def rules(interaction: discord.Interaction) -> None:
    """Open the newer kind of form."""
    await interaction.response.send_modal(HouseRules())


@app_commands.command(name="extras", description="Boxes to tick, in a form")
async def extras(interaction: discord.Interaction) -> None:
    """Open a form with checkboxes."""
    await interaction.response.send_modal(Extras())


@app_commands.command(name="new", description="Open a table")
@app_commands.describe(
    edition="Which rules to play by", seats="How many may sit", guest="Somebody to invite", open_now="At once?"
)
@app_commands.choices(
    open_now=[app_commands.Choice(name="At once", value=1), app_commands.Choice(name="Later", value=0)]
)
async def new(
    interaction: discord.Interaction,
    edition: str,
    seats: app_commands.Range[int, 2, 12] = 6,
    guest: discord.Member | None = None,
    open_now: int = 1,
) -> None:
    """Repeat the chosen options."""
    invited = f" {guest.mention} is invited." if guest else ""
    await interaction.response.send_message(f"A table for {seats}, **{edition}**, open: {open_now}.{invited}")


@new.autocomplete("edition")
async def editions(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Suggest editions that begin with the typed text."""
    return [app_commands.Choice(name=each.title(), value=each) for each in EDITIONS if each.startswith(typed.lower())]


@app_commands.command(name="aside", description="Open a thread")
async def aside(interaction: discord.Interaction) -> None:
    """Open a thread on the answer."""
    await interaction.response.send_message("Let us talk aside.")
    message = await interaction.original_response()
    assert interaction.guild is not None
    thread = await (await message.fetch()).create_thread(name="A word aside")
    await thread.send("Here we are.")


@app_commands.context_menu(name="Quote this")
async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
    """Quote a message."""
    await interaction.response.send_message(f"> {message.content[:200]}")


COMMANDS: list[app_commands.Command[Any, ..., None] | app_commands.ContextMenu] = [
    help_, dm, slow, silent, rules, extras, new, aside, quote,
]  # fmt: skip


def main(api: str, gateway: str, token: str) -> None:
    """Run against a sandbox."""
    discord.http.Route.BASE = api
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
    Gallery().run(token)


if __name__ == "__main__":
    main(*sys.argv[1:])
