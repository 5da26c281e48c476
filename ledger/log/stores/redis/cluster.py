"""A connection to a cluster: each command goes to the node that has its key's slot.

All keys of a shard have one hash tag, and so one slot: a function call uses one node, and
is carried out there whole or not at all. A node that lacks the slot carries out nothing and
replies MOVED or ASK. The command then goes on to the node that it names. No other command
is sent again here: every failure is reported as `Connection` reports it, and the caller decides.

After a node failed, the next command first asks again which node has which slot.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import Final

from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from .connection import REPLY_SECONDS, Connection, NoReply, NotSent, Refusing, Reply, Word

REDIRECTIONS_MAX: Final = 5
# A cluster answers XREAD for one slot at a time, and one that waits keeps its connection: for 16
# feeds it is less work, and no more to go wrong, to look again in a moment. Half of the longest
# pause is what news is late by where nothing has come for a while.
PAUSE_SECONDS: Final = 0.002
PAUSE_MOST: Final = 0.025
PAUSE_GROWS: Final = 1.5

_URL: Final = re.compile(
    r"(?P<scheme>rediss?)\+cluster://(?P<who>[^@/?#,]*@)?"
    r"(?P<seeds>[\w.\-\[][\w.\-:,\[\]]*)/?(?P<options>\?[^@/]*)?"
)
_ELSEWHERE: Final = re.compile(r"(MOVED|ASK) (\d+) (.*):(\d+)")
_EVERY_NODE: Final = frozenset({"PING", "FLUSHALL"})
_ONE_NODE: Final = frozenset(
    {"INFO", "CONFIG", "FUNCTION", "SCRIPT", "CLUSTER", "CLIENT", "ACL", "KEYS", "SCAN", "DBSIZE"}
)  # says something of one node: who wants that goes through `servers`

Owners = dict[int, str]  # slots, and where the node is that has them


def is_cluster(url: str) -> bool:
    return url.partition("://")[0].endswith("+cluster")


def connection_to(url: str, *, seconds: float = REPLY_SECONDS) -> Connection:
    """Returns a connection to a server or, where the address says so, to a cluster."""
    kind = ClusterConnection if is_cluster(url) else Connection
    return kind(url, seconds=seconds)


class ClusterConnection(Connection):
    """Connections to the nodes of a cluster.

    The address names some of them: redis+cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT
    """

    cluster = True

    def __init__(self, url: str, *, seconds: float = REPLY_SECONDS) -> None:
        super().__init__(url, seconds=seconds)
        self._parts = _URL.fullmatch(url)
        self._nodes: dict[str, Connection] = {}
        self._owners: Owners = {}  # empty: to be asked for
        self._failed = ""  # the node that failed last

    @property
    def address(self) -> str:
        """Returns the named nodes, without the password."""
        scheme = self.url.partition("://")[0]
        return f"{scheme}://{self._parts['seeds'] if self._parts else '...'}"

    def servers(self) -> list[Connection]:
        """Returns a connection to each node that has slots; refuses if some slots have no node."""
        owners = self._ask_for_owners()
        if len(owners) < REDIS_CLUSTER_HASH_SLOTS:
            raise _down(self.address)
        return [self._node(where) for where in sorted(set(owners.values()))]

    def call(self, *words: Word, wait: float | None = None) -> Reply:
        if words[0] == "XREAD":
            return self._read(words)
        if words[0] in _EVERY_NODE:
            said = [server.call(*words, wait=wait) for server in self.servers()]
            return said[0]
        where, asking = self._owner(_slot_of(words)), False
        for _ in range(REDIRECTIONS_MAX):
            node = self._node(where)
            try:
                if asking:
                    return node.calls([("ASKING",), words])[1]
                return node.call(*words, wait=wait)
            except Refusing as why:
                if (found := _elsewhere(why, where)) is None:
                    raise
                self._learn(*found)
                where, asking = found[2], found[0] == "ASK"
            except (NotSent, NoReply):
                self._doubt(where)
                raise
        raise _wandering()

    def replies(self, commands: Sequence[Sequence[Word]]) -> list[Reply]:
        """Returns the replies to several commands, refusals among them.

        Each node gets its commands at once. Those between MULTI and EXEC go to one node, because
        they are of one shard.
        """
        found: list[Reply] = [None] * len(commands)
        rest = list(_blocks(commands))
        sent = False
        for _ in range(REDIRECTIONS_MAX):
            by_node: dict[str, list[range]] = {}
            for block in rest:
                slot = _slot_of(commands[block[1 if len(block) > 1 else 0]])
                by_node.setdefault(self._owner(slot), []).append(block)
            rest = []
            for where, blocks in by_node.items():
                self._replies_of(where, commands, blocks, found, sent=sent)
                sent = True
                rest += [block for block in blocks if self._is_elsewhere(where, block, found)]
            if not rest:
                return [self._followed(*pair) for pair in zip(commands, found, strict=True)]
        raise _wandering()

    def forget(self) -> None:
        """Closes idle connections; slots are looked up again."""
        for node in list(self._nodes.values()):
            node.forget()
        self._owners = {}

    close = forget

    # --- several commands ------------------------------------------------------------------------

    def _replies_of(
        self,
        where: str,
        commands: Sequence[Sequence[Word]],
        blocks: Sequence[range],
        found: list[Reply],
        *,
        sent: bool,
    ) -> None:
        places = [place for block in blocks for place in block]
        try:
            replies = self._node(where).replies([commands[place] for place in places])
        except (NotSent, NoReply) as why:
            self._doubt(where)
            if sent:  # others were carried out
                raise NoReply(str(why)) from None
            raise
        for place, reply in zip(places, replies, strict=True):
            found[place] = reply

    def _is_elsewhere(self, where: str, block: range, found: list[Reply]) -> bool:
        """Returns whether a node lacks this block's slot, so that the block must be sent again."""
        for place in block:
            if isinstance(found[place], Refusing):
                said = _elsewhere(found[place], where)
                if said is not None and said[0] == "MOVED":
                    self._learn(*said)
                    return True
                if said is not None and len(block) > 1:
                    # One key after another is on its way: together they can be read in a moment.
                    found[block[-1]] = Refusing("TRYAGAIN the slot is on its way to another node")
                    found[place] = None
        return False

    def _followed(self, words: Sequence[Word], reply: Reply) -> Reply:
        """Returns the reply or, if the key has moved to another node, that node's reply."""
        said = _elsewhere(reply, "") if isinstance(reply, Refusing) else None
        if said is None:
            return reply
        try:
            return self._node(said[2]).replies([("ASKING",), words])[1]
        except (NotSent, NoReply) as why:
            raise NoReply(str(why)) from None

    def _read(self, words: Sequence[Word]) -> list[Reply] | None:
        """Returns the new entries of some streams, as XREAD does; with BLOCK it waits for them."""
        at = words.index("STREAMS")
        options, streams = list(words[:at]), words[at + 1 :]
        seconds = 0.0
        if "BLOCK" in options:
            place = options.index("BLOCK")
            seconds = int(options[place + 1]) / 1_000
            del options[place : place + 2]
        half = len(streams) // 2
        pairs = zip(streams[:half], streams[half:], strict=True)
        commands = [(*options, "STREAMS", *pair) for pair in pairs]
        until, pause = time.monotonic() + seconds, PAUSE_SECONDS
        while True:
            found = [stream for reply in self.calls(commands) if reply for stream in reply]
            left = until - time.monotonic()
            if found or left <= 0:
                return found or None
            time.sleep(min(pause, left))
            pause = min(pause * PAUSE_GROWS, PAUSE_MOST)

    # --- which node has what ---------------------------------------------------------------------

    def _node(self, where: str) -> Connection:
        with self._lock:
            if where not in self._nodes:
                parts = self._parts
                assert parts is not None, "the address was read before a node was known"
                url = f"{parts['scheme']}://{parts['who'] or ''}{where}{parts['options'] or ''}"
                self._nodes[where] = Connection(url, seconds=self.seconds)
            return self._nodes[where]

    def _owner(self, slot: int) -> str:
        found = (self._owners or self._ask_for_owners()).get(slot)
        if found is None:
            self._owners = {}
            raise _down(self.address)
        return found

    def _learn(self, how: str, slot: int, where: str) -> None:
        if how == "MOVED" and self._owners:
            self._owners = self._owners | {slot: where}

    def _doubt(self, where: str) -> None:
        self._owners, self._failed = {}, where

    def _ask_for_owners(self) -> Owners:
        """Asks the nodes, the one that failed last of all, until one knows every slot's node."""
        if self._parts is None:
            raise ValueError("this is not an address of a cluster")
        named = [one if one[-1] != "]" and ":" in one else f"{one}:6379" for one in self._seeds]
        known = dict.fromkeys((*self._nodes, *named))
        best: Owners = {}
        trouble: Exception = _down(self.address)
        for where in sorted(known, key=lambda one: one == self._failed):
            try:
                said = self._node(where).ask("CLUSTER", "SLOTS")
            except (NotSent, NoReply) as why:
                trouble = NotSent(str(why))  # of what was asked for nothing was sent
            except Refusing as why:
                trouble = why
            else:
                best = max(best, _owners_in(said, where), key=len)
                if len(best) == REDIS_CLUSTER_HASH_SLOTS:
                    break
        if not best:
            raise trouble
        self._owners = best
        return best

    @property
    def _seeds(self) -> list[str]:
        assert self._parts is not None, "the address can be read"
        return [one for one in self._parts["seeds"].split(",") if one]


