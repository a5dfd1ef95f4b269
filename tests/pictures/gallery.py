"""`make gallery`: every kind of picture and emoji on one page, artefacts/gallery/index.html."""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

import bot.games.registry  # noqa: F401 - registers the games
from bot.pictures.game import DRAWINGS, draw_emoji
from bot.text.catalogue import Catalogue, catalogue, languages
from tests.pictures import scenes
from tests.pictures.scenes import Scene

FOLDER = Path(__file__).parents[2] / "artefacts" / "gallery"
THEMES = ("dark", "light")
Section: TypeAlias = Callable[[Catalogue], Iterator[Scene]]
SECTIONS: dict[str, Section] = {
    "Looks": scenes.looks,
    "Looks at rare moments": scenes.rare_looks,
    "Reveals": scenes.reveals,
    "Finals": scenes.finals,
    "Camps": scenes.camps,
    "Scorings": scenes.scorings,
    "Statistics": scenes.charts,
}
_STYLE = """
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff }
h1, h2 { margin: 24px 24px 8px } .dark { background: #313338; color: #dbdee1 } .light { background: #fff }
.row { display: flex; flex-wrap: wrap; gap: 18px; padding: 16px 24px; align-items: flex-start }
figure { margin: 0; width: 260px } figure img { width: 260px; border-radius: 8px; display: block }
figcaption { font-size: 12px; margin-top: 6px } .emoji { width: 118px; text-align: center; font-size: 11px }
.emoji img { vertical-align: middle; margin: 2px }
"""


def emoji_rows(folder: Path) -> Iterator[str]:
    """Yield the emojis of every game on both themes: large, as alone in a message, and as in a line of text."""
    for game, drawings in DRAWINGS.items():
        for name in drawings.emojis.names:
            (folder / f"{name}.png").write_bytes(draw_emoji(name).data)
        for theme in THEMES:
            cells = "".join(
                f'<div class="emoji"><img src="{name}.png" width="72"><br><img src="{name}.png" width="44">'
                f'<img src="{name}.png" width="22"><br>{name}</div>'
                for name in drawings.emojis.names
            )
            yield f'<h2>{game}, {theme}</h2><div class="row {theme}">{cells}</div>'


def picture_rows(folder: Path, language: str, sections: Mapping[str, Section] = SECTIONS) -> Iterator[str]:
    """Yield the pictures of a language, each on both themes, as wide as on a phone."""
    say = catalogue(language)
    for title, draw in sections.items():
        figures = []
        for scene in draw(say):
            file = f"{language}_{scene.name}.png"
            if (folder / file).exists():
                raise ValueError(f"two pictures are called {scene.name}")
            (folder / file).write_bytes(scene.picture.data)
            size = f"{scene.picture.width}×{scene.picture.height}, {len(scene.picture.data) / 1024:.0f} KiB"
            about = html.escape(scene.picture.description)
            figures.append(
                f'<figure><img src="{file}" alt="{about}"><figcaption><b>{scene.name}</b> {size}<br>{about}'
                "</figcaption></figure>"
            )
        for theme in THEMES:
            yield f'<h2>{title} ({language}, {theme})</h2><div class="row {theme}">{"".join(figures)}</div>'


def write_gallery(
    folder: Path, spoken: Sequence[str], sections: Mapping[str, Section] = SECTIONS, *, emojis: bool = True
) -> Path:
    """Draw everything into a folder, in these languages; return the page."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    rows = [*emoji_rows(folder)] if emojis else []
    for language in spoken:
        rows += picture_rows(folder, language, sections)
    page = f'<!doctype html><meta charset="utf-8"><title>Gallery</title><style>{_STYLE}</style><h1>Gallery</h1>'
    (folder / "index.html").write_text(page + "\n".join(rows), encoding="utf-8")
    return folder / "index.html"


if __name__ == "__main__":
    sys.stdout.write(f"{write_gallery(FOLDER, languages())}\n")
