"""Any request, described by the document or not, gets an answer that the document describes.

schemathesis makes requests from the document; they go to the application itself. Half of them name
a match, a seat and a person that are there: a match that waits, one that is played, and one that is
over, and a tournament in its first round. It takes half a minute; two hundred times as many with
`-m full`, in parts that may be run side by side.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import checks
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from services.web.app.access import allowed
from tests.support.docs.http_api import application, operations
from tests.support.web.organizing import Host
from tests.support.web.seated import made, table
from tests.support.web.visitors import Site

CHECKS = [
    checks.not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]
DOCUMENT = application().extensions["api"].spec.to_dict()
LABELS = [f"{method} {path}" for method, path, _ in operations(DOCUMENT)]
PARTS = 8
AS_NOBODY = 4  # so many things are asked for one that nobody asks for, too
REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]
# Where all that is asked for is a word in the address, nothing that is asked is wrong.
CAN_BE_WRONG = {
    f"{method} {path}"
    for method, path, said in operations(DOCUMENT)
    if "requestBody" in said
    or any(
        one["in"] != "path" or one["schema"]["type"] != "string"
        for one in (*DOCUMENT["paths"][path].get("parameters", ()), *said.get("parameters", ()))
    )
}


class Asking:
    """Everything that can be asked of a site on which something is going on."""

    def __init__(self, site: Site) -> None:
        self.players = table(site)
        self.host = self.players[0].who
        self.site = site
        over = made(self.host, discloses=["decisions", "outcomes", "chance"])
        self.matches = [made(self.host), self.players[0].match, over]
        self.tournament = self._begun(over)
        self.token = self.host.token()
        self.schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", site.app)
        # What is longer than anybody may send is refused for that alone.
        self.schema.config.checks.negative_data_rejection.expected_statuses = REFUSED
        self.seen: Counter[tuple[str, int]] = Counter()

    def _begun(self, over: str) -> str:
        """Finish a match, and begin a tournament: one table has been played to its end."""
        cup = Host(self.site, self.host)
        for seat, player in enumerate(self.players):
            assert player.who.asks("PUT", f"/matches/{over}/seats/{seat}", {}).status_code == 200
        for act in ("start", "close"):
            assert self.host.asks("POST", f"/matches/{over}/{act}").status_code == 200
            cup.play(over) if act == "start" else None
        cup.id = cup.post("", {"title": "Cup", "ruleset": "tictactoe", "seats": 2, "rounds": 2})[
            "id"
        ]
        people = [one.who for one in self.players]
        people += [self.site.person(f"Entrant {number}") for number in range(2)]
        for one in people:
            assert one.asks("POST", f"/tournaments/{cup.id}/players", {}).status_code == 201
        cup.post("/rounds/1/draw", {})
        cup.play_round(1, but=(2,))
        return cup.id

    def there(self, case: Any, at: int) -> None:
        """Let it be about something that is there, every other time."""
        if at % 2:
            return
        known = {
            "match": self.matches[at // 2 % 3],
            "tournament": self.tournament,
            "person": self.host.id,
            "seat": at % 3,
            "number": 1,
            "table": 1,
            "player": 1,
        }
        for name in case.path_parameters:
            case.path_parameters[name] = known.get(name, case.path_parameters[name])

    def ask(self, label: str, mode: GenerationMode, many: int) -> None:
        """Ask so many times as the organizer who sits at the table; some of it as nobody, too."""
        operation = self.schema.find_operation_by_label(label)
        assert operation is not None
        asked = 0

        @seed(6)
        @settings(
            max_examples=many,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def run(case: Any) -> None:
            nonlocal asked
            asked += 1
            self.there(case, asked)
            self.ask_one(label, case, self.token)
            if asked % AS_NOBODY == 1:
                self.ask_one(label, case, {})

        run()
        assert asked

    def ask_one(self, label: str, case: Any, headers: dict[str, str]) -> None:
        """Ask one thing, and look at the answer."""
        case.headers = {
            name: value for name, value in (case.headers or {}).items() if name != "Authorization"
        }
        case.cookies = {}
        # Its transport does not unpack what comes packed.
        answer = case.call(headers={**headers, "Accept-Encoding": "identity"})
        self.seen[label, answer.status_code] += 1
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            said = answer.json()
            assert answer.headers["content-type"] == ["application/problem+json"]
            assert said["status"] == answer.status_code
            assert said["code"]


def ask_everything(
    site: Site, many: int, labels: Sequence[str] = tuple(LABELS)
) -> Counter[tuple[str, int]]:
    """Ask for everything, as the document has it and otherwise."""
    asking = Asking(site)
    for label in labels:
        asking.ask(label, GenerationMode.POSITIVE, many)
        if label in CAN_BE_WRONG:
            asking.ask(label, GenerationMode.NEGATIVE, many)
    return asking.seen


@pytest.mark.timeout(900)  # half a minute of a processor, which others want too
def test_whatever_is_asked_the_answer_stands_in_the_document(site: Site):
    seen = ask_everything(site, 2)
    assert {label for label, _ in seen} == set(LABELS)
    statuses = {status for _, status in seen}
    assert {200, 201, 401, 404, 422} <= statuses
    good = {label for label, status in seen if status < 300}
    assert len(good) > len(LABELS) // 3


@pytest.mark.full
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_asked_four_hundred_times_the_answer_stands_in_the_document(
    site: Site, part: int
):
    begun, labels = time.monotonic(), LABELS[part::PARTS]
    seen = ask_everything(site, 400, labels)
    statuses: Counter[int] = Counter()
    for (_, status), count in seen.items():
        statuses[status] += count
    seconds = time.monotonic() - begun
    print(f"\npart {part}: {len(labels)} operations, {sum(seen.values())} answers, ", end="")
    print(f"{seconds:.0f} s, {dict(sorted(statuses.items()))}")
    assert {label for label, _ in seen} == set(labels)
    assert sum(seen.values()) > 200 * len(labels)  # some can be asked in few ways only


def test_an_answer_that_stands_nowhere_would_be_seen(site: Site):
    """The check can fail: a route that answers otherwise than its document says is caught."""
    asking = Asking(site)
    site.app.view_functions["account.Me"] = allowed("person")(lambda: ({"odd": True}, 200))
    with pytest.raises(FailureGroup, match="'odd' was unexpected"):
        asking.ask("GET /api/v1/me", GenerationMode.POSITIVE, 2)
