"""Pictures of scenes: every grid, every piece told apart, and nothing that a text could break."""

import itertools
import math
import xml.etree.ElementTree as ET
from typing import get_args

import pytest

from ledger.kernel.scene import Cell, Form, Link, Piece, Player, Scene
from replays.drawing.outlines import OUTLINES
from replays.drawing.paints import HUES, SEATS, seat_class
from replays.drawing.picture import scene_svg, scene_words
from replays.drawing.places import HEX_NOTE, SHOWN_MAX, Room, note_lines, slots

SVG = "{http://www.w3.org/2000/svg}"


def drawn(scene):
    return ET.fromstring(scene_svg(scene))  # noqa: S314 - our own picture


def square(*pieces, **rest):
    cells = tuple(Cell(id=f"c{n}", x=n % 3, y=n // 3, label=str(n)) for n in range(9))
    return Scene(title="Nine", cells=cells, pieces=pieces, **rest)


def piece(cell="c0", seat=0, sign="X", **rest):
    return Piece(id=f"{cell}{seat}{sign}", cell=cell, sign=sign, name="cross", seat=seat, **rest)


def test_a_picture_has_a_name_and_a_description():
    root = drawn(square(piece()))
    assert root.get("role") == "img"
    ids = root.get("aria-labelledby").split()
    assert [root.find(f"*[@id='{name}']").text for name in ids] == [
        "Nine",
        "A board of 9 cells: cross of seat 0 on 0.",
    ]


def test_squares_do_not_touch():
    rects = [
        (float(rect.get("x")), float(rect.get("y")), float(rect.get("width")))
        for rect in drawn(square()).iter(f"{SVG}rect")
    ]
    assert len(set(rects)) == 9
    assert sorted({x for x, _, _ in rects}) == [-48, 52, 152]


def test_hexes_stand_where_axial_coordinates_say():
    cells = tuple(Cell(id=f"{x},{y}", x=x, y=y) for x in range(2) for y in range(2))
    root = drawn(Scene(title="Hexes", grid="hex", cells=cells))
    centres = []
    for polygon in root.iter(f"{SVG}polygon"):
        points = [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]
        assert len(points) == 6
        centres.append(tuple(round(sum(axis) / 6) for axis in zip(*points, strict=True)))
    assert centres == [(0, 0), (50, 87), (100, 0), (150, 87)]


@pytest.mark.parametrize("grid", ["square", "hex"])
def test_everything_lies_inside_the_picture(grid):
    cells = tuple(Cell(id=f"{x},{y}", x=x, y=y) for x in range(-3, 3) for y in range(-2, 4))
    root = drawn(Scene(title="Wide", grid=grid, cells=cells))
    left, top, width, height = map(float, root.get("viewBox").split())
    for shape in root.iter(f"{SVG}polygon"):
        for point in shape.get("points").split():
            x, y = map(float, point.split(","))
            assert left <= x <= left + width
            assert top <= y <= top + height
    assert width > 0 < height


def test_seats_differ_in_shape_colour_and_class():
    seats = range(len(SEATS))
    root = drawn(square(*(piece(f"c{seat}", seat) for seat in seats)))
    tokens = [g[1] for g in root.iter(f"{SVG}g")]
    assert len({token.get("fill") for token in tokens}) == len(SEATS)
    assert [g.get("class") for g in root.iter(f"{SVG}g")] == [f"piece seat-{n}" for n in seats]
    assert tokens[0].tag == f"{SVG}circle"
    assert all(token.tag == f"{SVG}polygon" for token in tokens[1:])


def test_a_piece_of_nobody_is_drawn():
    assert 'class="piece nobody"' in scene_svg(square(piece(seat=None)))


def test_a_count_stands_on_the_piece():
    root = drawn(square(piece(count=12)))
    assert [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "count"] == ["12"]
    assert "12 cross of seat 0 on 0" in scene_words(square(piece(count=12)))


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 9, 12, 13, 40])
def test_many_pieces_share_a_cell(number):
    scene = square(*(piece("c4", sign=f"{n}") for n in range(number)))
    root = drawn(scene)
    tokens = list(root.iter(f"{SVG}g"))
    more = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "more"]
    if number <= SHOWN_MAX:
        assert (len(tokens), more) == (number, [])
    else:
        assert (len(tokens), more) == (SHOWN_MAX - 1, [f"+{number - SHOWN_MAX + 1}"])


