"""The pages over a store on a server: the same pages, few questions, and a server that is gone."""

import time

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.log.format.acts import Disputed, Remedy, Ruled
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.matches.samples import ensure_sample
from services.run.servers import EmbeddedServers
from services.run.settings import Settings
from services.web import create_app
from services.web.app.parts import match_list
from tests.support.servers import Server, programs
from tests.support.services.browsing import Page, begun

ORGANIZER = Submitter(role="organizer", name="o")


@pytest.fixture
def server(tmp_path):
    """A server that a test may kill and start again."""
    server = Server(next(iter(programs().values())), tmp_path / "server").start()
    yield server
    server.close()


@pytest.fixture
def store(server):
    connection = Connection(server.url)
    yield RedisStore(connection)
    connection.close()


@pytest.fixture
def client(server, tmp_path, monkeypatch):
    monkeypatch.setattr("services.web.app.parts.PATIENCE_SECONDS", 0.5)
    app = create_app(Settings(data=tmp_path, ledger_url=server.url))
    yield app.test_client()
    close(app)


def close(app):
    app.extensions["store"]().connection.close()


def test_matches_on_the_server_are_shown(client, store, tmp_path):
    sample = ensure_sample(store, tmp_path)
    assert ensure_sample(store, tmp_path) == sample
    running = begun(store, title="Evening")
    page = Page(client.get("/"))
    assert page.having("href", f"/matches/{sample}/replay")
    assert "Evening" in page.words
    running.decide(0, Mark(4))
    where = f"/matches/{running.match_id}"
    assert client.get(f"{where}/replay.json").json["last"] == 5
    assert client.get(f"{where}.hgm").data.startswith(b"HEGEMON1")
    assert client.get("/matches/nosuchmatch/replay").status_code == 404
    assert client.get("/matches/UPPER/replay").status_code == 404
    assert not (tmp_path / "matches").exists()


def commands(store):
    """How many commands the server has carried out."""
    info = store.connection.ask("INFO", "stats").decode()
    return int(next(row.split(":")[1] for row in info.splitlines() if "commands_proc" in row))


def test_a_list_that_has_not_changed_reads_no_match_again(client, store, monkeypatch):
    matches = [begun(store) for _ in range(20)]
    assert "20" in Page(client.get("/")).words
    read = []
    whole = History.of
    monkeypatch.setattr(History, "of", lambda *given: read.append(given[1]) or whole(*given))
    before = commands(store)
    client.get("/")
    # Two for each of 16 shards, and for each match one for its log and one for its table, which
    # says who may see it; sent in four goes.
    assert commands(store) - before <= 2 * 16 + 2 * len(matches) + 2
    assert read == []
    matches[7].decide(0, Mark(4))
    assert client.get("/").status_code == 200
    assert read == [matches[7].match_id]
    # Of one that goes on only what is new is read.
    matches[7].decide(1, Mark(0))
    with client.application.app_context():
        listed = [one.summary for one in match_list().listed()]
    assert [one.match for one in listed if one.events == 6] == [matches[7].match_id]
    assert read == [matches[7].match_id]


def test_a_match_that_was_opened_again_is_listed_as_it_is(client, store):
    journal = begun(store, title="Again", discloses=("decisions",))
    for seat, cell in ((0, 4), (1, 0), (0, 3), (1, 8), (0, 5)):
        journal.decide(seat, Mark(cell))
    journal.close()
    assert "finished" in Page(client.get("/")).words
    journal.record(Disputed(dispute="d1", first=5, last=6), ORGANIZER)
    ruled = {"dispute": "d1", "finding": "upheld", "reason": "so it was"}
    journal.record(Ruled(**ruled, remedy=Remedy(kind="rewind", version=4)), ORGANIZER)
    words = Page(client.get("/")).words
    assert "running" in words
    assert "finished" not in words


def test_a_server_that_is_gone_is_a_clean_page_until_it_is_back(client, store, server):
    match = begun(store).match_id
    addresses = ("/", f"/matches/{match}/replay", f"/matches/{match}/replay.json")
    assert [client.get(address).status_code for address in addresses] == [200] * 3
    server.kill()
    for address in addresses:
        began = time.monotonic()
        answer = client.get(address)
        assert time.monotonic() - began < 4
        assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
        assert answer.headers["Cache-Control"] == "no-store"
        assert "cannot be reached at the moment" in answer.text
        assert not [bad for bad in ("Traceback", "redis", "unix:", ".sock") if bad in answer.text]
    assert client.get(addresses[2]).json["status"] == 503
    assert client.get("/health").status_code == 200
    server.start()
    assert [client.get(address).status_code for address in addresses] == [200] * 3


def test_pages_may_start_before_their_server(tmp_path):
    server = Server(next(iter(programs().values())), tmp_path / "server")
    app = create_app(Settings(data=tmp_path, ledger_url=server.url))
    assert app.test_client().get("/").status_code == 503
    server.start()
    assert app.test_client().get("/").status_code == 200
    close(app)
    server.close()


def test_pages_beside_an_up_ask_its_server_and_start_none(tmp_path):
    with EmbeddedServers(tmp_path) as servers:
        servers.announce()
        connection = Connection(servers.ledger_url)
        begun(RedisStore(connection), title="Evening")
        connection.close()
        app = create_app(Settings(data=tmp_path))
        assert "Evening" in app.test_client().get("/").text
        close(app)
    assert create_app(Settings(data=tmp_path)).test_client().get("/").status_code == 503


def test_pages_over_files_stay_pages_over_files(tmp_path):
    begun(FileStore(tmp_path), title="Evening")
    assert "Evening" in create_app(Settings(data=tmp_path)).test_client().get("/").text


def test_a_parked_match_is_shown_up_to_its_last_good_event_with_the_notice(client, store):
    match = begun(store, title="Evening")
    match.decide(0, Mark(4))
    match.decide(1, Mark(0))
    where = f"/matches/{match.match_id}"
    assert client.get(f"{where}/replay.json").json["last"] == 6
    store.park(match.match_id, b"event 6: KeyError: 'the card in a hand'")
    said = client.get(f"{where}/replay.json").json
    assert (said["last"], said["parked"]) == (5, True)
    page = client.get(f"{where}/replay?at=5").text
    assert "This match is parked" in page
    # What went wrong is for the operator: it may name what nobody at the table may know.
    assert "card in a hand" not in page
    assert client.get(f"{where}/replay?at=6").status_code == 404
    assert "parked" in Page(client.get("/")).words
    store.unpark(match.match_id)
    assert client.get(f"{where}/replay.json").json["last"] == 6
    assert "This match is parked" not in client.get(f"{where}/replay?at=5").text
    assert "parked" not in Page(client.get("/")).words
