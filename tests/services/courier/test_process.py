"""The courier as a child of `hegemon up`: play goes on without it, so it never ends everything."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from services.run.children import Child
from services.run.up import Process
from tests.support.services.processes import wait_until

pytestmark = pytest.mark.process


def sleeper() -> Child:
    return Child("sleeper", ["sleep", "60"], folder=Path("/"), environment=dict(os.environ))


def test_a_process_that_play_can_do_without_is_started_again_after_a_pause_each_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    process = Process(sleeper, pause=0.2)
    try:
        for _ in range(3):
            before = process.child.pid
            os.kill(before, signal.SIGKILL)
            assert wait_until(lambda: process.child.ended() is not None)
            process.look()
            process.look()
            assert process.child.pid == before
            time.sleep(0.25)
            process.look()
            assert process.child.pid != before
            assert process.child.ended() is None
    finally:
        process.child.wait(0.0)
    said = (
        "hegemon: the sleeper process ended (killed by SIGKILL); starting it again in a moment.\n"
    )
    assert capsys.readouterr().err == said * 3
