"""Runs `python -m bot` again and again, and kills each run one file operation later than the run before it.

Each run is a fork. After each run, the parent prints its exit code and waits for a line of input. test_backup.py uses
this to interrupt a command at every point at which it changes a file.
"""

import os
import signal
import sys

import bot.cli.main
import bot.store.sqlite.backup  # noqa: F401 - so that only files of the database are counted
from bot.__main__ import main

CHANGES = ("open", "os.rename", "os.link", "os.remove", "sqlite3.connect", "os.mkdir", "os.chmod")


def _run(step: int, arguments: list[str]) -> int:
    left = step

    def die(event: str, _: object) -> None:
        nonlocal left
        if event in CHANGES:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(die)
    return main(arguments)


if __name__ == "__main__":
    number = 0
    while True:
        number += 1
        child = os.fork()
        if child == 0:
            os.dup2(2, 1)
            os._exit(_run(number, [each.replace("STEP", str(number)) for each in sys.argv[1:]]))
        status = os.waitpid(child, 0)[1]
        print(os.waitstatus_to_exitcode(status), flush=True)
        if not sys.stdin.readline():
            break
