"""Discord's rate limits: one bucket per route and place, and a global one."""

import hashlib
from dataclasses import dataclass, field

from sandbox.clock import Clock


@dataclass(frozen=True, slots=True)
class Rule:
    """At most `limit` requests per `seconds`."""

    limit: int
    seconds: float
    announced: bool = True  # in the headers of every answer; otherwise a bot learns of it only when it is refused


# Discord documents its buckets only through headers; these sizes are the ones bots observe.
RULES: dict[str, Rule] = {
    "POST /channels/{channel_id}/messages": Rule(5, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": Rule(5, 5.0),
    "DELETE /channels/{channel_id}/messages/{message_id}": Rule(5, 1.0),
    "GET /channels/{channel_id}/messages": Rule(5, 1.0),
    "GET /channels/{channel_id}/messages/{message_id}": Rule(30, 30.0),
    "POST /channels/{channel_id}/messages/bulk-delete": Rule(1, 1.0),
    "POST /channels/{channel_id}/typing": Rule(5, 5.0),
    "PUT /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me": Rule(1, 0.25),
    "DELETE /channels/{channel_id}/messages/{message_id}/reactions/{emoji_name}/@me": Rule(1, 0.25),
    "POST /users/@me/channels": Rule(10, 10.0),
    "PATCH /channels/{channel_id}": Rule(5, 15.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": Rule(5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original": Rule(5, 2.0),
    "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": Rule(5, 2.0),
    "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original": Rule(5, 2.0),
    "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}": Rule(5, 2.0),
}
# Discord limits how often an application's emojis may be changed, but does not announce it in headers. The limit itself
# is not known; that of a server's emojis is far lower.
RULES |= {
    f"{write} /applications/{{application_id}}/emojis{which}": Rule(30, 30.0, announced=False)
    for write, which in (("POST", ""), ("PATCH", "/{emoji_id}"), ("DELETE", "/{emoji_id}"))
}
UNLIMITED = ("POST /interactions/{interaction_id}/{interaction_token}/callback",)
DEFAULT = Rule(50, 1.0)
GLOBAL = Rule(50, 1.0)
OLD_EDITS = Rule(3, 20.0)
"""Limit on edits of messages older than an hour, per channel."""
MAJOR_PARAMETERS = ("channel_id", "guild_id", "webhook_token")
"""Parameters of a route that have buckets of their own, as Discord documents."""


@dataclass(slots=True)
class _Bucket:
    remaining: int
    resets: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """The rate limit headers of an answer and, if the request is refused, the seconds to wait."""

    headers: dict[str, str]
    retry_after: float | None = None
    scope: str = "user"  # or "global", or "shared"


@dataclass(slots=True)
class RateLimits:
    """Discord's buckets per route and major parameter, and the bot's global limit; `enabled=False` turns them off."""

    clock: Clock
    enabled: bool = True
    rules: dict[str, Rule] = field(default_factory=lambda: dict(RULES))
    global_rule: Rule = GLOBAL
    refused: int = 0
    _buckets: dict[str, _Bucket] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)

    def take(self, route: str, params: dict[str, str], *, counts_globally: bool) -> Verdict:
        """Count one request and return the verdict on it."""
        if not self.enabled or route in UNLIMITED:
            return Verdict({})
        now = self.clock.now()
        if counts_globally:
            global_bucket = self._bucket("global", self.global_rule, now)
            if global_bucket.remaining <= 0:
                self.refused += 1
                return Verdict({}, max(global_bucket.resets - now, 0.001), "global")
        rule = self.rules.get(route, DEFAULT)
        major = ":".join(params[key] for key in MAJOR_PARAMETERS if key in params)
        bucket = self._bucket(f"{route}:{major}", rule, now)
        seconds_left = bucket.resets - now
        if bucket.remaining <= 0:
            self.refused += 1
            scope = "user" if rule.announced else "shared"
            return Verdict(self._headers(route, rule, bucket, seconds_left), max(seconds_left, 0.001), scope)
        bucket.remaining -= 1
        if counts_globally:
            global_bucket.remaining -= 1
        return Verdict(self._headers(route, rule, bucket, seconds_left))

    def count_old_edit(self, channel_id: str) -> bool:
        """Count an edit of a message older than an hour; return False if there were too many."""
        if not self.enabled:
            return True
        bucket = self._bucket(f"old:{channel_id}", OLD_EDITS, self.clock.now())
        bucket.remaining -= 1
        return bucket.remaining >= 0

    def _bucket(self, key: str, rule: Rule, now: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None or bucket.resets <= now:
            if len(self._buckets) > 10_000:
                self._buckets = {name: each for name, each in self._buckets.items() if each.resets > now}
            bucket = self._buckets[key] = _Bucket(rule.limit, now + rule.seconds)
        return bucket

    def _headers(self, route: str, rule: Rule, bucket: _Bucket, seconds_left: float) -> dict[str, str]:
        if not rule.announced:
            return {}
        name = self._names.get(route)
        if name is None:
            name = self._names[route] = hashlib.sha256(route.encode()).hexdigest()[:32]
        return {
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(bucket.remaining),
            "X-RateLimit-Reset": f"{bucket.resets:.3f}",
            "X-RateLimit-Reset-After": f"{max(seconds_left, 0.0):.3f}",
            "X-RateLimit-Bucket": name,
        }
