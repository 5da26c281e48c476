"""The sweeper ends everything that a test process leaves behind."""

from __future__ import annotations

import subprocess
import sys

import pytest

from services.run.settings import ROOT
from tests.support.services.processes import alive, wait_until
from tests.support.starting import surroundings

TESTS = """
import subprocess, sys, time
from tests.support.sweeper import Sweeper
sweeper = Sweeper()
bare = subprocess.Popen(["sleep", "1000"], start_new_session=True, env={"PATH": "/usr/bin:/bin"})
nested = "import subprocess; print(subprocess.Popen(['sleep', '1000']).pid, flush=True)"
inner = subprocess.Popen([sys.executable, "-c", nested], stdout=subprocess.PIPE, text=True)
print(bare.pid, int(inner.stdout.readline()), sweeper.folder, flush=True)
time.sleep(1000)
"""


@pytest.mark.parametrize("how", ["kill", "terminate"])
def test_nothing_outlives_tests_that_are_stopped_or_killed(how: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", TESTS],
        cwd=ROOT,
        env=surroundings(),
        stdout=subprocess.PIPE,
        text=True,
    ) as tests:
        assert tests.stdout is not None
        bare, nested, folder = tests.stdout.readline().split()
        assert alive([int(bare), int(nested)])
        getattr(tests, how)()
    assert wait_until(lambda: not alive([int(bare), int(nested)]))
    assert wait_until(lambda: not (ROOT / folder).exists())
