"""The life of a match, above its rules: which role may do which act, and when.

    created ─▶ joined ─▶ started ─▶ ended ─▶ closed ─▶ sealed

The table `_ACTS` says when an act may come, and from whom. `Life` follows a match event by
event. The checks refuse an event that does not fit before it is written; `Life.trouble` finds
such an event in a log from elsewhere. `Composed` decides which events may come between composing
a decision and receiving it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ledger.kernel.accounts import Transferred, holder
from ledger.kernel.chance import nonce_commitment
from ledger.kernel.records import CHANCE, Disturbs, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.terms import Terms
from ledger.log.format.acts import (
    Abandoned,
    Act,
    Closed,
    Created,
    Disputed,
    EditionChanged,
    Joined,
    Paused,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
    Started,
)
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, Role, SealedBody, Submitter
from ledger.log.format.published import behind_in, behind_of, one_of, trouble_of

if TYPE_CHECKING:
    from ledger.log.read.history import History, Moment

# In order of precedence.
LOG_REFUSALS: Final[Mapping[str, str]] = {
    "no_such_match": "There is no match with this id.",
    "no_such_dispute": "There is no dispute with this name.",
    "match_closed": "The match is closed: its log accepts no more decisions.",
    "already_started": "The match has started.",
    "not_started": "The match has not started.",
    "match_paused": "The match is paused.",
    "not_parked": "The match is not parked.",
    "still_parked": "The match still cannot be folded here.",
    "match_parked": "The match cannot be folded now and waits until an operator has mended it.",
    "engine_differs": "The rules here give other facts than the log: they cannot show this match.",
    "stale": "The match has gone on since you composed this decision: look again.",
    "question_gone": "The question is no longer open to this seat.",
    "seat_taken": "The seat is taken, or no seat has this number.",
    "seats_free": "The match cannot start before every seat is taken.",
    "wrong_submitter": "This role may not decide for this seat.",
    "chance_is_keyed": "Dice and cards of this match come from its keys; you cannot enter them.",
    "already_ended": "The match has ended: close it, its result is final.",
    "read_only": "The match was imported: you can read and fork it, but not write to it.",
    "not_ended": "The match has not ended.",
    "no_such_event": "The match has no such event, or you cannot go back to it.",
    "not_entitled": "This role may not do this.",
    "keys_are_open": "The service has published the keys of chance: go on in a fork.",
    "undo_needs_consent": "Undoing this needs the consent of every seat, or the organizer.",
    "command_changed": "This command id was used before for another command.",
}

REFEREES: Final = ("organizer", "referee")
_STAFF: Final = ("organizer", "referee", "service")


class _Rule(NamedTuple):
    """When an act may come, and who may do it."""

    who: tuple[str, ...] = ()  # empty: anybody
    start: Literal["before", "after", ""] = ""  # it comes only before or after the start
    after: tuple[Literal["abandoned", "closed"], ...] = ()  # and even after these ends


_ACTS: Final[Mapping[type[Act], _Rule]] = {
    Created: _Rule(),
    Joined: _Rule(start="before"),
    Started: _Rule(start="before"),
    Paused: _Rule(start="after"),
    Resumed: _Rule(start="after"),
    Rewound: _Rule(start="after"),
    EditionChanged: _Rule((*_STAFF, "fork"), start="after"),  # or all seats agree
    SeatGiven: _Rule(_STAFF),
    Abandoned: _Rule(_STAFF),
    Disputed: _Rule(after=("abandoned", "closed")),
    Ruled: _Rule(REFEREES, after=("abandoned", "closed")),
    Closed: _Rule(_STAFF, after=("abandoned",)),
}
_ANSWER: Final = _Rule(start="after")
_TABLE_ROLES: Final = ("referee", "organizer", "seat", "delegate")  # who enters what fell


def make_refusal(code: str, evidence: Mapping[str, object] | None = None) -> Refused:
    return Refused(code, "", LOG_REFUSALS[code], evidence)


class Life:
    """The stage that a match has reached."""

    def __init__(self) -> None:
        self.created: Created | None = None
        self.joined: dict[Seat, Joined] = {}
        self.nonces: tuple[bytes, ...] = ()
        self.started: int = 0  # the version of the start; a rewind never goes before it
        self.paused = False  # a pause is not undone by a rewind
        self.abandoned = False
        self.closed = False
        self.noted = False  # a ruling came after the close that changed nothing that is played
        self.keys_opened = False  # a close has published seeds of chance
        self.disputes: frozenset[str] = frozenset()
        self.rewinds_ordered: frozenset[tuple[str, int]] = frozenset()  # by dispute: to where
        self.copied = True  # a fork begins with what it copies
        self._version = 0

    @property
    def over(self) -> bool:
        """Returns whether the match takes no more decisions. A ruling may reopen it."""
        return self.closed or self.abandoned

    def __copy__(self) -> Life:
        """Returns a separate copy, which shares the fields: they are only ever replaced."""
        copied = Life.__new__(Life)
        copied.__dict__.update(self.__dict__)
        return copied

    def grow(self, body: AnyBody) -> None:
        """Applies the next event without checking it."""
        self._version += 1
        if self.noted and not _is_of_disputes(body):
            self.closed = self.abandoned = self.noted = False
        if not isinstance(body, ActBody):
            self.copied = self.copied and body.by.role == "fork"
            return
        match body.act:
            case Created():
                self.created = body.act
            case Joined():
                # A new dictionary: whoever goes on from a copy of this life leaves it alone.
                self.joined = {**self.joined, body.act.seat: body.act}
            case Started():
                self.started = self._version
                self.nonces = body.act.nonces
            case Paused():
                self.paused = True
            case Resumed():
                self.paused = False
            case Abandoned():
                self.abandoned = True
            case Closed():
                self.closed = True
                self.keys_opened = self.keys_opened or bool(body.act.seeds)
            case Disputed():
                self.disputes |= {body.act.dispute}
            case Ruled() if body.act.remedy is not None:
                self._grow_by(body.act)

    def _grow_by(self, ruling: Ruled) -> None:
        if not opens_again(ruling):
            self.noted = self.noted or (self.closed and not self.keys_opened)
            return
        # A remedy is carried out on an open match, which is then closed anew.
        self.closed = self.abandoned = self.noted = False
        if isinstance(ordered := remedy_act_of(ruling), Rewound):
            self.rewinds_ordered |= {(ordered.because, ordered.to)}

    def trouble(self, body: AnyBody, match: str) -> str:
        """Returns the fault of a body as the next event, or "".

        These are the rules of docs/format.md, section 8, in their order: the first one counts.
        """
        act = body.act if isinstance(body, ActBody) else None
        rule = _ANSWER if act is None else _ACTS[type(act)]
        # Logs of before may go on after any remedy.
        if self.closed and not self.noted and "closed" not in rule.after:
            return "the match was closed before it"
        if act is not None and body.opens:
            return "an act cannot open commitments"
        if (self._version == 0) is not isinstance(act, Created):
            return "a log has match.created first and once"
        if isinstance(act, Created) and act.match != match:
            return f"it was created as match {act.match}"
        if isinstance(act, Created) and (trouble := _origin_trouble(act)):
            return trouble
        if isinstance(act, Created | EditionChanged) and (trouble := self._edition_trouble(act)):
            return trouble
        if self._left and "abandoned" not in rule.after:
            return "the match was abandoned before it"
        if act is not None and not self.entitles(act, body.by.role):
            return f"a {body.by.role} may not do this"
        if rule.start == "before" and self.started:
            return "the match had started before it"
        if isinstance(act, Rewound) and not 0 < self.started <= act.to:
            return "it rewinds to before the start"
        if rule.start == "after" and not self.started:
            return "the match had not started"
        return self._answer_trouble(body) if act is None else self._act_trouble(act)

    @property
    def _left(self) -> bool:
        """Returns whether the match was abandoned and no ruling has let it go on."""
        return self.abandoned and not self.noted

    def _act_trouble(self, act: Act) -> str:
        """Returns the fault of an act that may come now from this role, or ""."""
        created = act if isinstance(act, Created) else self.created
        assert created is not None, "a log begins with match.created"
        match act:
            case Joined() if act.seat in self.joined or act.seat not in range(created.seats):
                return "no free seat"
            case Started():
                return self._start_trouble(act)
            case Disputed() if not 0 < act.first <= act.last <= self._version:
                there = f"{self._version} had come"
                return f"it disputes events {act.first} to {act.last}, but {there}"
            case Ruled() if act.dispute not in self.disputes:
                return f"it rules on the dispute {act.dispute}, which was never filed"
            case Ruled() if opens_again(act) and self.keys_opened:
                return "it reopens a match whose keys of chance are published"
            case Rewound() if act.because and (act.because, act.to) not in self.rewinds_ordered:
                return f"no ruling on the dispute {act.because} ordered it"
            case Closed(result=None) if not self._left:
                return "it states no result, but the match was not abandoned"
            case Closed() if act.result is not None and not self.started:
                return "it states a result, but the match had not started"
            case Closed() if act.result is not None and self._left:
                return "it states a result, but the match was abandoned"
        return ""

    def _edition_trouble(self, act: Created | EditionChanged) -> str:
        created = act if isinstance(act, Created) else self.created
        assert created is not None, "a log begins with match.created"
        return trouble_of(act.edition, act.errata, created.ruleset, self._version + 1)

    def _start_trouble(self, act: Started) -> str:
        assert self.created is not None
        if len(self.joined) != self.created.seats:
            return "a seat was free"
        if len(act.nonces) != self.created.seats:
            return "it must open one nonce for each seat"
        for seat, nonce in enumerate(act.nonces):
            joined = self.joined.get(seat)
            if joined is None or nonce_commitment(seat, nonce) != joined.nonce:
                return f"the nonce of seat {seat} differs from the committed one"
        return ""

    def _answer_trouble(self, body: AnyBody) -> str:
        assert isinstance(body, AnswerBody | SealedBody)
        if self.paused:
            return "the match was paused"
        return self.submitter_trouble(body.seat, body.by.role)

    def entitles(self, act: Act, role: Role) -> bool:
        """Returns whether a role may do this act."""
        agreed = isinstance(act, EditionChanged) and self.all_agree(act.consents)
        return agreed or role in (_ACTS[type(act)].who or (role,))

    def all_agree(self, consents: Sequence[Seat]) -> bool:
        return self.created is not None and set(consents) >= set(range(self.created.seats))

    def submitter_trouble(self, seat: Seat, role: Role) -> str:
        """Returns the fault of a role that answers for a seat, or ""."""
        assert self.created is not None
        if role == "fork":
            is_copy = self.created.origin.kind == "fork" and self.copied
            return "" if is_copy else "it is marked as copied, but nothing is copied there"
        if seat != CHANCE:
            return f"the {role} answered for seat {seat}" if role in ("dice", "service") else ""
        if self.created.chance == "keys":
            return "" if role == "dice" else f"chance was answered by a {role}, not by its keys"
        return "" if role in _TABLE_ROLES else f"chance was entered by a {role}"


def opens_again(act: Ruled) -> bool:
    """Returns whether a ruling's remedy changes the match, which reopens a closed one."""
    return act.remedy is not None and act.remedy.kind not in ("note", "annul-deal")


