"""Tournaments on a site: made, entered and run over HTTP by a program of the host's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ledger.log.write.journal import Journal
from services.matches.play import bots_for, play_on, surroundings
from tests.support.web.visitors import Site, Visitor, is_problem

SMALL = {"ruleset": "tictactoe", "seats": 2, "rounds": 3}


@dataclass
class Host:
    """The organizer of a tournament, as a program."""

    site: Site
    who: Visitor
    headers: dict[str, str] = field(default_factory=dict)
    id: str = ""

    def __post_init__(self) -> None:
        self.headers = self.who.token()

    def asks(self, method: str, path: str, json: Any = None, *, ok: bool = True) -> Any:
        url = f"/api/v1/tournaments/{self.id}{path}" if self.id else f"/api/v1/tournaments{path}"
        answer = self.site.program().open(url, method=method, json=json, headers=self.headers)
        assert not ok or answer.status_code in (200, 201), answer.text
        return answer

    def get(self, path: str = "") -> Any:
        return self.asks("GET", path).json

    def post(self, path: str, json: Any = None) -> Any:
        return self.asks("POST", path, json).json

    def refused(self, path: str, json: Any, status: int, code: str, method: str = "POST") -> None:
        assert is_problem(self.asks(method, path, json, ok=False), status, code)

    def play(self, match: str) -> None:
        """Bots play a match to its end, through the journal."""
        journal = Journal(surroundings(self.site.club.store), match)
        play_on(journal, bots_for(["random"], journal.history.created.seats))

    def play_round(self, number: int, but: tuple[int, ...] = ()) -> None:
        """All tables are started and played to their ends."""
        assert all(not one["code"] for one in self.post(f"/rounds/{number}/start")["tables"])
        for table in self.get(f"/rounds/{number}")["tables"]:
            if table["match"] and table["table"] not in but:
                self.play(table["match"])


def tournament(site: Site, players: int, **terms: Any) -> tuple[Host, list[Visitor]]:
    """A tournament with players, who enter by themselves."""
    host = Host(site, site.founder())
    host.id = host.post("", {"title": "Spring Open", **terms})["id"]
    people = [site.person(f"Player {number}") for number in range(1, players + 1)]
    for one in people:
        assert one.asks("POST", f"/tournaments/{host.id}/players", {}).status_code == 201
    return host, people


def seated(found: dict[str, Any]) -> list[int]:
    return [one["player"] for table in found["tables"] for one in table["seats"]]
