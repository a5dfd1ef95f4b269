"""`make gallery`: every kind of picture and emoji on one page, artefacts/gallery/index.html."""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import bot.games.registry  # noqa: F401 - registers the games
from bot.pictures.game import DRAWINGS, draw_emoji
from bot.text.catalogue import Catalogue, catalogue, languages
from tests.pictures import scenes
from tests.pictures.scenes import Scene

FOLDER = Path(__file__).parents[2] / "artefacts" / "gallery"
_SECTIONS: dict[str, Callable[[Catalogue], Iterator[Scene]]] = {
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
figure { margin: 0; width: 350px } figure img { width: 350px; border-radius: 8px; display: block }
figcaption { font-size: 12px; margin-top: 6px } .emoji { width: 118px; text-align: center; font-size: 11px }
.emoji img { vertical-align: middle; margin: 2px }
"""


def emoji_rows() -> Iterator[str]:
    """Yield the emojis of every game on both themes: large, as alone in a message, and as in a line of text."""
    for game, drawings in DRAWINGS.items():
        for name in drawings.emojis.names:
            (FOLDER / f"{name}.png").write_bytes(draw_emoji(name).data)
        for theme in ("dark", "light"):
            cells = "".join(
                f'<div class="emoji"><img src="{name}.png" width="72"><br><img src="{name}.png" width="44">'
                f'<img src="{name}.png" width="22"><br>{name}</div>'
                for name in drawings.emojis.names
            )
            yield f'<h2>{game}, {theme}</h2><div class="row {theme}">{cells}</div>'


def picture_rows(language: str) -> Iterator[str]:
    """Yield the pictures of a language, on both themes in turn."""
    say = catalogue(language)
    for title, draw in _SECTIONS.items():
        figures = []
        for number, scene in enumerate(draw(say)):
            file = f"{language}_{number}_{scene.name}.png"
            (FOLDER / file).write_bytes(scene.picture.data)
            size = f"{scene.picture.width}×{scene.picture.height}, {len(scene.picture.data) / 1024:.0f} KiB"
            about = html.escape(scene.picture.description)
            figures.append(
                f'<figure><img src="{file}" alt="{about}"><figcaption><b>{scene.name}</b> {size}<br>{about}'
                "</figcaption></figure>"
            )
        half = -(-len(figures) // 2)
        yield f"<h2>{title} ({language})</h2>"
        yield f'<div class="row dark">{"".join(figures[:half])}</div>'
        yield f'<div class="row light">{"".join(figures[half:])}</div>'


def main() -> None:
    """Draw everything and print where the page is."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    rows = [*emoji_rows()]
    for language in languages():
        rows += picture_rows(language)
    page = f'<!doctype html><meta charset="utf-8"><title>Gallery</title><style>{_STYLE}</style><h1>Gallery</h1>'
    (FOLDER / "index.html").write_text(page + "\n".join(rows), encoding="utf-8")
    sys.stdout.write(f"{FOLDER / 'index.html'}\n")


if __name__ == "__main__":
    main()