def _is_of_disputes(body: AnyBody) -> bool:
    return isinstance(body, ActBody) and isinstance(body.act, Disputed | Ruled)


def _origin_trouble(act: Created) -> str:
    origin = act.origin
    if origin.kind == "fork" and None in (origin.match, origin.version, origin.head):
        return "it is a fork, but names no origin"
    if origin.kind == "live" and act.chance == "entered":
        return "its dice and cards are entered, so it cannot be a live match"
    return ""


# --- before anything is written -------------------------------------------------------------------


def check_not_closed(history: History) -> None:
    """Refuses an event after the close."""
    if history.life.over:
        raise make_refusal("match_closed", {"version": history.tip.version})


def check_startable(history: History) -> None:
    check_not_closed(history)
    if history.life.started:
        raise make_refusal("already_started", {"version": history.life.started})


def check_started(history: History) -> None:
    """Refuses an act that needs a running match."""
    check_not_closed(history)
    if not history.life.started:
        raise make_refusal("not_started")


def check_may(history: History, act: Act, by: Submitter) -> None:
    """Refuses an act that the submitter has no authority for."""
    if not history.life.entitles(act, by.role):
        raise make_refusal("not_entitled", {"role": by.role})
    if isinstance(act, Ruled) and opens_again(act) and history.life.keys_opened:
        raise make_refusal("keys_are_open", {"dispute": act.dispute})


