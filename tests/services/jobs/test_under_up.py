"""The worker of `hegemon up`: there from the start, and there again after it was killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from services.matches.samples import flagship_id
from services.run.settings import ROOT
from tests.support.live.served import asks
from tests.support.services.processes import family, wait_until
from tests.support.starting import surroundings

READY = re.compile(r"Hegemon is ready: (http://\S+)/")


@pytest.fixture
def up(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int, Path]]:
    said = tmp_path / "said"
    with said.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "--data", str(tmp_path / "data"), "up"],
            cwd=ROOT,
            env=surroundings(HEGEMON_WORKERS="2", HEGEMON_METRICS_TOKEN="watch"),
            stdout=output,
            stderr=output,
        )
    try:
        assert wait_until(lambda: READY.search(said.read_text()) is not None, 60), said.read_text()
        found = READY.search(said.read_text())
        assert found is not None
        yield process, urlsplit(found[1]).port or 0, said
    finally:
        process.kill()
        process.wait()


def workers(process: subprocess.Popen[bytes]) -> list[int]:
    found = []
    for pid in family(process.pid):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if b"services.worker" in words:
            found.append(pid)
    return found


def environment(pid: int) -> bytes:
    return Path(f"/proc/{pid}/environ").read_bytes()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="processes are told apart by /proc")
def test_the_workers_of_up_come_back_and_are_told_no_key(
    up: tuple[subprocess.Popen[bytes], int, Path],
):
    process, port, said = up
    path = f"/api/v1/matches/{flagship_id()}/replay?as="
    assert wait_until(lambda: asks(port, "GET", f"{path}spectator")[0] == 200, 40)
    first = workers(process)
    assert len(first) == 2
    assert all(b"HEGEMON_METRICS_TOKEN" not in environment(pid) for pid in first)
    for pid in first:
        os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: asks(port, "GET", f"{path}0")[0] == 200, 40)
    assert wait_until(lambda: len(workers(process)) == 2, 20)
    process.send_signal(signal.SIGTERM)
    assert process.wait(6) == 0
    told = [line for line in said.read_text().splitlines() if "process ended" in line]
    ended = "hegemon: the worker process ended (killed by SIGKILL); starting it again in a moment."
    assert told == [ended] * 2
