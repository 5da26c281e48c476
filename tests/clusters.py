"""Real clusters for tests: three primaries of one program, on ports of this machine.

A cluster speaks no unix sockets. Its ports are below those that the system gives to outgoing
connections, so that nobody takes the port of a node while it is down.
"""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ledger.log.redis.connection import Line
from tests.servers import START_SECONDS, Server

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
        for number in range(NODES):
            node = Server(program, folder / f"node{number}", port=True)
            node.port, bus = next(ports), next(ports)
            node.settings |= _SETTINGS | {"cluster-port": str(bus)} | dict(settings or {})
            self.nodes.append(node)

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> Cluster:
        """Start the nodes, and make one cluster of them."""
        for node in self.nodes:
            node.start(wait=False)
        for number, node in enumerate(self.nodes):
            node.wait()
            line = Line(node.url)
            slots = (number * SLOTS // NODES, (number + 1) * SLOTS // NODES - 1)
            line.call("CLUSTER", "ADDSLOTSRANGE", *slots)
            line.call("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            line.close()
        first = Line(self.nodes[0].url)
        for node in self.nodes[1:]:
            bus = node.settings["cluster-port"]
            first.call("CLUSTER", "MEET", "127.0.0.1", node.port, bus)
        first.close()
        self.wait()
        return self

    def wait(self) -> None:
        """Until every node knows who has every slot."""
        until = time.monotonic() + START_SECONDS
        for node in self.nodes:
            line = Line(node.url)
            while not _is_whole(line.call("CLUSTER", "INFO")):
                assert time.monotonic() < until, "the nodes do not become a cluster"
                time.sleep(0.02)
            line.close()

    def node_of(self, slot: int) -> Server:
        """The node that was given a slot."""
        return self.nodes[slot * NODES // SLOTS]

    def close(self) -> None:
        for node in self.nodes:
            node.close()


def _is_whole(said: bytes) -> bool:
    return b"cluster_state:ok" in said and b"cluster_known_nodes:%d" % NODES in said


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
