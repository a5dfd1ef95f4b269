"""Pillow, imported when something is drawn for the first time.

A bot at rest does without its five megabytes, and the import happens in the thread that draws, not on the event loop.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any


class _Later:
    """Stands in for one of Pillow's modules, and has its attributes as they are asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._name), name)
        setattr(self, name, found)  # so that this is asked only once
        return found


if TYPE_CHECKING:
    from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont
else:
    Image = _Later("PIL.Image")
    ImageChops = _Later("PIL.ImageChops")
    ImageDraw = _Later("PIL.ImageDraw")
    ImageFilter = _Later("PIL.ImageFilter")
    ImageFont = _Later("PIL.ImageFont")

__all__ = ["Image", "ImageChops", "ImageDraw", "ImageFilter", "ImageFont"]