def check_ruling(history: History, act: Ruled, by: Submitter) -> None:
    """Refuses a ruling on an unknown dispute, or one whose remedy this log cannot carry out."""
    if act.dispute not in history.life.disputes:
        raise make_refusal("no_such_dispute", {"dispute": act.dispute[:80]})
    check_may(history, act, by)
    ordered = remedy_act_of(act)
    if isinstance(ordered, Rewound):
        _check_point(history, ordered.to)
    if isinstance(ordered, EditionChanged):
        check_started(history)
        check_edition(history, ordered)


def remedy_act_of(act: Ruled) -> Rewound | EditionChanged | None:
    """Returns the act that carries out a ruling's remedy, or None."""
    remedy, because = act.remedy, act.dispute
    if remedy is None:
        return None
    if remedy.kind == "rewind":
        return Rewound(to=remedy.version or 0, reason=act.reason, because=because)
    if remedy.kind == "edition":
        return EditionChanged(edition=remedy.text, reason=act.reason, because=because)
    return None


def check_edition(history: History, act: EditionChanged) -> None:
    """Refuses an edition that does not exist or does not fit the match."""
    created, behind = history.created, behind_in(act.edition)
    known = [one for one in behind if one.version <= history.tip.version]
    errata = [one_of(history.brought(one), one, act.edition) for one in known] + list(act.errata)
    if len({one.id for one in errata}) < len(errata):
        evidence = {"edition": act.edition[:80]}
        raise Refused("bad_value", "", "The erratum is in force already.", evidence)
    laid = behind_of(history.rules, errata)
    Terms(history.rules, act.edition, created.options, history.read_overlay(), laid)


