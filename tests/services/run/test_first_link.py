"""The first link of a new club, on a real `up` and its real web process; and a way back in."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.run.settings import ROOT

READY = re.compile(r"Hegemon is ready: (http://127\.0\.0\.1:\d+)/ ")
LINK = re.compile(r"(http://127\.0\.0\.1:\d+/welcome/hgm_[fl]_\S+)")


class Up:
    """A running `hegemon up` and what it has said so far."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.process = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "--data", data, "up"],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        first = READY.match(self.process.stdout.readline())
        assert first is not None
        self.address = first[1]

    def second_line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline()

    def stop(self) -> str:
        """Ctrl-C; gives what else was said on stdout."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=20)
        assert (self.process.returncode, "Traceback" in err) == (0, False), err
        return out


def environment() -> dict[str, str]:
    paths = [str(ROOT), *(path for path in sys.path if path and "python" not in Path(path).name)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def hegemon(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services.cli", "--data", str(data), *words],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def up(data: Path) -> Iterator[Up]:
    running = Up(data)
    yield running
    if running.process.poll() is None:
        running.process.terminate()
        running.process.communicate(timeout=20)


class Browser:
    """A browser: it keeps cookies, follows redirects and sends forms as a page of ours does."""

    def __init__(self) -> None:
        jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))

    def get(self, url: str) -> tuple[int, str]:
        return self._ask(urllib.request.Request(url))

    def send(self, url: str, **form: str) -> tuple[int, str]:
        origin = "/".join(url.split("/")[:3])
        headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
        body = urllib.parse.urlencode(form).encode()
        return self._ask(urllib.request.Request(url, body, headers))

    def _ask(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, refused.read().decode()


def link_in(text: str) -> str:
    found = LINK.search(text)
    assert found is not None, text
    return found[1]


def test_the_first_link_makes_its_opener_the_organizer_and_is_not_shown_again(up: Up, data: Path):
    said = up.second_line()
    assert said.startswith("The first person to open this link runs the club: ")
    link = link_in(said)
    assert link.startswith(f"{up.address}/welcome/hgm_f_")
    assert "This club is yours" in Browser().get(link)[1]

    # Two browsers at once: one comes in.
    start, came = threading.Barrier(2), {}

    def enter(name: str) -> None:
        browser = Browser()
        start.wait()
        came[name] = (browser.send(link, name=name)[0], browser)

    threads = [threading.Thread(target=enter, args=(name,)) for name in ("Ann", "Eve")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in came.values()) == [200, 410]
    name, browser = next((name, one) for name, (status, one) in came.items() if status == 200)
    me = json.loads(browser.get(f"{up.address}/api/v1/me")[1])
    assert (me["name"], me["roles"]) == (name, ["organizer", "player"])

    # A way back in, while it runs: with the address where it runs.
    ran = hegemon(data, "let-in")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"It signs {name} in, once." in ran.stdout
    assert link_in(ran.stdout).startswith(f"{up.address}/welcome/hgm_l_")
    again = Browser()
    assert again.send(link_in(ran.stdout))[0] == 200
    assert json.loads(again.get(f"{up.address}/api/v1/me")[1])["id"] == me["id"]
    assert up.stop() == ""

    # ... and while it does not; what was taken then opens when it does.
    ran = hegemon(data, "let-in", name.upper(), "--json")
    shown = json.loads(ran.stdout)
    assert (shown["person"], shown["name"]) == (me["id"], name)
    for words, code in ((("let-in", "Nobody"), "no_such_person"), (("let-in", "x" * 3000), "no_")):
        ran = hegemon(data, *words)
        assert (ran.returncode, ran.stderr.count("\n")) == (1, 1)
        assert ran.stderr.startswith(f"hegemon: {code}")
    second = Up(data)
    try:
        path = urllib.parse.urlsplit(shown["link"]).path
        assert Browser().send(second.address + path)[0] == 200
        assert Browser().send(second.address + path)[0] == 410
    finally:
        assert second.stop() == ""  # no link, for there is an organizer


def test_before_anybody_has_come_let_in_gives_the_first_link_anew(up: Up, data: Path):
    first = link_in(up.second_line())
    ran = hegemon(data, "let-in")
    assert "It makes the person who opens it the organizer, once." in ran.stdout
    link = link_in(ran.stdout)
    assert Browser().send(first, name="Ann")[0] == 410
    assert Browser().send(link, name="Ann")[0] == 200


def test_where_no_up_has_run_nobody_is_known(data: Path):
    ran = hegemon(data, "let-in")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == (
        f"hegemon: there are no people in {data}: start `hegemon up`, which prints a link\n"
    )
    assert not data.exists()
