"""The script draws the board of `replays.drawing.picture`; its scenes are the document's."""

from __future__ import annotations

import json
import random
from typing import get_args

import msgspec
import pytest

from ledger.kernel.scene import Cell, Ground, Link, Piece, Player, Scene
from replays.document.changes import scenes
from replays.document.structs import unpack_replay
from replays.drawing.groups import groups
from replays.drawing.marks import with_changes
from replays.drawing.outlines import OUTLINES
from replays.drawing.picture import scene_svg
from tests.support.browser.drawn import drawn_by_script, serve, things
from tests.support.browser.replaying import sample, sample_document, sample_packed


@pytest.fixture
def bare(a_page):
    page = a_page(at="http://127.0.0.1:1")
    serve(page)
    return page


def hexes(*pieces, **rest):
    cells = tuple(
        Cell(id=f"c{x}{y}", x=x, y=y, label=f"{x}/{y}", region="r" if x else "s", kind=str(x))
        for x in range(3)
        for y in range(-1, 2)
    )
    return Scene(title="t", grid="hex", cells=cells, pieces=pieces, **rest)


def piece(number, cell="c11", seat=0, **rest):
    sign = "ABCD"[: number % 4 + 1]
    return Piece(id=f"p{number}", cell=cell, sign=sign, name="a", seat=seat, **rest)


SCENES = {
    "nothing": Scene(title="t"),
    "squares": Scene(
        title="t <&>",
        cells=(
            Cell(id="a", x=0, y=0, label="a <b>", note="a note & more", marked=True),
            Cell(id="b", x=1, y=0, kind="z"),
            Cell(id="c", x=-1, y=2, kind="y", label="c"),
        ),
        kinds=("y",),
        pieces=(piece(1, "a"), piece(2, "a", 1, count=3), piece(3, "nowhere"), piece(4, "c", None)),
    ),
    "links": hexes(
        piece(1, "c00", link="l"),
        piece(2, "c21", 2),
        piece(3, "c21", 2, link="m", count=12),
        links=(
            Link(id="l", one="c00", other="c21", name="gate", seat=1),
            Link(id="m", one="c00", other="c21", name="gate"),
            Link(id="n", one="c00", other="gone", name="no gate"),
        ),
    ),
    "forms": hexes(
        *(piece(n, seat=n % 3, form=form, mark="G12"[: n % 4]) for n, form in enumerate(OUTLINES)),
        piece(11, "c00", 1, form="ring", mark="Y2", count=3),
        piece(12, "c21", None, form="disc"),
    ),
    "grounds": Scene(
        title="t",
        grid="hex",
        cells=tuple(
            Cell(
                id=f"{x} {y}", x=x, y=y, ground=ground, note="a note"[: 6 * (y % 2)], offers=offers
            )
            for y, ground in enumerate(get_args(Ground), -2)
            for x, offers in enumerate(("", "I2", "I2 M1", "P I2 M2"), -3)
        ),
    ),
    "hues": hexes(
        piece(1),
        piece(2, seat=1),
        piece(3, seat=2),
        players=(Player(name="A", hue="teal"), Player(name="B", hue="plaid"), Player(name="C")),
    ),
    **{
        f"{many} pieces": hexes(*(piece(n, seat=n % 7, count=n % 3 + 1) for n in range(many)))
        for many in (*range(1, 15), 40)
    },
}


def test_every_scene_is_drawn_alike_by_python_and_by_script(bare):
    for name, scene in SCENES.items():
        assert things(drawn_by_script(bare, scene)) == things(scene_svg(scene)), name


