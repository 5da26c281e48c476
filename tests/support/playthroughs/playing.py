"""From a script of a match (`.play`, as `hegemon enter` takes it) to all that is seen of it.

Long matches, and those with decisions that nobody types, are `.folds`: see rounds.py.

python -m tests.support.playthroughs.playing --write     writes every `.txt` anew; review the diff
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.games import ruleset
from ledger.kernel.audience import Viewer
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from replays.drawing.text import scene_text
from replays.story.sentences import tell
from services.cli import main

from . import rounds

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "playthroughs"


def scripts() -> list[Path]:
    """Every script there is."""
    return sorted((*FOLDER.glob("*/*.play"), *FOLDER.glob("*/*.folds")))


def expected_of(script: Path) -> Path:
    """Where the text of a playthrough stands."""
    return script.with_suffix(".txt")


def played(script: Path, folder: Path) -> History:
    """The match of a script, entered through the command line."""
    code = main(["--data", str(folder), "enter", str(script)])
    assert code == 0, f"{script} cannot be entered"
    store = FileStore(folder)
    (match,) = store.matches()
    return History.of(store, match, ruleset)


def playthrough(history: History) -> str:
    """A match as text: for every event what each viewer is told, sees and may decide."""
    return "\n".join(_lines(history)) + "\n"


def _lines(history: History) -> Iterator[str]:
    viewers: tuple[Viewer, ...] = (*range(history.created.seats), None)
    told = {viewer: list(tell(history, viewer)) for viewer in viewers}
    for event in history.events:
        place = event.version - 1
        yield f"=== event {event.version}"
        match = history.at(event.version)
        for viewer in viewers:
            name = "spectator" if viewer is None else f"seat {viewer}"
            yield f"--- {name}: {' '.join(told[viewer][place].sentences)}"
            if match is not None:
                yield json.dumps(match.view(viewer), sort_keys=True, separators=(",", ":"))
        scene = None if match is None else match.scene(None)
        if scene is not None:
            yield scene_text(scene)
    last = history.at()
    if last is not None and last.ended:
        yield f"=== result {last.result()}"


def text_of(script: Path) -> str:
    """All that is seen of a script's match, now."""
    if script.suffix == ".folds":
        return rounds.text_of(script)
    with TemporaryDirectory() as folder:
        return playthrough(played(script, Path(folder)))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.support.playthroughs.playing --write")
    for one in scripts():
        expected_of(one).write_text(text_of(one), encoding="utf-8")
