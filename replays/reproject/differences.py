"""The causes of a divergence between two folds, and how far their ends differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.kernel.audience import view
from ledger.kernel.fold import begin, fold
from ledger.kernel.lookup import RecordingLookup, Use
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat, rule_of
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum, Ruleset
from ledger.kernel.terms import moved_to
from ledger.log.format.acts import EditionChanged
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import History

from .change import WHAT_IF, EditionStretch
from .projection import AsPlayed, Projection
from .rule_use import changed_by
from .verdicts import Cause, Divergence

POSITIONS_MAX: Final = 20  # differences of the positions that are listed
CAUSES_MAX: Final = 20


# --- causes ---------------------------------------------------------------------------------------


def explained(
    history: History,
    stretches: Sequence[EditionStretch],
    line: Sequence[int],
    played: AsPlayed,
    again: Projection,
    first: Divergence,
) -> Divergence:
    """Adds the causes to a divergence: the differences that the event in question used."""
    differing = changed_by(stretches)
    was = {} if played.match is None else played.match.used
    now = again.match.used
    last = first.version
    was_asked, now_asked = _asked_by(
        history, stretches, line, played, _deciding(line, history, first)
    )
    found = sorted((was_asked | now_asked) & differing.keys())
    if first.kind == "illegal":  # what it was refused for is what the refusing rules asked for
        found = sorted(now_asked & differing.keys()) or found
    exact = bool(found)
    if not found:  # it was asked for earlier, and mattered only here
        found = sorted(
            use for use in differing if min(was.get(use, last + 1), now.get(use, last + 1)) <= last
        )
    errata = errata_in(stretches)
    causes = tuple(
        cause_of(history.rules, errata, use, differing[use], was.get(use), now.get(use))
        for use in found[:CAUSES_MAX]
    )
    return msgspec.structs.replace(first, causes=causes, exact=exact)


def _deciding(line: Sequence[int], history: History, first: Divergence) -> int:
    """Returns the event whose fold made the difference: for another question, the event
    before.
    """
    if first.kind in ("facts", "illegal"):
        return first.version
    earlier = [
        version
        for version in line
        if version < first.version and not isinstance(history.body(version), ActBody)
    ]
    at_the_end = first.kind == "missing" and first.version == line[-1]
    return first.version if at_the_end or not earlier else earlier[-1]


class _NotingDoor(RecordingLookup):
    """A lookup that also remembers what a refused attempt used."""

    asked: frozenset[Use] = frozenset()

    def take_back(self) -> None:
        """Keeps what was used before it is taken back: it explains the refusal."""
        self.asked = frozenset(use for use, _, _ in self.pending)
        super().take_back()


def _asked_by(
    history: History,
    stretches: Sequence[EditionStretch],
    line: Sequence[int],
    played: AsPlayed,
    version: int,
) -> tuple[frozenset[Use], frozenset[Use]]:
    """Returns everything that one event uses, as it was played and under the other rules."""
    if version == history.life.started:
        stretch = stretches[0]
        seats = history.created.seats
        return _begun(stretch.own.open_match(seats)), _begun(stretch.other.open_match(seats))
    before = _before(history, stretches, line, played, version)
    here = next(one for one in reversed(stretches) if one.first <= version)
    seat, decision = history.decision(version, here.own)
    was = here.own.restore(before)
    now = moved_to(here.own.restore(before), here.other)
    return (
        _asked_in(was, seat, decision, version),
        _asked_in(now, seat, decision, version),
    )


def _asked_in(match: Match, seat: Seat, decision: Decision, version: int) -> frozenset[Use]:
    """Returns everything that one decision uses, even if it is refused."""
    match.used = {}
    question = match.question
    if question is not None:  # it was put there by an earlier event, and is what answers now
        match.used["record", match.terms.treatment(type(question))[1]] = version
    door = match.door = _NotingDoor(match.terms.silent)
    asked: frozenset[Use] = frozenset()
    try:
        fold(match, seat, decision, version)
    except Refused:
        asked = door.asked
    except Exception:  # noqa: BLE001 - what it asked for until it broke is all there is
        asked = frozenset(use for use, _, _ in door.pending)
    return asked | match.used.keys()


def _begun(match: Match) -> frozenset[Use]:
    begin(match)
    return frozenset(match.used)


def _before(
    history: History,
    stretches: Sequence[EditionStretch],
    line: Sequence[int],
    played: AsPlayed,
    version: int,
) -> bytes:
    """Returns the packed position before an event, under the edition in force at the event."""
    held = [one for one in played.held if one.version < version]
    own = {one.first: one.own for one in stretches}
    if held:
        at = held[-1].version
        here = next(one for one in reversed(stretches) if one.first <= at)
        match = here.own.restore(held[-1].held)
    else:
        at = history.life.started
        match = stretches[0].own.open_match(history.created.seats)
        begin(match, at)
    for one in line:
        if not at < one < version:
            continue
        body = history.body(one)
        if not isinstance(body, ActBody):
            fold(match, *history.decision(one, match.terms), one)
        elif isinstance(body.act, EditionChanged):
            match = moved_to(match, own[one])
    return match.terms.snapshot(match)


def errata_in(stretches: Sequence[EditionStretch]) -> list[Erratum]:
    sides = (terms for one in stretches for terms in (one.own, one.other))
    return list({one.id: one for terms in sides for one in terms.errata}.values())


def cause_of(
    rules: Ruleset,
    errata: Sequence[Erratum],
    use: Use,
    values: tuple[Any, Any],
    was: int | None,
    now: int | None,
) -> Cause:
    """Describes a difference: its values before and after, and the first events that used it."""
    kind, *rest = use
    return Cause(
        kind=kind,
        name="/".join(rest),
        before=values[0],
        after=values[1],
        asked=was,
        asked_now=now,
        rule=_rule(rules, use),
        errata=tuple(one.id for one in errata if one.id != WHAT_IF and _speaks_of(one, use)),
    )


def _rule(rules: Ruleset, use: Use) -> str:
    kind, *rest = use
    if kind == "reading":
        return rules.readings[rest[0]].rule
    if kind == "record":
        known = (one for one in (*rules.agenda, *rules.facts) if one.__name__ == rest[0])
        return next((rule_of(one) for one in known), "")
    table = next((one for one in rules.tables if one.name == rest[0]), None)
    return "" if table is None else table.rule_at(*rest[1:])


def _speaks_of(erratum: Any, use: Use) -> bool:
    kind, *rest = use
    if kind == "reading":
        return rest[0] in erratum.readings
    if kind == "record":
        kinds = (*erratum.replaces, *erratum.replaces.values())
        return any(one.__name__ == rest[0] for one in kinds)
    rows = erratum.content.get(rest[0], {})
    if kind == "rows" or rest[1] not in rows:
        return bool(rows) and kind == "rows"
    cells = rows[rest[1]]
    return kind == "row" or cells is None or rest[2] in cells


# --- where they end -------------------------------------------------------------------------------


def same_position(was: Match | None, now: Match) -> bool:
    """Tells if two matches are in the same position: same state bytes, same questions."""
    if was is None:
        return False
    packed = [msgspec.msgpack.encode(one.state) for one in (was, now)]
    return packed[0] == packed[1] and _questions(was) == _questions(now)


def _questions(match: Match) -> list[tuple[int, str]]:
    return [(seat, match.key(seat)) for seat in match.asked()]


def account_differences(was: Match, now: Match) -> dict[str, dict[str, tuple[int, int]]]:
    """Returns the accounts with different balances, by currency: before and after."""
    before = getattr(was.state, "accounts", None)
    after = getattr(now.state, "accounts", None)
    found: dict[str, dict[str, tuple[int, int]]] = {}
    if before is None or after is None:
        return found
    for currency in sorted(before.balances.keys() | after.balances.keys()):
        old, new = before.balances.get(currency, {}), after.balances.get(currency, {})
        changed = {
            account: (old.get(account, 0), new.get(account, 0))
            for account in sorted(old.keys() | new.keys())
            if old.get(account, 0) != new.get(account, 0)
        }
        if changed:
            found[currency] = changed
    return found


def position_differences(was: Match, now: Match) -> list[tuple[str, Any, Any]]:
    """Returns the differences of two positions in public view: path, before, after."""
    before, after = view(was.state, None), view(now.state, None)
    for shown in (before, after):
        shown.pop("accounts", None)  # they are told of apart
    return list(_differences("", before, after))


def _differences(path: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in [*before, *(name for name in after if name not in before)]:
            yield from _differences(f"{path}/{name}", before.get(name), after.get(name))
    elif (
        isinstance(before, list | tuple)
        and isinstance(after, list | tuple)
        and len(before) == len(after)
    ):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _differences(f"{path}/{place}", one, other)
    elif before != after:
        yield path.removeprefix("/"), msgspec.to_builtins(before), msgspec.to_builtins(after)