def test_the_sample_match_is_drawn_alike_at_its_beginning_its_middle_and_its_end(bare):
    last = sample().tip.version
    for at in (last // 6, last // 2, last):
        scene = sample().at(at).scene(None)
        assert scene.links or at < last // 2, "the sample has links"
        ours = things(drawn_by_script(bare, scene))
        assert ours == things(scene_svg(scene))
        assert len(ours) > 200


# --- scenes and what lies beside the board --------------------------------------------------------

WALK = """async ([document, numbers]) => {
    const { Scenes } = await import("/static/board/scenes.js");
    const { groups } = await import("/static/board/grouping.js");
    const scenes = new Scenes(document.events);
    return numbers.map((n) => {
        const scene = scenes.at(n);
        if (!scene) return null;
        const { targets, ...plain } = scene;
        const named = groups(scene).map(({ name, seat, counters, tracks, lots }) => ({
            name, seat,
            counters: counters.map((one) => one.id),
            tracks: tracks.map((one) => one.id),
            lots: lots.map((lot) => [lot.place, ...lot.cards.map((one) => one.id)]),
        }));
        return { scene: plain, groups: named, touched: [...scenes.touched(n)].sort() };
    });
}"""


def whole(scene):
    """A scene with all its fields, as the script keeps it."""
    found = msgspec.to_builtins(scene)
    del found["targets"]
    return json.loads(json.dumps(found))


def grouped(scene):
    return [
        {
            "name": group.name,
            "seat": group.seat,
            "counters": [one.id for one in group.counters],
            "tracks": [one.id for one in group.tracks],
            "lots": [[lot.place, *(one.id for one in lot.cards)] for lot in group.lots],
        }
        for group in groups(scene)
    ]


def test_the_scene_of_any_event_is_the_one_of_python_whichever_way_one_goes(bare):
    document = sample_document()
    told = dict(scenes(unpack_replay(sample_packed())))
    forth = list(range(1, 738))
    aside = random.Random(5).sample(forth, 60)
    numbers = [*forth[:40], *aside, *forth[:-20:-1]]
    for n, found in zip(numbers, bare.evaluate(WALK, [document, numbers]), strict=True):
        if told[n] is None:
            assert found is None
            continue
        assert found["scene"] == whole(told[n]), n
        assert found["groups"] == grouped(told[n]), n
        before = told[n - 1]
        marked = with_changes(before, told[n]) if before else told[n]
        new = {one.id for one in marked.cells if one.marked} - {
            one.id for one in told[n].cells if one.marked
        }
        assert set(found["touched"]) == new, n


def test_a_scene_that_comes_anew_keeps_what_has_not_changed(bare):
    found = bare.evaluate(
        """async ([one, other]) => {
            const { renewed } = await import("/static/board/scenes.js");
            const before = renewed(null, one);
            const now = renewed(before, other);
            return [now.cells === before.cells, now.pieces === before.pieces,
                now.pieces[0] === before.pieces[0], now.pieces[1].count];
        }""",
        [
            msgspec.to_builtins(hexes(piece(1), piece(2))),
            msgspec.to_builtins(hexes(piece(1), piece(2, count=3))),
        ],
    )
    assert found == [True, False, True, 3]


# --- choosing -------------------------------------------------------------------------------------

CHOOSE = """async ([plain, targets]) => {
    const { h, render } = await import("/static/vendor/preact.js");
    const { Board } = await import("/static/board/board.js");
    const { wholeScene } = await import("/static/board/scenes.js");
    window.chosen = [];
    const onChoose = (target, all) => window.chosen.push([target.decision.go, all.length]);
    const here = document.getElementById("here");
    render(h(Board, { scene: wholeScene(plain), targets, onChoose }), here);
}"""


def test_what_may_be_chosen_is_a_button_for_mouse_and_keyboard(bare):
    targets = [
        {"on": "c11", "label": "Go there", "decision": {"go": 1}},
        {"on": "p2", "label": "Take it", "decision": {"go": 2}},
        {"on": "p2", "label": "Leave it", "decision": {"go": 3}},
    ]
    scene = msgspec.to_builtins(hexes(piece(1), piece(2, "c00")))
    bare.evaluate(CHOOSE, [scene, targets])
    cell = bare.locator('[data-on="c11"]')
    assert cell.get_attribute("role") == "button"
    assert cell.get_attribute("aria-label").startswith("Go there. 1/1")
    bare.locator('[data-on="p1"] .token').click(force=True)  # it lies on what may be chosen
    bare.locator('[data-on="p2"]').focus()
    bare.keyboard.press("Enter")
    bare.locator('[data-on="c20"]').click(force=True)
    cell.focus()
    bare.keyboard.press(" ")
    assert bare.evaluate("window.chosen") == [[1, 1], [2, 2], [1, 1]]
    assert bare.locator("[role=button]").count() == 2
