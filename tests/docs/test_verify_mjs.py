"""The verifier in JavaScript, written from docs/format.md alone, agrees with the project."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from ledger.games import ruleset
from ledger.log.format.chain import Event
from ledger.log.read.bundle import read_records
from replays.verify.verifier import verify as project_verify

ROOT = Path(__file__).resolve().parents[2]
FLIPS = 15
EVERY_BYTE = """
import { readFileSync } from 'node:fs';
import { verify } from './docs/verify.mjs';
const whole = readFileSync(process.argv[1]);
const seen = (place) => {
  const spoilt = Buffer.from(whole);
  spoilt[place] ^= [1, 0x80, 0xff][place % 3];
  return verify(spoilt).verdict === 'INVALID';
};
console.log(JSON.stringify([...whole.keys()].filter((place) => !seen(place))));
"""

if shutil.which("node") is None:
    pytest.skip(
        "node is not on the PATH: install Node 20 or later (nodejs.org) to run docs/verify.mjs",
        allow_module_level=True,
    )


def node(*arguments):
    return subprocess.run(
        ["node", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )


def verify(*arguments):
    return node("docs/verify.mjs", *arguments)


def told(done):
    """The report, and the verdict behind it."""
    report, _, verdict = done.stdout.rstrip().rpartition("\n")
    return json.loads(report), verdict


def statuses(report):
    return {check["name"]: check["status"] for check in report["checks"]}


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    path = tmp_path_factory.mktemp("match") / "match.hgm"
    options = ["--option", "opening=sealed", "--option", "begin.first=rolled"]
    command = ["-m", "services.cli", "play", "tictactoe", "--seed", "5", *options]
    subprocess.run(
        [sys.executable, *command, "--out", str(path)],
        cwd=ROOT,
        capture_output=True,
        timeout=240,
        check=True,
    )
    return path


def test_every_vector_agrees_with_the_verifier_in_javascript():
    done = node("docs/check-vectors.mjs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) == len(list((ROOT / "docs/vectors").glob("*.json")))


def test_a_match_played_here_is_valid_there(bundle):
    done = verify(bundle)
    assert done.returncode == 0, done.stdout + done.stderr
    report, verdict = told(done)
    assert verdict == report["verdict"] == "CHAIN VALID, NOT FOLDED"
    found = statuses(report)
    assert {name for name, status in found.items() if status == "ok"} == {
        "frame",
        "chain",
        "openings",
    }
    assert set(found.values()) == {"ok", "not checked"}
    schema = json.loads((ROOT / "docs" / "schemas" / "report.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(report)


def test_both_verifiers_name_the_same_match_and_head(bundle):
    with bundle.open("rb") as file:
        ours = msgspec.to_builtins(project_verify(file, ruleset, fast=True))
    theirs, _ = told(verify(bundle))
    for name in ("match", "ruleset", "events", "head", "origin", "verdict"):
        assert theirs[name] == ours[name]


def test_a_head_known_from_elsewhere_anchors_a_match_or_shows_another(bundle):
    assert verify("--anchored", bundle).returncode == 3
    report, _ = told(verify(bundle))
    last = f"{report['events']}:{report['head']}"
    done = verify("--anchored", "--head", last, bundle)
    assert (done.returncode, statuses(told(done)[0])["anchor"]) == (0, "ok")
    done = verify(bundle, "--head", f"1:{report['head']}")
    assert (done.returncode, told(done)[1]) == (4, "DIVERGED")


def test_an_earlier_head_does_not_anchor_what_follows_it(bundle):
    with bundle.open("rb") as file:
        events = [record for record in read_records(file) if isinstance(record, Event)]
    known = f"{events[4].version}:{events[4].head.hex()}"
    done = verify("--anchored", "--head", known, bundle)
    assert (done.returncode, statuses(told(done)[0])["anchor"]) == (3, "not checked")


def test_a_byte_changed_anywhere_is_seen(bundle, tmp_path):
    assert verify(bundle).returncode == 0  # as it is
    whole = bundle.read_bytes()
    last = len(whole) - 1
    changed = tmp_path / "changed.hgm"
    unseen = []
    for place in (last * step // (FLIPS - 1) for step in range(FLIPS)):
        spoilt = bytearray(whole)
        spoilt[place] ^= 0xFF
        changed.write_bytes(spoilt)
        done = verify(changed)
        assert not done.stderr, done.stderr  # it reports, and does not crash
        if done.returncode != 4:
            unseen.append((place, done.stdout))
    assert not unseen


def test_every_single_byte_changed_in_one_of_three_ways_is_seen(bundle):
    done = node("--input-type=module", "--eval", EVERY_BYTE, bundle)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_another_result_in_the_end_record_is_seen(bundle, tmp_path):
    # The hash of a bundle covers what stands before its end record; the result stands in it.
    whole = bundle.read_bytes()
    place = whole.rindex(b"winners") + len(b"winners") + 1  # behind the byte of a list of one
    changed = tmp_path / "changed.hgm"
    changed.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    done = verify(changed)
    assert done.returncode == 4
    assert statuses(told(done)[0])["result"] == "failed"


@pytest.mark.parametrize("content", [b"", b"HEGEMON1", b"\xff" * 5000, b"HEGEMON1\0\0\0\1\xc1"])
def test_garbage_is_reported_and_not_thrown(content, tmp_path):
    path = tmp_path / "garbage.hgm"
    path.write_bytes(content)
    done = verify(path)
    assert (done.returncode, done.stderr) == (4, "")
    assert done.stdout.splitlines()[-1] == "INVALID"


@pytest.mark.parametrize("arguments", [[], ["no-such.hgm"], ["docs"], ["x.hgm", "--head", "5:abc"]])
def test_a_wrong_command_and_an_unreadable_file_exit_with_two(arguments):
    assert verify(*arguments).returncode == 2
