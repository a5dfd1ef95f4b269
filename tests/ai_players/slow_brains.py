"""Brains that take their time, for tests; the process that thinks imports them."""

from __future__ import annotations

import time
from pathlib import Path

from bot.ai_players.brains import Thought
from bot.ai_players.characters import Character
from bot.engine.core import Prompt


def slow(view: str, _prompt: Prompt, _character: Character, seed: int) -> Thought:
    """Touch the file that `view` names, think for a moment, and answer with the seed."""
    Path(view).touch()
    time.sleep(0.5)
    return Thought(seed)


def endless(_view: str, _prompt: Prompt, _character: Character, _seed: int) -> Thought:
    """Think for ever."""
    while True:
        time.sleep(1)
