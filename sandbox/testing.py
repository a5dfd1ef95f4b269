"""For tests of a bot: nothing that Discord would refuse may go unnoticed."""

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.server import Sandbox


@contextmanager
def checked(sandbox: Sandbox) -> Iterator[Sandbox]:
    """Fail at the end if the bot sent what Discord would refuse, or the sandbox answered what Discord never would."""
    sandbox.violations.clear()
    sandbox.api.bad_answers.clear()
    yield sandbox
    unexpected = [*map(str, sandbox.violations), *(f"the sandbox answered {each}" for each in sandbox.api.bad_answers)]
    if unexpected:
        raise AssertionError("\n".join(["Discord would not have had this:", *unexpected]))
