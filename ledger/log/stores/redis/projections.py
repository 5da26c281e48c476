"""The projectors' data on the cache server: leases, checkpoints, standings and snapshots.

    {s05}:lease          the owner of the shard; expires by itself
    {s05}:generation     counts the owners: late writes of an earlier one are refused
    {s05}:checkpoint     the projected position of its feed, and the entry there
    {s05}:standings      the standing of each match
    {s05}:uses           the rule uses of each closed match
    {s05}:match:<id>:snapshots

A checkpoint is written together with the results of the feed up to it. Everything can be
computed again from the log. The server may lose the library too, and then it is loaded
again; the ledger's library is never loaded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final, NamedTuple

from ledger.log.stores.protocol import Snapshot

from . import keys
from .connection import Connection, Refusing, Reply, Word
from .store import ensure_library, snapshot_words

LIBRARY: Final = "hegemon_projections_1"
CODE: Final = (files(__package__) / "projections.lua").read_text(encoding="utf-8")


class Fenced(Exception):
    """Another projector owns the shard by now."""


class FeedPosition(NamedTuple):
    """The position up to which a feed has been projected."""

    position: int
    mark: bytes  # a hash of what was written there: a feed that went back and went on has another


class Projections:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._loaded = False

    def _call(self, function: str, *words: Word) -> Reply:
        if self._loaded:
            try:
                return self.connection.call("FCALL", f"{LIBRARY}_{function}", *words)
            except Refusing as why:
                if "Function not found" not in str(why):
                    raise
        ensure_library(self.connection, LIBRARY, CODE)
        self._loaded = True
        return self.connection.call("FCALL", f"{LIBRARY}_{function}", *words)

    def claim(self, shard: int, owner: str, milliseconds: int) -> int | None:
        """Returns the generation under which `owner` has the shard; None where another has it."""
        names = [f"{keys.tag(shard)}:lease", f"{keys.tag(shard)}:generation"]
        said, value = self._call("claim", 2, *names, owner, milliseconds)
        return None if said == b"TAKEN" else int(value)

    def release(self, shard: int, owner: str) -> None:
        """Releases a shard, so that another projector need not wait for the lease to expire."""
        self._call("release", 1, f"{keys.tag(shard)}:lease", owner)

    def checkpoint(self, shard: int) -> FeedPosition:
        """Returns the position up to which a shard's feed has been projected."""
        found = self.connection.ask("HMGET", f"{keys.tag(shard)}:checkpoint", "position", "mark")
        return FeedPosition(int(found[0] or 0), found[1] or b"")

    def project(
        self,
        shard: int,
        generation: int,
        checkpoint: FeedPosition,
        standings: Mapping[str, bytes],
        snapshots: Sequence[tuple[str, Snapshot]],
        uses: Mapping[str, bytes] | None = None,
    ) -> None:
        """Writes the results of a feed up to a position, unless another projector has the shard."""
        uses = uses or {}
        tag = keys.tag(shard)
        names = [f"{tag}:generation", f"{tag}:checkpoint", f"{tag}:standings"]
        names += [keys.match_key(match, "snapshots") for match, _ in snapshots]
        names += [f"{tag}:uses"] * len(uses)
        words: list[Word] = [generation, checkpoint.position, checkpoint.mark, len(standings)]
        for match, standing in standings.items():
            words += [match, standing]
        for _, snapshot in snapshots:
            words += snapshot_words(snapshot)
        for match, used in uses.items():
            words += [match, used]
        reply = self._call("project", len(names), *names, *words)
        if reply != [b"PROJECTED"]:
            raise Fenced(f"another projector has shard {shard}")

    def standing(self, match: str) -> bytes | None:
        found: bytes | None = self.connection.ask("HGET", standings_key(match), match)
        return found

    def standings(self, shards: Iterable[int] = range(keys.SHARDS)) -> dict[str, bytes]:
        """Returns the standings of all matches, or of those of some shards."""
        found: dict[str, bytes] = {}
        asked = [("HGETALL", f"{keys.tag(shard)}:standings") for shard in shards]
        for row in self.connection.asks(asked):
            found |= {m.decode(): s for m, s in zip(row[::2], row[1::2], strict=True)}
        return found

    def uses(self, matches: Iterable[str]) -> dict[str, bytes]:
        """Returns the known rule uses of some matches."""
        names: dict[int, list[str]] = {}
        for match in matches:
            names.setdefault(keys.shard_of(match), []).append(match)
        found: dict[str, bytes] = {}
        asked = [("HMGET", f"{keys.tag(shard)}:uses", *of) for shard, of in names.items()]
        for of, rows in zip(names.values(), self.connection.asks(asked), strict=True):
            found |= {match: row for match, row in zip(of, rows, strict=True) if row is not None}
        return found

    def forget(self, shard: int) -> None:
        """Deletes a shard's projections, because they belong to another feed."""
        tag = keys.tag(shard)
        matches = self.connection.ask("HKEYS", f"{tag}:standings")
        names = [keys.match_key(match.decode(), "snapshots") for match in matches]
        own = (f"{tag}:checkpoint", f"{tag}:standings", f"{tag}:uses")
        self.connection.call("DEL", *own, *names)


def standings_key(match: str) -> str:
    return f"{keys.tag(keys.shard_of(match))}:standings"
