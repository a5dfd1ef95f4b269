"""Runs something as a user who is not root, so that tests of access rights mean something wherever they run."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

import pytest

NOBODY: Final = 65_534
"""The user and group that own nothing on most systems."""
_FAILED: Final = 97
_MUST_STAY_ROOT: Final = 98


def as_other_user(work: Callable[[], int], folder: Path) -> tuple[int, str, str]:
    """Return exit code, output and errors of `work`, which runs in a child process that is not root's.

    What it imports should be imported already: that user may not be able to read it.
    """
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as err,
    ):
        child = os.fork()
        if not child:
            os._exit(_in_child(work, folder, out, err))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code == _MUST_STAY_ROOT:
            pytest.skip("this root may not become another user")
        out.seek(0)
        err.seek(0)
        said = out.read(), err.read()
    assert code != _FAILED, said[1]
    return code, *said


def _in_child(work: Callable[[], int], folder: Path, out: TextIO, err: TextIO) -> int:
    sys.stdout, sys.stderr = out, err
    try:
        if os.geteuid() == 0:
            try:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            except OSError:
                return _MUST_STAY_ROOT
        os.chdir(folder)
        return work()
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return _FAILED
    finally:
        out.flush()
        err.flush()
