"""Workers in processes of their own, for tests."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from services.run.children import python
from services.run.settings import ROOT
from tests.support.starting import surroundings


class Working:
    """A worker in a process of its own."""

    def __init__(self, folder: Path, ledger: str, jobs: str, module: str, **more: str) -> None:
        self.output = folder / f"worker-{time.monotonic_ns()}.txt"
        said = {"HEGEMON_DATA": str(folder), "HEGEMON_LEDGER_URL": ledger}
        said |= {"HEGEMON_JOBS_URL": jobs, **more}
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                python("-m", module),
                cwd=ROOT,
                env=surroundings(**said),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> tuple[int, float]:
        """Its exit code, and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20), time.monotonic() - began

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.output.read_text().splitlines()]
