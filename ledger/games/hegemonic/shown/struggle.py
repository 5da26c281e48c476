"""The conflict in progress, as a page shows it: both sides, their power, and the support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.state.components import BASE_OF, BASES, UNIT_OF, UNITS
from ledger.kernel.forms import Contender, Share, Struggle
from ledger.kernel.lookup import Lookup

from .names import counted, faction_name, listed, names_of, pattern_name, source_name

Seen: TypeAlias = Mapping[str, Any]

STEPS: Final = {
    1: "Step 1: what each side has of its own",
    2: "Step 2: others may lend support",
    3: "Step 3: technology cards, chosen in secret",
    4: "Step 4: the outcome",
    5: "Step 5: what becomes of the cards",
}
PIECES: Final = frozenset((*BASES, *UNITS))


def struggle_of(seen: Seen, door: Lookup) -> Struggle | None:
    contest = seen["state"]["contest"]
    if not contest:
        return None
    names = names_of(seen, door)
    attacker, defender = contest["attacker"], contest["defender"]
    how = pattern_name(door, contest["pattern"])
    return Struggle(
        title=(
            f"{names[attacker['seat']]} attacks {names[defender['seat']]} "
            f"at {contest['sector']} ({how})"
        ),
        stage=STEPS.get(contest["step"], f"Step {contest['step']}"),
        cell=contest["sector"],
        sides=tuple(
            Contender(
                seat=side["seat"],
                role=role,
                force=_force(side, door),
                total=side["power"],
                shares=tuple(_shares(contest, side, names, door)),
            )
            for role, side in (("attacker", attacker), ("defender", defender))
        ),
        notes=tuple(_said(contest, names)),
        counters=("attacker", "defender", "step", *_supports(contest)),
    )


def _supports(contest: Seen) -> Iterator[str]:
    """Yields the ids of the counters of lent support."""
    return (f"support-{number}" for number, _ in enumerate(contest["support"]))


def _force(side: Seen, door: Lookup) -> str:
    """Describes a side: 2 complexes at S2b, industrial power."""
    pieces = [counted(side["bases"], BASE_OF[side["type"]])] if side["bases"] else []
    pieces += [counted(len(side["units"]), UNIT_OF[side["type"]])] if side["units"] else []
    said = f"{listed(pieces)} at {side['sector']}, {side['type']} power"
    return f"{said}, {faction_name(door, side['faction'])}" if side["faction"] else said


def _shares(contest: Seen, side: Seen, names: Sequence[str], door: Lookup) -> Iterator[Share]:
    """Yields what the side has of its own, then what others have lent."""
    for part in side["given"]:
        yield Share(name=_source(part, door), value=part["amount"], cell=part["sector"])
    for support in contest["support"]:
        if support["side"] == side["seat"]:
            for part in support["given"]:
                name = f"{names[support['seat']]}: {_source(part, door)}"
                yield Share(name=name, value=part["amount"], cell=part["sector"])


def _source(part: Seen, door: Lookup) -> str:
    name = source_name(door, part["piece"])
    said = counted(part["count"], name) if name in PIECES else name
    return f"{said} at {part['sector']}" if part["sector"] else said


def _said(contest: Seen, names: Sequence[str]) -> Iterator[str]:
    """Yields the answers given so far."""
    for support in contest["support"]:
        who = names[support["seat"]]
        if support["side"] is None:
            yield f"{who} supports nobody"
        else:
            yield f"{who} supports {names[support['side']]} with {support['amount']}"
