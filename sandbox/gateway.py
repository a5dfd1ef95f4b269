"""Discord's gateway: what a bot's WebSocket connection meets."""

import asyncio
import json
import secrets
import time
from collections import deque
from typing import Any

from aiohttp import WSMsgType, web

from sandbox.clock import sleep
from sandbox.events import CLIENT_ONLY, Change
from sandbox.faults import Delay, Duplicate, Faults, Lose, persons_in_event
from sandbox.intents import ALL, GUILDS, MEMBERS, PRIVILEGED, visible_part, wanted
from sandbox.model import Member
from sandbox.sessions import Connection, Session
from sandbox.world import World

Json = dict[str, Any]

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT, MEMBERS_REQUEST, INVALID, HELLO, ACK = (
    0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11,
)  # fmt: skip
CHANNELS = ("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE")
MAX_SENDS_PER_MINUTE = 120
"""Cap on payloads that one connection may send per minute."""
ACK_DELAY_SECONDS = 0.05
"""Delay before a heartbeat is acknowledged.

discord.py records the send time slightly after sending. An earlier ACK, which loopback makes possible, would make it
measure a latency of a whole heartbeat interval.
"""


class Gateway:
    """Discord's gateway for one bot: sessions, shards, RESUME and its failures."""

    def __init__(self, world: World, token: str, faults: Faults) -> None:
        self.world = world
        self.token = token
        self.faults = faults
        self.shards = 1  # the number that `GET /gateway/bot` recommends
        self.heartbeat_seconds = 41.25
        self.allowed_intents = ALL  # without PRIVILEGED, an IDENTIFY that requests those is closed with 4014
        self.identifies_left = 1000
        self.identify_reset_seconds = (
            86_400.0  # seconds until the IDENTIFY budget resets, as `GET /gateway/bot` reports
        )
        self.max_concurrency = 1  # how many shards may IDENTIFY at once: those with different `shard % max_concurrency`
        self.identify_seconds = 0.0  # within this time, Discord's is 5, a second IDENTIFY of such a group is refused
        self.refused_identifies = 0
        self._identified_at: dict[int, float] = {}
        self.logins: list[tuple[float, int]] = []  # when each accepted IDENTIFY came, and of which shard
        self.refuse_identify: int | None = None  # close code for every IDENTIFY, if set
        self.acknowledges_heartbeats = True  # False simulates a zombie connection
        self.open = asyncio.Event()  # while cleared, new connections hang without an answer
        self.open.set()
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        self.heartbeats = 0
        self.connections_seen = 0
        self.resumed = 0
        self._changed = asyncio.Event()
        self._held: list[tuple[Session, str, Json]] = []
        self._late: set[asyncio.Task[None]] = set()
        self._connections: set[Connection] = set()
        world.subscribe(self._on_change)

    # -- for tests

    @property
    def connected(self) -> list[Session]:
        """The sessions that have a live connection, by shard."""
        return sorted((each for each in self.sessions.values() if each.connection), key=lambda each: each.shard)

    async def wait_connected(self, shards: int = 1, seconds: float = 30.0) -> None:
        """Wait until this many shards are connected."""
        async with asyncio.timeout(seconds):
            while len(self.connected) < shards:
                self._changed.clear()
                await self._changed.wait()

    async def close(self, code: int = 4000, *, shard: int | None = None) -> None:
        """Close all sockets, or one shard's, with a close code."""
        for session in self._sessions_of(shard):
            connection, session.connection = session.connection, None
            if connection is not None:
                await connection.close(code)

    def cut(self, *, shard: int | None = None) -> None:
        """Drop all connections, or one shard's, without a close frame."""
        for session in self._sessions_of(shard):
            if session.connection is not None:
                session.connection.abort()
                session.connection = None

    def ask_reconnect(self, *, shard: int | None = None) -> None:
        """Send op 7, which requests a reconnect and RESUME."""
        for session in self._sessions_of(shard):
            if session.connection is not None:
                session.connection.send({"op": RECONNECT, "d": None, "s": None, "t": None})

    def invalidate(self, *, resumable: bool = False, shard: int | None = None) -> None:
        """Send op 9, invalid session; unless resumable, the bot must IDENTIFY again."""
        for session in self._sessions_of(shard):
            if session.connection is not None:
                session.connection.send({"op": INVALID, "d": resumable, "s": None, "t": None})
            if not resumable:
                session.connection = None
                self.sessions.pop(session.id, None)

    def send(self, kind: str, data: Json) -> None:
        """Send every session an event as it is, such as one that was sent before, or a malformed one."""
        for session in self.sessions.values():
            session.dispatch(kind, data)

    def forget_sessions(self) -> None:
        """Make every later RESUME fail, as after a long absence."""
        self.sessions.clear()

    async def stop(self) -> None:
        """Close all connections and cancel delayed events."""
        for task in self._late:
            task.cancel()
        for connection in list(self._connections):
            await connection.close(1001)

    # -- the socket

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection of the bot."""
        await self.open.wait()
        socket = web.WebSocketResponse(max_msg_size=16 * 1024, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, request.transport, compress=request.query.get("compress") == "zlib-stream")
        self._connections.add(connection)
        self.connections_seen += 1
        connection.send(
            {"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat_seconds * 1000)}, "s": None, "t": None}
        )
        session: Session | None = None
        received: deque[float] = deque(maxlen=MAX_SENDS_PER_MINUTE)
        try:
            async for message in socket:
                now = time.monotonic()
                if len(received) == MAX_SENDS_PER_MINUTE and now - received[0] < 60:
                    await connection.close(4008)
                    break
                received.append(now)
                if message.type is not WSMsgType.TEXT:
                    await connection.close(4002)
                    break
                session = await self._receive(connection, session, message.data)
                if socket.closed:
                    break
        finally:
            self._connections.discard(connection)
            connection.stop()
            if session is not None and session.connection is connection:
                session.connection = None
                if socket.close_code in (1000, 1001):  # the bot closed it for good: nothing to resume
                    self.sessions.pop(session.id, None)
        return socket

    async def _receive(self, connection: Connection, session: Session | None, text: str) -> Session | None:
        try:
            payload = json.loads(text)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError):
            await connection.close(4002)
            return session
        if op == HEARTBEAT:
            self.heartbeats += 1
            if session is not None:
                session.acknowledge(data)
            if self.acknowledges_heartbeats:
                ack = {"op": ACK, "d": None, "s": None, "t": None}
                asyncio.get_running_loop().call_later(ACK_DELAY_SECONDS, connection.send, ack)
        elif op == IDENTIFY:
            if session is not None:
                await connection.close(4005)
                return session
            return await self._identify(connection, data)
        elif op == RESUME:
            return await self._resume(connection, data)
        elif session is None:
            await connection.close(4003)
        elif op == MEMBERS_REQUEST:
            self._send_members(session, data)
        elif op not in (PRESENCE, VOICE):
            await connection.close(4001)
        return session

    async def _identify(self, connection: Connection, data: Json) -> Session | None:
        shard, shards = data.get("shard") or (0, 1)
        intents = data.get("intents", 0)
        code = self.refuse_identify
        if code is None and data.get("token") != self.token:
            code = 4004
        elif code is None and not 0 <= shard < shards:
            code = 4010
        elif code is None and intents & ~ALL:
            code = 4013
        elif code is None and intents & PRIVILEGED & ~self.allowed_intents:
            code = 4014
        if code is not None:
            await connection.close(code)
            return None
        group, now = shard % self.max_concurrency, time.monotonic()
        is_early = now - self._identified_at.get(group, -float("inf")) < self.identify_seconds
        if self.identifies_left <= 0 or is_early:
            self.refused_identifies += 1
            connection.send({"op": INVALID, "d": False, "s": None, "t": None})
            return None
        self._identified_at[group] = now
        self.logins.append((now, shard))
        self.identifies_left -= 1
        self.identified += 1
        # A new IDENTIFY gives up the shard's disconnected sessions. A live one may belong to a second copy of the bot.
        for old in [each for each in self.sessions.values() if each.shard == shard and each.connection is None]:
            del self.sessions[old.id]
        session = Session(secrets.token_hex(16), shard, shards, intents, connection)
        self.sessions[session.id] = session
        guilds = [each for each in self.world.guilds_of.get(self.world.bot.id, {}).values() if session.owns(each.id)]
        ready: Json = {
            "v": 10,
            "user": self.world.bot.json() | {"mfa_enabled": False, "verified": True, "email": None},
            "guilds": [{"id": each.id, "unavailable": True} for each in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": [shard, shards],
            "application": {"id": self.world.bot.id, "flags": 0},
            "private_channels": [],
            "relationships": [],
        }
        session.dispatch("READY", ready)
        if intents & GUILDS:
            for guild in guilds:
                if guild.available:
                    session.dispatch("GUILD_CREATE", self.world.guild_json(guild, members=bool(intents & MEMBERS)))
        self._changed.set()
        return session

    async def _resume(self, connection: Connection, data: Json) -> Session | None:
        session = self.sessions.get(data.get("session_id") or "")
        if data.get("token") != self.token:
            await connection.close(4004)
            return None
        if session is None or not session.can_replay(data.get("seq") or 0):
            connection.send({"op": INVALID, "d": False, "s": None, "t": None})
            return None
        session.connection = connection
        session.replay(data["seq"])
        session.dispatch("RESUMED", {})
        self.resumed += 1
        self._changed.set()
        return session

    def _send_members(self, session: Session, data: Json) -> None:
        guild = self.world.guilds.get(str(data.get("guild_id")))
        if guild is None or not session.owns(guild.id):
            return
        missing: list[str] = []
        found: list[Member]
        if data.get("user_ids") is not None:
            requested = data["user_ids"] if isinstance(data["user_ids"], list) else [data["user_ids"]]
            found = [guild.members[str(each)] for each in requested if str(each) in guild.members]
            missing = [str(each) for each in requested if str(each) not in guild.members]
        else:
            found = guild.search(data.get("query") or "")
            found = found[: data.get("limit") or len(found)]
        pages = [found[at : at + 1000] for at in range(0, len(found), 1000)] or [[]]
        for number, page in enumerate(pages):
            chunk: Json = {
                "guild_id": guild.id,
                "members": [each.json() for each in page],
                "chunk_index": number,
                "chunk_count": len(pages),
                "not_found": missing,
            }
            session.dispatch("GUILD_MEMBERS_CHUNK", chunk | ({"nonce": data["nonce"]} if data.get("nonce") else {}))

    # -- events

    def _on_change(self, change: Change) -> None:
        if change.kind in CLIENT_ONLY:
            return
        bot_id = self.world.bot.id
        if not self.sessions:
            return
        # Unlike a person, a bot receives events of channels that it cannot see.
        hidden_channel = change.kind in CHANNELS and change.guild is not None and bot_id in change.guild.members
        if not hidden_channel and not self.world.may_see(change, bot_id):
            return
        guild_id = change.guild.id if change.guild is not None else change.data.get("guild_id")
        for session in self.sessions.values():
            if session.owns(guild_id) and wanted(change.kind, session.intents, in_guild=guild_id is not None):
                self._deliver(session, change.kind, visible_part(change.kind, change.data, session.intents, bot_id))

    def _deliver(self, session: Session, kind: str, data: Json) -> None:
        fault = self.faults.for_event(kind, persons_in_event(data)) if self.faults.events else None
        if isinstance(fault, Lose):
            return
        if isinstance(fault, Delay):
            # Copied, because a late event shows the state at the time of the change.
            self._later(session, kind, json.loads(json.dumps(data)), fault.seconds)
            return
        if fault is not None and not isinstance(fault, Duplicate):
            self._held.append((session, kind, json.loads(json.dumps(data))))
            return
        for _ in range(fault.times if fault is not None else 1):
            session.dispatch(kind, data)
        if self._held:
            held, self._held = self._held, []
            for each in held:
                if each[0] is session:
                    each[0].dispatch(*each[1:])
                else:
                    self._held.append(each)

    def _later(self, session: Session, kind: str, data: Json, seconds: float) -> None:
        async def wait() -> None:
            await sleep(self.world.clock, seconds)
            session.dispatch(kind, data)

        task = asyncio.get_running_loop().create_task(wait())
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    def _sessions_of(self, shard: int | None) -> list[Session]:
        return [each for each in list(self.sessions.values()) if shard is None or each.shard == shard]
