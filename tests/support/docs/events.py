"""Vectors of events: one body of each kind and act, linked as one log."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import msgspec

from ledger.log.format.acts import (
    FORMAT,
    FULL,
    Abandoned,
    AnyAct,
    Closed,
    Created,
    Disputed,
    EditionChanged,
    Joined,
    Origin,
    Paused,
    Remedy,
    Resumed,
    Rewound,
    Ruled,
    SeatGiven,
    Started,
)
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, SealedBody, Submitter, body_bytes
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import EMPTY, link

from .encodings import shown
from .hashes import secret

Vector: TypeAlias = dict[str, Any]
Plain: TypeAlias = dict[str, Any]

MATCH: Final = "kdrh6jt9uyas63wd"
SERVICE: Final = Submitter(role="service")
ORGANIZER: Final = Submitter(role="organizer", name="table 1")
SEAT: Final = Submitter(role="seat")

CREATED: Final = Created(
    format=FORMAT,
    match=MATCH,
    ruleset="tictactoe",
    edition="printed",
    source=hashlib.sha256(b"the source of the vectors").hexdigest(),
    seats=2,
    options={"begin.first": "rolled", "begin.stake": 2},
    chance="keys",
    domains={"dice": secret("domain commitment")},
    discloses=FULL,
    origin=Origin(kind="live"),
)

ACTS: Final[tuple[AnyAct, ...]] = (
    CREATED,
    Joined(seat=0, name="ann", nonce=secret("commitment 0")),
    Joined(seat=1, name="bob", nonce=secret("commitment 1")),
    Started(nonces=(secret("nonce 0"), secret("nonce 1"))),
    Paused(reason="lunch"),
    Resumed(),
    Rewound(to=5, reason="a slip", consents=(0, 1)),
    EditionChanged(edition="e2", reason="published today", consents=(0, 1)),
    SeatGiven(seat=1, to="bot", name="greedy", reason="gone home"),
    Disputed(dispute="d1", first=5, last=7, dossier=secret("dossier")),
    Ruled(dispute="d1", finding="dismissed", reason="it was legal", rules=("play.turn",)),
    Ruled(
        dispute="d2",
        finding="upheld",
        reason="two marks at once",
        remedy=Remedy(kind="rewind", version=5, text="from the first mark on"),
    ),
    Rewound(to=5, reason="as ruled", because="d2"),
    Abandoned(reason="rain"),
    Closed(
        result={"winners": [0], "scores": [1, 0], "reason": "line top"},
        seeds={"dice": secret("seed")},
        discloses=FULL,
    ),
)

ORIGINS: Final = (
    Origin(kind="live"),
    Origin(kind="entered"),
    Origin(kind="seeded", seed=7),
    Origin(kind="fork", match="25k8wj9hypbm7kbz", version=9, head=secret("head")),
)


def bodies() -> Iterator[AnyBody]:
    """One body of each kind, each act, each origin."""
    for act in ACTS:
        outcome = secret("outcome") if isinstance(act, Started) else None
        yield ActBody(parent=0, at=1_700_000_000_000, by=SERVICE, act=act, outcome=outcome)
    for origin in ORIGINS:
        act = msgspec.structs.replace(CREATED, origin=origin)
        yield ActBody(parent=0, at=1_700_000_000_000, by=ORGANIZER, act=act)
    common: dict[str, Any] = {"at": 1_700_000_000_000, "outcome": secret("outcome"), "parent": 0}
    mark = msgspec.Raw(encode({"cell": 4, "type": "play.mark"}))
    yield AnswerBody(
        by=SEAT,
        question="turn/1",
        seat=0,
        decision=mark,
        private={},
        clock=(600_000, 594_120),
        **common,
    )
    dice = msgspec.Raw(encode({"type": "chance.rolled", "values": [1, 6]}))
    yield AnswerBody(
        by=Submitter(role="dice"), question="begin", seat=-1, decision=dice, private={}, **common
    )
    dealt = msgspec.Raw(encode({"count": 2, "epoch": 0, "to": 1, "type": "chance.dealt"}))
    yield AnswerBody(
        by=Submitter(role="dice"),
        question="deal/1",
        seat=-1,
        decision=dealt,
        private={f"cards/{place}": secret(f"commitment {place}") for place in range(2)},
        **common,
    )
    yield SealedBody(by=SEAT, question="opening", seat=0, commitment=secret("note 0"), **common)
    opens = ((18, "decision"), (22, "private/cards/0"), (23, "decision"))
    yield SealedBody(
        by=SEAT, question="opening", seat=1, commitment=secret("note 1"), opens=opens, **common
    )


def linked() -> Iterator[Vector]:
    """All of them as one log; the order of the acts makes no sense as a match."""
    tip = EMPTY
    for body in bodies():
        right = msgspec.structs.replace(body, parent=tip.version)
        event = link(MATCH, tip, body_bytes(right))
        tip = event.tip
        plain = decode(event.body)
        yield {
            "kind": plain["kind"] if "act" not in plain else plain["act"]["type"],
            "match": MATCH,
            "version": event.version,
            "plain": shown(plain),
            "body": event.body.hex(),
            "body_sha256": hashlib.sha256(event.body).hexdigest(),
            "head": event.head.hex(),
        }
