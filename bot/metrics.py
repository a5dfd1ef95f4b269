"""What is measured while the bot runs, for `/metrics`. No label names a person, a server, a table or a card."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info

REGISTRY: Final = CollectorRegistry()
_WHOLE_DATABASE: Final = "Of the whole database: of many processes each reports all, so take the maximum, not the sum."

BUILD: Final = Info("coyote_build", "Versions of the bot, Python and SQLite.", registry=REGISTRY)
HEALTHY: Final = Gauge("coyote_healthy", "1 if the bot knows of no problem, as `/healthz` says.", registry=REGISTRY)
GUILDS: Final = Gauge("coyote_servers", "Servers that the bot is in.", registry=REGISTRY)
GATEWAY_UP: Final = Gauge("coyote_gateway_up", "1 if a shard is connected to Discord.", ["shard"], registry=REGISTRY)
GATEWAY_LATENCY: Final = Gauge(
    "coyote_gateway_latency_seconds", "Time until Discord answers a heartbeat.", ["shard"], registry=REGISTRY
)
LOOP_LAG: Final = Histogram(
    "coyote_event_loop_lag_seconds",
    "How late the event loop wakes up, measured once a second.",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
    registry=REGISTRY,
)
ACKNOWLEDGED: Final = Histogram(
    "coyote_acknowledgement_seconds",
    "Time from the arrival of a click or command until Discord has its first answer, or until it is known that the"
    " answer was lost, came too late or failed.",
    ["kind", "outcome"],
    buckets=(0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3),
    registry=REGISTRY,
)
COMMIT: Final = Histogram(
    "coyote_commit_seconds",
    "Time to write one transaction to the disk.",
    buckets=(0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1),
    registry=REGISTRY,
)
COMMITTED: Final = Counter("coyote_committed_steps", "Steps that were written to the disk.", registry=REGISTRY)
OUTBOX: Final = Gauge(
    "coyote_outbox_messages",
    f"Messages that wait to be sent. {_WHOLE_DATABASE}",
    registry=REGISTRY,
)
OUTBOX_AGE: Final = Gauge(
    "coyote_outbox_oldest_seconds", f"Age of the oldest message that waits. {_WHOLE_DATABASE}", registry=REGISTRY
)
OPEN_TABLES: Final = Gauge(
    "coyote_open_tables",
    f"Lobbies and running games. {_WHOLE_DATABASE}",
    ["game", "edition", "stage"],
    registry=REGISTRY,
)
AI_THINKING: Final = Histogram(
    "coyote_ai_thinking_seconds",
    "Time an AI player takes for a move, including the wait for its turn to think.",
    ["game"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 5),
    registry=REGISTRY,
)
REFUSALS: Final = Counter("coyote_refusals", "Moves and commands that were refused.", ["reason"], registry=REGISTRY)
ERRORS: Final = Counter("coyote_errors", "Errors in the log, by the part of the bot.", ["kind"], registry=REGISTRY)
REQUESTS: Final = Counter("coyote_discord_requests", "Requests to Discord, by status.", ["status"], registry=REGISTRY)
RATE_LIMITS: Final = Counter("coyote_rate_limits", "Rate limits hit at Discord.", ["scope"], registry=REGISTRY)
DM_REFUSALS: Final = Counter("coyote_dm_refusals", "Direct messages that Discord refused.", ["kind"], registry=REGISTRY)
PINGS_LEFT_OUT: Final = Counter("coyote_pings_left_out", "Pings left out under load.", registry=REGISTRY)
DATABASE_BYTES: Final = Gauge(
    "coyote_database_bytes", f"Size of the database and its log. {_WHOLE_DATABASE}", ["file"], registry=REGISTRY
)
BACKUP_INTERVAL: Final = Gauge(
    "coyote_backup_interval_seconds", "Usual time between two backups; 0: the bot makes none.", registry=REGISTRY
)
NEWEST_BACKUP: Final = Gauge(
    "coyote_newest_backup_timestamp_seconds", "When the newest backup was made; 0: never.", registry=REGISTRY
)
