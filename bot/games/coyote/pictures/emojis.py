"""Draws Coyote's emojis."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

from bot.games.coyote import emoji_names as names
from bot.games.coyote.pictures import feathers, tokens
from bot.games.coyote.pictures.feathers import Seen, draw_vane
from bot.games.coyote.rules.cards import SPECIALS
from bot.games.coyote.rules.editions import COINS
from bot.pictures.emojis import EmojiSheet, EmojiSketch, read_digests


def _sketches() -> dict[str, EmojiSketch]:
    sketches = {}
    seen: Seen
    for seen in (None, *names.NUMBERS, *SPECIALS):
        name = names.feather_emoji(seen)
        if name is not None:
            spoken = "hidden_feather" if seen is None else "feather"
            draw = partial(draw_vane, seen=seen)
            sketches[name] = EmojiSketch(draw, feathers.WIDTH, feathers.VANE_HEIGHT, spoken_name=spoken)
    for name, draw_token, spoken in (
        (names.COIN_TAKEN, tokens.draw_coin, "coin"),
        (names.COIN_FREE, tokens.draw_empty_ring, "no_coin"),
        (names.EYE_OPEN, tokens.draw_open_eye, "open_eye"),
        (names.EYE_CLOSED, tokens.draw_closed_eye, "closed_eye"),
        (names.COYOTE_CARD, tokens.draw_coyote_card, "coyote_card"),
        (names.COIN_USED, tokens.draw_used_coin, "used_coin"),
    ):
        sketches[name] = EmojiSketch(draw_token, spoken_name=spoken)
    for kind in COINS:
        sketches[names.coin_emoji(kind)] = EmojiSketch(
            partial(tokens.draw_picture_coin, kind=kind), spoken_name="picture_coin"
        )
    return sketches


DIGESTS: Final = Path(__file__).parent / "emoji_digests.txt"
"""The pixels of each emoji as they were last reviewed."""
EMOJIS: Final = EmojiSheet(_sketches(), read_digests(DIGESTS))