def test_marked_cells_are_drawn_and_said():
    scene = Scene(title="Two", cells=(Cell(id="a", x=0, y=0, label="A", marked=True),))
    assert 'class="cell fill-0 marked"' in scene_svg(scene)
    assert scene_words(scene).endswith("Marked: A.")


def test_kinds_have_fills():
    kinds = enumerate(("sea", "hill", "sea"))
    cells = tuple(Cell(id=kind, x=n, y=0, kind=kind) for n, kind in kinds)
    root = drawn(Scene(title="Kinds", cells=cells))
    classes = [rect.get("class") for rect in root.iter(f"{SVG}rect")]
    assert classes == ["cell fill-1", "cell fill-0", "cell fill-1"]


def test_kinds_keep_the_fills_that_the_scene_gives_them():
    cells = (Cell(id="a", x=0, y=0, kind="sea"), Cell(id="b", x=1, y=0, kind="ash"))
    root = drawn(Scene(title="Kinds", cells=cells, kinds=("wood", "sea")))
    assert [rect.get("class") for rect in root.iter(f"{SVG}rect")] == ["cell fill-1", "cell fill-2"]


def test_a_note_stands_on_its_cell_and_leaves_less_room_for_pieces():
    cells = tuple(Cell(id=name, x=n, y=0, note=name) for n, name in enumerate(("", "two wells")))
    root = drawn(Scene(title="Notes", cells=cells, pieces=(piece(""), piece("two wells"))))
    notes = [text.text for text in root.iter(f"{SVG}text") if "note" in text.get("class")]
    assert notes == ["two wells"]
    plain, noted = (float(one.get("r")) for one in root.iter(f"{SVG}circle"))
    assert plain > noted


def test_what_a_cell_offers_stands_on_plates_below_its_note():
    cells = (Cell(id="a", x=0, y=0, note="Grex", offers="I2 M1"), Cell(id="b", x=1, y=0))
    root = drawn(Scene(title="Offers", grid="hex", cells=cells))
    texts = [(one.text, float(one.get("y"))) for one in root.iter(f"{SVG}text")]
    assert [said for said, _ in texts] == ["Grex", "I2", "M1"]
    assert texts[0][1] < texts[1][1] == texts[2][1]
    plates = [one for one in root.iter(f"{SVG}rect") if one.get("class") == "plate"]
    assert [float(one.get("x")) for one in plates] == [-17.5, 0.5]


@pytest.mark.parametrize("form", sorted(OUTLINES))
def test_a_piece_has_the_form_that_the_scene_gives_it_and_the_letter_of_its_seat(form):
    root = drawn(square(piece(form=form, mark="G")))
    (group,) = root.iter(f"{SVG}g")
    paths = [one for one in group if one.tag == f"{SVG}path"]
    assert [one.get("class") for one in paths] == ["under", "face"]
    assert {one.get("d") for one in paths} == {OUTLINES[form].path}
    assert paths[0].get("fill") < paths[1].get("fill") == SEATS[0].lit
    assert [one.text for one in group.iter(f"{SVG}text")] == ["G"]


def test_every_form_of_a_scene_has_an_outline_of_its_own():
    assert set(OUTLINES) | {""} == set(get_args(Form))
    assert len({outline.path for outline in OUTLINES.values()}) == len(OUTLINES)


def test_the_ground_of_a_cell_lies_beneath_its_pieces():
    cells = tuple(
        Cell(id=one, x=n, y=0, ground=one) for n, one in enumerate(("", "world", "star", "stars"))
    )
    root = drawn(Scene(title="Grounds", cells=cells, pieces=(piece("star"),)))
    grounds = [one.get("class") for one in root.iter(f"{SVG}g")]
    assert grounds == ["ground", "ground", "ground", "piece seat-0"]
    assert scene_svg(Scene(title="Grounds", cells=cells)).count("<circle") == 1 + 3 + 3


def test_a_region_of_hexes_is_outlined_where_it_ends():
    def edges(regions):
        cells = tuple(Cell(id=f"{n}", x=n, y=0, region=region) for n, region in enumerate(regions))
        root = drawn(Scene(title="Regions", grid="hex", cells=cells))
        return [one for one in root.iter(f"{SVG}line") if one.get("class") == "edge"]

    assert (len(edges(["a"])), len(edges(["a", "a"])), len(edges(["a", "b"]))) == (6, 10, 12)
    assert edges([""]) == []


