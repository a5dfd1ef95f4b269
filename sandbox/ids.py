"""Discord's ids (snowflakes), which contain the time of their creation."""

from sandbox.clock import Clock

DISCORD_EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Generates Discord ids: unique, increasing and time-stamped. The same clock yields the same ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> str:
        """Return an id greater than all earlier ones."""
        at = (int(self._clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(at, self._last + 1)
        return str(self._last)

    def after(self, snowflake: str) -> None:
        """Make all later ids greater than this one; used when a saved world is loaded."""
        self._last = max(self._last, int(snowflake))


def moment(snowflake: str) -> float:
    """Return the creation time in an id, in seconds since 1970."""
    return ((int(snowflake) >> 22) + DISCORD_EPOCH_MS) / 1000
