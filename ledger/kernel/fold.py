"""The fold: one decision through the rules, into facts and the next state.

    decision ─▶ which question does it answer? ─▶ allows? ─▶ first step of its rule
                      │ none                        │ no          │ Refused
                      ▼                             ▼             ▼
                   Refused: not one byte has changed, nothing is recorded
                                                                  │ it yields
                                                                  ▼
       each fact is applied as it is yielded; steps and questions go on the agenda in written order;
       steps run until a question is on top, or nothing is left.

An exception after the first yield is our bug. The match is marked broken and refuses
further use: its holder must discard it and read it again from bytes.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, Final

from .chance import ChanceQuestion
from .match import Match
from .records import Decision, Fact, Happenings, Question, Seat, Step, rule_of, tag_of
from .refusals import BrokenRule, Refused
from .terms import FACT, QUESTION, REPLACED

HAPPENINGS_MAX: Final = 10_000  # facts and steps of one decision; more is a rule running away


_NOTHING: Final = object()  # what a rule gives that yields nothing


def begin(match: Match, version: int = 1) -> list[Fact]:
    """Runs from the empty table to the first question."""
    _check_whole(match)
    assert match.version == 0, "a match begins once"
    facts: list[Fact] = []
    _enter(match)
    try:
        _run(match, facts)
    except BaseException as failure:
        _give_up(match, failure)
        raise
    _leave(match, version)
    return facts


def fold(match: Match, seat: Seat, decision: Decision, version: int | None = None) -> list[Fact]:
    """Changes `match` by one decision and returns the facts; or refuses, and changes nothing."""
    _check_whole(match)
    _check_begun(match)
    _enter(match)
    try:
        question = find_question(match, seat, decision)
        key = question.key(match.state, seat)
        rule = question.decide(match.state, seat, decision)
        first: Any = next(rule, _NOTHING)
    except BaseException:
        match.lookup.take_back()
        match.state.__dict__["lookup"] = match.terms.silent
        raise
    match.answered = question, key
    facts: list[Fact] = []
    try:
        waiting: Any = match.agenda[-1] if match.agenda else None
        if question is waiting:
            match.agenda.pop()
        if type(decision) not in match.known:
            _meet(match, decision)
        if first is not _NOTHING:
            _follow(match, chain((first,), rule), facts)
        _run(match, facts)
        if question.sealed:
            _check_sealed(match, question, seat)
        elif waiting is not None and waiting.sealed and match.question is not waiting:
            msg = f"{type(question).__name__} was answered in the middle of a sealed question"
            raise BrokenRule(f"{msg} and changed what is asked")
    except BaseException as failure:
        _give_up(match, failure)
        raise
    _leave(match, match.version + 1 if version is None else version)
    return facts


def find_question(match: Match, seat: Seat, decision: Decision) -> Question:
    """Returns the question that a decision answers: the top one or a standing one; or refuses.

    It is part of the fold: its lookups are recorded too.
    """
    state, kind = match.state, type(decision)
    top: Any = match.agenda[-1] if match.agenda else None  # a fold ends on a question
    if top is not None and kind in top.answers and seat in top.asks(state):
        if not top.allows(state, seat, decision):
            raise _not_allowed(top, seat, decision)
        question: Question = top
        return question
    for standing in match.terms.rules.standing:
        question = match.terms.in_force(standing)
        if kind not in question.answers:
            continue
        if type(question) not in match.known:
            _meet(match, question)  # that it was consulted matters, whichever is answered
        if seat not in question.asks(state):
            continue
        if isinstance(top, ChanceQuestion):
            raise Refused("chance_pending", rule_of(type(question)))
        if question.standing_open(state):
            if not question.allows(state, seat, decision):
                raise _not_allowed(question, seat, decision)
            return question
    raise _not_answered(top, state, seat, kind)


def _not_answered(top: Any, state: Any, seat: Seat, kind: type[Decision]) -> Refused:
    """Returns why a decision answers no question, in order of precedence."""
    if top is None:
        return Refused("match_over")
    asked = top.asks(state)
    evidence: dict[str, Any] = {"asked": list(asked), "seat": seat}
    if seat not in asked:
        code = "chance_pending" if isinstance(top, ChanceQuestion) else "not_asked"
        return Refused(code, rule_of(type(top)), "", evidence)
    wanted = ", ".join(tag_of(answer) for answer in top.answers)
    evidence = {"given": tag_of(kind), "wanted": wanted}
    return Refused("wrong_answer", rule_of(type(top)), "", evidence)


def _not_allowed(question: Question, seat: Seat, decision: Decision) -> Refused:
    evidence = {"seat": seat, "decision": tag_of(decision)}
    return Refused("not_allowed", rule_of(type(question)), "", evidence)


def _check_begun(match: Match) -> None:
    if not match.version:
        msg = "a match was asked for a decision before it had begun"
        raise BrokenRule(msg)


def _check_whole(match: Match) -> None:
    if match.broken:
        msg = f"a broken match was used again: {match.broken}"
        raise BrokenRule(msg)


def _enter(match: Match) -> None:
    match.state.__dict__["lookup"] = match.lookup


def _leave(match: Match, version: int) -> None:
    match.state.__dict__["lookup"] = match.terms.silent
    match.lookup.settle(match.used, version)
    match.version = version


def _give_up(match: Match, failure: BaseException) -> None:
    match.broken = f"{type(failure).__name__}: {failure}"
    if isinstance(failure, Refused):
        msg = f"a rule refused after it had yielded: {failure}"
        raise BrokenRule(msg) from failure


def _run(match: Match, facts: list[Fact]) -> None:
    """Runs steps until a question is on top, or until nothing is left to do."""
    agenda, known = match.agenda, match.known
    left = HAPPENINGS_MAX
    while agenda:
        top: Any = agenda[-1]
        kind = known.get(type(top)) or _meet(match, top)
        if kind == QUESTION:
            if not top.asks(match.state):
                msg = f"{type(top).__name__} asks nobody: nobody could ever answer it"
                raise BrokenRule(msg)
            return
        if not left:
            msg = f"more than {HAPPENINGS_MAX} steps for one decision, at {top}"
            raise BrokenRule(msg)
        left -= 1
        agenda.pop()
        _follow(match, top.run(match.state), facts)


def _follow(match: Match, rule: Happenings, facts: list[Fact]) -> None:
    """Applies each fact as it is yielded, and puts the steps and questions on the agenda."""
    known, state = match.known, match.state
    coming: list[Step | Question] = []
    item: Any
    for item in rule:
        kind = known.get(type(item)) or _meet(match, item)
        if kind == REPLACED:
            item = match.terms.in_force(item)  # noqa: PLW2901 - what it stands for, from here on
            kind = known.get(type(item)) or _meet(match, item)
        happened: list[Any] = coming
        if kind == FACT:
            item.apply(state)
            happened = facts
        happened.append(item)
        if len(happened) > HAPPENINGS_MAX:
            msg = f"more than {HAPPENINGS_MAX} happenings of one decision, at {item}"
            raise BrokenRule(msg)
    if coming:
        coming.reverse()
        match.agenda += coming


def _meet(match: Match, item: Any) -> int:
    """Notes that this line uses a record type, and returns how the fold treats it."""
    kind = type(item)
    treated, name = match.terms.treatment(kind)
    match.known[kind] = treated
    if treated != REPLACED:
        match.lookup.note(("record", name), match.known, kind)
    return treated


def _check_sealed(match: Match, question: Question, seat: Seat) -> None:
    """Checks that nothing else is asked until the last answer of a sealed question."""
    others = [other for other in question.asks(match.state) if other != seat]
    if not others:
        return
    top = match.question
    if top is None or type(top) is not type(question) or seat in top.asks(match.state):
        msg = f"{type(question).__name__} is sealed: it must stay open until the last answer"
        raise BrokenRule(msg)
