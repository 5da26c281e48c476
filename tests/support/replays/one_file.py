"""Replays in one file, taken apart and put together again otherwise than they were."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ledger.games import ruleset
from ledger.log.read.bundle import read_history
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from replays.document.single_file import part, seals
from services.matches.exports import page_for
from services.matches.play import make_seeded_surroundings, play_whole_match
from services.matches.samples import FLAGSHIP

PARTS = ("hegemon-replay", "hegemon-bundle", "hegemon-seals")


@cache
def sample() -> History:
    """A match of Hegemonic with four seats, closed and opened."""
    with FLAGSHIP.open("rb") as file:
        return read_history(file, ruleset)


@cache
def small() -> History:
    """A match of ten events or so, with sealed openings."""
    plan = Plan(ruleset="tictactoe", seats=2, options=(("opening", "sealed"),), title="A small one")
    around = make_seeded_surroundings(MemoryStore(), 5)
    return play_whole_match(around, plan, {0: "greedy", 1: "random"}).history


@cache
def page(viewer: Any = None) -> str:
    """The replay of the sample in one file."""
    return page_for(sample(), viewer).decode()


@cache
def small_page() -> str:
    """The small one's."""
    return page_for(small(), None).decode()


def found(page: str, name: str) -> bytes:
    """A part of a page."""
    text = re.search(rf'id="{name}">([^<]*)</script>', page)
    assert text is not None, name
    return gzip.decompress(base64.b64decode(text[1]))


def put(page: str, name: str, content: bytes) -> str:
    """The page with another part."""
    return re.sub(rf'(id="{name}">)[^<]*', lambda was: was[1] + part(content), page)


def retold(page: str, change: Callable[[dict[str, Any]], None], *, sealed: bool) -> str:
    """The page with another document; its seals made anew, or not."""
    document = json.loads(found(page, "hegemon-replay"))
    change(document)
    text = json.dumps(document, ensure_ascii=False).encode()
    page = put(page, "hegemon-replay", text)
    return put(page, "hegemon-seals", json.dumps(seals(text)).encode()) if sealed else page


def with_flipped(page: str, place: int) -> str:
    """The page with a bit of its bundle flipped."""
    bundle = bytearray(found(page, "hegemon-bundle"))
    bundle[place] ^= 1
    return put(page, "hegemon-bundle", bytes(bundle))


def place_of(page: str, content: bytes) -> int:
    """Where something lies in the bundle of a page."""
    return found(page, "hegemon-bundle").index(content)


def saved(page: str, folder: Path, name: str = "replay.html") -> str:
    """The address of a page on a disk."""
    path = folder / name
    path.write_text(page, encoding="utf-8")
    return path.as_uri()
