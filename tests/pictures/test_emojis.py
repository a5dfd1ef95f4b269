"""Emojis: every card has one, they fit Discord, and kinds differ by shape."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.engine.registry import RULES
from bot.games.coyote.emoji_names import NUMBERS, feather_emoji
from bot.games.coyote.pictures.emojis import DIGESTS as COYOTE_DIGESTS
from bot.games.coyote.pictures.emojis import EMOJIS
from bot.games.coyote.rules.cards import DECKS, SPECIALS
from bot.games.coyote.rules.editions import HIGHEST_CARD
from bot.games.plenty_coups.emoji_names import card_emoji, tribe_emoji
from bot.games.plenty_coups.pictures.emojis import DIGESTS as PLENTY_COUPS_DIGESTS
from bot.games.plenty_coups.pictures.emojis import EMOJIS as PLENTY_COUPS_EMOJIS
from bot.games.plenty_coups.rules.cards import FACES, Tribe
from bot.pictures.emojis import SIZE, EmojiSheet, EmojiSketch, digest_of, read_digests
from bot.pictures.game import DRAWINGS, draw_emoji, emoji_names
from tests.pictures.likeness import changed_tiles

GOLDEN = Path(__file__).parents[1] / "golden" / "pictures"
CELL, COLUMNS = 64, 12
"""How large emojis are on a golden sheet, and how many stand in a row."""
MOST_BYTES = 256 << 10
"""Discord's limit for an emoji."""


def test_every_card_of_every_deck_has_an_emoji() -> None:
    for deck in DECKS.values():
        for card, _ in deck:
            assert feather_emoji(card) in EMOJIS
    assert feather_emoji(None) in EMOJIS
    assert all(card_emoji(card) in PLENTY_COUPS_EMOJIS for card in FACES)
    assert all(tribe_emoji(tribe) in PLENTY_COUPS_EMOJIS for tribe in Tribe)


def test_numbers_of_odd_house_decks_are_left_to_text() -> None:
    assert feather_emoji(HIGHEST_CARD) is None
    assert feather_emoji(-HIGHEST_CARD) is None
    assert [feather_emoji(card) for card in (7, -5, 0)] == ["feather_plus_7", "feather_minus_5", "feather_zero"]


def test_all_games_have_emojis_with_names_of_their_own() -> None:
    assert RULES.keys() >= DRAWINGS.keys() >= {"coyote", "plenty-coups"} & RULES.keys()
    names = emoji_names()
    assert len(names) == len(set(names)) <= 500
    assert all(name.replace("_", "").isalnum() and name == name.lower() for name in names)


def test_emojis_fit_discord_and_all_differ() -> None:
    drawn = [draw_emoji(name) for name in emoji_names()]
    assert len({emoji.data for emoji in drawn}) == len(drawn)
    for emoji in drawn:
        image = Image.open(io.BytesIO(emoji.data))
        assert (image.format, image.size, image.mode) == ("PNG", (SIZE, SIZE), "RGBA")
        assert len(emoji.data) <= MOST_BYTES
        box = image.getchannel("A").getbbox()
        assert box is not None
        assert max(box[2] - box[0], box[3] - box[1]) >= 100, f"{emoji.name} is lost in its box"
    with pytest.raises(KeyError):
        draw_emoji("nonsense")


def _outline(name: str) -> Image.Image:
    return Image.open(io.BytesIO(draw_emoji(name).data)).getchannel("A").point(lambda level: 255 * (level > 127))


def test_kinds_differ_by_shape() -> None:
    """Without any colour, the outlines alone tell the kinds of feathers and the tribes apart."""
    feathers = [feather_emoji(card) for card in (None, 7, -5, 0, *SPECIALS)]
    for family in (feathers, [tribe_emoji(tribe) for tribe in Tribe], ["coyote_coin", "picture_coin_skip", "eye_open"]):
        for one, other in combinations([name for name in family if name is not None], 2):
            differing = ImageChops.difference(_outline(one), _outline(other)).histogram()[255]
            assert differing > 0.02 * SIZE * SIZE, f"{one} and {other} have nearly the same outline"


def test_an_emoji_is_drawn_the_same_again() -> None:
    name = feather_emoji(NUMBERS[0])
    assert name is not None
    assert draw_emoji(name) == draw_emoji(name)


