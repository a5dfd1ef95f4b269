from sandbox.clock import Clock

DISCORD_EPOCH_MS = 1_420_070_400_000


class Snowflakes:
    """Ids as Discord makes them: unique, growing, carrying the clock's time; the same clock gives the same ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> str:
        """Return an id greater than every id before it."""
        at = (int(self._clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        self._last = max(at, self._last + 1)
        return str(self._last)

    def after(self, snowflake: str) -> None:
        """Make every further id greater than this one (used when a kept world is loaded)."""
        self._last = max(self._last, int(snowflake))


def moment(snowflake: str) -> float:
    """Return the time, in seconds since 1970, that an id carries."""
    return ((int(snowflake) >> 22) + DISCORD_EPOCH_MS) / 1000