def check_decidable(
    history: History, seat: Seat, by: Submitter, *, paused: bool | None = None
) -> None:
    """Refuses a decision that does not even reach the rules."""
    check_started(history)
    if history.life.paused if paused is None else paused:
        raise make_refusal("match_paused")
    if seat == CHANCE and by.role != "fork" and history.created.chance == "keys":
        raise make_refusal("chance_is_keyed")
    trouble = history.life.submitter_trouble(seat, by.role)
    if trouble:
        raise make_refusal("wrong_submitter", {"seat": seat, "role": by.role})


def check_rewind(
    history: History, to: int, by: Submitter, consents: Sequence[Seat], seat: Seat | None
) -> None:
    """Refuses an impossible rewind, and an instant undo in which other seats have a part."""
    check_started(history)
    _check_point(history, to)
    if by.role in REFEREES or history.life.all_agree(consents):
        return
    reason = _why_not_instantly(history, to, seat)
    if reason:
        raise make_refusal("undo_needs_consent", {"to": to, "because": reason})


def _check_point(history: History, to: int) -> None:
    """Refuses to go back to an event before the start, or to the last one."""
    first, last = history.life.started, history.tip.version - 1
    if not 0 < first <= to <= last:
        raise make_refusal("no_such_event", {"to": to, "first": first, "last": last})


def _why_not_instantly(history: History, to: int, seat: Seat | None) -> str:
    """Returns the reason why a seat cannot take its own decision back at once, or ""."""
    if seat is None:
        return "no seat asks to take its own decision back"
    if to not in history.lines.line(history.tip.version):
        return f"event {to} has been undone"
    for moment in history.replay_after(to):
        body = moment.body
        where = f"event {moment.version}"
        if isinstance(body, ActBody):
            return f"{where} is an act"
        if body.seat == CHANCE:
            return f"{where} is an answer of chance"
        if body.opens or any(fact.irrevocable for fact in moment.facts):
            return f"{where} disclosed something or cannot be taken back"
        if body.seat != seat:
            return f"{where} is the decision of seat {body.seat}"
    return ""


# --- what came between ----------------------------------------------------------------------------

_HARMLESS: Final = (Disputed, Paused, Resumed, SeatGiven)


class Composed(NamedTuple):
    """The question that a decision was composed for, and the version that its player saw.

    If the match has gone on since, the decision is accepted only if no new event could matter to
    it, by the rules' own declaration:

    - acts that leave the position unchanged: pauses, seats given, disputes, rulings without a
      remedy;
    - the other seats' sealed answers to the same question;
    - decisions that disturb no other seat, such as offers, or only those whose accounts they
      change.

    The seat must see everything else before it decides, dice and cards above all.
    """

    at: int | None = None
    question: str | None = None

    def check(self, history: History, seat: Seat) -> None:
        """Refuses a decision if an event since its version may matter to it."""
        version = history.tip.version
        if self.at is None or self.at == version:
            return
        if not history.life.started <= self.at < version:
            raise make_refusal("no_such_event", {"at": self.at, "last": version})
        if because := disturbing(history, self.at, seat, self.question):
            evidence = {"composed_at": self.at, "version": version, "because": because}
            raise make_refusal("stale", evidence)


ANYTIME: Final = Composed()  # whatever has happened since


def disturbing(history: History, since: int, seat: Seat, question: str | None) -> int:
    """Returns the first event after `since` that the seat's decision may depend on, or 0."""
    if since not in history.lines.line(history.tip.version):
        return since + 1  # what was looked at has been undone
    for moment in history.replay_after(since):
        if not _is_independent(moment, seat, question):
            return moment.version
    return 0


def _is_independent(moment: Moment, seat: Seat, question: str | None) -> bool:
    body, decision = moment.body, moment.decision
    if isinstance(body, ActBody):
        act = body.act
        return isinstance(act, _HARMLESS) or (isinstance(act, Ruled) and act.remedy is None)
    if body.seat in (CHANCE, seat):
        return False
    if isinstance(body, SealedBody):
        return body.question == question
    assert decision is not None, "an answer was folded"
    if decision.disturbs is Disturbs.TOUCHED:
        touched = {
            holder(account)
            for fact in moment.facts
            if isinstance(fact, Transferred)
            for account in (fact.source, fact.target)
        }
        return seat not in touched
    return decision.disturbs is Disturbs.NOBODY
