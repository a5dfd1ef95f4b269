"""What the sandbox knows about pictures, file names and emojis, without a bot."""

import json

import pytest

from sandbox import emojis, images, posting, saving
from sandbox.emojis import is_unicode_emoji
from sandbox.files import Upload, clean_name
from sandbox.people import People
from sandbox.world import MAX_DROPPED_FILES, World
from tests.sandbox.pictures import gif, png, uri


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(640, 480), (640, 480)),
        (gif(1), (1, 1)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x11\x08\x00\x05\x00\x09" + bytes(9), (9, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8X" + bytes(8) + b"\x08\x00\x00\x04\x00\x00", (9, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 " + bytes(10) + b"\x09\x00\x05\x00", (9, 5)),
        (b"RIFF\x00\x00\x00\x00WEBPVP8L" + bytes(4) + b"\x2f" + (8 | 4 << 14).to_bytes(4, "little"), (9, 5)),
        (b"\x00\x00\x00\x1cftypavif" + bytes(20) + b"ispe" + bytes(4) + b"\x00\x00\x00\x09\x00\x00\x00\x05", (9, 5)),
        (png(1, 1)[:20], None),
        (b"hello", None),
    ],
    ids=["png", "gif", "jpeg", "webp", "lossy webp", "lossless webp", "avif", "cut off", "text"],
)
def test_the_size_of_an_image(data: bytes, size: tuple[int, int] | None) -> None:
    assert images.size(data) == size


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [("a.png", "a.png"), ("../a b.png", "a_b.png"), ("__x__.gif", "x__.gif"), ("卡", "unknown"), ("", "unknown")],
)
def test_clean_names(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


@pytest.mark.parametrize("name", ["🪶", "👁", "👁️", "↩️", "🎞️", "🇵🇪", "7️⃣", "👩‍👩‍👧‍👦", "👍🏽", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "▶️", "™️"])
def test_these_are_emojis(name: str) -> None:
    assert is_unicode_emoji(name)


@pytest.mark.parametrize("name", ["", "7", "#", "▲", "●", "○", "✦", "−", "a", "🪶🪶", "🪶 ", ":feather:", "\ufe0f"])
def test_these_are_not(name: str) -> None:
    assert not is_unicode_emoji(name)


def test_the_bot_is_not_told_and_the_world_is_saved() -> None:
    world = World()
    people = People(world)
    kinds: list[str] = []
    world.subscribe(lambda change: kinds.append(change.kind))
    emoji = emojis.add(world, "feather", uri(gif(2)))
    emojis.rename(world, emoji, "plume")
    emojis.remove(world, emojis.add(world, "gone", uri(png(1, 1))))
    assert kinds == ["SANDBOX_EMOJIS_CHANGED"] * 4
    fresh = World()
    saving.load(json.loads(json.dumps(saving.dump(world, people))), fresh, People(fresh))
    assert fresh.uploads.emojis == {emoji["id"]: emoji}
    assert fresh.uploads.images[emoji["id"]].data == gif(2)


def test_deleted_files_are_served_a_little_longer_and_then_forgotten() -> None:
    world = World()
    channel = next(iter(world.add_guild("Friends").channels.values()))
    upload = Upload(0, "a.txt", "text/plain", b"a")
    kept = posting.post(world, channel, world.bot, {"content": "kept"}, [upload])
    message = posting.post(world, channel, world.bot, {"content": "changing"}, [upload])
    first = message.files[0]["id"]
    for _ in range(MAX_DROPPED_FILES):
        assert first in world.uploads.files
        posting.edit(world, message, {"attachments": [{"id": 0}]}, [upload])
    posting.delete(world, message)
    assert first not in world.uploads.files
    assert kept.files[0]["id"] in world.uploads.files
    assert len(world.uploads.files) == MAX_DROPPED_FILES + 1
    others = [posting.post(world, channel, world.bot, {"content": "x"}, [upload]) for _ in range(2)]
    posting.delete_many(world, channel, others)
    assert len(world.uploads.files) == MAX_DROPPED_FILES + 1
