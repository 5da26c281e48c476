"""Checks whether a server's settings would lose or evict events.

Each finding is a sentence. A server with findings is refused, unless the operator overrides
it with `--unsafe`.
"""

from __future__ import annotations

import re
from typing import Final

from .connection import Connection, Refusing

FLOOR: Final = {"redis": (7, 0), "valkey": (7, 2)}
_ASKED: Final = ("appendonly", "appendfsync", "maxmemory-policy", "no-appendfsync-on-rewrite")
WANTED: Final = {
    "appendonly": ("yes", "it does not write each event to disk"),
    "appendfsync": ("always", "a crash can lose acknowledged events"),
    "maxmemory-policy": ("noeviction", "it deletes events when its memory is full"),
    "no-appendfsync-on-rewrite": (
        "no", "acknowledged events can be lost while it rewrites its file",
    ),
}  # fmt: skip


class Unsound(Exception):
    """The server would not keep a ledger; the text says why and what to do."""


def version_of(connection: Connection) -> tuple[str, tuple[int, ...]]:
    text = connection.ask("INFO", "server").decode(errors="replace")
    fields = dict(row.split(":", 1) for row in text.splitlines() if ":" in row)
    kind = "valkey" if "valkey_version" in fields else "redis"
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", fields.get(f"{kind}_version", ""))
    version = () if found is None else tuple(int(part) for part in found.groups("0"))
    return kind, version


def too_old(connection: Connection) -> str:
    """Returns why a server lacks commands that the ledger needs, or ""."""
    kind, version = version_of(connection)
    if version >= FLOOR[kind]:
        return ""
    found = ".".join(map(str, version)) or "of an unknown version"
    return f"it is {kind} {found}, but Redis 7.0 or Valkey 7.2 is the minimum"


def findings(connection: Connection) -> list[str]:
    """Returns the objections to a server, or to those of a cluster, a sentence each."""
    if not connection.cluster:
        return _findings(connection)
    servers = connection.servers()
    return [f"at {server.address} {found}" for server in servers for found in _findings(server)]


def _findings(connection: Connection) -> list[str]:
    found: list[str] = []
    try:
        replies = connection.asks([("CONFIG", "GET", name) for name in _ASKED])
    except Refusing as why:
        return [f"its settings cannot be read ({why})"]
    for name, reply in zip(_ASKED, replies, strict=True):
        wanted, harm = WANTED[name]
        value = reply[1].decode(errors="replace") if len(reply) == 2 else "not known"
        if value != wanted:
            found.append(f"{name} is {value}, not {wanted}: {harm}")
    if b"role:slave" in connection.ask("INFO", "replication"):
        found.append("it is a replica: writes to it do not last")
    return found


def check_sound(connection: Connection, *, unsafe: bool = False) -> list[str]:
    """Refuses a server that would not keep a ledger; returns the findings that `unsafe` ignored."""
    for server in connection.servers():
        if trouble := too_old(server):
            raise Unsound(f"the server cannot be used: {trouble}.")
    if not connection.cluster and b"cluster_enabled:1" in connection.ask("INFO", "cluster"):
        raise Unsound("it is a node of a cluster: use redis+cluster://HOST:PORT,HOST:PORT.")
    found = findings(connection)
    if found and not unsafe:
        raise Unsound(
            f"the server would not keep a ledger safely: {'; '.join(found)}. "
            "Change its settings, or use --unsafe to go on anyway."
        )
    return found
