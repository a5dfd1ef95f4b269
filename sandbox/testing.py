"""For tests of a bot: reports everything that Discord would refuse."""

from collections.abc import Iterator
from contextlib import contextmanager

from sandbox.server import Sandbox


@contextmanager
def checked(sandbox: Sandbox) -> Iterator[Sandbox]:
    """Fail at the end if the bot sent an invalid request or the sandbox gave an invalid answer."""
    sandbox.violations.clear()
    sandbox.api.bad_answers.clear()
    yield sandbox
    unexpected = [*map(str, sandbox.violations), *(f"the sandbox answered {each}" for each in sandbox.api.bad_answers)]
    if unexpected:
        raise AssertionError("\n".join(["Discord would have refused this:", *unexpected]))
