"""A client of the API that knows the API's document, and docs/format.md, and nothing else.

It imports nothing of the project. What can be asked for, where, with which parameters, headers and
bodies, it reads in /api/v1/openapi.json, by the names of the operations; whatever it sends and
whatever it gets is held against the schemas there. A log is checked as it comes: numbers, heads,
decoded bodies, and each opening against the commitment that stands in the bytes.
"""

from __future__ import annotations

import base64
import hashlib
import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

import msgspec
from jsonschema_rs import Draft202012Validator

DOCUMENT: Final = "/api/v1/openapi.json"
METHODS: Final = ("get", "post", "put", "patch", "delete")
NDJSON: Final = "application/x-ndjson"
SECONDS: Final = 90.0  # without an answer, on a machine that does much else
HEAD: Final = b"hegemon/head/1"
COMMITMENT: Final = b"hegemon/commitment/1"
NONCE: Final = b"hegemon/nonce/1"


class Answer(NamedTuple):
    """An answer: the status, the headers in small letters, and the decoded body."""

    status: int
    headers: dict[str, str]
    body: Any

    @property
    def code(self) -> str:
        return str(self.body["code"]) if self.status >= 400 else ""


class Operation(NamedTuple):
    """One thing that can be asked for, as the document has it."""

    method: str
    path: str
    parameters: dict[str, dict[str, Any]]  # by name
    body: Draft202012Validator | None
    answers: dict[tuple[int, str], Draft202012Validator]  # by status and media type


