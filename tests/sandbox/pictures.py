"""Small pictures and layouts for tests."""

import base64
import io
import struct
import zlib
from typing import Any

import discord
from discord import ui


def png(width: int, height: int) -> bytes:
    """Return a black picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress(b"".join(b"\x00" * (width + 1) for _ in range(height)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def gif(frames: int) -> bytes:
    """Return a GIF of one pixel with this many frames."""
    frame = b"\x21\xf9\x04\x00\x0a\x00\x00\x00" + b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00" + b"\x02\x02\x44\x01\x00"
    colours = b"\x00\x00\x00\xff\xff\xff"
    return b"GIF89a\x01\x00\x01\x00\x80\x00\x00" + colours + b"\x21\xfe\x01x\x00" + frame * frames + b";"


def picture(name: str = "table.png", alt: str | None = "The table", data: bytes | None = None) -> discord.File:
    """Return a file to send."""
    return discord.File(io.BytesIO(png(9, 5) if data is None else data), name, description=alt)


def layout(*items: ui.Item[Any]) -> ui.LayoutView:
    """Return a Components V2 message."""
    view = ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    return view


def gallery(*names: str, alt: str | None = "The table") -> ui.MediaGallery[Any]:
    """Return a media gallery of files that are sent along."""
    return ui.MediaGallery(*(discord.MediaGalleryItem(f"attachment://{name}", description=alt) for name in names))


def uri(data: bytes, kind: str = "png") -> str:
    """Return an image as Discord wants it in JSON."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
