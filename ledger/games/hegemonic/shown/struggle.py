"""The conflict in progress, on its page and on the scene: both sides, their power, the support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ledger.games.hegemonic.state.components import BASE_OF, CARDS, UNIT_OF
from ledger.kernel.forms import Contender, Share, Struggle
from ledger.kernel.lookup import Lookup
from ledger.kernel.scene import Counter
from ledger.kernel.story import Seen
from ledger.parts.text import counted, join_words

from .names import card_words, faction_name, names_of, part_words, pattern_name

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
        counters=tuple(one.id for one in contest_counters(contest, names, lookup)),
    )


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
        yield f"{names[support['seat']]} supports {_supported(support, names)}"


def _supported(support: Seen, names: Sequence[str]) -> str:
    if support["side"] is None:
        return "nobody"
    return f"{names[support['side']]} with {support['amount']}"


# --- on the scene ---------------------------------------------------------------------------------


def contest_counters(contest: Seen, names: Sequence[str], lookup: Lookup) -> Iterator[Counter]:
    """Yields counters of a conflict: who fights whom, with what, and the totals so far."""
    for part in ("attacker", "defender"):
        side = contest[part]
        name = f"{part}: {names[side['seat']]}"
        fights = [counted(side["bases"], f"{BASE_OF[side['type']]}")] if side["bases"] else []
        fights += [counted(len(side["units"]), "unit")] if side["units"] else []
        said = f"{side['power']} {side['type']} ({' and '.join(fights)} at {side['sector']})"
        if side["faction"]:
            said += f", faction {faction_name(lookup, side['faction'])}"
        if side["lender"]:
            said += f", outposts at {side['lender']}"
        if side["card"]:
            value = getattr(CARDS.behind(lookup)[side["card"]], side["type"])
            said += f", {card_words(lookup, side['card'])} for {value}"
        yield Counter(id=part, name=name, value=said)
    yield Counter(
        id="step",
        name=f"{contest['action']} at {contest['sector']}",
        value=f"step {contest['step']}",
    )
    for number, support in enumerate(contest["support"]):
        yield Counter(
            id=f"support-{number}",
            name=f"{names[support['seat']]} supports",
            value=_supported(support, names),
        )
