"""Everything that can be asked about a match, and answers without what may differ.

`WAYS` has a way to ask for each method of each route of the application that is about a match; what
is about none is named in `APART`, by blueprint. A new route stands in neither, and a test says so.

In an answer every commitment, salt and head gives way to a placeholder of the same length, which
says only whose it is. All else stays, headers and length too.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from flask import Flask
from flask.testing import FlaskClient

from ledger.log.bodies import AnswerBody, SealedBody, read_body
from ledger.log.store import Store

Json = dict[str, Any]
API: Final = "/api/v1/matches/{match}"
REASON: Final = {"reason": "because"}
NDJSON: Final = {"Accept": "application/x-ndjson"}
RECEIPT: Final = re.compile(rb"hegemon-receipt-1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{91})")
# The tree's hashes follow from the heads, and a signature from both.
SIGNED: Final = re.compile(
    rb"((?<=\\n)|(?<=\\u2014 club ))([A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{91}=)(?=\\n)"
)
RANDOM: Final = re.compile(rb"hgm_[a-z]_[A-Za-z0-9_-]+|(?<=\"id\":\")[a-z2-9]{16}(?=\")")


class Asker(NamedTuple):
    """Somebody who asks, through eyes that may be theirs or not."""

    name: str
    headers: Mapping[str, str]
    seat: int | None  # of theirs
    other: int  # a seat that is not
    persons: tuple[str, ...]  # of the seats
    match: str
    secret: int  # the event that not everybody may know all of
    last: int
    offered: Json | None  # something to decide that nobody learns anything from


class Wanted(NamedTuple):
    """A request."""

    method: str
    path: str
    body: Any = None
    headers: Mapping[str, str] = {}


Way = Callable[[Asker], Iterator[Wanted]]


def _eyes(asker: Asker) -> list[str]:
    own = [] if asker.seat is None else [str(asker.seat)]
    return [*own, "spectator", str(asker.other)]


def _looking(path: str) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        yield Wanted("GET", f"{API}{path}")
        for eyes in _eyes(asker):
            yield Wanted("GET", f"{API}{path}?as={eyes}")
            yield Wanted("GET", f"{API}{path}?as={eyes}&at={asker.secret}")

    return way


def _reading(path: str, *, lines: bool = False) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        yield Wanted("GET", f"{API}{path}")
        for eyes in _eyes(asker):
            yield Wanted("GET", f"{API}{path}?as={eyes}&since={asker.secret - 1}")
            if lines:
                yield Wanted("GET", f"{API}{path}?as={eyes}", headers=NDJSON)

    return way


def _live(asker: Asker) -> Iterator[Wanted]:
    for eyes in _eyes(asker):
        yield Wanted("GET", f"/live/matches/{{match}}?as={eyes}")
        since = {"Last-Event-ID": str(asker.secret - 1)}
        yield Wanted("GET", f"/live/matches/{{match}}?as={eyes}", headers=since)


def _page(path: str) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        yield Wanted("GET", path)
        for eyes in _eyes(asker):
            yield Wanted("GET", f"{path}?as={eyes}&at={asker.secret}")

    return way


def _once(method: str, path: str, body: Any = None) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        seat = asker.other if asker.seat is None else asker.seat
        person = asker.persons[asker.other]
        where = path.replace("{seat}", str(seat)).replace("{other}", str(asker.other))
        said = {
            name: {"seat": seat, "to": asker.secret, "person": person}.get(name, value)
            for name, value in (body or {}).items()
        }
        yield Wanted(method, where.replace("{person}", person), said if body is not None else None)

    return way


def _deciding(asker: Asker) -> Iterator[Wanted]:
    """Without precondition; nonsense; for another seat; too late; and something that is allowed."""
    path = f"{API}/decisions"
    seat = asker.other if asker.seat is None else asker.seat
    said = asker.offered or {"type": "turn.end"}
    for number, (at, whose, decision) in enumerate(
        [
            (None, seat, said),
            (asker.last, seat, {"type": "nonsense"}),
            (asker.last, asker.other, said),
            (asker.secret - 1, seat, {"type": "turn.end"}),
            (asker.secret - 1, seat, said),
            (asker.last, seat, said),
        ]
    ):
        headers = {"Idempotency-Key": f"{asker.name} {number}"}
        if at is not None:
            headers["If-Match"] = f'"{at}"'
        body = {"seat": whose, "question": None, "decision": decision}
        yield Wanted("POST", path, body, headers)


def _talking(asker: Asker) -> Iterator[Wanted]:
    yield Wanted("POST", f"{API}/talk", {"text": f"{asker.name} says"})
    if asker.seat is not None:
        said = {"text": "psst", "to": [asker.other], "seat": asker.seat}
        yield Wanted("POST", f"{API}/talk", said)


def _taking_down(asker: Asker) -> Iterator[Wanted]:
    """A line that is there, and such as are there only if others have whispered."""
    for number in (1, 12, 24, 36):
        yield Wanted("DELETE", f"{API}/talk/{number}", REASON)


# What only looks comes first: nothing that is asked changes anything for it.
WAYS: Final[dict[str, Way]] = {
    "pages.front GET": lambda _: iter([Wanted("GET", "/")]),
    "matches.All GET": lambda _: iter([Wanted("GET", "/api/v1/matches?limit=200")]),
    "matches.One GET": _once("GET", API),
    "playing.View GET": _looking("/view"),
    "playing.SceneOf GET": _looking("/scene"),
    "playing.Options GET": _looking("/options"),
    "playing.Events GET": _reading("/events", lines=True),
    "playing.Facts GET": _reading("/facts"),
    "proofs.Proof GET": _looking("/proof"),
    "talking.Talk GET": _reading("/talk"),
    "tending.Digest GET": _reading("/digest"),
    "tending.Undos GET": _once("GET", f"{API}/undo"),
    "live.live GET": _live,
    "pages.match_page GET": _page("/matches/{match}"),
    "pages.replay GET": _page("/matches/{match}/replay"),
    "pages.replay_json GET": _page("/matches/{match}/replay.json"),
    "pages.bundle GET": _once("GET", "/matches/{match}.hgm"),
    # What is refused to most of them, or changes something that all may know.
    "matches.All POST": lambda _: iter([Wanted("POST", "/api/v1/matches", {"ruleset": "go"})]),
    "playing.Decisions POST": _deciding,
    "talking.Talk POST": _talking,
    "talking.OneLine DELETE": _taking_down,
    "talking.Block PUT": _once("PUT", f"{API}/blocks/{{person}}"),
    "talking.Block DELETE": _once("DELETE", f"{API}/blocks/{{person}}"),
    "matches.OneSeat PUT": _once("PUT", f"{API}/seats/{{seat}}", {}),
    "matches.Invitations POST": _once("POST", f"{API}/seats/{{other}}/invitations"),
    "matches.Delegates POST": _once("POST", f"{API}/seats/{{seat}}/delegates", {"person": ""}),
    "matches.OneDelegate DELETE": _once("DELETE", f"{API}/seats/{{seat}}/delegates/{{person}}"),
    "matches.Start POST": _once("POST", f"{API}/start"),
    "matches.Close POST": _once("POST", f"{API}/close"),
    "matches.Pause POST": _once("POST", f"{API}/pause", REASON),
    "matches.Resume POST": _once("POST", f"{API}/resume", REASON),
    "tending.Undos POST": _once("POST", f"{API}/undo", {"seat": 0, "to": 0, **REASON}),
    "tending.OneUndo PUT": _once("PUT", f"{API}/undo/1", {"seat": 0, "agrees": False}),
    "tending.OneUndo DELETE": _once("DELETE", f"{API}/undo/1"),
    "tending.Orders PUT": _once("PUT", f"{API}/seats/{{seat}}/orders", {"only_option": False}),
    "matches.BotAtSeat PUT": _once("PUT", f"{API}/seats/{{other}}/bot", {"bot": "random"}),
    "tending.Holder PUT": _once(
        "PUT", f"{API}/seats/{{other}}/holder", {"bot": "greedy", **REASON}
    ),
    "tending.Resign POST": _once("POST", f"{API}/seats/{{seat}}/resign", REASON),
    "matches.Abandon POST": _once("POST", f"{API}/abandon", REASON),
}
# Routes that are about no match in particular, by blueprint.
APART: Final = frozenset({
    "account", "api-docs", "door", "heads", "metrics", "people", "ready", "reference", "rounds",
    "rulesets", "signed_heads", "static", "tournament_pages", "tournaments", "webhooks",
})  # fmt: skip
APART_TOO: Final = frozenset({"pages.health GET"})


def without_a_way(app: Flask) -> set[str]:
    """The routes of an application that nobody has said how to ask, and ways that lead nowhere."""
    routes = {
        f"{rule.endpoint} {method}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.endpoint.partition(".")[0] not in APART or "match" in rule.arguments
    }
    return (routes - APART_TOO) ^ WAYS.keys()


# --- answers --------------------------------------------------------------------------------------


class Answered(NamedTuple):
    """An answer, without what may differ."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def ask(client: FlaskClient, asker: Asker, wanted: Wanted, masks: Masks) -> Answered:
    """Ask, and take out of the answer what may differ."""
    headers = {**asker.headers, **wanted.headers}
    path = wanted.path.replace("{match}", asker.match)
    given = {} if wanted.body is None else {"json": wanted.body}
    with client.open(
        path, method=wanted.method, headers=headers, buffered=False, **given
    ) as answer:
        body = _live_until(answer, masks.last) if _is_live(answer) else answer.get_data()
    masks.read()
    found = dict(answer.headers)
    found.pop("Date", None)
    if found.get("ETag") == f'"{hashlib.sha1(body).hexdigest()}"':  # noqa: S324 - as it is made
        found["ETag"] = "of what stands below"
    return Answered(answer.status_code, tuple(sorted(found.items())), masks.masked(body))


