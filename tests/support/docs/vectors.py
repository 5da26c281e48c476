"""The test vectors of docs/vectors; `python -m tests.support.docs.vectors --write` writes them."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import sys
from pathlib import Path
from typing import Any, Final, TypeAlias

from ledger.log.read.history import History
from replays.verify.verifier import verify

from .breakings import broken, taken_apart
from .encodings import canonical_vectors
from .events import linked
from .hashes import chain_vectors, chance_vectors, commitment_vectors
from .matches import SHOWN, pinned
from .refused import refused_bodies

Vector: TypeAlias = dict[str, Any]

FOLDER: Final = Path(__file__).resolve().parents[3] / "docs" / "vectors"


def event_vectors() -> dict[str, list[Vector]]:
    """The file `events.json`."""
    return {"valid": list(linked()), "invalid": list(refused_bodies())}


def bundle_vectors() -> dict[str, list[Vector]]:
    """The file `bundles.json`."""
    whole = [_shown(one.name, one.shows, one.packed, one.history) for one in SHOWN]
    held_back = taken_apart("short")
    held_back.records.remove(held_back.opening(5, "outcome"))
    shows = "closed; an outcome that the policy discloses is not in this copy"
    whole.append(_shown("held back", shows, held_back.packed(), SHOWN[0].history))
    return {"valid": whole, "anchors": _anchors()}


def _shown(name: str, shows: str, packed: bytes, history: History) -> Vector:
    report = verify(io.BytesIO(packed), pinned)
    return {
        "name": name,
        "shows": shows,
        "sha256": hashlib.sha256(packed).hexdigest(),
        "match": report.match,
        "events": report.events,
        "head": report.head,
        "verdict": report.verdict,
        "statuses": {one.name: one.status for one in report.checks},
        "heads": [event.head.hex() for event in history.events],
        "bundle": base64.b64encode(packed).decode(),
    }


def _anchors() -> list[Vector]:
    shown = SHOWN[0]
    heads = [event.head.hex() for event in shown.history.events]
    cases: tuple[tuple[str, dict[str, str], str], ...] = (
        ("the last head is known", {str(len(heads)): heads[-1]}, "VALID"),
        ("two heads are known", {"1": heads[0], str(len(heads)): heads[-1]}, "VALID"),
        ("an earlier head is known", {"5": heads[4]}, "VALID, NOT ANCHORED"),
        ("another head is known", {"5": heads[5]}, "DIVERGED"),
        ("a later head is known", {str(len(heads) + 1): heads[-1]}, "DIVERGED"),
        ("nothing is known", {}, "VALID, NOT ANCHORED"),
    )
    return [
        {"name": name, "of": shown.name, "anchors": anchors, "verdict": verdict}
        for name, anchors, verdict in cases
    ]


def broken_vectors() -> dict[str, list[Vector]]:
    """The file `broken.json`."""
    return {
        "broken": [
            {
                "name": one.name,
                "why": one.why,
                "fails": one.fails,
                "fails_without_rules": list(one.fast_fails),
                "bundle": base64.b64encode(one.packed).decode(),
            }
            for one in broken()
        ]
    }


FILES: Final = {
    "canonical.json": canonical_vectors,
    "chain.json": chain_vectors,
    "commitments.json": commitment_vectors,
    "chance.json": chance_vectors,
    "events.json": event_vectors,
    "bundles.json": bundle_vectors,
    "broken.json": broken_vectors,
}


def text_of(name: str) -> str:
    """A file as it must be: one line a vector, so that a change is easy to read."""
    groups = FILES[name]()
    lines = []
    for group, vectors in groups.items():
        shown = ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in vectors)
        lines.append(f'  "{group}": [\n{shown}\n  ]')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def counts() -> dict[str, dict[str, int]]:
    """How many vectors each file holds."""
    return {
        name: {group: len(vectors) for group, vectors in make().items()}
        for name, make in FILES.items()
    }


def main(arguments: list[str]) -> None:
    """Write the files, or say how many vectors there are."""
    if "--write" in arguments:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (FOLDER / name).write_text(text_of(name), encoding="utf-8")
    for name, groups in counts().items():
        print(name, ", ".join(f"{group}: {count}" for group, count in groups.items()))


if __name__ == "__main__":
    main(sys.argv[1:])
