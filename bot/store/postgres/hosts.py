"""Takes an address apart that names several servers, of which one is the primary.

asyncpg tries them one after the other, but all of them together must answer in time: one that says nothing would use
up the time of those behind it. So each is connected to by itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

_PORT: Final = 5432
_HOST: Final = re.compile(r"(?P<host>/.*|\[[^\]]+\]|[^:]*)(?::(?P<port>\d+))?")
_WANTED: Final = "target_session_attrs"


def hosts_of(url: str) -> Sequence[Mapping[str, Any]]:
    """Return what to add to an address to reach each of its servers, in their order.

    Where several are named, only the primary will do, unless the address says otherwise.
    """
    parts = urlsplit(url)
    asked = {key: values[-1] for key, values in parse_qs(parts.query).items()}
    named = parts.netloc.rpartition("@")[2] or asked.get("host", "")
    hosts = named.split(",")
    if len(hosts) == 1:
        return [{}]
    ports = (asked.get("port") or os.environ.get("PGPORT") or str(_PORT)).split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    if len(ports) != len(hosts):
        raise ValueError("the address names another number of ports than of servers")
    primary = {} if _WANTED in asked or "PGTARGETSESSIONATTRS" in os.environ else {_WANTED: "read-write"}
    return [_host(*each) | primary for each in zip(hosts, ports, strict=True)]


def _host(named: str, port: str) -> dict[str, Any]:
    found = _HOST.fullmatch(unquote(named))
    if found is None or not found["host"]:
        raise ValueError("the address names a server that is none")
    return {"host": found["host"].strip("[]"), "port": int(found["port"] or port)}
