"""Draws Plenty Coups' emojis."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from bot.games.plenty_coups import emoji_names as names
from bot.games.plenty_coups.pictures import signs
from bot.games.plenty_coups.rules.cards import FACES, Tribe
from bot.pictures.emojis import EmojiSheet, EmojiSketch, read_digests


def _sketches() -> dict[str, EmojiSketch]:
    sketches = {
        names.card_emoji(card): EmojiSketch(partial(signs.draw_card, card=card), spoken_name="card") for card in FACES
    }
    for tribe in Tribe:
        sketches[names.tribe_emoji(tribe)] = EmojiSketch(
            partial(signs.draw_sign, tribe=tribe), spoken_name=tribe.name.lower()
        )
    for name, draw, spoken in (
        (names.CARD_BACK, signs.draw_card_back, "hidden_card"),
        (names.PRESTIGE, signs.draw_prestige, "prestige"),
        (names.PRESTIGE_FREE, signs.draw_empty_marker, "free"),
        (names.RAID, signs.draw_raid, "raid"),
        (names.ALLIANCE, signs.draw_alliance, "alliance"),
        (names.PROPOSAL, signs.draw_proposal, "proposal"),
        (names.DISDAIN, signs.draw_disdain, "disdain"),
        (names.WINTER, signs.draw_snowflake, "winter"),
    ):
        sketches[name] = EmojiSketch(draw, spoken_name=spoken)
    return sketches


DIGESTS: Final = Path(__file__).parent / "emoji_digests.txt"
"""The pixels of each emoji as they were last reviewed."""
EMOJIS: Final = EmojiSheet(_sketches(), read_digests(DIGESTS))
