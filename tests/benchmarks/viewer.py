"""`viewer`: the replay of a long match in Chromium, by the clock of the page itself.

Ours: a Hegemonic match of 1,000 events, by six bots. How long it takes from the moment at which the
document has arrived until the board has been painted; and, for steps from event to event, from the
key to the end of the layout of the whole page: board, panels, log, scrubber, sentence. Each of
them is visited several times, and the lowest counts: what else the machine does hits only some.
Beside it: the bare picture. The SVG of the same scenes, drawn beforehand in Python, is put into an
empty page by `innerHTML` and laid out, and nothing else is done.
"""

from __future__ import annotations

import statistics
import time
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

from ledger.games import ruleset
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from replays.document.builder import build
from replays.document.changes import scenes
from replays.document.structs import pack_replay, unpack_replay
from replays.drawing.picture import scene_svg
from services.matches.play import bots_for, make_seeded_surroundings, play_whole_match
from services.run.checks import NO_CHROMIUM, chromium_path
from tests.support.browser.drawn import HOST, answer
from tests.support.browser.replaying import BODY, MATCH

SEED = 7
SEATS = 6
BOTS = ("greedy", "random")
EVENTS = 1_000
FIRST = 400  # the steps are measured from here on
GATE = (300.0, 16.0)  # milliseconds to the first board, and for a step
GOAL = (150.0, 8.0)
BOUNDS = {"gate": GATE, "goal": GOAL}
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")

STEPS = """async ([key, many]) => {
    const quiet = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    const times = [];
    let last = "";
    for (let step = 0; step < many; step += 1) {
        await quiet();
        const began = performance.now();
        document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        await Promise.resolve().then(() => 0).then(() => 0); // the drawing waits for its turn
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
        const at = document.getElementById("at").value;
        if (at === last) throw new Error(`nothing was drawn at event ${at}`);
        last = at;
    }
    return times;
}"""
PICTURES = """(pictures) => pictures.map((picture) => {
    const began = performance.now();
    document.body.innerHTML = picture;
    document.body.getBoundingClientRect();
    return performance.now() - began;
})"""
SINCE_DATA = """() => {
    const at = (name) => performance.getEntriesByName(name).at(-1)?.startTime;
    return at("replay-board") - at("replay-data");
}"""


class Size(NamedTuple):
    """How much is measured."""

    loads: int
    rounds: int
    steps: int


SIZES = (Size(3, 3, 25), Size(9, 7, 300))


def measure(*, full: bool = False) -> dict[str, Any]:
    """Both sides, and how far both of our figures are from their bounds."""
    chromium = chromium_path()
    assert chromium is not None, NO_CHROMIUM
    began = time.perf_counter()
    size, document = SIZES[full], long_document()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        version = browser.version
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        loads = _loads(page, document, size.loads)
        steps = _steps(page, size)
        bare = _pictures(page, document, size)
        browser.close()
    ours = (round(min(loads), 1), round(_p95(steps), 2))
    return {
        "name": "viewer",
        "seed": SEED,
        "rounds": size.rounds,
        "seconds": round(time.perf_counter() - began, 1),
        "document": {"events": EVENTS, "bytes": len(document), "chromium": version},
        "ours": {
            "what": f"ms from data to board ({size.loads} loads, lowest), and for a step, p95",
            "rate": list(ours),
            "median": [round(statistics.median(loads), 1), round(statistics.median(steps), 2)],
        },
        "beside": {
            "what": "ms for the bare picture of the same scenes by innerHTML, p95 (median)",
            "rate": [round(_p95(bare), 2), round(statistics.median(bare), 2)],
        },
        "ratio": round(_p95(steps) / _p95(bare), 2),
        "gate": "first board <= 300 ms, step p95 <= 16 ms",
        "goal": "first board <= 150 ms, step p95 <= 8 ms",
        "reached": {
            name: all(mine <= bound for mine, bound in zip(ours, bounds, strict=True))
            for name, bounds in BOUNDS.items()
        },
    }


class _LongEnough(Exception):
    """The bots need not play on."""


@cache
def long_document() -> bytes:
    """The replay of the first thousand events of a match by six bots, as a spectator gets it."""
    plan = Plan(ruleset="hegemonic", seats=SEATS, title="A long match")
    around = make_seeded_surroundings(MemoryStore(), SEED)

    def progress(version: int) -> None:
        if version >= EVENTS:
            raise _LongEnough

    with suppress(_LongEnough):
        play_whole_match(around, plan, bots_for(BOTS, SEATS), progress)
    (match,) = around.store.matches()
    history = History.of(around.store, match, ruleset)
    assert history.tip.version >= EVENTS, f"the match has but {history.tip.version} events"
    return pack_replay(build(history.up_to(EVENTS), None))


def _loads(page: Page, document: bytes, many: int) -> list[float]:
    """From the arrival of the document to the board, at each load of the page."""
    page.route(f"{HOST}/**", lambda route: answer(route, BODY))
    page.route(f"{HOST}/live/**", lambda route: route.fulfill(status=204))
    page.route(
        f"{HOST}/api/**",
        lambda route: route.fulfill(body=document, content_type="application/json"),
    )
    found = []
    for _ in range(many):
        page.goto(f"{HOST}/matches/{MATCH}/replay?at={FIRST}&as=spectator")
        page.wait_for_selector("#replay[data-ready] .viewer #panel")
        found.append(float(page.evaluate(SINCE_DATA)))
    return found


def _steps(page: Page, size: Size) -> list[float]:
    """Each step there and back, as often as there are rounds: the lowest of each."""
    lowest = [float("inf")] * (2 * size.steps)
    for _ in range(size.rounds):
        there = page.evaluate(STEPS, ["ArrowRight", size.steps])
        assert int(page.input_value("#at")) == FIRST + size.steps
        back = page.evaluate(STEPS, ["ArrowLeft", size.steps])
        lowest = [min(pair) for pair in zip(lowest, there + back, strict=True)]
    return lowest


def _pictures(page: Page, document: bytes, size: Size) -> list[float]:
    """The same for bare pictures of the scenes on the way."""
    wanted = range(FIRST + 1, FIRST + size.steps + 1)
    pictures = [
        scene_svg(scene)
        for n, scene in scenes(unpack_replay(document))
        if n in wanted and scene is not None
    ]
    page.unroute_all()
    page.route(f"{HOST}/**", lambda route: answer(route, "<body></body>"))
    page.goto(f"{HOST}/bare")
    lowest = [float("inf")] * len(pictures)
    for _ in range(size.rounds):
        times = page.evaluate(PICTURES, pictures)
        lowest = [min(pair) for pair in zip(lowest, times, strict=True)]
    return lowest


def _p95(values: list[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]
