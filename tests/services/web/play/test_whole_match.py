"""A whole match over HTTP: four clients that know the API's document alone, and two onlookers.

A real gunicorn over a real server. The clients choose by a seed and run at once, so no two runs are
the same match; what is checked holds for all of them.
"""

from __future__ import annotations

import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.matches.club import Club, founders_link
from services.run.children import python
from services.run.settings import ROOT
from tests.support.servers import AnyLedger, programs
from tests.support.starting import surroundings
from tests.support.web.client import Client, Follower, Record, nonce_commitment
from tests.support.web.players import LATE, Game, Player

SEATS: Final = 4
SEED: Final = 6
SECONDS: Final = 600.0  # for one match, on a machine that does much else
MATCHES_MAX: Final = 3  # nine in ten have a conflict in which somebody is supported


class Service(NamedTuple):
    """The service as it is installed, and a token for each of its people."""

    port: int
    tokens: tuple[str, ...]  # the first is the organizer's


@pytest.fixture
def service(any_ledger: AnyLedger, tmp_path: Path) -> Iterator[Service]:
    """Gunicorn, as `up` starts it, over an empty server, with seven people."""
    server = any_ledger(next(iter(programs())))
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        (tmp_path / "web.log").open("w") as log,
    ):
        command = python("-m", "gunicorn", "services.web:create_app()", "--chdir", str(ROOT))
        command += ["--bind", f"fd://{listener.fileno()}", "--worker-class", "gthread"]
        command += ["--threads", "32", "--no-control-socket", "--log-level", "warning"]
        command += ["--graceful-timeout", "1"]
        addresses = {"HEGEMON_DATA": str(tmp_path), "HEGEMON_LEDGER_URL": server.url}
        # These clients play as fast as they can; how fast people may ask is tested elsewhere.
        addresses |= {"HEGEMON_LIMITS": "off", "HEGEMON_LOG": "quiet"}
        web = subprocess.Popen(
            command,
            env=surroundings(**addresses) | {"HEGEMON_LIVE_PLACES": "16"},
            pass_fds=[listener.fileno()],
            stdout=log,
            stderr=log,
        )
        try:
            yield Service(listener.getsockname()[1], _let_in(server.url))
        finally:
            web.terminate()
            try:
                web.wait(10)
            finally:
                web.kill()
                web.wait()
    assert "Traceback" not in (tmp_path / "web.log").read_text()


def _let_in(url: str) -> tuple[str, ...]:
    connection = Connection(url)
    club = Club(RedisStore(connection))
    words = founders_link(club)
    assert words is not None
    ids = [club.let_in(words, "Ann")[0].id]
    for name in ("Bob", "Cid", "Dan", "Eve", "Fay", "Gus"):
        ids.append(club.add(name, ["player"], ids[0])[0].id)
    tokens = tuple(
        club.make("token", ids[0], person=one, scopes=("read", "play")).words for one in ids
    )
    connection.close()
    return tokens


class Played(NamedTuple):
    """A match that is over, and what everybody has of it."""

    match: dict[str, Any]
    players: list[Player]
    onlookers: list[Follower]
    clients: list[Client]
    seconds: float

    @property
    def record(self) -> Record:
        """The log as seat 0 heard of it."""
        return self.players[0].follower.record


def play(service: Service, seats: int, options: dict[str, Any]) -> Played:
    """A match from its making to its close."""
    clients = _clients(service)
    interface = clients[0].interface
    host = clients[0]
    game = Game(host, "hegemonic")
    assert all(game.option(name) for name in options)
    begun = time.monotonic()
    made = host.got(
        "matches-All-post",
        {"ruleset": "hegemonic", "seats": seats, "options": options, "title": "By hand of nobody"},
    )
    match = made["id"]
    onlookers = [
        Follower(Client(service.port, "", interface), match, "spectator"),
        Follower(clients[seats].again(), match, "spectator", breaks_at=40),
    ]
    for onlooker in onlookers:
        onlooker.start()
    players = [Player(clients[seat], game, match, seat, SEED) for seat in range(seats)]
    for player in players:
        player.sit_down()
    host.got("matches-Start-post", match=match)
    for player in players:
        player.start()
    asking = host.again()
    while True:
        now = asking.got("matches-One-get", match=match)
        failed = [one.failed for one in (*players, *onlookers) if one.failed is not None]
        assert not failed, failed
        assert time.monotonic() < begun + SECONDS, f"only at event {now['version']}"
        if now["result"] is not None:
            asking.got("matches-Close-post", match=match)
            break
        time.sleep(0.1)
    seconds = time.monotonic() - begun
    for one in (*players, *onlookers):
        one.join(30)
        assert not one.is_alive()
        assert one.failed is None
    return Played(asking.got("matches-One-get", match=match), players, onlookers, clients, seconds)