class Interface:
    """The routes of the API's document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = document
        self.operations = dict(self._operations())
        self.live = document["x-live"]
        self.connections: list[http.client.HTTPConnection] = []  # of all clients that go by it

    def hang_up(self) -> None:
        """Closes the connections."""
        for connection in self.connections:
            connection.close()

    def _operations(self) -> Iterator[tuple[str, Operation]]:
        for path, item in self._document["paths"].items():
            for method in METHODS:
                if method in item:
                    said = item[method]
                    parameters = [*item.get("parameters", ()), *said.get("parameters", ())]
                    content = said.get("requestBody", {}).get("content", {})
                    yield (
                        said["operationId"],
                        Operation(
                            method.upper(),
                            path,
                            {one["name"]: one for one in parameters},
                            self._checks(content["application/json"]) if content else None,
                            dict(self._answers(said["responses"])),
                        ),
                    )

    def _answers(
        self, responses: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[int, str], Draft202012Validator]]:
        for status, response in responses.items():
            for kind, said in response.get("content", {"": {}}).items():
                yield (int(status), kind), self._checks(said)

    def _checks(self, said: Mapping[str, Any]) -> Draft202012Validator:
        parts = self._document.get("components", {})
        return Draft202012Validator({**said.get("schema", {}), "components": parts})


class Client:
    """A caller with or without a token; each thread has a connection of its own."""

    def __init__(self, port: int, token: str = "", interface: Interface | None = None) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        self._port = port
        self._token = {"Authorization": f"Bearer {token}"} if token else {}
        self.interface = interface or Interface(self._sent("GET", DOCUMENT).body)
        self.interface.connections.append(self._connection)

    def again(self) -> Client:
        """The same somebody, in another thread."""
        token = self._token.get("Authorization", "").removeprefix("Bearer ")
        return Client(self._port, token, self.interface)

    def ask(self, name: str, body: Any = None, /, *, kind: str = "", **given: Any) -> Answer:
        """Ask for something by its name in the document; parameters and headers by theirs."""
        operation = self.interface.operations[name]
        path, query, headers = operation.path, {}, {"Accept": kind} if kind else {}
        for word, value in given.items():
            parameter = operation.parameters[word.replace("_", "-").removesuffix("-")]
            if parameter["in"] == "path":
                path = path.replace("{" + parameter["name"] + "}", quote(str(value), safe=""))
            elif parameter["in"] == "query":
                query[parameter["name"]] = str(value)
            else:
                headers[parameter["name"]] = str(value)
        missing = [n for n, one in operation.parameters.items() if one.get("required")]
        assert {n.replace("-", "_") for n in missing} <= given.keys(), f"{name} needs {missing}"
        if operation.body is not None:
            body = {} if body is None else body
            operation.body.validate(body)
        answer = self._sent(operation.method, _with(path, query), body, headers)
        answered = answer.headers.get("content-type", "").partition(";")[0]
        known = operation.answers.get((answer.status, answered))
        assert known is not None, f"{name}: {answer.status} {answered} is not in the document"
        if answered != NDJSON:
            known.validate(answer.body)
        return answer

    def got(self, name: str, body: Any = None, /, **given: Any) -> Any:
        """... and it must be given."""
        answer = self.ask(name, body, **given)
        assert answer.status < 300, (name, answer.status, answer.body)
        return answer.body

    def log(self, match: str, viewer: str) -> Record:
        """The log as one viewer gets it, a part at a time."""
        record = Record(match)
        while True:
            part = self.ask(
                "playing-Events-get", match=match, as_=viewer, since=record.version, limit=100,
                kind=NDJSON,
            )  # fmt: skip
            assert part.status == 200, part
            for event in part.body:
                record.take(event)
            if not part.body:
                return record

    def _sent(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}
    ) -> Answer:
        sent = {**self._token, **headers}
        packed = None
        if body is not None:
            sent["Content-Type"] = "application/json"
            packed = json.dumps(body).encode()
        try:
            self._connection.request(method, path, packed, sent)
            answer = self._connection.getresponse()
        except (ConnectionResetError, BrokenPipeError):
            # It was idle for longer than the service keeps a connection, which it has ended.
            self._connection.close()
            self._connection.request(method, path, packed, sent)
            answer = self._connection.getresponse()
        text = answer.read()
        found = {name.lower(): value for name, value in answer.getheaders()}
        kind = found.get("content-type", "")
        if kind.startswith(NDJSON):
            return Answer(answer.status, found, [json.loads(one) for one in text.splitlines()])
        return Answer(answer.status, found, json.loads(text) if "json" in kind else text)


def _with(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path


class Follower(threading.Thread):
    """Follows a match live as one viewer; goes on where it was when the connection is lost."""

    def __init__(self, client: Client, match: str, viewer: str, *, breaks_at: int = 0) -> None:
        super().__init__(daemon=True)
        self._client = client
        self._match = match
        self.viewer = viewer
        self._breaks_at = breaks_at  # hangs up at this event, once
        self.record = Record(match)
        self.facts: dict[int, list[Any]] = {}
        self.connections = 0
        self.failed: BaseException | None = None
        self._news = threading.Condition()

    @property
    def closed(self) -> bool:
        return self.record.closed

    def wait_beyond(self, version: int, seconds: float = SECONDS) -> bool:
        """Until something has come after this event, or nothing will."""
        with self._news:
            return self._news.wait_for(
                lambda: self.record.version > version or self.closed or self.failed, seconds
            )

    def run(self) -> None:
        try:
            while not self.closed:
                self._listen()
        except BaseException as why:
            self.failed = why
            raise
        finally:
            with self._news:
                self._news.notify_all()

    def _listen(self) -> None:
        live = self._client.interface.live
        path = live["path"].replace("{match}", self._match)
        connection = http.client.HTTPConnection("127.0.0.1", self._client._port, timeout=SECONDS)
        headers = {**self._client._token, "Last-Event-ID": str(self.record.version)}
        try:
            connection.request("GET", _with(path, {"as": self.viewer}), headers=headers)
            self._hear(connection.getresponse())
        finally:
            connection.close()

    def _hear(self, answer: http.client.HTTPResponse) -> None:
        assert answer.status == 200, (answer.status, answer.read())
        assert answer.getheader("Content-Type", "").startswith("text/event-stream")
        self.connections += 1
        said: dict[str, str] = {}
        while not self.closed:
            text = answer.readline()
            if not text:
                break
            word, _, value = text.decode().rstrip("\n").partition(": ")
            if word:
                said[word] = value
                continue
            if said.get("event") == "event":
                self._take(int(said["id"]), json.loads(said["data"]))
            assert said.get("event") != "problem", said
            said = {}
            if self.connections == 1 and self.record.version >= self._breaks_at > 0:
                answer.close()
                return

    def _take(self, number: int, event: dict[str, Any]) -> None:
        assert number == event["version"]
        with self._news:
            self.record.take(event)
            self.facts[number] = event["facts"]
            self._news.notify_all()


# --- the log --------------------------------------------------------------------------------------


class Record:
    """A log as one viewer gets it, checked as docs/format.md says."""

    def __init__(self, match: str, version: int = 0, head: bytes = bytes(32)) -> None:
        """From the beginning, or from after an event whose head is known."""
        self._match = match
        self._first = version
        self.head = head
        self.bodies: list[dict[str, Any]] = []
        self.opened: dict[tuple[int, str], Any] = {}
        self.came: dict[tuple[int, str], int] = {}  # with which event each opening came first

    @property
    def version(self) -> int:
        return self._first + len(self.bodies)

    @property
    def closed(self) -> bool:
        return bool(self.bodies) and _act(self.bodies[-1]) == "match.closed"

    def take(self, event: Mapping[str, Any]) -> None:
        """The next event."""
        assert event["version"] == self.version + 1
        body = base64.b64decode(event["body"], validate=True)
        number = event["version"].to_bytes(8, "big")
        said = HEAD + _f1(self._match) + number + self.head + hashlib.sha256(body).digest()
        self.head = hashlib.sha256(said).digest()
        assert self.head.hex() == event["head"], f"event {event['version']} has another head"
        plain = msgspec.msgpack.decode(body)
        assert _in_hex(plain) == event["said"], f"event {event['version']} says something else"
        self.bodies.append(plain)
        for opening in event["openings"]:
            self._open(opening)

    def body(self, version: int) -> dict[str, Any]:
        return self.bodies[version - self._first - 1]

    def acts(self, kind: str) -> list[dict[str, Any]]:
        """The acts of a kind."""
        return [body["act"] for body in self.bodies if _act(body) == kind]

    def sealed(self) -> list[int]:
        """The events that hold a sealed decision."""
        return [n for n, one in enumerate(self.bodies, self._first + 1) if one["kind"] == "sealed"]

    def decisions(self, kind: str) -> list[dict[str, Any]]:
        """The decisions of a type, made in clear."""
        found = [one["decision"] for one in self.bodies if one["kind"] == "answer"]
        return [one for one in found if one["type"] == kind]

    def committed(self, kind: str) -> list[bytes]:
        """Returns the committed values of a type's decisions."""
        answers = [one for one in self.bodies if one["kind"] == "answer"]
        found = [one.get("private", {}) for one in answers if one["decision"]["type"] == kind]
        return [commitment for private in found for commitment in private.values()]

    def commitments(self) -> dict[tuple[int, str], bytes]:
        """All that there are."""
        found = {}
        for version, body in enumerate(self.bodies, self._first + 1):
            for path, commitment in _commitments(body):
                found[version, path] = commitment
        return found

    def _open(self, opening: Mapping[str, Any]) -> None:
        version, path = opening["version"], opening["path"]
        plain = base64.b64decode(opening["plain"], validate=True)
        salt = bytes.fromhex(opening["salt"])
        assert len(salt) == 32
        said = COMMITMENT + _f1(self._match) + version.to_bytes(8, "big") + _f1(path)
        found = hashlib.sha256(said + salt + hashlib.sha256(plain).digest()).digest()
        if version > self._first:
            there = dict(_commitments(self.body(version)))
            assert there[path] == found, f"{path} of event {version} is opened as something else"
        if path != "outcome":
            assert len(plain) % 64 == 0
            plain, mark, rest = plain.rpartition(b"\x80")
            assert mark
            assert set(rest) <= {0}
        self.opened[version, path] = msgspec.msgpack.decode(plain)
        self.came.setdefault((version, path), self.version)


def nonce_commitment(seat: int, nonce: bytes) -> bytes:
    """Returns the commitment to a seat's nonce."""
    return hashlib.sha256(NONCE + seat.to_bytes(2, "big") + nonce).digest()


def _act(body: Mapping[str, Any]) -> str:
    return str(body["act"]["type"]) if body["kind"] == "act" else ""


def _commitments(body: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    if "commitment" in body:
        yield "decision", body["commitment"]
    for name, commitment in body.get("private", {}).items():
        yield f"private/{name}", commitment
    if body.get("outcome") is not None:
        yield "outcome", body["outcome"]


def _f1(text: str) -> bytes:
    packed = text.encode()
    return bytes([len(packed)]) + packed


def _in_hex(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [_in_hex(one) for one in value]
    if isinstance(value, dict):
        return {name: _in_hex(one) for name, one in value.items()}
    return value
