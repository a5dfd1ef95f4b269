"""Reads what an image file says about itself: its format, its size, and whether it moves."""

import struct

_PNG = b"\x89PNG\r\n\x1a\n"
_GIF_FRAME = b"\x00\x21\xf9\x04"  # the end of a block, then a graphic control extension


def sniff(data: bytes) -> str | None:
    """Return the content type of a PNG, JPEG, GIF, WebP or AVIF image, judged by its first bytes alone."""
    if data.startswith(_PNG):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return None


def is_animated(data: bytes) -> bool:
    """Whether a GIF, WebP or AVIF image has more than one frame."""
    kind = sniff(data)
    if kind == "image/gif":
        return data.count(_GIF_FRAME) > 1
    if kind == "image/webp":
        return data[12:16] == b"VP8X" and bool(data[20] & 0x02)
    return kind == "image/avif" and data[8:12] == b"avis"


def size(data: bytes) -> tuple[int, int] | None:
    """Return the width and height of an image; None if the file does not say."""
    kind = sniff(data)
    try:
        if kind == "image/png":
            return _pair(">II", data, 16)
        if kind == "image/gif":
            return _pair("<HH", data, 6)
        if kind == "image/jpeg":
            return _jpeg_size(data)
        if kind == "image/webp":
            return _webp_size(data)
        at = data.find(b"ispe") if kind == "image/avif" else -1
        return None if at < 0 else _pair(">II", data, at + 8)
    except struct.error:  # the file is cut off
        return None


def _pair(form: str, data: bytes, at: int) -> tuple[int, int]:
    width, height = struct.unpack_from(form, data, at)
    return width, height


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8 ":
        width, height = _pair("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = _pair(">HH", data, at + 5)
            return width, height
        at += 2 + length
    return None
