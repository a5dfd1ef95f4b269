"""The process that thinks: reads questions from its input, writes thoughts to its output, ends when its input ends.

With the number of a listening socket as argument, it is one of several that think for all bot processes of a machine:
each connection asks one question. Its input then says only when to end.

A question holds the view of one seat, never a match, so what an AI player must not know never gets here. It also names
the brain. Reading a question imports the module of that brain, and no other part of any game.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import socket
import struct
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from bot.ai_players.brains import Brain, Thought
from bot.ai_players.characters import Character
from bot.engine.core import Prompt

HEADER: Final = struct.Struct(">I")
"""Precedes every message on the pipes: its length in bytes."""
NICENESS: Final = 19
"""The lowest priority, so that people who press buttons are answered first."""

READ_SECONDS: Final = 1.0
"""How long a bot process may take to send a question to a socket, or to take the thought."""


class Question(NamedTuple):
    """One prompt for an AI player, with everything that it may know."""

    brain: Brain[Any]
    view: Any
    prompt: Prompt
    character: Character
    seed: int


def pack(value: object) -> bytes:
    """Return a message for the pipe, with its header."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(body)) + body


def unpack(body: bytes) -> Any:
    """Read a message without its header.

    Safe: only the bot and the processes that it started write to the pipes, and only they reach the socket, whose
    folder nobody else can open.
    """
    return pickle.loads(body)  # noqa: S301 - see above


def answer(body: bytes) -> Thought | str:
    """Return the thought for a packed question, or a line for the log if the brain fails.

    The line names the fault and its place. It leaves out the fault's message, which may quote cards.
    """
    try:
        brain, *known = unpack(body)
        thought: Thought = brain(*known)
        return thought
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        return f"{type(fault).__name__} in {Path(where.filename).name}, line {where.lineno}"


def serve(questions: BinaryIO, thoughts: BinaryIO) -> None:
    """Answer one question after the other until the input ends."""
    while len(header := questions.read(HEADER.size)) == HEADER.size:
        thoughts.write(pack(answer(questions.read(*HEADER.unpack(header)))))
        thoughts.flush()


def serve_socket(listening: socket.socket, end: BinaryIO, most_seconds: float) -> None:
    """Answer one question of each connection until something is read from `end`, or it ends.

    A thought that takes too long ends this process, since nobody waits for it any more.
    """
    while True:
        ready, _, _ = select.select([listening.fileno(), end.fileno()], [], [])
        if end.fileno() in ready:
            return
        try:
            connection, _ = listening.accept()
        except BlockingIOError:
            continue  # another worker was quicker
        with connection, suppress(OSError):  # the asker has gone, or takes too long
            connection.settimeout(READ_SECONDS)
            with connection.makefile("rwb") as stream:
                header = stream.read(HEADER.size)
                if len(header) < HEADER.size:
                    continue
                asked = stream.read(*HEADER.unpack(header))
                signal.setitimer(signal.ITIMER_REAL, most_seconds)
                found = pack(answer(asked))
                signal.setitimer(signal.ITIMER_REAL, 0)
                stream.write(found)


def main(arguments: Sequence[str] = ()) -> None:
    """Serve standard input and output, or a socket; what is printed goes to standard error instead."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the bot, which then closes the pipe
    os.nice(NICENESS)
    if arguments:
        number, most_seconds = arguments
        serve_socket(socket.socket(fileno=int(number)), sys.stdin.buffer, float(most_seconds))
        return
    thoughts = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        serve(sys.stdin.buffer, thoughts)
    except BrokenPipeError:
        os._exit(0)  # the bot has ended, so nobody reads this thought


if __name__ == "__main__":
    main(sys.argv[1:])
