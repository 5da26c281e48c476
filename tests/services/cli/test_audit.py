"""`hegemon audit`: of a match in the store, of a bundle, as text, JSON and a page."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from replays.audit.document import CHECKS
from tests.support.cli.calls import MOVES, Hegemon
from tests.support.replays.auditing import lied


@pytest.fixture
def match(hegemon: Hegemon) -> str:
    """A played match, and its bundle as `match.hgm`."""
    found = hegemon.played()
    hegemon.done("close", found)
    hegemon.done("export", found, "--as", "all", "--out", "match.hgm")
    return found


def test_a_match_is_audited_in_the_store_and_in_its_bundle(hegemon: Hegemon, match: str) -> None:
    for name, snapshots in ((match, "ok"), ("match.hgm", "not checked")):
        report = json.loads(hegemon.done("audit", name, "--json").out)
        found = {check["name"]: check["status"] for check in report["checks"]}
        assert found == dict.fromkeys(CHECKS, "ok") | {"snapshots": snapshots}
        assert report["match"] == match


def test_what_is_printed_is_the_same_each_time(hegemon: Hegemon, match: str) -> None:
    for form in ((), ("--json",), ("--brief",)):
        assert hegemon.done("audit", match, *form).out == hegemon.done("audit", match, *form).out


def test_a_page_is_written_once(hegemon: Hegemon, match: str) -> None:
    assert "VALID" in hegemon.done("audit", match, "--html", "audit.html").out
    page = Path("audit.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "<script" not in page
    assert hegemon("audit", match, "--html", "audit.html").code == 2
    assert hegemon("audit", match, "--html", "audit.html", "--force").code == 0


def test_of_a_running_match_no_secret_is_audited(hegemon: Hegemon) -> None:
    running = hegemon.new()
    for seat, cell in MOVES[:2]:
        hegemon.done("decide", running, seat, "mark", f"cell={cell}")
    report = json.loads(hegemon.done("audit", running, "--json").out)
    assert report["viewer"] == "spectator"
    assert (
        json.loads(hegemon.done("audit", running, "--as", "0", "--json").out)["viewer"] == "seat 0"
    )
    assert hegemon("audit", running, "--as", "all").code == 2


def test_what_is_wrong_is_named_and_is_exit_code_4(hegemon: Hegemon) -> None:
    whole, version = lied("a cost", random.Random(1))
    Path("lied.hgm").write_bytes(whole)
    ran = hegemon("audit", "lied.hgm")
    assert ran.code == 4
    assert f"event {version}: cost in CAPs" in ran.out
    assert "INVALID" in ran.err
    assert hegemon("audit", "lied.hgm", "--json").code == 4


def test_a_head_from_elsewhere_anchors_it(hegemon: Hegemon, match: str) -> None:
    report = json.loads(hegemon.done("audit", "match.hgm", "--json").out)
    head = f"{report['events']}:{report['head']}"
    anchored = json.loads(hegemon.done("audit", "match.hgm", "--json", "--head", head).out)
    assert anchored["verdict"] == "VALID"
    wrong = f"{report['events']}:{'0' * 64}"
    assert hegemon("audit", "match.hgm", "--head", wrong).code == 4


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), 2),
        (("match.hgm", "--tournament", "x"), 2),
        (("match.hgm", "--as", "0"), 2),
        (("nosuchmatch",), 1),
        (("--tournament", "nosuch"), 1),
    ],
)
def test_what_cannot_be_audited_is_said_in_one_line(
    hegemon: Hegemon, match: str, words: tuple[str, ...], code: int
) -> None:
    ran = hegemon("audit", *words)
    assert ran.code == code
    assert len(ran.err.strip().splitlines()) == 1