def test_a_link_joins_its_cells_and_is_said():
    link = Link(id="l", one="c0", other="c8", name="bridge", seat=1)
    scene = square(links=(link, Link(id="m", one="c0", other="nowhere", name="path")))
    root = drawn(scene)
    (line,) = (group[-1] for group in root.iter(f"{SVG}g") if group.get("class") == "link seat-1")
    assert line.get("d") == "M0 0Q80 120 200 200"
    assert scene_words(scene) == "A board of 9 cells: bridge from 0 to 8."


def test_a_link_ends_on_its_pieces():
    link = Link(id="l", one="c0", other="c8", name="bridge", seat=1)
    ends = (piece("c0", 0, "a"), piece("c0", 1, "b", link="l"), piece("c8", 1, "b", link="l"))
    root = drawn(square(*ends, links=(link,)))
    (line,) = (group[-1] for group in root.iter(f"{SVG}g") if group.get("class") == "link seat-1")
    signs = [one for one in root.iter(f"{SVG}text") if one.text == "b"]
    at = [(one.get("x"), one.get("y")) for one in signs]
    begins, _, ends = line.get("d").removeprefix("M").partition("Q")
    assert [tuple(begins.split()), tuple(ends.split()[2:])] == at
    assert at[0] != ("0", "0")  # it shares the cell


def test_players_are_drawn_in_their_own_colours_and_those_without_in_their_seats():
    players = tuple(Player(name=hue.title(), hue=hue) for hue in ("red", "", "mauve"))
    pieces = tuple(piece(f"c{seat}", seat) for seat in range(4))
    root = drawn(square(*pieces, players=players))
    groups = [(group.get("class"), group[1].get("fill")) for group in root.iter(f"{SVG}g")]
    assert groups == [
        ("piece seat-0 hue-red", HUES["red"].lit),
        *((f"piece seat-{seat}", SEATS[seat].lit) for seat in (1, 2, 3)),
    ]
    assert "cross of Red on 0; " in scene_words(square(*pieces, players=players))
    assert seat_class(None, 7) == "seat-1"


def test_a_hue_is_a_known_word_or_nothing():
    players = (Player(name="X", hue='red" onclick="alert(1)'),)
    assert 'class="piece seat-0"' in scene_svg(square(piece(), players=players))


def test_a_long_note_is_broken_between_words():
    assert note_lines("Rakshasa 2 I1 M1", HEX_NOTE) == ["Rakshasa 2", "I1 M1"]
    assert note_lines("Grex 1 I2", HEX_NOTE) == ["Grex 1 I2"]
    assert note_lines("one " * 9, HEX_NOTE) == ["one one one", "one one one one one one"]


@pytest.mark.parametrize("number", range(1, SHOWN_MAX + 1))
def test_pieces_keep_within_their_room_and_apart_from_each_other(number):
    room = Room(-4, 90, 57)
    places, step = slots((0.0, 0.0), room, number)
    assert len(places) == number
    assert all(abs(x) + step / 2 <= 45.001 for x, _ in places)
    assert all(abs(y + 4) + step / 2 <= 28.501 for _, y in places)
    apart = [math.dist(one, other) for one, other in itertools.combinations(places, 2)]
    assert all(distance >= step - 0.001 for distance in apart)


def test_a_piece_on_no_cell_is_left_out():
    assert "<g" not in scene_svg(square(piece("elsewhere")))


def test_a_scene_without_a_board_is_a_picture_all_the_same():
    assert drawn(Scene(title="Cards only")).find(f"{SVG}title").text == "Cards only"


def test_texts_are_escaped():
    bad = '</svg><script>alert("1")</script>'
    cells = (Cell(id=bad, x=0, y=0, label=bad, kind=bad),)
    pieces = (Piece(id=bad, cell=bad, sign=bad, name=bad),)
    svg = scene_svg(Scene(title=bad, cells=cells, pieces=pieces))
    assert "<script" not in svg
    assert ET.fromstring(svg).find(f"{SVG}title").text == bad  # noqa: S314


def test_a_picture_needs_no_style_of_its_own():
    svg = scene_svg(square(piece(count=2)))
    assert "style=" not in svg
    assert "<style" not in svg


def test_the_same_scene_gives_the_same_bytes():
    assert scene_svg(square(piece())) == scene_svg(square(piece()))
