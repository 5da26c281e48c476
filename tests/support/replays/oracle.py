"""A second opinion on a bundle, written apart from `replays/`: does it agree with itself?

It asks the kernel alone, event by event, and says in one word what contradicts what. A tampered
bundle that it finds in agreement is one that only a head known from elsewhere can tell.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from ledger.games.tictactoe import RULES
from ledger.kernel.chance import ChanceQuestion, domain_key, nonce_commitment, seed_commitment
from ledger.kernel.fold import begin, find_question, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import Terms, facts_bytes, move_to_terms
from ledger.log.format.canonical import decode
from ledger.log.format.chain import OUTCOME_PATH, SEALED_PATH, commit, unpad_value

from .loose import Line, Loose


class _Contradiction(Exception):
    """Something in the bundle contradicts something else in it."""


def agrees(loose: Loose) -> bool:
    """Whether a whole, closed or shortened bundle agrees with itself."""
    try:
        _Reader(loose).read()
    except Exception:  # noqa: BLE001 - rules fed with garbage may say so as they like
        return False
    return True


def _require(what: bool, why: str) -> None:
    if not what:
        raise _Contradiction(why)


class _Reader:
    def __init__(self, loose: Loose) -> None:
        self.loose = loose
        self.created = loose.lines[0].act
        _require(loose.lines[0].kind == "match.created", "event 1")
        _require(self.created["match"] == loose.match, "the match")
        overlay = None
        if self.created.get("overlay") is not None:
            assert loose.overlay is not None
            overlay = decode(loose.overlay)
            _require(hashlib.sha256(loose.overlay).digest() == self.created["overlay"], "overlay")
        self.overlay = overlay
        self.seats: dict[int, bytes] = {}
        self.held: dict[int, tuple[str, bytes]] = {}  # by version: edition, the match as bytes
        self.match: Match | None = None
        self.epochs: dict[int, int] = {0: 0}
        self.parents: dict[int, int] = {}
        self.paused = self.over = False
        self.keys: dict[str, bytes] = {}

    def terms(self, edition: str) -> Terms:
        return Terms(RULES, edition, self.created["options"], self.overlay)

    def read(self) -> None:
        said = {name: self.loose.header[name] for name in ("ruleset", "edition", "source")}
        _require(said == {name: self.created[name] for name in said}, "header")
        for place, line in enumerate(self.loose.lines):
            _require(not self.over, "something after the close")
            version = place + 1
            self._stand(version, line)
            for path, (salt, plain) in line.openings.items():
                committed = line.body.get("outcome" if path == OUTCOME_PATH else "commitment")
                right = commit(self.loose.match, version, path, salt, plain)
                _require(right == committed, "opening")
            if line.kind.startswith("match."):
                self._act(version, line)
            else:
                self._answer(version, line)
            if self.match is not None:
                terms = self.match.terms
                self.held[version] = (terms.edition, terms.snapshot(self.match))
        stated = self.loose.closing.act.get("result") if self.loose.closing else None
        _require(self.loose.result == stated, "the last record")

    def _stand(self, version: int, line: Line) -> None:
        """Go to the event's parent."""
        rewound = line.kind == "match.rewound"
        parent = line.act["to"] if rewound else version - 1
        _require(line.body["parent"] == parent < version, "parent")
        self.parents[version] = parent
        self.epochs[version] = version if rewound else self.epochs[parent]
        if rewound:
            _require(parent in self.held, "a rewind to before the start")
            edition, held = self.held[parent]
            self.match = self.terms(edition).restore(held)

    def _act(self, version: int, line: Line) -> None:
        act, kind = line.act, line.kind
        _require((version == 1) is (kind == "match.created"), "created twice")
        if kind == "match.joined":
            _require(self.match is None and act["seat"] not in self.seats, "joined")
            self.seats[act["seat"]] = act["nonce"]
        elif kind == "match.started":
            _require(self.match is None and sorted(self.seats) == [0, 1], "started")
            self._start(line)
        elif kind in ("match.paused", "match.resumed"):
            self.paused = kind == "match.paused"
        elif kind == "match.edition-changed":
            assert self.match is not None
            self.match = move_to_terms(self.match, self.terms(act["edition"]))
        elif kind == "match.closed":
            self._close(act)
        if kind != "match.started":
            _require("outcome" not in line.body, "an outcome of an act")

    def _start(self, line: Line) -> None:
        nonces = line.act["nonces"]
        for seat, committed in self.seats.items():
            _require(nonce_commitment(seat, nonces[seat]) == committed, "nonce")
        if self.loose.closing is not None:
            for domain, seed in self.loose.closing.act["seeds"].items():
                _require(seed_commitment(seed, domain) == self.created["domains"][domain], "seed")
                self.keys[domain] = domain_key(seed, domain, nonces)
        self.match = self.terms(self.created["edition"]).open_match(self.created["seats"])
        self._outcome(line, begin(self.match))

    def _close(self, act: dict[str, Any]) -> None:
        self.over = True
        assert self.match is not None
        _require(self.match.ended, "closed too early")
        right = msgspec.to_builtins(RULES.result(self.match.state))
        _require(msgspec.msgpack.decode(msgspec.msgpack.encode(right)) == act["result"], "result")
        if "chance" in self.created["discloses"]:
            _require(act["seeds"].keys() == self.created["domains"].keys(), "a seed withheld")

    def _answer(self, version: int, line: Line) -> None:
        match, body = self.match, line.body
        assert match is not None
        _require(not self.paused, "paused")
        sealed = body["kind"] == "sealed"
        plain = decode(unpad_value(line.openings[SEALED_PATH][1])) if sealed else body["decision"]
        decision = match.terms.rules.decision(plain)
        question = find_question(match, body["seat"], decision)
        _require(question.key(match.state, body["seat"]) == body["question"], "question")
        _require(question.sealed is sealed, "sealed")
        self._submitter(body)
        if isinstance(question, ChanceQuestion) and self.created["chance"] == "keys" and self.keys:
            wish = question.wish(match.state)
            address = question.address(match.state)
            right = wish.answer(self.keys[wish.domain], self.epochs[version], address)
            _require(right == decision, "chance")
        facts = fold(match, body["seat"], decision)
        self._outcome(line, facts)
        shown = {seat for fact in facts for _, seat in fact.discloses()}
        _require(body.get("opens", []) == self._sealed_on_line(version, shown), "opens")

    def _submitter(self, body: dict[str, Any]) -> None:
        role = body["by"]["role"]
        if body["seat"] == CHANCE:
            keyed = self.created["chance"] == "keys"
            _require(role == ("dice" if keyed else "referee"), "who answers for chance")
        else:
            _require(role != "dice", "the dice decide for a seat")

    def _sealed_on_line(self, version: int, seats: set[int]) -> list[list[Any]]:
        found: list[list[Any]] = []
        while version and seats:
            body = self.loose.lines[version - 1].body
            if body["kind"] == "sealed" and body["seat"] in seats:
                found.append([version, SEALED_PATH])
            version = self.parents[version]
        return found[::-1]

    def _outcome(self, line: Line, facts: list[Any]) -> None:
        _require(line.openings[OUTCOME_PATH][1] == facts_bytes(facts), "outcome")
