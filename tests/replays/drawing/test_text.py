"""A scene drawn as text."""

from __future__ import annotations

from typing import Any

from ledger.games.tictactoe import RULES
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.scene import Card, Cell, Counter, Link, Piece, Player, Scene, Track
from replays.drawing.text import scene_text
from tests.support.log.matches import FULL_PLAN, SEALED, VIEWERS, played, started


def drawn(match: Any, viewer: int | None = None) -> str:
    assert RULES.shown.scene is not None
    return scene_text(match.scene(viewer))


def test_a_board_is_drawn():
    journal = started()
    for cell in (4, 0, 8):
        journal.decide(journal.match().asked()[0], Mark(cell))
    assert drawn(journal.match()).splitlines()[:4] == [
        "Tic-tac-toe",
        "   O   .   .",
        "   .   X   .",
        "   .   .   X",
    ]


def test_a_note_is_drawn_face_down_for_the_others():
    journal = started(SEALED)
    journal.decide(0, Write(7))
    texts = {viewer: drawn(journal.match(), viewer) for viewer in VIEWERS}
    assert "  note of seat 0: cell 7" in texts[0].splitlines()
    for viewer in (1, None):
        assert "  note of seat 0: face down" in texts[viewer].splitlines()
        assert "7" not in texts[viewer]


def test_what_the_others_are_shown_does_not_depend_on_the_note():
    for viewer in (1, None):
        texts = set()
        for cell in range(9):
            journal = started(SEALED)
            journal.decide(0, Write(cell))
            texts.add(drawn(journal.match(), viewer))
        assert len(texts) == 1


def test_every_position_of_a_match_is_drawn_for_every_viewer():
    for moment in played(FULL_PLAN, 4).history.replay():
        if moment.match is not None:
            for viewer in VIEWERS:
                lines = drawn(moment.match, viewer).splitlines()
                assert lines[0] == "Tic-tac-toe"
                assert all(line == line.rstrip() for line in lines)
                marks = sum(line.count(sign) for line in lines[1:4] for sign in "XO")
                assert marks == 9 - len(moment.match.state.empty())


def test_everything_of_a_scene_is_drawn():
    scene = Scene(
        title="All of it",
        cells=(Cell(id="a", x=0, y=0), Cell(id="b", x=2, y=0), Cell(id="c", x=1, y=1)),
        pieces=(
            Piece(id="p1", cell="a", sign="K", name="king"),
            Piece(id="p2", cell="a", sign="P", name="pawn", count=3),
        ),
        cards=(
            Card(id="c1", place="hand", name="ace", seat=0),
            Card(id="c2", place="pile", seat=1),
            Card(id="c3", place="row", name="king"),
        ),
        tracks=(
            Track(id="t", name="heat", value=2, high=5),
            Track(id="m", name="mood", value=1, low=-3, high=1),
        ),
        counters=(Counter(id="n", name="turn", value="last"),),
    )
    assert scene_text(scene).splitlines() == [
        "All of it",
        "  K3P      .",
        "       .",
        "  hand of seat 0: ace",
        "  pile of seat 1: face down",
        "  row: king",
        "  heat: 2 of 5",
        "  mood: 1 (-3 to 1)",
        "  turn: last",
    ]


def test_the_odd_rows_of_hexes_are_shifted():
    cells = tuple(Cell(id=f"{x}{y}", x=x, y=y) for y in range(2) for x in range(2))
    square, hexes = Scene(title="", cells=cells), Scene(title="", grid="hex", cells=cells)
    assert scene_text(square).splitlines()[1:] == ["   .   .", "   .   ."]
    assert scene_text(hexes).splitlines()[1:] == ["   .   .", "     .   ."]


def test_a_scene_without_a_board_is_drawn():
    assert scene_text(Scene(title="Nothing")) == "Nothing"


def test_where_places_say_what_they_offer_each_has_a_line():
    scene = Scene(
        title="Wells",
        cells=(
            Cell(id="a", x=0, y=0, label="A1", note="two wells"),
            Cell(id="b", x=1, y=0, label="B1"),
            Cell(id="c", x=2, y=0, label="C1"),
        ),
        pieces=(
            Piece(id="p1", cell="a", sign="bK", name="king"),
            Piece(id="p2", cell="a", sign="bP", name="pawn", count=3),
            Piece(id="p3", cell="b", sign="bP", name="pawn"),
        ),
        links=(Link(id="l", one="a", other="c", name="bridge"),),
        cards=(Card(id="c1", place="pile", count=5),),
    )
    assert scene_text(scene).splitlines() == [
        "Wells",
        "   A1  B1  C1",
        "  A1 (two wells): bK 3bP",
        "  B1: bP",
        "  bridge: A1 - C1",
        "  pile: 5 face down",
    ]


def test_what_each_player_has_stands_under_its_name():
    scene = Scene(
        title="Two",
        cards=(
            Card(id="c1", place="hand", seat=1, count=4),
            Card(id="c2", place="pile", count=7),
            Card(id="c3", place="hand", name="ace", seat=0),
        ),
        tracks=(
            Track(id="t1", name="heat", value=2, high=5, seat=1),
            Track(id="t0", name="points", value=61, high=100, endless=True, seat=0),
        ),
        counters=(
            Counter(id="n", name="turn", value="last"),
            Counter(id="n0", name="coins", value=3, seat=0),
            Counter(id="w1", name="board", value="bare", seat=1),
        ),
        players=(Player(name="Red", hue="red"), Player(name="Blue", hue="blue")),
        signs="K king",
        legend="On the board: a number",
    )
    assert scene_text(scene).splitlines() == [
        "Two",
        "  K king. On the board: a number",
        "  pile: 7 face down",
        "  turn: last",
        "  Red (seat 0)",
        "    points 61, coins 3",
        "    hand: ace",
        "  Blue (seat 1)",
        "    heat 2 of 5",
        "    board: bare",
        "    hand: 4 face down",
    ]


def test_a_long_line_goes_on_further_to_the_right_and_a_wide_plan_is_left_alone():
    cells = tuple(Cell(id=f"{n}", x=n, y=0, label=f"{n}") for n in range(40))
    said = Counter(id="n", name="said", value="word " * 40)
    title, plan, *lines = scene_text(Scene(title="Wide", cells=cells, counters=(said,))).split("\n")
    assert (title, len(plan)) == ("Wide", 2 + 4 * 39 + 2)
    assert lines[0].startswith("  said: word")
    assert [line[:10] for line in lines[1:]] == ["      word"] * len(lines[1:])
    assert max(map(len, lines)) <= 80 < len(" ".join(lines))


def test_marked_labels_do_not_push_their_neighbours():
    cells = tuple(
        Cell(id=f"{x}{y}", x=x, y=y, label=f"S{x}{y}", note="well", marked=not x) for x in range(3)
        for y in range(2)
    )  # fmt: skip
    rows = scene_text(Scene(title="", cells=cells)).splitlines()[1:3]
    assert [row.index("S1") for row in rows] == [rows[0].index("S1")] * 2
    assert "[S00]" in rows[0]
