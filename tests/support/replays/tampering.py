"""Tampers with bundles by the hundred and counts what verification says of it.

    python -m tests.support.replays.tampering            print the table
    python -m tests.support.replays.tampering --write    ... and keep it in docs/

Each case is judged twice: by `replays.verify.verifier` and by the second opinion of
`oracle.py`. Where the oracle finds a contradiction, verify must name it by a check that the class
expects. Where
the bundle agrees with itself, verify must say so, and DIVERGED once it is handed the true head.
"""

from __future__ import annotations

import io
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ledger.games import ruleset
from replays.verify.verifier import Report, Verdict, verify
from tests.support.log.matches import (
    FULL_PLAN,
    OVERLAID,
    PLAIN,
    ROLLED,
    SEALED,
    STAKED,
    bundled,
    eventful,
)

from .classes import CLASSES
from .loose import loosened, recommitted, relinked
from .oracle import agrees
from .retelling import RETOLD, Told, original
from .saying import CLEAN

PAGE = Path(__file__).resolve().parents[3] / "docs" / "measurements" / "tampering.md"
LEVELS = ("relinked", "recommitted", "retold")
CASES = 100  # of each class at each level
# Changes that often make no difference (no die was rolled, no line was won): of each second case
# it is asked that they do.
OFTEN_HARMLESS = ("edition", "options", "overlay", "seed", "nonce", "rewound to")
PLANS = (
    PLAIN,
    ROLLED,
    SEALED,
    STAKED,
    FULL_PLAN,
    OVERLAID,
    replace(FULL_PLAN, edition="e1"),
    replace(FULL_PLAN, edition="e2"),
    replace(FULL_PLAN, edition="e3"),
    replace(FULL_PLAN, entered=True),
)


@dataclass(frozen=True)
class Finding:
    """One tampered bundle and what was said of it."""

    kind: str
    level: str
    case: int
    outcome: str  # the check that named it, "only the anchor", or what went wrong
    right: bool

    def __str__(self) -> str:
        return f"{self.kind}, {self.level}, case {self.case}: {self.outcome}"


def told(number: int) -> Told:
    """One of the matches that are tampered with, by number."""
    return Told(PLANS[number % len(PLANS)], seed=number, rewinds=number // len(PLANS) % 3)


@cache
def bundle(number: int) -> bytes:
    """Its bundle; every seventh has had another edition, a pause and a rewind."""
    if number % 7 == 6:
        return bundled(eventful(PLANS[number % len(PLANS)], number).history)
    return original(told(number))


@cache
def true_head(whole: bytes) -> dict[int, bytes]:
    """The anchor that somebody kept: the last event of the true match and its head."""
    report = verify(io.BytesIO(whole), ruleset)
    return {report.events: bytes.fromhex(report.head)}


def tampered(kind: str, level: str, case: int) -> tuple[bytes, bytes, int | None]:
    """The true bundle, the tampered one, and the version that was touched (if that is known)."""
    for attempt in range(200):
        rng = random.Random(f"{kind} {level} {case} {attempt}")
        number = rng.randrange(60)
        if level == "retold":
            if number % 7 == 6:
                continue
            true, false = bundle(number), RETOLD[kind][0](told(number), rng)
            if true != false and (not RETOLD[kind][1] or not agrees(loosened(false))):
                return true, false, None
            continue
        loose = loosened(bundle(number))
        version = CLASSES[kind].change(loose, rng)
        if version is None:
            continue
        false = (relinked if level == "relinked" else recommitted)(loose)
        if kind in OFTEN_HARMLESS and case % 2 and agrees(loosened(false)):
            continue
        if false != bundle(number):
            return bundle(number), false, version if CLASSES[kind].exact else None
    raise AssertionError(f"no match has anything of the kind: {kind}")


def finding(kind: str, level: str, case: int) -> Finding:
    """Returns the finding for one case, and whether it is right."""
    true, false, version = tampered(kind, level, case)
    expected = RETOLD[kind][1] if level == "retold" else getattr(CLASSES[kind], level)
    agreed = agrees(loosened(false))
    anchors = true_head(true)
    try:
        report = verify(io.BytesIO(false), ruleset)
        anchored = verify(io.BytesIO(false), ruleset, anchors=anchors) if agreed else report
    except Exception as escaped:  # noqa: BLE001 - that one escapes is what is looked for
        return Finding(kind, level, case, f"escaped: {type(escaped).__name__}", right=False)
    if agreed:
        whole = loosened(false).closing is not None  # what was cut short is not disclosed, either
        if report.verdict not in ([Verdict.NOT_ANCHORED.value] if whole else CLEAN):
            return Finding(kind, level, case, f"false alarm: {_names(report)}", right=False)
        if anchored.verdict != Verdict.DIVERGED.value:
            return Finding(kind, level, case, f"not seen with an anchor: {anchored}", right=False)
        return Finding(kind, level, case, "only the anchor", right=True)
    named = [check for check in report.failed if check.name in expected]
    if report.verdict != Verdict.INVALID.value:
        return Finding(kind, level, case, f"not seen: {report.verdict}", right=False)
    if not named:
        return Finding(kind, level, case, f"by another check: {_names(report)}", right=False)
    if version is not None and version not in {check.version for check in named}:
        return Finding(kind, level, case, f"at another event: {named[0]}", right=False)
    return Finding(kind, level, case, named[0].name, right=True)


def _names(report: Report) -> str:
    return ", ".join(f"{check.name} ({check.detail})" for check in report.failed)


def findings(kind: str, level: str, cases: Iterable[int] = range(CASES)) -> list[Finding]:
    """Returns the findings for many cases of a class."""
    return [finding(kind, level, case) for case in cases]


def kinds() -> Iterator[tuple[str, str]]:
    """Every class at every level that it has."""
    for kind in CLASSES:
        for level in LEVELS:
            if level != "retold" or kind in RETOLD:
                yield kind, level


def table(found: list[Finding]) -> str:
    """The counts by class, level and outcome."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in found:
        outcome = one.outcome if one.right else f"**{one.outcome.partition(':')[0]}**"
        counts.setdefault((one.kind, one.level), Counter())[outcome] += 1
    lines = ["| class | repaired | cases | named by |", "|---|---|---|---|"]
    for (kind, level), outcomes in counts.items():
        said = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
        lines.append(f"| {kind} | {level} | {outcomes.total()} | {said} |")
    return "\n".join(lines)


HEAD = """# Tampering

This page counts the verdicts of `replays.verify.verifier` on bundles that were tampered with
and then repaired.
`python -m tests.support.replays.tampering --write` writes it;
`tests/support/replays/classes.py` and `tests/support/replays/retelling.py` describe the classes.

- *Relinked*: every head, count, parent and checksum was computed anew.
- *Recommitted*: so was every commitment whose salt, seed or nonce the bundle discloses.
- *Retold*: a whole other match under the same id.
- *Only the anchor*: the bundle agrees with itself, its verdict is VALID, NOT ANCHORED (VALID AS FAR
  AS DISCLOSED where its last events are missing), and DIVERGED with the true head.

Outcomes in bold are wrong.
"""


def main() -> None:
    """Count, print, and keep the table if asked to."""
    found = [one for kind, level in kinds() for one in findings(kind, level)]
    wrong = sum(not one.right for one in found)
    text = f"{HEAD}\n{table(found)}\n\n{len(found)} cases, {wrong} of them judged wrongly.\n"
    print(text)
    if "--write" in sys.argv[1:]:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
