"""The conflict in progress, as a page shows it: both sides, their power, and the support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from ledger.games.hegemonic.state.components import BASE_OF, UNIT_OF
from ledger.kernel.forms import Contender, Share, Struggle
from ledger.kernel.lookup import Lookup
from ledger.parts.text import counted, join_words

from .names import faction_name, names_of, part_words, pattern_name

Seen: TypeAlias = Mapping[str, Any]

STEPS: Final = {
    1: "Step 1: what each side has of its own",
    2: "Step 2: others may lend support",
    3: "Step 3: technology cards, chosen in secret",
    4: "Step 4: the outcome",
    5: "Step 5: what becomes of the cards",
}


def struggle_of(seen: Seen, lookup: Lookup) -> Struggle | None:
    contest = seen["state"]["contest"]
    if not contest:
        return None
    names = names_of(seen, lookup)
    attacker, defender = contest["attacker"], contest["defender"]
    how = pattern_name(lookup, contest["pattern"])
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
                force=_force(side, lookup),
                total=side["power"],
                shares=tuple(_shares(contest, side, names, lookup)),
            )
            for role, side in (("attacker", attacker), ("defender", defender))
        ),
        notes=tuple(_list_answers(contest, names)),
        counters=("attacker", "defender", "step", *_supports(contest)),
    )


def _supports(contest: Seen) -> Iterator[str]:
    """Yields the ids of the counters of lent support."""
    return (f"support-{number}" for number, _ in enumerate(contest["support"]))


def _force(side: Seen, lookup: Lookup) -> str:
    """Describes a side: 2 complexes at S2b, industrial power."""
    pieces = [counted(side["bases"], BASE_OF[side["type"]])] if side["bases"] else []
    pieces += [counted(len(side["units"]), UNIT_OF[side["type"]])] if side["units"] else []
    said = f"{join_words(pieces)} at {side['sector']}, {side['type']} power"
    return f"{said}, {faction_name(lookup, side['faction'])}" if side["faction"] else said


def _shares(contest: Seen, side: Seen, names: Sequence[str], lookup: Lookup) -> Iterator[Share]:
    """Yields what the side has of its own, then what others have lent."""
    for part in side["given"]:
        yield Share(name=part_words(part, lookup), value=part["amount"], cell=part["sector"])
    for support in contest["support"]:
        if support["side"] == side["seat"]:
            for part in support["given"]:
                name = f"{names[support['seat']]}: {part_words(part, lookup)}"
                yield Share(name=name, value=part["amount"], cell=part["sector"])


def _list_answers(contest: Seen, names: Sequence[str]) -> Iterator[str]:
    """Yields the answers given so far."""
    for support in contest["support"]:
        who = names[support["seat"]]
        if support["side"] is None:
            yield f"{who} supports nobody"
        else:
            yield f"{who} supports {names[support['side']]} with {support['amount']}"
