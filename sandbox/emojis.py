"""Emojis: the application's own, and which Unicode characters Discord takes for an emoji."""

import base64
import binascii
import re
from typing import Any

from sandbox import images
from sandbox.errors import ApiError
from sandbox.events import EMOJIS_CHANGED
from sandbox.problems import Invalid, Problem, bad_length
from sandbox.world import Stored, World

Json = dict[str, Any]

MAX_EMOJIS = 2000
"""Cap on the application's emojis."""
MAX_EMOJI_BYTES = 256 * 1024
"""Cap on the size of one emoji image, in bytes."""
NAME_CHARACTERS = (2, 32)
"""Fewest and most characters of an emoji's name."""

_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,(.+)", re.DOTALL)
_NAME = re.compile(r"\w*", re.ASCII)


def name_problem(name: str) -> Problem | None:
    """Return what is wrong with an emoji's name, if anything."""
    low, high = NAME_CHARACTERS
    if not low <= len(name) <= high:
        return bad_length(("name",), low, high)
    if not _NAME.fullmatch(name):
        return Problem(("name",), "STRING_TYPE_REGEX", "String value did not match validation regex.")
    return None


def add(world: World, name: str, image: str) -> Json:
    """Add an emoji to the application; `image` is a data URI, judged by its bytes and not by what it claims to be."""
    data = _decoded(image)
    if len(data) > MAX_EMOJI_BYTES:
        kib = f"{MAX_EMOJI_BYTES / 1024} kb"
        raise Invalid(Problem(("image",), "BINARY_TYPE_MAX_SIZE", f"File cannot be larger than {kib}."))
    kind = images.sniff(data)
    if kind is None:
        raise Invalid(Problem(("image",), "IMAGE_INVALID", "Invalid Asset"), code=50046)
    if len(world.uploads.emojis) >= MAX_EMOJIS:
        raise ApiError(30008)
    _require_free(world, name)
    emoji_id = world.ids.next()
    emoji: Json = {
        "id": emoji_id,
        "name": name,
        "user": world.bot.json(),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": images.is_animated(data),
        "available": True,
    }
    world.uploads.emojis[emoji_id] = emoji
    world.uploads.images[emoji_id] = Stored(f"{emoji_id}.{kind.removeprefix('image/')}", kind, data)
    world.publish(EMOJIS_CHANGED, {})
    return emoji


def rename(world: World, emoji: Json, name: str) -> None:
    """Rename an emoji."""
    if name != emoji["name"]:
        _require_free(world, name)
        emoji["name"] = name
        world.publish(EMOJIS_CHANGED, {})


def remove(world: World, emoji: Json) -> None:
    """Remove an emoji. Messages that use it show its name from now on."""
    del world.uploads.emojis[emoji["id"]], world.uploads.images[emoji["id"]]
    world.publish(EMOJIS_CHANGED, {})


def _decoded(image: str) -> bytes:
    found = _IMAGE.fullmatch(image)
    if found is None:
        raise Invalid(Problem(("image",), "IMAGE_INVALID", "Unsupported image type given"))
    try:
        return base64.b64decode(found[1], validate=True)
    except binascii.Error:
        raise Invalid(Problem(("image",), "IMAGE_INVALID", "Invalid image data")) from None


def _require_free(world: World, name: str) -> None:
    if any(each["name"] == name for each in world.uploads.emojis.values()):
        raise Invalid(Problem(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "This emoji name is already taken"))


# Unicode 17: the characters that can be an emoji on their own. ▲ and ● are among those that cannot.
_BASES = """
A9 AE 203C 2049 2122 2139 2194-2199 21A9-21AA 231A-231B 2328 23CF 23E9-23F3 23F8-23FA 24C2 25AA-25AB 25B6 25C0
25FB-25FE 2600-2604 260E 2611 2614-2615 2618 261D 2620 2622-2623 2626 262A 262E-262F 2638-263A 2640 2642 2648-2653
265F-2660 2663 2665-2666 2668 267B 267E-267F 2692-2697 2699 269B-269C 26A0-26A1 26A7 26AA-26AB 26B0-26B1 26BD-26BE
26C4-26C5 26C8 26CE-26CF 26D1 26D3-26D4 26E9-26EA 26F0-26F5 26F7-26FA 26FD 2702 2705 2708-270D 270F 2712 2714 2716
271D 2721 2728 2733-2734 2744 2747 274C 274E 2753-2755 2757 2763-2764 2795-2797 27A1 27B0 27BF 2934-2935 2B05-2B07
2B1B-2B1C 2B50 2B55 3030 303D 3297 3299 1F004 1F0CF 1F170-1F171 1F17E-1F17F 1F18E 1F191-1F19A 1F201-1F202 1F21A
1F22F 1F232-1F23A 1F250-1F251 1F300-1F321 1F324-1F393 1F396-1F397 1F399-1F39B 1F39E-1F3F0 1F3F3-1F3F5 1F3F7-1F3FA
1F400-1F4FD 1F4FF-1F53D 1F549-1F54E 1F550-1F567 1F56F-1F570 1F573-1F57A 1F587 1F58A-1F58D 1F590 1F595-1F596
1F5A4-1F5A5 1F5A8 1F5B1-1F5B2 1F5BC 1F5C2-1F5C4 1F5D1-1F5D3 1F5DC-1F5DE 1F5E1 1F5E3 1F5E8 1F5EF 1F5F3 1F5FA-1F64F
1F680-1F6C5 1F6CB-1F6D2 1F6D5-1F6D8 1F6DC-1F6E5 1F6E9 1F6EB-1F6EC 1F6F0 1F6F3-1F6FC 1F7E0-1F7EB 1F7F0 1F90C-1F93A
1F93C-1F945 1F947-1F9FF 1FA70-1FA7C 1FA80-1FA8A 1FA8E-1FAC6 1FAC8 1FACD-1FADC 1FADF-1FAEA 1FAEF-1FAF8
"""
_BASE = "[" + "".join(re.sub(r"([0-9A-F]+)", lambda code: chr(int(code[1], 16)), each) for each in _BASES.split()) + "]"
_ONE = f"{_BASE}\ufe0f?[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
_UNICODE = re.compile(f"{_ONE}(?:\u200d{_ONE})*|[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3")


def is_unicode_emoji(name: str) -> bool:
    """Whether a text is exactly one Unicode emoji, such as 🪶, 👁️‍🗨️, 🇵🇪 or 7️⃣."""
    return _UNICODE.fullmatch(name) is not None
