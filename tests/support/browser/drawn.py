"""Two drawings of a scene, Python's and the script's, as things that can be compared.

The script's modules are served to a page of their own, under our policy for scripts.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
from playwright.sync_api import Page, Route

from ledger.kernel.scene import Scene
from services.web.app.requests import POLICY

STATIC = Path(__file__).parents[3] / "services" / "web" / "static"
HOST = "http://127.0.0.1:1"
PLACED = (
    *("x", "y", "dy", "cx", "cy", "r", "x1", "y1", "x2", "y2", "width", "height", "rx"),
    *(
        "d",
        "transform",
        "points",
        "viewBox",
        "text-anchor",
        "font-size",
        "stroke-dasharray",
        "stroke-linecap",
    ),
)
OURS_ALONE = {"place", "ring", "halo", "fresh", "lit"}  # what stands around a thing to choose it
KINDS = {
    *("cell", "edge", "casing", "dots", "label", "plate", "offer", "token", "sign", "badge"),
    *(
        "count",
        "more",
        "under",
        "face",
        "hole",
        "ground",
        "shine",
        "link",
        "piece",
        "number",
        "scene",
    ),
}
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

Thing = tuple[str, tuple[str, ...], tuple[tuple[str, str], ...], str]


def serve(page: Page, body: str = "<main id=here></main>", at: str = "/") -> None:
    """Open a page that has our scripts and styles beside it."""
    page.route(f"{HOST}/**", lambda route: answer(route, body))
    page.goto(HOST + at)


def answer(route: Route, body: str) -> None:
    """A script or a style of ours, or else the page."""
    path = route.request.url.removeprefix(HOST).partition("?")[0]
    if path.startswith("/static/"):
        file = STATIC / path.removeprefix("/static/")
        route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
    else:
        said = f'<!doctype html><html lang="en"><meta charset="utf-8">{body}'
        policy = {"Content-Security-Policy": POLICY}
        route.fulfill(body=said, content_type="text/html", headers=policy)


def drawn_by_script(page: Page, scene: Scene) -> str:
    """The outer HTML of the board that the script draws."""
    plain = msgspec.to_builtins(scene)
    text: str = page.evaluate(
        """async (plain) => {
            const { h, render } = await import("/static/vendor/preact.js");
            const { Board } = await import("/static/board/board.js");
            const { wholeScene } = await import("/static/board/scenes.js");
            const here = document.getElementById("here");
            render(null, here);
            render(h(Board, { scene: wholeScene(plain) }), here);
            const svg = here.querySelector("svg.scene");
            return new XMLSerializer().serializeToString(svg);
        }""",
        plain,
    )
    return text


def things(svg: str) -> Counter[Thing]:
    """Everything in a drawing that has a place or a class, whatever it is grouped in."""
    return Counter(_things(ET.fromstring(svg)))  # noqa: S314 - ours


def _things(root: ET.Element) -> list[Thing]:
    found = []
    for one in root.iter():
        classes = set(one.get("class", "").split())
        tag = re.sub(r"^\{.*\}", "", one.tag)
        placed = tuple((name, one.attrib[name]) for name in PLACED if name in one.attrib)
        if tag == "svg":
            placed = (
                ("viewBox", " ".join(f"{float(v):g}" for v in one.attrib["viewBox"].split())),
            )
        if not (classes & KINDS or tag == "line") or classes & OURS_ALONE - {"lit", "fresh"}:
            continue
        text = (one.text or "").strip() if tag == "text" else ""
        found.append((tag, tuple(sorted(classes)), placed, text))
    return found
