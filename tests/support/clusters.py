"""Real clusters for tests: three primaries of one program, on ports of this machine; and replicas.

A cluster speaks no unix sockets. Its ports are below those that the system gives to outgoing
connections, so that nobody takes the port of a node while it is down.
"""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ledger.log.stores.redis.connection import Connection
from tests.support.servers import START_SECONDS, Server

NODES = 3
SLOTS = 16_384
PORTS = (20_000, 32_000)
_SETTINGS = {"cluster-enabled": "yes", "cluster-node-timeout": "1000"}


class Cluster:
    """Three nodes that know each other, each with a third of the slots."""

    def __init__(
        self, program: Path, folder: Path, settings: Mapping[str, str] | None = None
    ) -> None:
        ports = iter(free_ports(2 * NODES))
        self.nodes: list[Server] = []
        self.replicas: list[Server] = []
        self._folder, self._given = folder, dict(settings or {})
        for number in range(NODES):
            self.nodes.append(self._node(program, f"node{number}", ports))

    def _node(self, program: Path, name: str, ports: Iterator[int]) -> Server:
        node = Server(program, self._folder / name, port=True)
        node.port, bus = next(ports), next(ports)
        node.settings |= _SETTINGS | {"cluster-port": str(bus)} | self._given
        return node

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> Cluster:
        """Start the nodes, and make one cluster of them."""
        for node in self.nodes:
            node.start(wait=False)
        for number, node in enumerate(self.nodes):
            node.wait()
            connection = Connection(node.url)
            slots = (number * SLOTS // NODES, (number + 1) * SLOTS // NODES - 1)
            connection.call("CLUSTER", "ADDSLOTSRANGE", *slots)
            connection.call("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            connection.close()
        first = Connection(self.nodes[0].url)
        for node in self.nodes[1:]:
            bus = node.settings["cluster-port"]
            first.call("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        first.close()
        self.wait()
        return self

    def wait(self) -> None:
        """Until every node that runs knows who has every slot."""
        known = len(self.nodes) + len(self.replicas)
        for node in (*self.nodes, *self.replicas):
            if node.process is not None:
                _until(node, ("CLUSTER", "INFO"), b"cluster_known_nodes:%d" % known)
                _until(node, ("CLUSTER", "INFO"), b"cluster_state:ok")

    def add_replica(self, of: Server) -> Server:
        """One more node, with all that a primary has; it takes over only where it is told to."""
        name = f"replica{len(self.replicas)}"
        replica = self._node(of.program, name, iter(free_ports(2)))
        replica.settings["cluster-replica-no-failover"] = "yes"
        self.replicas.append(replica.start())
        first, own = Connection(of.url), Connection(replica.url)
        first.call("CLUSTER", "MEET", "127.0.0.1", replica.port, replica.settings["cluster-port"])
        self.wait()
        own.call("CLUSTER", "REPLICATE", first.call("CLUSTER", "MYID"))
        _until(replica, ("INFO", "replication"), b"master_link_status:up")
        first.close()
        own.close()
        return replica

    def promote(self, replica: Server) -> None:
        """Let a replica take over what its primary had, as somebody at the machine does it."""
        own = Connection(replica.url)
        own.call("CLUSTER", "FAILOVER", "TAKEOVER")
        own.close()
        _until(replica, ("ROLE",), b"master")
        self.wait()

    def node_of(self, slot: int) -> Server:
        """The node that was given a slot."""
        return self.nodes[slot * NODES // SLOTS]

    def close(self) -> None:
        for node in (*self.nodes, *self.replicas):
            node.close()


def _until(node: Server, words: tuple[str, ...], wanted: bytes) -> None:
    """Wait until a node says this."""
    until = time.monotonic() + START_SECONDS
    connection = Connection(node.url)
    while wanted not in _said(connection.call(*words)):
        assert time.monotonic() < until, f"a node does not come to say {wanted!r}"
        time.sleep(0.02)
    connection.close()


def _said(reply: Any) -> bytes:
    if isinstance(reply, list):
        return b" ".join(map(_said, reply))
    return reply if isinstance(reply, bytes) else str(reply).encode()


def free_ports(count: int) -> list[int]:
    """Ports for nodes, and for what they say to each other."""
    found: list[int] = []
    for port in random.sample(range(*PORTS), 1_000):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("no port is free")


AnyCluster = Callable[[str], Cluster]
