"""A hall: a site, its tables, and stewards that a test lets work when it wants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ledger.club.table import ClocksStarted, ClocksStopped
from ledger.log.format.bodies import AnyBody
from services.matches.cache import MatchCache
from services.steward.loop import Steward
from tests.support.web.seated import Player, made
from tests.support.web.visitors import Site, Visitor

SECOND = 1_000


@dataclass
class Hall:
    """A site and its stewards."""

    site: Site
    tables: MatchCache
    another: Callable[[], Steward]
    said: list[str]
    steward: Steward = field(init=False)

    def __post_init__(self) -> None:
        self.steward = self.another()
        self.tends()  # it has been there before anything begins

    def passes(self, seconds: float) -> None:
        """Time goes by, in steps in which the steward says that it is there."""
        until = self.site.clock.now + int(seconds * SECOND)
        while self.site.clock.now < until:
            self.site.clock.now = min(until, self.site.clock.now + 5 * SECOND)
            self.tends()

    def tends(self, steward: Steward | None = None) -> None:
        """The steward looks at everything, and at what follows, until nothing waits."""
        found = steward or self.steward
        found.wake(None)
        for _ in range(1_000):
            found.step()
            if not found._waiting and found.wait_ms() > 0:
                return
        raise AssertionError("the steward does not become idle")

    def begun(
        self, people: dict[int, str], bots: dict[int, str], ruleset: str = "tictactoe", **said: Any
    ) -> list[Player]:
        """A match of people and bots that has begun; the first of the people is its host."""
        host: Visitor = self.site.founder()
        match = made(host, ruleset, len(people) + len(bots), **said)
        seated = []
        for place, (seat, name) in enumerate(people.items()):
            who = host if not place else self.site.person(name)
            seated.append(Player(who, match, seat))
            assert seated[-1].put(f"/seats/{seat}", {}).status_code == 200
        hosting = seated[0] if seated else Player(host, match, -1)
        for seat, bot in bots.items():
            assert hosting.put(f"/seats/{seat}/bot", {"bot": bot}).status_code == 200
        assert hosting.post("/start").status_code == 200
        return seated or [hosting]

    def bodies(self, player: Player) -> list[AnyBody]:
        """Returns the bodies in the log."""
        with self.tables.opened(player.match) as opened:
            return list(opened.history.bodies)

    def roles(self, player: Player) -> list[str]:
        """Returns the roles of the decisions' submitters, in order."""
        return [body.by.role for body in self.bodies(player) if hasattr(body, "question")]

    def stops(self, player: Player) -> list[ClocksStopped | ClocksStarted]:
        """Returns the entries about times when the clocks did not run."""
        with self.tables.opened(player.match) as opened:
            entries = [entry for _, _, _, entry in opened.book.entries()]
        return [one for one in entries if isinstance(one, ClocksStopped | ClocksStarted)]


def clock_of(player: Player, seat: int | None = None) -> dict[str, Any]:
    """A seat's clock as the API says it."""
    clocks = player.get().json["clocks"]
    wanted = player.seat if seat is None else seat
    return next(one for one in clocks if one["seat"] == wanted)
