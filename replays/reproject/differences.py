"""The differences of two folds: event by event, the first with its causes, and where they end."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from ledger.kernel.audience import view
from ledger.kernel.fold import begin, fold
from ledger.kernel.lookup import RecordingLookup, Use
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Seat, rule_of
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum, Result, Ruleset
from ledger.kernel.terms import facts_bytes, move_to_terms
from ledger.log.format.bodies import ActBody

from .change import WHAT_IF, EditionStretch, list_differences
from .projection import APPLIED, ILLEGAL, MISSING, AsPlayed, ProjectedStep, Projection
from .verdicts import Cause, Divergence, EventVerdict, MatchClass, ResultSpread

POSITIONS_MAX: Final = 20  # differences of the positions that are listed
CAUSES_MAX: Final = 20


# --- events ---------------------------------------------------------------------------------------


def mark_events(again: Projection) -> list[EventVerdict]:
    """Returns the events that did not simply apply, and the answers that the log lacks."""
    elsewhere = set(find_moved(again.steps))
    found = []
    for step in again.steps:
        verdict = step.verdict
        if verdict == APPLIED and step.version in elsewhere:
            verdict = "moved"
        if verdict != APPLIED:
            found.append(_event(step, verdict))
    rest = "unasked" if again.stopped is None else "unreached"
    out_of_place = set(again.out_of_place)
    found += [
        EventVerdict(
            verdict="unasked" if version in out_of_place else rest,
            version=version,
            question=question,
            seat=seat,
        )
        for version, question, seat in again.unasked()
    ]
    return found


def _event(step: ProjectedStep, verdict: str) -> EventVerdict:
    refusal = step.refusal
    said: Mapping[str, Any] = {} if refusal is None else refusal.as_plain()
    return EventVerdict(
        verdict=verdict,
        version=step.version,
        question=step.key,
        seat=step.seat,
        how="" if step.how == "log" else step.how,
        **said,
    )


def find_moved(steps: Sequence[ProjectedStep]) -> Iterator[int]:
    """Yields the applied events outside the longest run that keeps the order of the log."""
    versions = [s.version for s in steps if s.verdict == APPLIED and s.version is not None]
    tails: list[int] = []  # the last version of the best run of each length, and where it stands
    places: list[int] = []
    before: list[int] = []
    for place, version in enumerate(versions):
        length = bisect_left(tails, version)
        before.append(places[length - 1] if length else -1)
        if length == len(tails):
            tails.append(version)
            places.append(place)
        else:
            tails[length], places[length] = version, place
    kept, place = set(), places[-1] if places else -1
    while place >= 0:
        kept.add(place)
        place = before[place]
    yield from (version for place, version in enumerate(versions) if place not in kept)


def count_verdicts(found: Sequence[EventVerdict], answers: int) -> dict[str, int]:
    """Counts events by verdict, over all answers of the line."""
    counts = Counter(one.verdict for one in found)
    logged = sum(one.version is not None for one in found)
    counts[APPLIED] += answers - logged
    return dict(sorted(counts.items()))


# --- the first difference -------------------------------------------------------------------------


def first_difference(played: AsPlayed | Projection, again: Projection) -> Divergence | None:
    """Returns the first difference of two folds; `explained` adds its causes."""
    last, stopped = 0, again.stopped
    for place, step in enumerate(played.steps):
        was = step._replace(version=step.version or last)  # where the log has no such event
        last = was.version or last
        if place == len(again.steps) and stopped is not None:
            return _parting(was, "missing", asked=stopped.question, rule=stopped.rule)
        if place == len(again.steps):
            return _parting(was, "unasked")
        now = again.steps[place]
        if now.version != step.version:
            kind = "missing" if now.version is None else "order"
            return _parting(was, kind, asked=now.key, rule=rule_asked(now))
        if now.verdict == ILLEGAL and was.verdict != ILLEGAL:
            refusal = now.refusal
            rule = "" if refusal is None else refusal.rule
            return _parting(was, ILLEGAL, rule=rule or rule_asked(now))
        if facts_bytes(now.facts) != facts_bytes(was.facts):
            return _parting(was, "facts")
    if len(again.steps) > len(played.steps):
        now = again.steps[len(played.steps)]
        return _parting(was, "missing", asked=now.key, rule=rule_asked(now))
    both_stopped = isinstance(played, Projection) and played.stopped is not None
    if stopped is not None and stopped.why == MISSING and not both_stopped:
        return _parting(was, "missing", asked=stopped.question, rule=stopped.rule)
    return None


def _parting(was: ProjectedStep, kind: str, asked: str = "", rule: str = "") -> Divergence:
    assert was.version is not None, "what was played stands in the log"
    return Divergence(
        version=was.version, kind=kind, question=was.key, seat=was.seat, asked=asked, rule=rule
    )


def rule_asked(step: ProjectedStep) -> str:
    return "" if step.kind is None else rule_of(step.kind)


# --- causes ---------------------------------------------------------------------------------------


def explain_divergence(played: AsPlayed, again: Projection, first: Divergence) -> Divergence:
    """Adds the causes to a divergence: the differences that the event in question used."""
    differing = list_differences(again.stretches)
    was = {} if played.match is None else played.match.used
    now = again.match.used
    was_asked, now_asked = _find_event_uses(played, again, _deciding(played, first))
    found = sorted((was_asked | now_asked) & differing.keys())
    if first.kind == "illegal":  # what it was refused for is what the refusing rules asked for
        found = sorted(now_asked & differing.keys()) or found
    exact = bool(found)
    if not found:  # it was asked for earlier, and mattered only here
        found = used_by(differing, was, now, first.version)
    rules = played.history.rules
    causes = causes_of(rules, again.stretches, found[:CAUSES_MAX], was, now)
    return msgspec.structs.replace(first, causes=causes, exact=exact)


def used_by(
    uses: Iterable[Use], was: Mapping[Use, int], now: Mapping[Use, int], last: int
) -> list[Use]:
    """Returns those of some uses that either side had used by an event."""
    return sorted(
        use for use in uses if min(was.get(use, last + 1), now.get(use, last + 1)) <= last
    )


def _deciding(played: AsPlayed, first: Divergence) -> int:
    """Returns the event whose fold made the difference: for another question, the event
    before.
    """
    if first.kind in ("facts", "illegal"):
        return first.version
    earlier = [
        version
        for version in played.line
        if version < first.version and not isinstance(played.history.body(version), ActBody)
    ]
    at_the_end = first.kind == "missing" and first.version == played.line[-1]
    return first.version if at_the_end or not earlier else earlier[-1]


class _NotingLookup(RecordingLookup):
    """A lookup that also remembers what a refused attempt used."""

    asked: frozenset[Use] = frozenset()

    def take_back(self) -> None:
        """Keeps what was used before it is taken back: it explains the refusal."""
        self.asked = frozenset(use for use, _, _ in self.pending)
        super().take_back()


def _find_event_uses(
    played: AsPlayed, again: Projection, version: int
) -> tuple[frozenset[Use], frozenset[Use]]:
    """Returns everything that one event uses, as it was played and under the other rules."""
    history, stretches = played.history, again.stretches
    if version == history.life.started:
        seats = history.created.seats
        begun = [terms.open_match(seats) for terms in (stretches[0].own, stretches[0].other)]
        return _find_start_uses(begun[0]), _find_start_uses(begun[1])
    before = _before(played, again, version)
    here = next(one for one in reversed(stretches) if one.first <= version)
    seat, decision = history.decision(version, here.own)
    was = here.own.restore(before)
    now = move_to_terms(here.own.restore(before), here.other)
    return (
        _find_decision_uses(was, seat, decision, version),
        _find_decision_uses(now, seat, decision, version),
    )


def _find_decision_uses(
    match: Match, seat: Seat, decision: Decision, version: int
) -> frozenset[Use]:
    """Returns everything that one decision uses, even if it is refused."""
    match.used = {}
    question = match.question
    if question is not None:  # it was put there by an earlier event, and is what answers now
        match.used["record", match.terms.treatment(type(question))[1]] = version
    lookup = match.lookup = _NotingLookup(match.terms.silent)
    asked: frozenset[Use] = frozenset()
    try:
        fold(match, seat, decision, version)
    except Refused:
        asked = lookup.asked
    except Exception:  # noqa: BLE001 - what it asked for until it broke is all there is
        asked = frozenset(use for use, _, _ in lookup.pending)
    return asked | match.used.keys()


def _find_start_uses(match: Match) -> frozenset[Use]:
    begin(match)
    return frozenset(match.used)


def _before(played: AsPlayed, again: Projection, version: int) -> bytes:
    """Returns the packed position before an event, under the edition in force at the event."""
    terms = {stretch.own.edition: stretch.own for stretch in again.stretches}
    held = [position for position in played.held if position.version < version]
    match: Match | None = None
    at = 0
    if held:
        at, edition, packed, _ = held[-1]
        match = terms[edition].restore(packed)
    between = (event for event in played.line if at < event < version)
    for moment in played.history.fold_along(match, between, terms.__getitem__):
        match = moment.match
    assert match is not None, "the match has started before the event"
    return match.terms.snapshot(match)


def causes_of(
    rules: Ruleset,
    stretches: Sequence[EditionStretch],
    uses: Iterable[Use],
    was: Mapping[Use, int],
    now: Mapping[Use, int],
) -> tuple[Cause, ...]:
    """Describes differences: their values before and after, and the first events that used them."""
    differing = list_differences(stretches)
    sides = (terms for one in stretches for terms in (one.own, one.other))
    errata = {one.id: one for terms in sides for one in terms.errata if one.id != WHAT_IF}
    return tuple(
        Cause(
            kind=use[0],
            name="/".join(use[1:]),
            before=differing[use][0],
            after=differing[use][1],
            asked=was.get(use),
            asked_now=now.get(use),
            rule=_rule(rules, use),
            errata=tuple(name for name, one in errata.items() if _speaks_of(one, use)),
        )
        for use in uses
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


def _speaks_of(erratum: Erratum, use: Use) -> bool:
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


# --- the match ------------------------------------------------------------------------------------


def classify_match(
    found: Sequence[EventVerdict],
    again: Projection,
    before: Result | None,
    after: Result | None,
) -> MatchClass:
    if any(one.verdict == ILLEGAL and one.seat != CHANCE for one in found):
        return "decision now illegal"
    if before is None or after is None:
        return "unfinished"
    if again.substitutes.assumed:
        return "undetermined"
    if before.winners != after.winners:
        return "winner differs"
    return "same result" if before.scores == after.scores else "score differs"


def spread_of(draws: Iterable[Result | None]) -> ResultSpread:
    results = list(draws)
    ended = [one for one in results if one is not None]
    winners = Counter(",".join(map(str, one.winners)) for one in ended)
    by_seat = zip(*(one.scores for one in ended), strict=True)
    return ResultSpread(
        draws=len(results),
        ended=len(ended),
        winners=dict(sorted(winners.items())),
        scores=tuple((min(scores), max(scores)) for scores in by_seat),
    )
