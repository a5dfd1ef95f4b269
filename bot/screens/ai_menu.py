"""AI players before the match: how they are described, and the host's private menu of them."""

from __future__ import annotations

from collections.abc import Sequence

from discord import ButtonStyle, SelectOption

from bot.ai_players.characters import STRENGTHS, Character
from bot.host.model import Ai, Table
from bot.screens.custom_ids import CustomId, Verb
from bot.screens.layout import SAGE, Item, PrivateScreen, box, option, pick, press, row, text
from bot.screens.words import label_of
from bot.text.catalogue import Catalogue

ANYONE = "0"
"""The value in the select that leaves the choice of the AI player to chance."""


def about_ai(say: Catalogue, ai: Ai) -> str:
    """Say in a few words how an AI plays."""
    temperament = say(f"ai_players.temperament.{ai.temperament}")
    return say("ai_players.about", temperament=temperament, strength=say(f"ai_players.strength.{ai.strength}"))


def ai_menu(
    say: Catalogue, table: Table, free: Sequence[Character], strength: int, *, full: bool, done: str | None = None
) -> PrivateScreen:
    """Make the host's private menu, from which AI players are added and removed."""
    seated = [player for player in table.players if player.ai is not None]
    leaving = [option(label_of(say, table, player), str(player.user)) for player in seated]
    fill, ask = [CustomId(verb, table.id, argument=str(strength)) for verb in (Verb.FILL, Verb.ADD_AI)]
    watching = table.seat_of(table.host) is None
    return PrivateScreen(
        box(
            SAGE,
            text(
                say("ai_players.menu.title"),
                say("ai_players.menu.full") if full else say("ai_players.menu.about"),
                done,
            ),
            None if full else row(*[_strength(say, table, each, chosen=each == strength) for each in STRENGTHS]),
            None if full else row(pick(say("ai_players.menu.ask"), ask, _options(say, free))),
            row(pick(say("ai_players.menu.send"), CustomId(Verb.REMOVE_AI, table.id), leaving)) if leaving else None,
            row(
                None if full else press(say("ai_players.button.fill"), fill, emoji="🤖"),
                press(say("ai_players.button.watch"), CustomId(Verb.WATCH, table.id))
                if seated and not watching
                else None,
            ),
        )
    )


def _strength(say: Catalogue, table: Table, strength: int, *, chosen: bool) -> Item:
    word = say(f"ai_players.strength.{strength}")
    label = say("ai_players.button.chosen", strength=word) if chosen else word
    style = ButtonStyle.primary if chosen else ButtonStyle.secondary
    return press(label, CustomId(Verb.AI, table.id, argument=str(strength)), style)


def _options(say: Catalogue, free: Sequence[Character]) -> list[SelectOption]:
    anyone = option(say("ai_players.menu.anyone"), ANYONE, say("ai_players.menu.anyone_about"))
    return [
        anyone,
        *[
            option(
                say(
                    "ai_players.menu.option",
                    name=each.name,
                    temperament=say(f"ai_players.temperament.{each.temperament}"),
                ),
                each.name,
                say(f"ai_players.manner.{each.temperament}"),
            )
            for each in free
        ],
    ]
