"""A replay in one file: what is in it, and what it may do. Tests in a browser open it."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re

import pytest

from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from ledger.log.read.served import serve_log
from replays.document.inlining import CannotInline
from replays.document.single_file import seal, single_file, styles
from replays.verify.verifier import Verdict, verify
from services.matches.exports import bundle_for, document_of, page_for, static_text
from tests.support.replays.one_file import found, page, sample

MEGABYTE = 1_048_576


def test_a_thousand_events_make_less_than_a_megabyte():
    assert len(page().encode()) / sample().tip.version * 1_000 < MEGABYTE


def test_it_holds_the_document_and_the_bundle_of_its_viewpoint():
    said = json.loads(found(page(), "hegemon-replay"))
    assert (said["match"], said["as"]) == (sample().match, "spectator")
    assert [one["as"] for one in said["viewpoints"]] == ["spectator"]
    report = verify(io.BytesIO(found(page(), "hegemon-bundle")), ruleset, fast=True)
    assert Verdict(report.verdict) is Verdict.CHAIN
    assert (report.events, report.head) == (said["last"], said["head"])


def test_the_same_match_gives_the_same_bytes():
    assert page_for(sample(), None).decode() == page()


def test_its_policy_names_its_script_and_its_style_and_nothing_else():
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page())
    assert policy is not None
    rules = dict(one.strip().split(" ", 1) for one in policy[1].split(";"))
    assert rules["default-src"] == "'none'"
    script = re.findall(r'<script type="module">(.*?)</script>', page(), re.DOTALL)
    style = re.findall(r"<style>(.*?)</style>", page(), re.DOTALL)
    for kind, texts in (("script-src", script), ("style-src", style)):
        (text,) = texts
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[kind] == f"'sha256-{digest}'"
    assert rules["base-uri"] == rules["form-action"] == "'none'"


def test_it_names_no_address_that_a_browser_would_ask():
    outside = re.findall(r"""(?:src|href|action)\s*=\s*["']?(?!data:|#|\$)([^"'\s>]+)""", page())
    written = re.sub(r"<script.*?</script>", "", page(), flags=re.DOTALL)
    assert not [one for one in outside if one in written]
    assert "url(" not in written
    assert "@import" not in written


@pytest.mark.long
def test_a_title_is_text_and_no_markup():
    replay = document_of(sample(), None)
    replay.title = '</title><script>alert(1)</script>"&'
    made = single_file(replay, b"", static_text, "Fork of <b>").decode()
    assert "<script>alert" not in made
    assert "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;" in made
    assert "Fork of &lt;b&gt;" in made


def test_a_running_match_gives_no_more_than_its_viewer_may_have():
    running = sample().up_to(400)
    for viewer in (None, 1):
        bundle = bundle_for(running, viewer)
        held = read_history(io.BytesIO(bundle), ruleset)
        given = {(o.version, o.path) for one in serve_log(running, viewer) for o in one.openings}
        assert set(held.openings) == given
        assert given < set(running.openings)
        assert not [path for path in held.openings if path[1] == "outcome"]
    text = found(page_for(running, 1).decode(), "hegemon-replay")
    assert json.loads(text)["as"] == "1"


def test_seals_do_not_depend_on_the_order_of_fields():
    assert seal({"b": 1, "a": [1, {"d": None, "c": "é"}]}) == seal(
        {"a": [1, {"c": "é", "d": None}], "b": 1}
    )
    assert seal({"a": 1}) != seal({"a": 2})


@pytest.mark.parametrize("text", ["@import 'x.css';", "a { background: url(x.png) }", "</style>"])
def test_a_style_that_asks_for_more_is_refused(text):
    with pytest.raises(CannotInline):
        styles(["x.css"], lambda _: text)
