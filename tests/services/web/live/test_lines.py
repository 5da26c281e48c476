"""Gunicorn reports workers that end, in lines like all others."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable

import pytest

from tests.support.live.served import Gunicorn
from tests.support.services.processes import family, wait_until


@pytest.mark.parametrize("form", ["json", "short"])
def test_that_a_worker_was_killed_is_a_line_like_all_others(
    serve: Callable[..., Gunicorn], form: str
) -> None:
    web = serve(HEGEMON_LOG=form)
    assert web.process is not None
    [worker] = family(web.process.pid)
    os.kill(worker, signal.SIGKILL)
    assert wait_until(lambda: "SIGKILL" in web.output.read_text())
    lines = web.output.read_text().splitlines()
    [said] = [line for line in lines if "SIGKILL" in line]
    if form == "json":
        [plain] = [one for one in map(json.loads, lines) if "SIGKILL" in one.get("said", "")]
        assert (plain["level"], plain["from"]) == ("error", "gunicorn.error")
    else:
        assert " error: Worker (pid:" in said