def test_names_that_discord_refuses_are_refused() -> None:
    with pytest.raises(ValueError, match="Feather 7"):
        EmojiSheet({"Feather 7": EmojiSketch(lambda _brush: None)})


def _cell(image: Image.Image, place: int) -> Image.Image:
    left, top = place % COLUMNS * CELL, place // COLUMNS * CELL
    return image.crop((left, top, left + CELL, top + CELL))


def _golden_sheet(sheet: EmojiSheet) -> Image.Image:
    """Draw all emojis of a game side by side."""
    drawn = Image.new("RGB", (COLUMNS * CELL, math.ceil(len(sheet.names) / COLUMNS) * CELL), "#888888")
    for place, name in enumerate(sheet.names):
        emoji = Image.open(io.BytesIO(sheet.draw(name).data)).resize((CELL, CELL))
        drawn.paste(emoji, (place % COLUMNS * CELL, place // COLUMNS * CELL), emoji)
    return drawn


def _changed(sheet: EmojiSheet, golden: Image.Image, listed: Sequence[str]) -> list[str]:
    """Return the emojis that are not on the golden sheet, or look different there; `listed` are the names on it."""
    drawn = _golden_sheet(sheet)
    places = {name: place for place, name in enumerate(listed)}
    return [
        name
        for place, name in enumerate(sheet.names)
        if name not in places or changed_tiles(_cell(drawn, place), _cell(golden, places[name]))
    ]


def _rewrite(sheet: EmojiSheet, path: Path, digests: Path) -> None:
    """Draw again what has changed, and only that: what looks the same keeps its digest and is not uploaded again."""
    before = read_digests(digests)
    golden = Image.open(path).convert("RGB") if path.exists() else Image.new("RGB", (1, 1))
    changed, fresh = _changed(sheet, golden, list(before)), _golden_sheet(sheet)
    places = {name: place for place, name in enumerate(before)}
    for place, name in enumerate(sheet.names):
        if name not in changed:
            fresh.paste(_cell(golden, places[name]), (place % COLUMNS * CELL, place // COLUMNS * CELL))
    fresh.save(path, optimize=True)
    now = {name: digest_of(sheet.draw(name)) if name in changed else before[name] for name in sheet.names}
    digests.write_text("".join(f"{name} {digest}\n" for name, digest in now.items()), encoding="utf-8")


@pytest.mark.parametrize(("sheet", "digests"), [(EMOJIS, COYOTE_DIGESTS), (PLENTY_COUPS_EMOJIS, PLENTY_COUPS_DIGESTS)])
def test_golden_emojis(sheet: EmojiSheet, digests: Path) -> None:
    """A drawing that has changed is reviewed on its sheet, and has another digest: then it is uploaded again."""
    path = GOLDEN / f"emojis_{digests.parents[1].name.replace('_', '-')}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        _rewrite(sheet, path, digests)
    listed = read_digests(digests)
    assert path.exists(), f"{path} is missing: run `make golden` and look at it"
    assert tuple(listed) == sheet.names, "run `make golden`"
    assert len(set(listed.values())) == len(listed)
    changed = _changed(sheet, Image.open(path).convert("RGB"), list(listed))
    assert not changed, f"run `make golden` and look at {', '.join(changed)}"


def test_only_emojis_that_look_different_get_another_digest(tmp_path: Path) -> None:
    sketches = {name: EMOJIS._sketches[name] for name in ("feather_plus_7", "feather_plus_8")}
    path, digests = tmp_path / "sheet.png", tmp_path / "digests.txt"
    digests.write_text("", encoding="utf-8")
    _rewrite(EmojiSheet(sketches), path, digests)
    assert set(read_digests(digests)) == set(sketches)
    kept = read_digests(digests) | {"feather_plus_7": "0123456789abcdef"}  # as another drawing library would make it
    digests.write_text("".join(f"{name} {digest}\n" for name, digest in kept.items()), encoding="utf-8")
    _rewrite(EmojiSheet(sketches), path, digests)
    assert read_digests(digests) == kept
    other = EmojiSheet(sketches | {"feather_plus_8": EMOJIS._sketches["feather_plus_3"]})
    assert _changed(other, Image.open(path).convert("RGB"), list(kept)) == ["feather_plus_8"]
    _rewrite(other, path, digests)
    assert read_digests(digests)["feather_plus_7"] == kept["feather_plus_7"]
    assert read_digests(digests)["feather_plus_8"] == digest_of(EMOJIS.draw("feather_plus_3"))
