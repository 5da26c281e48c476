"""What projectors keep on the cache server: leases, checkpoints, standings and snapshots.

    {s05}:lease          who has the shard; runs out by itself
    {s05}:generation     counts the owners: what an earlier one writes late is refused
    {s05}:checkpoint     how far its feed has been projected, and what stood there
    {s05}:standings      the standing of each match
    {s05}:uses           what each closed match asked the rules for
    {s05}:match:<id>:snapshots

A checkpoint is written together with what came of the feed up to it. All of it can be had again
from the log: whoever loses it projects anew. The server may forget the library as well, and then it
is loaded again; that of the ledger never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Final, NamedTuple

from ledger.log.stores.protocol import Snapshot

from . import keys
from .connection import Line, Refusing, Reply, Word
from .functions import ensure_library
from .store import snapshot_words

LIBRARY: Final = "hegemon_projections_1"
CODE: Final = (files(__package__) / "projections.lua").read_text(encoding="utf-8")


class Fenced(Exception):
    """Another projector has the shard by now."""


class Checkpoint(NamedTuple):
    """How far a feed has been projected."""

    position: int
    mark: bytes  # a hash of what was written there: a feed that went back and went on has another


class Projections:
    """The projections of all shards on one server."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self._loaded = False

    def _call(self, function: str, *words: Word) -> Reply:
        if self._loaded:
            try:
                return self.line.call("FCALL", f"{LIBRARY}_{function}", *words)
            except Refusing as why:
                if "Function not found" not in str(why):
                    raise
        ensure_library(self.line, LIBRARY, CODE)
        self._loaded = True
        return self.line.call("FCALL", f"{LIBRARY}_{function}", *words)

    def claim(self, shard: int, owner: str, milliseconds: int) -> int | None:
        """The generation under which a shard is the owner's; None where another has it."""
        names = [f"{keys.tag(shard)}:lease", f"{keys.tag(shard)}:generation"]
        said, value = self._call("claim", 2, *names, owner, milliseconds)
        return None if said == b"TAKEN" else int(value)

    def release(self, shard: int, owner: str) -> None:
        """Let a shard go, so that another need not wait for the lease to run out."""
        self._call("release", 1, f"{keys.tag(shard)}:lease", owner)

    def checkpoint(self, shard: int) -> Checkpoint:
        """How far a shard's feed has been projected."""
        found = self.line.ask("HMGET", f"{keys.tag(shard)}:checkpoint", "position", "mark")
        return Checkpoint(int(found[0] or 0), found[1] or b"")

    def project(
        self,
        shard: int,
        generation: int,
        checkpoint: Checkpoint,
        standings: Mapping[str, bytes],
        snapshots: Sequence[tuple[str, Snapshot]],
        uses: Mapping[str, bytes] | None = None,
    ) -> None:
        """Write what came of a feed up to a position, unless another has the shard by now."""
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
        """The standing of a match as it was projected last."""
        found: bytes | None = self.line.ask("HGET", standings_key(match), match)
        return found

    def standings(self, shards: Iterable[int] = range(keys.SHARDS)) -> dict[str, bytes]:
        """The standings of all matches, or of those of some shards."""
        found: dict[str, bytes] = {}
        for row in self.line.asks([("HGETALL", f"{keys.tag(one)}:standings") for one in shards]):
            found |= {m.decode(): s for m, s in zip(row[::2], row[1::2], strict=True)}
        return found

    def uses(self, matches: Iterable[str]) -> dict[str, bytes]:
        """What matches asked the rules for, of those of which it is known."""
        names: dict[int, list[str]] = {}
        for match in matches:
            names.setdefault(keys.shard_of(match), []).append(match)
        found: dict[str, bytes] = {}
        asked = [("HMGET", f"{keys.tag(shard)}:uses", *of) for shard, of in names.items()]
        for of, rows in zip(names.values(), self.line.asks(asked) if asked else (), strict=True):
            found |= {match: row for match, row in zip(of, rows, strict=True) if row is not None}
        return found

    def forget(self, shard: int) -> None:
        """Begin a shard anew: what it holds is of another feed."""
        tag = keys.tag(shard)
        matches = self.line.ask("HKEYS", f"{tag}:standings")
        names = [keys.match_key(match.decode(), "snapshots") for match in matches]
        own = (f"{tag}:checkpoint", f"{tag}:standings", f"{tag}:uses")
        self.line.call("DEL", *own, *names)


def standings_key(match: str) -> str:
    """Where the standing of a match is kept."""
    return f"{keys.tag(keys.shard_of(match))}:standings"
