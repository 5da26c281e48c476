"""Matches on a site: made, joined and started over HTTP; each seat asks with a token of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from tests.support.web.visitors import Site, Visitor

_KEYS = count()


@dataclass
class Player:
    """A player who sends requests as a program does."""

    who: Visitor
    match: str
    seat: int
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.headers = self.who.token("read", "play")

    def get(self, path: str = "", **headers: str) -> Any:
        client = self.who.site.program()
        return client.get(f"/api/v1/matches/{self.match}{path}", headers=self.headers | headers)

    def post(self, path: str, json: Any = None, **headers: str) -> Any:
        client = self.who.site.program()
        url = f"/api/v1/matches/{self.match}{path}"
        return client.post(url, json=json, headers=self.headers | headers)

    def put(self, path: str, json: Any) -> Any:
        client = self.who.site.program()
        return client.put(f"/api/v1/matches/{self.match}{path}", json=json, headers=self.headers)

    def options(self) -> dict[str, Any]:
        answer = self.get(f"/options?as={self.seat}")
        assert answer.status_code == 200, answer.text
        return answer.json

    def decide(
        self,
        decision: dict[str, Any],
        *,
        at: int | None = None,
        key: str = "",
        question: str | None = None,
        seat: int | None = None,
    ) -> Any:
        headers = {"Idempotency-Key": key or f"key {next(_KEYS)}"}
        if at is None:
            at = self.get().json["version"]
        if at >= 0:
            headers["If-Match"] = f'"{at}"'
        said = {
            "seat": self.seat if seat is None else seat,
            "question": question,
            "decision": decision,
        }
        return self.post("/decisions", said, **headers)

    def decide_first(self) -> Any:
        """The first of what is offered."""
        offered = self.options()
        asked = offered["asked"]
        return self.decide(asked["options"][0], at=offered["version"], question=asked["question"])


def made(host: Visitor, ruleset: str = "tictactoe", seats: int = 2, **said: Any) -> str:
    """A new match."""
    answer = host.asks("POST", "/matches", {"ruleset": ruleset, "seats": seats, **said})
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


def table(site: Site, ruleset: str = "tictactoe", seats: int = 2, **said: Any) -> list[Player]:
    """A match that has started; the host sits on seat 0."""
    host = site.founder()
    players = [host, *(site.person(f"Player {seat}") for seat in range(1, seats))]
    match = made(host, ruleset, seats, **said)
    seated = [Player(one, match, seat) for seat, one in enumerate(players)]
    for player in seated:
        answer = player.put(f"/seats/{player.seat}", {})
        assert answer.status_code == 200, answer.text
    assert seated[0].post("/start").status_code == 200
    return seated
