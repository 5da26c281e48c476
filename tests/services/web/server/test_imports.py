"""The application and the server that runs it: each is imported without the other."""

from __future__ import annotations

import subprocess
import sys
import urllib.request
from pathlib import Path

from services.run.settings import ROOT
from tests.support.live.served import Gunicorn
from tests.support.servers import AnyLedger, programs
from tests.support.starting import surroundings

WITHOUT_GUNICORN = """
import sys
from pathlib import Path
sys.modules["gunicorn"] = None  # as where it is not installed
from services.run.settings import Settings
from services.web import create_app
client = create_app(Settings(data=Path(sys.argv[1]))).test_client()
assert client.get("/").status_code == 200
assert client.post("/api/v1/me", data=b"{", content_type="application/json").status_code == 400
"""
CONFIGURED = """
import sys
import services.web.server.config
assert "prometheus_client" not in sys.modules, "it would not count for all workers"
"""
WORDS = "the words of the figures"


def python(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", text, str(folder)],
        cwd=ROOT,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_application_needs_no_gunicorn(tmp_path: Path) -> None:
    done = python(WITHOUT_GUNICORN, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_figures_have_their_folder_before_they_are_imported(tmp_path: Path) -> None:
    done = python(CONFIGURED, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_workers_count_together(any_ledger: AnyLedger, tmp_path: Path) -> None:
    url = any_ledger(next(iter(programs()))).url
    words = ("services.web:create_app()", "--workers", "2")
    web = Gunicorn(tmp_path, url, *words, HEGEMON_METRICS_TOKEN=WORDS).start()
    try:
        for _ in range(20):
            urllib.request.urlopen(f"http://127.0.0.1:{web.port}/health").close()
        headers = {"Authorization": f"Bearer {WORDS}"}
        asked = urllib.request.Request(f"http://127.0.0.1:{web.port}/metrics", headers=headers)
        with urllib.request.urlopen(asked) as answer:
            lines = answer.read().decode().splitlines()
    finally:
        web.end()
    counted = 'hegemon_requests_total{method="GET",route="/health",status="200"} '
    [line] = [line for line in lines if line.startswith(counted)]
    assert float(line.removeprefix(counted)) >= 20
