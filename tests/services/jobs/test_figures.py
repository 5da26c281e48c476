"""The figures of jobs and workers."""

from __future__ import annotations

from ledger.log.stores.redis.connection import Connection
from services.run.figures import jobs_figures
from tests.services.jobs.conftest import Office
from tests.support.services.processes import wait_until


def figures(office: Office) -> dict[str, float]:
    connection = Connection(office.jobs.url)
    found = {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in jobs_figures(connection)
        for sample in family.samples
    }
    connection.close()
    return found


def test_workers_and_what_they_do_are_counted(office: Office):
    assert figures(office)["hegemon_workers"] == 0
    first, second = office.worker(), office.worker()
    assert wait_until(lambda: figures(office)["hegemon_workers"] == 2, 20)
    slow = office.ask("slow", seconds=4)
    assert wait_until(lambda: figures(office)["hegemon_jobs_running"] == 1)
    office.ask("broken")
    assert office.comes(slow, 20)
    assert wait_until(lambda: figures(office)["hegemon_jobs_running"] == 0)
    assert figures(office)["hegemon_jobs_failed"] == 1

    def counted() -> list[bytes]:
        return sorted(office.server.hkeys("hegemon:jobs"))

    assert wait_until(lambda: counted() == [b"broken failed", b"slow done"]), counted()
    assert first.stop()[0] == second.stop()[0] == 0
    assert figures(office)["hegemon_workers"] == 0
