"""export, import and verify: matches as files, and what vouches for them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from msgspec.structs import replace

from ledger.log.format.bodies import body_bytes, read_body
from ledger.log.format.chain import EMPTY, Event, link
from ledger.log.read.bundle import BundleWriter, End, Header, read_records
from tests.support.cli.calls import SEALED, Hegemon, every_byte


def exported(hegemon: Hegemon, match: str, viewer: str = "all") -> str:
    hegemon.done("export", match, "--as", viewer, "--out", f"{viewer}.hgm")
    return f"{viewer}.hgm"


def test_a_match_is_exported_under_its_id_where_one_stands(hegemon: Hegemon) -> None:
    match = hegemon.played()
    out = hegemon.done("export", match).out
    assert out.startswith(f"{match}.hgm  sha256 ")
    said = hegemon.done("export", match, "--json").json
    assert said["out"] == f"{match}.hgm"
    assert [path.name for path in Path().iterdir()] == [f"{match}.hgm"]


def test_a_bundle_can_be_cut_down_for_somebody_but_not_over_itself(hegemon: Hegemon) -> None:
    match = hegemon.new(*SEALED)
    hegemon.done("decide", match, 0, "write", "cell=4")
    full = exported(hegemon, match)
    hegemon.done("export", full, "--as", 0, "--out", "cut.hgm")
    exported(hegemon, match, "0")
    assert Path("cut.hgm").read_bytes() == Path("0.hgm").read_bytes()
    before = Path(full).read_bytes()
    hegemon.refused("export", full, "--out", full, code=2)
    hegemon.refused("export", full, code=2)
    assert Path(full).read_bytes() == before


@pytest.mark.parametrize("viewer", ["all", "spectator", "0"])
@pytest.mark.parametrize("until", ["running", "rewound", "ended", "closed"])
def test_every_bundle_goes_into_another_store_and_out_of_it_again(
    hegemon: Hegemon, tmp_path: Path, viewer: str, until: str
) -> None:
    match = hegemon.new() if until == "running" else hegemon.played()
    if until == "rewound":
        hegemon.done("rewind", match, 6)
    if until == "closed":
        hegemon.done("close", match)
    bundle = exported(hegemon, match, viewer)
    other = ("--data", tmp_path / "other")
    said = hegemon.done(*other, "import", bundle, "--json").json
    assert said["match"] == match
    assert said["new"] == said["events"]
    assert hegemon.done(*other, "tell", match).out == hegemon.done("tell", match).out
    hegemon.done(*other, "export", match, "--as", viewer, "--out", "again.hgm")
    assert Path("again.hgm").read_bytes() == Path(bundle).read_bytes()
    assert hegemon.done(*other, "import", bundle).out.endswith("events, 0 of them new\n")


def test_an_imported_match_is_read_and_forked_and_not_written_to(
    hegemon: Hegemon, tmp_path: Path
) -> None:
    match = hegemon.played()
    bundle = exported(hegemon, match)
    there = Hegemon(tmp_path / "other", hegemon.capsys)
    there.done("--data", there.data, "import", bundle)
    for words in (("decide", match, 1, "mark", "cell=1"), ("rewind", match, 5), ("close", match)):
        said = there.refused("--data", there.data, *words)
        assert "can only be read here" in said
    fork = there.done("--data", there.data, "fork", match, "--at", 6).out.strip()
    there.done("--data", there.data, "decide", fork, 0, "mark", "cell=8")


def test_a_store_takes_what_follows_on_what_it_has(hegemon: Hegemon, tmp_path: Path) -> None:
    match = hegemon.played()
    other = ("--data", tmp_path / "other")
    early = exported(hegemon, match)
    hegemon.done(*other, "import", early)
    hegemon.done("close", match)
    late = exported(hegemon, match, "spectator")
    assert hegemon.done(*other, "import", late, "--json").json["new"] == 1
    assert hegemon.done(*other, "import", early, "--json").json["new"] == 0


def test_another_history_under_the_same_id_is_refused(hegemon: Hegemon, tmp_path: Path) -> None:
    match = hegemon.new()
    twin = ("--data", tmp_path / "twin")
    copy_of_store(hegemon.data, tmp_path / "twin")
    hegemon.done("decide", match, 0, "mark", "cell=4")
    hegemon.done(*twin, "decide", match, 0, "mark", "cell=8")
    hegemon.done(*twin, "export", match, "--out", "twin.hgm")
    assert "other_history" in hegemon.refused("import", "twin.hgm")


def test_nothing_from_elsewhere_is_added_to_a_match_that_is_written_here(
    hegemon: Hegemon, tmp_path: Path
) -> None:
    match = hegemon.new()
    copy_of_store(hegemon.data, tmp_path / "twin")
    twin = ("--data", tmp_path / "twin")
    hegemon.done(*twin, "decide", match, 0, "mark", "cell=8")
    hegemon.done(*twin, "export", match, "--out", "twin.hgm")
    assert "written here" in hegemon.refused("import", "twin.hgm")


def copy_of_store(source: Path, target: Path) -> None:
    for name, held in every_byte(source).items():
        path = target / name
        if held is None:
            path.mkdir(parents=True)
        else:
            path.write_bytes(held)


def test_what_does_not_verify_is_not_imported(hegemon: Hegemon) -> None:
    bundle = Path(exported(hegemon, hegemon.played()))
    held = bytearray(bundle.read_bytes())
    held[len(held) // 2] ^= 1
    bundle.write_bytes(held)
    assert "INVALID" in hegemon.refused("import", bundle, code=4)


def test_verify_reports_check_by_check(hegemon: Hegemon) -> None:
    match = hegemon.played("--option", "begin.first=first-seat")
    hegemon.done("close", match)
    bundle = exported(hegemon, match, "spectator")
    lines = hegemon.done("verify", bundle).out.splitlines()
    assert lines[0] == f"VALID, NOT ANCHORED: {match} (tictactoe, live), 10 events"
    report = hegemon.done("verify", bundle, "--json").json
    assert [check["name"] for check in report["checks"]][:2] == ["frame", "chain"]
    assert {check["status"] for check in report["checks"][:-1]} == {"ok"}
    fast = hegemon.done("verify", bundle, "--fast", "--json").json
    assert {check["status"] for check in fast["checks"]} == {"ok", "not checked"}


def test_verify_names_what_is_not_disclosed(hegemon: Hegemon) -> None:
    match = hegemon.new(*SEALED)
    hegemon.done("decide", match, 0, "write", "cell=4")
    assert "not disclosed" in hegemon.done("verify", exported(hegemon, match, "1")).out


def test_only_a_right_head_from_elsewhere_anchors_a_bundle(hegemon: Hegemon) -> None:
    match = hegemon.played()
    bundle = exported(hegemon, match)
    heads = {one["version"]: one["head"] for one in hegemon.done("events", match).lines}
    call = ("verify", bundle, "--anchored")
    assert "no head known from elsewhere" in hegemon(*call).err
    assert hegemon(*call).code == 3
    assert hegemon("verify", bundle).code == 0
    ran = hegemon.done(*call, "--head", f"9:{heads[9]}", "--head", f"5:{heads[5]}")
    assert ran.out.startswith("VALID: ")
    wrong = hegemon(*call, "--head", f"8:{heads[9]}")
    assert (wrong.code, wrong.out.partition(":")[0]) == (4, "DIVERGED")
    assert hegemon("verify", bundle, "--fast", "--head", f"9:{heads[8]}").code == 4
    assert "has no event 10" in hegemon("verify", bundle, "--head", f"10:{heads[9]}").err


def test_rules_that_are_not_known_here_have_a_code_of_their_own(hegemon: Hegemon) -> None:
    bundle = Path(exported(hegemon, hegemon.played()))
    bundle.write_bytes(renamed(bundle.read_bytes()))
    ran = hegemon("verify", bundle)
    assert (ran.code, ran.out.partition(":")[0]) == (5, "INCOMPLETE")
    for command in ("show", "tell", "options", "fork", "import"):
        hegemon.refused(command, bundle, code=5)


def renamed(packed: bytes) -> bytes:
    """The same match, whole and consistent, of a game that nobody here knows."""
    made = io.BytesIO()
    writer = BundleWriter(made)
    tip, match, result = EMPTY, "", None
    for record in read_records(io.BytesIO(packed)):
        if isinstance(record, Header):
            match = record.match
            writer.write(replace(record, ruleset="tictactic"))
        elif isinstance(record, Event):
            body = read_body(record.body)
            if record.version == 1:
                body = replace(body, act=replace(body.act, ruleset="tictactic"))
            event = link(match, tip, body_bytes(body))
            tip = event.tip
            writer.write(event)
        elif isinstance(record, End):
            result = record.result
        else:
            writer.write(record)
    writer.end(result)
    return made.getvalue()
