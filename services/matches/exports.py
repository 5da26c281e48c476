"""Exports of a match from its history, for one viewer."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

from ledger.kernel.audience import Viewer
from ledger.log.read.bundle import everything_is_open, write_bundle
from ledger.log.read.history import History
from replays.document.builder import build
from replays.document.single_file import single_file
from replays.document.structs import Replay
from replays.drawing.png import moment_png
from replays.story.moments import fork_words, moment_of
from replays.story.names import ALL, viewer_word

STATIC: Final = Path(__file__).parents[1] / "web" / "static"


def static_text(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def document_of(
    history: History,
    viewer: Viewer | Literal["all"],
    edition: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Replay:
    """Returns the replay document of one viewpoint alone."""
    word = ALL if isinstance(viewer, str) else viewer_word(viewer)
    found = build(history, viewer, edition, viewpoints=(word,), why_not="", progress=progress)
    found.editions = []  # there is no other in the file to turn to
    return found


def bundle_for(history: History, viewer: Viewer | Literal["all"]) -> bytes:
    """Returns the bundle a viewer may have. A match closed with full disclosure gives
    everything.
    """
    if everything_is_open(history):
        viewer = ALL
    file = io.BytesIO()
    write_bundle(file, history, viewer)
    return file.getvalue()


def page_for(
    history: History,
    viewer: Viewer | Literal["all"],
    edition: str | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> bytes:
    replay = document_of(history, viewer, edition, progress)
    bundle = bundle_for(history, viewer)
    return single_file(replay, bundle, static_text, fork_words(history.created))


def picture_of(history: History, at: int, viewer: Viewer) -> bytes:
    return moment_png(moment_of(history, at, viewer))
