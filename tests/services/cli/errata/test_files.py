"""Errata as files on the command line: looked at, tried out, put in force."""

from __future__ import annotations

from pathlib import Path

from tests.support.cli.calls import Hegemon, every_byte

CLUB = """id = "club.01"
ruleset = "tictactoe"
date = "2027-01-01"
scope = "from-now-on"
text = "A bent line wins as well."

[content.lines.bent]
cells = [0, 1, 3]
"""
BEFORE, AFTER = ((0, 4), (1, 0)), ((0, 8), (1, 1), (0, 5), (1, 3))


def file(name: str = "club.toml", text: str = CLUB) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def decided(hegemon: Hegemon, match: str, moves: tuple[tuple[int, int], ...]) -> None:
    for seat, cell in moves:
        hegemon.done("decide", match, seat, "mark", f"cell={cell}")


def test_a_file_is_looked_at(hegemon: Hegemon) -> None:
    ran = hegemon.done("errata", "tictactoe", "--check", file())
    assert ran.out.splitlines() == [
        "club.01 (2027-01-01, from-now-on) of Tic-tac-toe: A bent line wins as well.",
        "  lines/bent/cells: new -> [0, 1, 3]",
    ]
    (said,) = hegemon.done("errata", "tictactoe", "--check", "club.toml", "--json").lines
    assert said["id"] == "club.01"
    assert len(said["mark"]) == 64


def test_every_mistake_in_a_file_is_told_with_its_line(hegemon: Hegemon) -> None:
    bad = file(text=CLUB.replace("cells", "cell").replace('"from-now-on"', '"soon"'))
    ran = hegemon("errata", "tictactoe", "--check", bad)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines() == [
        f"hegemon: club.toml: {told}"
        for told in (
            "line 4, scope: it cannot be 'soon'; expected: from-now-on or retroactive",
            "line 8, content.lines.bent.cell: the row has no such cell; expected: cells",
        )
    ] + ["hegemon: club.toml is not an erratum: 2 mistakes"]
    ran = hegemon("errata", "hegemonic", "--check", file())
    assert ran.code == 2
    assert "an erratum of tictactoe, not of hegemonic" in ran.err
    Path("huge.toml").write_bytes(b"#" * 70_000)
    Path("latin.toml").write_bytes(b"\xff")
    for name in ("huge.toml", "latin.toml", "missing.toml"):
        assert hegemon("errata", "tictactoe", "--check", name).code == 2


def test_stored_matches_are_tried_under_it(hegemon: Hegemon) -> None:
    match = hegemon.new()
    decided(hegemon, match, ((0, 0), (1, 4), (0, 1), (1, 6), (0, 3), (1, 2)))
    hegemon.done("close", match)
    before = every_byte(hegemon.data)
    ran = hegemon("reproject", match, "--erratum", file())
    assert ran.code == 8
    assert "(club.01)" in ran.out
    assert "club.01 applies from now on: this shows what would have been; results stay" in ran.err
    assert every_byte(hegemon.data) == before


def test_a_running_match_goes_on_under_it_and_its_bundle_verifies_anywhere(
    hegemon: Hegemon,
) -> None:
    match = hegemon.new()
    decided(hegemon, match, BEFORE)
    ran = hegemon.done("edition", match, "--erratum", file(), "--consent", "0", "--consent", "1")
    assert ran.out == f"{match} goes on under printed + club.01\n"
    assert hegemon("edition", match, "--erratum", "club.toml").code == 1  # in force already
    decided(hegemon, match, AFTER)
    told = hegemon.done("tell", match).out
    assert "by agreement. Erratum club.01 (2027-01-01): A bent line wins as well." in told
    assert "O wins with the bent line." in told
    hegemon.done("close", match)
    hegemon.done("export", match, "--out", "one.hgm")
    Path("club.toml").unlink()
    assert "VALID, NOT ANCHORED" in hegemon.done("verify", "one.hgm").out
    ran = hegemon("reproject", "one.hgm", "--edition", "printed")
    assert ran.code == 8
    assert "club.01" in ran.out


def test_a_match_can_be_made_under_it(hegemon: Hegemon) -> None:
    ran = hegemon.done("new", "tictactoe", "--edition", "e1", "--erratum", file())
    match = ran.out.strip()
    assert "edition e1 + club.01" in hegemon.done("tell", match).out


def test_a_ruling_can_put_another_edition_in_force(hegemon: Hegemon) -> None:
    match = hegemon.new()
    decided(hegemon, match, BEFORE)
    hegemon.done("edition", match, "e2", "--reason", "the rising line was a misprint")
    assert "Edition e2 is in force from here on: the rising" in hegemon.done("tell", match).out
    assert hegemon("edition", match, "e9").code == 1
    assert hegemon("edition", match).code == 2
