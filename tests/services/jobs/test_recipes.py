"""The recipe that jobs share: what is opened is closed, and another log is refused."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import pytest
from redis import Redis

from replays.reproject.change import Change
from replays.reproject.policies import Policies
from services.jobs.audits import WantedAudit
from services.jobs.comparisons import WantedComparison
from services.jobs.dossiers import WantedDossier
from services.jobs.queue import JOBS, work_of
from services.jobs.replays import WantedReplay
from services.jobs.results import OtherLog, Wanted, WantedOfMatch, log_until
from services.jobs.tournament_audits import WantedOfTournament
from services.run import stores
from tests.services.jobs.conftest import Office
from tests.support.log.matches import eventful
from tests.support.services.processes import wait_until

OF_MATCH: dict[str, Any] = {"match": "m1", "version": 1, "head": "00", "viewer": "spectator"}
CHANGES: dict[str, Any] = {"a": Change(), "b": Change(), "policies": Policies()}
WANTED: list[Wanted] = [
    WantedReplay(**OF_MATCH),
    WantedAudit(**OF_MATCH),
    WantedComparison(**OF_MATCH, **CHANGES),
    WantedDossier(**OF_MATCH, dispute="d1"),
    WantedOfTournament(tournament="t1", entry=1, head="00", matches=()),
]
ARGUMENTS: dict[str, dict[str, Any]] = {
    **{wanted.kind: wanted.arguments for wanted in WANTED},
    "reprojection": {"run": "r1", "tick": 0},
    "reprojection_part": {"part": "part:1"},
}


def test_every_job_is_tried_here():
    assert set(ARGUMENTS) == {name for name, where in JOBS.items() if where.startswith("services.")}


def connections(server: Redis) -> int:
    return len(server.client_list())


@pytest.mark.parametrize("name", sorted(ARGUMENTS))
def test_a_job_closes_what_it_has_opened(
    office: Office, monkeypatch: pytest.MonkeyPatch, name: str
):
    opened, kept = [], []  # a store that nobody knows any more would be closed by itself
    told_store = stores.told_store

    def tell(*arguments: Any) -> Any:
        store = told_store(*arguments)
        assert store is not None
        kept.append(store)
        store.cache.ask("PING")  # connected now, as by the first look for a snapshot
        opened.append((connections(ledger), connections(office.server)))
        return store

    monkeypatch.setattr(stores, "told_store", tell)
    monkeypatch.setenv("HEGEMON_LEDGER_URL", office.ledger.url)
    monkeypatch.setenv("HEGEMON_JOBS_URL", office.jobs.url)
    ledger = Redis.from_url(office.ledger.url)
    before = connections(ledger), connections(office.server)

    def do() -> None:
        work_of(name)(office.server, ARGUMENTS[name], lambda _, __: None)

    with pytest.raises(OtherLog) if "match" in ARGUMENTS[name] else nullcontext():
        do()
    assert opened == [(before[0] + 1, before[1] + 1)]
    assert wait_until(lambda: (connections(ledger), connections(office.server)) == before)
    ledger.close()


@pytest.mark.parametrize("wanted", [one for one in WANTED if isinstance(one, WantedOfMatch)])
def test_the_name_of_a_result_covers_everything_it_depends_on(wanted: WantedOfMatch):
    more = {"match": "m2", "version": 2, "head": "01", "viewer": "0", "program": "p"}
    others = [type(wanted)(**{**wanted_fields(wanted), name: more[name]}) for name in more]
    assert len({wanted.name, *(other.name for other in others)}) == len(others) + 1
    # The address names the match, and no version has two heads.
    assert [other.tag == wanted.tag for other in others] == [True, False, True, False, False]


def wanted_fields(wanted: Wanted) -> dict[str, Any]:
    return {name: getattr(wanted, name) for name in wanted.__struct_fields__}


def test_a_result_is_of_the_log_up_to_its_event_and_of_no_other():
    history = eventful().history
    last = history.tip.version
    whole = log_until(history, last, history.tip.head.hex())
    assert whole is history
    short = log_until(history, last - 2, history.events[last - 3].head.hex())
    assert short.tip == history.events[last - 3].tip
    for version, head in ((last + 1, history.tip.head.hex()), (last - 1, history.tip.head.hex())):
        with pytest.raises(OtherLog, match="is not what it was"):
            log_until(history, version, head)
