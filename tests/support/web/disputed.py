"""The bargained match of Hegemonic at a table of a site: four players, two organizers, a host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ledger.club.people import SCOPES
from ledger.club.table import MatchTable, SeatTaken, TableEntry, TableLaid, book_of
from ledger.games import ruleset
from ledger.log.books import Book
from ledger.log.read.history import History
from tests.support.replays.bargaining import Bargained, bargained
from tests.support.web.seated import Player
from tests.support.web.visitors import Site, Visitor


@dataclass
class Court:
    """A match, and those who have to do with it."""

    site: Site
    bargain: Bargained
    players: list[Player]
    judge: Visitor
    other: Visitor

    @property
    def match(self) -> str:
        return self.bargain.journal.match_id

    @property
    def history(self) -> History:
        """The log as it is now."""
        return History.of(self.site.club.store, self.match, ruleset)

    def asks(self, who: Visitor, method: str, path: str, json: Any = None) -> Any:
        """A program of somebody's asks about the match."""
        url = f"/api/v1/matches/{self.match}{path}"
        scopes = SCOPES if who in (self.judge, self.other) else ("read", "play")
        headers = who.token(*scopes)
        return self.site.program().open(url, method=method, json=json, headers=headers)

    def dossier(self, who: Visitor, dispute: str = "d1", word: str = "") -> Any:
        answer = self.asks(who, "GET", f"/disputes/{dispute}/dossier{word}")
        assert answer.status_code == 200, answer.text
        return answer


def court(site: Site, last: int, **laid: Any) -> Court:
    """The match as far as a decision of the record; Olga is the host, Oda an organizer, too."""
    judge = site.founder("Olga")
    other = site.person("Oda", ("organizer",))
    names = ("Orange", "Purple", "Yellow", "Green")
    people = [site.person(name) for name in names]
    store = site.club.store
    bargain = bargained(last, store)
    match = bargain.journal.match_id
    book: Book[MatchTable] = Book(store, book_of(match), TableEntry, MatchTable, site.clock)
    taken = [SeatTaken(seat=seat, person=one.id) for seat, one in enumerate(people)]
    book.write(judge.id, lambda _: [TableLaid(host=judge.id, **laid), *taken])
    players = [Player(one, match, seat) for seat, one in enumerate(people)]
    return Court(site, bargain, players, judge, other)