def _clients(service: Service) -> list[Client]:
    interface = Client(service.port).interface
    return [Client(service.port, token, interface) for token in service.tokens]


def check(played: Played) -> None:
    """Checks what holds for every match that was played in this way."""
    match, id_ = played.match, played.match["id"]
    followers = [*(player.follower for player in played.players), *played.onlookers]
    # Every viewer's stream comes to the same head, and so does the log when it is read again.
    assert {one.record.head.hex() for one in followers} == {match["head"]}
    assert {one.record.version for one in followers} == {match["version"]}
    asking = played.clients[0].again()
    askers = [*played.clients[: len(played.players)], asking, asking]
    for follower, client in zip(followers, askers, strict=True):
        again = client.again().log(id_, follower.viewer)
        assert again.head == follower.record.head
        assert again.opened == follower.record.opened
    assert [one.connections for one in played.onlookers] == [1, 2]
    # What each had sealed is what the record says it decided, and the close opened all of it.
    for player in played.players:
        for version, decision in player.sealed.items():
            assert player.follower.record.opened[version, "decision"] == decision
    opened = {frozenset(one.record.opened) for one in followers}
    assert opened == {frozenset(played.record.commitments())}
    for follower in followers:
        check_cut(follower.record, follower.viewer)
    # The nonces are the players' own.
    joined = {one["seat"]: one["nonce"] for one in played.record.acts("match.joined")}
    [begun] = played.record.acts("match.started")
    nonces = [player.nonce for player in played.players]
    assert begun["nonces"] == nonces
    assert joined == {seat: nonce_commitment(seat, one) for seat, one in enumerate(nonces)}
    # Whoever was refused was too late, or had been overtaken.
    lost = sum((player.lost for player in played.players), Counter())
    assert set(lost) <= {*LATE, "unaffordable", "deal_closed"}, lost


def check_cut(record: Record, viewer: str) -> None:
    """Checks that the decider and the receivers read it at once, and all others once it is told."""
    told = {
        (version, path): number
        for number, body in enumerate(record.bodies, 1)
        for version, path in body.get("opens", ())
    }
    for version, path in record.commitments():
        body = record.body(version)
        if path == "decision":
            at_once = viewer == str(body["seat"])
        elif path == "private/private":
            at_once = viewer in map(str, body["decision"]["parties"])
        else:
            continue
        at = version if at_once else told.get((version, path), record.version)
        assert record.came[version, path] == at, (viewer, version, path)


def happened(played: Played) -> Counter[str]:
    """How often what was decided, and how much of it sealed or private."""
    decided: Counter[str] = Counter()
    for player in played.players:
        decided += player.decided
    decided["sealed"] = len(played.record.sealed())
    decided["private"] = len(played.record.committed("deal.propose"))
    decided["events"] = played.match["version"]
    return decided


@pytest.mark.timeout(1_800)
def test_four_clients_play_with_the_document_alone_and_every_stream_verifies(service: Service):
    done: Counter[str] = Counter()
    for _ in range(MATCHES_MAX):
        played = play(service, SEATS, {})
        check(played)
        played.clients[0].interface.hang_up()
        done += happened(played)
        assert done["sealed"] >= 2 * SEATS
        assert done["deal.accept"]
        assert done["private"]
        assert done["caps.transfer"]
        if done["conflict.support"] and done["conflict.commit-card"]:
            break
    assert done["conflict.support"], done
    assert done["conflict.commit-card"], done


@pytest.mark.full
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("options", [{}, {"opt.draft": True, "opt.leaders": "dealt"}], ids=str)
def test_whole_matches_at_full_size(service: Service, seats: int, options: dict[str, Any]):
    played = play(service, seats, options)
    check(played)
    done = happened(played)
    late = sum((player.lost for player in played.players), Counter())
    print(f"\n{seats} seats {options}: {played.seconds:.1f} s, {dict(done)}, too late {dict(late)}")
    played.clients[0].interface.hang_up()
    assert done["sealed"]
