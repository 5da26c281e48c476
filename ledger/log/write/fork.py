"""Forks: a new match that goes on from an event of another, and cannot be mistaken for it.

The decisions and the chance of the line are copied, each marked as copied; from there on
the fork has its own keys. Only what is public is copied. A running match with secret hands
cannot be forked, because the fork would reveal them.
"""

from __future__ import annotations

import msgspec

from ledger.kernel.chance import Dealt, Drawn
from ledger.kernel.records import Decision
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import EditionChanged, Origin, Started
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.format.published import base_of
from ledger.log.read.history import History, Undisclosed
from ledger.log.read.served import serve_log

from .founding import Plan, Surroundings
from .journal import Journal

COPIED = Submitter(role="fork")


def public_history_of(history: History) -> History:
    """Returns the same log with only the openings that a spectator has been served."""
    public = History(history.match, history.rules_of, history.overlay)
    for event, openings in serve_log(history, None):
        public.know(openings)
        public.add(event)
    return public


def fork(around: Surroundings, history: History, version: int, title: str = "") -> Journal:
    """Creates a new match that continues another one after an event of its log."""
    if not 0 < history.life.started <= version <= history.tip.version:
        evidence = {"at": version, "first": history.life.started, "last": history.tip.version}
        raise Refused("no_such_event", "", "The match has no such event to fork from.", evidence)
    created = history.created
    public = public_history_of(history)
    try:
        for _ in public.replay(version):  # nothing is made for what cannot be copied
            pass
    except Undisclosed as reason:
        evidence = {"event": reason.version}
        message = "Some decisions before that event have not been disclosed to everybody."
        raise Refused("not_disclosed", "", message, evidence) from None
    journal = Journal.create(
        around,
        Plan(
            ruleset=created.ruleset,
            seats=created.seats,
            edition=base_of(created.edition),
            errata=created.errata,
            options=tuple(sorted(created.options.items())),
            overlay=history.read_overlay() or None,
            discloses=created.discloses,
            origin=Origin(
                kind="fork",
                match=history.match,
                version=version,
                head=history.events[version - 1].head,
            ),
            title=title or f"Fork of {created.title or history.match} at event {version}",
        ),
    )
    for seat, joined in sorted(history.life.joined.items()):
        journal.join(seat, joined.name)
    _copy(public, version, journal)
    journal.let_chance_fall()
    return journal


def _copy(history: History, version: int, journal: Journal) -> None:
    for moment in history.replay(version):
        if moment.decision is not None and moment.seat is not None:
            journal.decide(moment.seat, _without_epoch(moment.decision), COPIED)
        elif isinstance(moment.body, ActBody):
            act = moment.body.act
            if isinstance(act, Started):
                journal.start(COPIED)
            elif isinstance(act, EditionChanged):
                # Events have other numbers here: what stands behind the edition is brought anew.
                behind = history.published_in(act.edition)
                edition = base_of(act.edition)
                journal.change_edition(edition, COPIED, act.reason, act.consents, bringing=behind)


def _without_epoch(decision: Decision) -> Decision:
    """Clears the epoch of drawn cards: the other log's number means nothing here."""
    if isinstance(decision, Drawn | Dealt):
        return msgspec.structs.replace(decision, epoch=0)
    return decision
