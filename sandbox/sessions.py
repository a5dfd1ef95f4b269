"""Gateway sessions, and the sockets that carry them."""

import asyncio
import json
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Json = dict[str, Any]

MAX_REPLAY_EVENTS = 20_000
"""Cap on events that a session keeps for RESUME."""

encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


class Connection:
    """One socket. Frames are sent in order; if `compress` is set, they form one zlib stream."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, *, compress: bool) -> None:
        self.socket = socket
        self._transport = transport
        self.compressed = compress
        self._zlib = zlib.compressobj(1) if compress else None
        self._frames: asyncio.Queue[bytes | str | None] = asyncio.Queue()
        self._writer = asyncio.get_running_loop().create_task(self._write())

    def send(self, payload: Json) -> None:
        """Queue a payload."""
        self.send_text(encode(payload))

    def send_text(self, text: str) -> None:
        """Queue a payload that is already JSON."""
        if self._zlib is None:
            self._frames.put_nowait(text)
        else:
            data = self._zlib.compress(text.encode()) + self._zlib.flush(zlib.Z_SYNC_FLUSH)
            self._frames.put_nowait(data)

    async def close(self, code: int) -> None:
        """Send the queued frames, then close with a code."""
        self._frames.put_nowait(None)
        await asyncio.wait((self._writer,), timeout=1)
        # A live peer confirms the close at once; the timeout is for one that is gone.
        try:
            async with asyncio.timeout(1):
                await self.socket.close(code=code)
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        self._writer.cancel()
        if self._transport is not None:
            self._transport.abort()

    def stop(self) -> None:
        """Stop the writer once the socket is closed."""
        self._writer.cancel()

    async def _write(self) -> None:
        while True:
            frame = await self._frames.get()
            if frame is None:
                return
            try:
                if isinstance(frame, str):
                    await self.socket.send_str(frame)
                else:
                    await self.socket.send_bytes(frame)
            except (ConnectionError, RuntimeError):
                return


@dataclass(slots=True)
class Session:
    """The session of one shard: its numbered events, kept so that a RESUME can replay missed ones."""

    id: str
    shard: int
    shards: int
    intents: int
    connection: Connection | None = None
    sequence: int = 0
    events: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=MAX_REPLAY_EVENTS))

    def owns(self, guild_id: str | None) -> bool:
        """Whether events of this server, or of no server, belong to this shard."""
        return self.shard == (0 if guild_id is None else (int(guild_id) >> 22) % self.shards)

    def dispatch(self, kind: str, data: Json) -> None:
        """Number and store an event, and send it if the shard is connected."""
        self.sequence += 1
        text = encode({"op": 0, "s": self.sequence, "t": kind, "d": data})
        self.events.append((self.sequence, text))
        if self.connection is not None:
            self.connection.send_text(text)

    def acknowledge(self, sequence: int | None) -> None:
        """Discard the events that the shard has confirmed."""
        while self.events and sequence is not None and self.events[0][0] <= sequence:
            self.events.popleft()

    def can_replay(self, sequence: int) -> bool:
        """Whether all events after this number are still stored."""
        oldest = self.events[0][0] if self.events else self.sequence + 1
        return oldest - 1 <= sequence <= self.sequence

    def replay(self, sequence: int) -> None:
        """Send all events after this number again."""
        if self.connection is not None:
            for number, text in self.events:
                if number > sequence:
                    self.connection.send_text(text)