def _is_live(answer: Any) -> bool:
    return bool(answer.mimetype == "text/event-stream")


def _live_until(answer: Any, last: int) -> bytes:
    """What a stream says up to an event; it would go on for ever."""
    said = b""
    for chunk in answer.response:
        said += chunk
        if f"id: {last}\n".encode() in said:
            break
    return said


class Masks:
    """What may differ in one match, and what is put in its place."""

    def __init__(self, store: Store, match: str) -> None:
        self._store = store
        self._match = match
        self._hashes: dict[bytes, bytes] = {}
        self._shown: dict[bytes, bytes] = {}  # in hex, whole and the beginning that pages show
        self._bodies: dict[bytes, bytes] = {}
        self.last = 0
        self.read()

    def read(self) -> None:
        """What has come since."""
        for event in self._store.events(self._match, self.last + 1):
            named = dict(_hashes_in(event.body))
            self._know(event.head, f"head of {event.version}")
            for name, value in named.items():
                self._know(value, f"{name} of {event.version}")
            plain = _replaced(event.body, self._hashes)
            self._bodies[base64.b64encode(event.body)] = base64.b64encode(plain)
            for opening in self._store.openings(self._match, event.version, event.version):
                self._know(opening.salt, f"salt of {opening.path} of {event.version}")
            self.last = event.version

    def _know(self, value: bytes, name: str) -> None:
        instead = hashlib.sha256(name.encode()).digest()
        self._hashes[value] = instead
        for size in (64, 12):
            shown = value.hex().encode()[:size]
            self._shown[shown] = instead.hex().encode()[:size]

    def _masked_receipt(self, found: re.Match[bytes]) -> bytes:
        """What was signed, with placeholders within; the signature over it has to differ."""
        signed = base64.urlsafe_b64decode(found[1] + b"=" * (-len(found[1]) % 4))
        plain = base64.urlsafe_b64encode(_replaced(signed, self._hashes)).rstrip(b"=")
        return b"receipt." + plain + b"." + b"?" * len(found[2])

    def masked(self, text: bytes) -> bytes:
        """The same, with placeholders."""
        text = RECEIPT.sub(self._masked_receipt, text)
        text = SIGNED.sub(lambda one: one[1] + b"?" * len(one[2]), text)
        found = re.sub(
            rb"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}={0,2}",
            lambda one: self._bodies.get(one[0], one[0]),
            text,
        )
        found = re.sub(
            rb"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-f])",
            lambda one: self._shown.get(one[0], one[0]),
            found,
        )
        if found.startswith(b"HEGEMON1"):
            found = _replaced(_without_sum(text, found), self._hashes)
        found = RANDOM.sub(lambda one: b"?" * len(one[0]), found)
        assert len(found) == len(text), "a placeholder is as long as what it stands for"
        return found


def _hashes_in(packed: bytes) -> Iterator[tuple[str, bytes]]:
    body = read_body(packed)
    if body.outcome is not None:
        yield "outcome", body.outcome
    if isinstance(body, SealedBody):
        yield "decision", body.commitment
    if isinstance(body, AnswerBody):
        yield from body.private.items()


def _replaced(text: bytes, hashes: Mapping[bytes, bytes]) -> bytes:
    """Every hash in its MessagePack."""
    made = bytearray(text)
    for found in re.finditer(rb"(?=\xc4\x20(.{32}))", text, re.DOTALL):
        if found[1] in hashes:  # a hash may hold what looks like the beginning of another
            made[found.start() + 2 : found.start() + 34] = hashes[found[1]]
    return bytes(made)


def _without_sum(bundle: bytes, masked: bytes) -> bytes:
    """A bundle without the sum of what stands above it, where that is right."""
    place = bundle.rindex(b"sha256\xc4\x20") + 8
    end = bundle.rindex(b"\x92\xa3end") - 4
    if bundle[place : place + 32] != hashlib.sha256(bundle[:end]).digest():
        return masked
    return masked[:place] + bytes(32) + masked[place + 32 :]