def _owners_in(said: Sequence[Reply], asked: str) -> Owners:
    """Returns the node of each slot, from the reply of CLUSTER SLOTS."""
    owners: Owners = {}
    for first, last, primary, *_ in said:
        where = _at((primary[0] or b"").decode(), int(primary[1]), asked)
        owners |= dict.fromkeys(range(first, last + 1), where)
    return owners


def _elsewhere(why: Refusing, asked: str) -> tuple[str, int, str] | None:
    """Returns kind, slot and node if a reply redirects to another node, else None."""
    found = _ELSEWHERE.fullmatch(str(why))
    return None if found is None else (found[1], int(found[2]), _at(found[3], int(found[4]), asked))


def _at(host: str, port: int, asked: str) -> str:
    """Returns a node's address; without a host, that of the node that was asked."""
    if host in ("", "?"):
        host = asked.rpartition(":")[0]
    elif ":" in host and not host.startswith("["):
        host = f"[{host}]"
    return f"{host}:{port}"


def _slot_of(words: Sequence[Word]) -> int:
    """Returns the slot of a command's keys."""
    place = 3 if words[0] == "FCALL" else 1
    if words[0] == "XREAD":
        place = words.index("STREAMS") + 1
    if words[0] in _ONE_NODE or len(words) <= place:
        raise ValueError(f"{words[0]!r} is a question for one server, not for a cluster")
    key = words[place]
    return int(key_slot(key if isinstance(key, bytes) else str(key).encode()))


def _blocks(commands: Sequence[Sequence[Word]]) -> Iterator[range]:
    """Yields the ranges of commands that belong together: MULTI to EXEC, else each alone."""
    begun: int | None = None
    for place, words in enumerate(commands):
        if words[0] == "MULTI":
            begun = place
        elif begun is None:
            yield range(place, place + 1)
        elif words[0] == "EXEC":
            yield range(begun, place + 1)
            begun = None


def _down(address: str) -> Refusing:
    return Refusing(f"CLUSTERDOWN no node at {address} knows who has every slot")


def _wandering() -> Refusing:
    return Refusing("TRYAGAIN the nodes of the cluster do not agree on who has a slot")
