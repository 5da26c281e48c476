"""Tampers with what holds the service to its word, by the hundred, and counts what is said of it.

    python -m tests.support.anchors.tampering            print the table
    python -m tests.support.anchors.tampering --write    ... and keep it in docs/

    world.py      what is true: some logs, the tree over them, receipts and proofs
    forging.py    receipts, signed heads and proofs are changed
    redacting.py  tiles, bundles with an anchor, and redacted bundles are

Who tampers has everything but the key, and repairs whatever can be repaired: checksums, counts,
heads, ids of keys, the tree above a changed leaf. Who has the key, the service itself, can sign two
stories; then what it signed must be evidence against it.
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ledger.anchors.notes import read_checkpoint, read_receipt
from ledger.anchors.proofs import contradiction, read_proof
from ledger.games import ruleset
from ledger.log.format.redaction import Selection, write_redacted
from replays.verify.verifier import verify

from . import forging, redacting
from .world import KEY, LEAVES, head_over_first, judged, proof, receipt, world

PAGE: Final = Path(__file__).resolve().parents[3] / "docs" / "measurements" / "anchors.md"
CASES: Final = 770  # of each kind, at full size

KINDS: Final[dict[str, Callable[[random.Random], str]]] = {
    one.__name__.replace("_", " "): one
    for one in (
        forging.receipt_changed,
        forging.receipt_rewritten,
        forging.receipt_of_another_key,
        forging.head_changed,
        forging.head_of_another_key,
        forging.two_stories,
        forging.proof_changed,
        forging.proof_of_another_event,
        forging.consistency_changed,
        redacting.tile_hash_changed,
        redacting.tile_hash_repaired,
        redacting.log_made_anew,
        redacting.redacted_changed,
        redacting.redacted_relinked,
        redacting.redacted_shuffled,
    )
}


class Finding(NamedTuple):
    """One case, and what was said of it; nothing where it passed unseen."""

    kind: str
    case: int
    outcome: str


def finding(kind: str, case: int) -> Finding:
    """Returns the finding for one case."""
    return Finding(kind, case, KINDS[kind](random.Random(f"{kind} {case}")))


def clean(number: int) -> str:
    """Returns the findings for an unchanged thing; there are none."""
    rng = random.Random(f"clean {number}")
    size = rng.randrange(1, LEAVES)
    leaf = rng.randrange(size)
    _, _, event = world().events[leaf]
    kind = number % 5
    if kind == 0:
        return judged(lambda: read_receipt(receipt(leaf), KEY))
    if kind == 1:
        return judged(lambda: read_checkpoint(head_over_first(size), KEY))
    if kind == 2:
        return judged(lambda: read_proof(proof(leaf, size), KEY).check(event.head))
    tree, new = world().tree, rng.randrange(size, LEAVES + 1)
    if kind == 3:
        heads = [read_checkpoint(head_over_first(one), KEY) for one in (size, new)]
        shown = tree.consistency(size, new)
        return judged(lambda: contradiction(heads[0], heads[1], shown))
    history, records = redacting.part(rng)
    file = io.BytesIO()
    write_redacted(file, records, Selection(None, redacting.ALL_OF_IT))
    anchors = {event.version: event.head for event in history.events}
    report = verify(io.BytesIO(file.getvalue()), ruleset, anchors=anchors)
    return "" if not report.failed else report.verdict


def table(found: Sequence[Finding]) -> str:
    """The counts by kind and outcome."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        counts.setdefault(one.kind, Counter())[one.outcome or "**passed unseen**"] += 1
    lines = ["| what is tampered with | | cases | found |", "|---|---|---|---|"]
    for kind, outcomes in counts.items():
        said = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
        what = (KINDS[kind].__doc__ or "").strip()
        lines.append(f"| {kind} | {what} | {outcomes.total()} | {said} |")
    return "\n".join(lines)


HEAD = """# Tampering with anchors

This page counts the verdicts on receipts, signed heads, proofs, tiles and redacted bundles that
were tampered with, and repaired as far as a person without the key can. It also covers a service
that signs two stories. `python -m tests.support.anchors.tampering --write` writes the page;
`tests/support/anchors/tampering.py` says where the kinds are.

- `BadNote`: the note is not signed, or not written in its form.
- `BadProof`: the proof does not lead to the signed root.
- `DamagedTiles`: the tree does not give what its folder says.
- *Only the anchor*: the copy agrees with itself and its verdict says NOT ANCHORED. With the head of
  the last event it is DIVERGED, or, where an event was added after that one, reported as anchored
  up to there.
- *Fork*: both heads are the evidence.
- *Nothing shows one story*: no proof leads from one of two heads of different sizes to the other.
"""


def main() -> None:
    """Count, print, and keep the table if asked to."""
    began = time.monotonic()
    found = [finding(kind, case) for kind in KINDS for case in range(CASES)]
    alarms = [said for number in range(1_000) if (said := clean(number))]
    unseen = sum(not one.outcome for one in found)
    took = time.monotonic() - began
    counts = (
        f"{len(found):,} cases, {unseen} of them unseen; 1,000 clean ones, {len(alarms)} alarms"
    )
    text = f"{HEAD}\n{table(found)}\n\n{counts}; {took:.0f} s.\n"
    print(text)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
