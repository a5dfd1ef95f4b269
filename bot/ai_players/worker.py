"""The process that thinks: reads questions from its input, writes thoughts to its output, and ends with its input.

A question is a view of one seat, never a match: what an AI must not know never comes here.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from bot.ai_players.characters import Character
from bot.engine.core import Prompt
from bot.games.coyote.ai.brain import Thought, think

HEADER: Final = struct.Struct(">I")
NICER: Final = 19
"""Whoever presses a button is answered first."""


class Question(NamedTuple):
    """All that an AI gets to know."""

    view: Any
    prompt: Prompt
    character: Character
    seed: int


def framed(value: object) -> bytes:
    """Return something as it goes through the pipe."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def unframed(body: bytes) -> Any:
    """Read what came through the pipe between this process and the one that started it; nobody else writes there."""
    return pickle.loads(body)  # noqa: S301 - see above


def answer(question: Question) -> Thought | str:
    """Think; what goes wrong becomes a line for the log: what and where, never its words, which may name feathers."""
    try:
        return think(*question)
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        return f"{type(fault).__name__} in {Path(where.filename).name}, line {where.lineno}"


def serve(questions: BinaryIO, thoughts: BinaryIO) -> None:
    """Answer one question after the other until there are no more."""
    while len(header := questions.read(HEADER.size)) == HEADER.size:
        question = Question(*unframed(questions.read(*HEADER.unpack(header))))
        thoughts.write(framed(answer(question)))
        thoughts.flush()


def main() -> None:
    """Serve the pipes; whatever else is printed goes to the log."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which then closes the pipe
    os.nice(NICER)
    thoughts = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        serve(sys.stdin.buffer, thoughts)
    except BrokenPipeError:
        os._exit(0)  # the bot is gone, and nobody waits for the thought


if __name__ == "__main__":
    main()
