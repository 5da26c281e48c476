"""Rulings over all matches: earlier ones by the rules they cite, and disputes that wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from flask.views import MethodView

from services.matches.club import Caller
from services.matches.disputes import Dispute, Ruling
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_list
from services.web.app.routes import Routes
from services.web.app.shapes import Page, part_of
from services.web.matches.listing import Listed
from services.web.matches.view import find_listed_end, may_watch

from .answers import plain_ruling
from .schemas import PrecedentsShape, RulingsQueryShape, WaitingShape

RULINGS: Final = Routes("rulings", "", "Rulings of all matches")


class Precedent(NamedTuple):
    """A ruling, with its match and dispute."""

    match: Listed
    dispute: Dispute
    ruling: Ruling

    @property
    def id(self) -> str:
        return f"{self.match.summary.match}/{self.dispute.name}/{self.ruling.version}"


class WaitingDispute(NamedTuple):
    """A dispute that waits for a ruling, with its match."""

    match: Listed
    dispute: Dispute

    @property
    def id(self) -> str:
        return f"{self.match.summary.match}/{self.dispute.name}"

    @property
    def appealed(self) -> bool:
        return bool(self.dispute.rulings)


@RULINGS.route("/rulings")
class Precedents(MethodView):
    """Earlier rulings."""

    @RULINGS.takes(RulingsQueryShape, location="query")
    @RULINGS.gives(200, PrecedentsShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Lists rulings in matches the caller may look at, newest first; by rule, game, finding."""
        who = caller()
        found = precedents(who, asked["rule"], asked["ruleset"], asked["finding"])
        shown, more = part_of([one.id for one in found], asked)
        return {
            "rulings": [plain_precedent(found[number], who) for number in shown],
            "more": more,
        }


@RULINGS.route("/disputes")
class Waiting(MethodView):
    """Disputes that wait for a ruling."""

    @RULINGS.takes(Page, location="query")
    @RULINGS.gives(200, WaitingShape)
    @allowed("organizer", scope="organize")
    def get(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Lists the disputes of all matches that wait for an organizer, oldest first."""
        found = waiting()
        shown, more = part_of([one.id for one in found], asked)
        return {"disputes": [found[number] for number in shown], "more": more}


def precedents(
    who: Caller | None, rule: str = "", ruleset: str = "", finding: str = ""
) -> list[Precedent]:
    """Returns the rulings that a caller may know of, newest first."""
    found = [
        one
        for one in _all(who)
        if (not rule or any(_is_under(cited, rule) for cited in one.ruling.act.rules))
        and ruleset in ("", one.match.summary.game)
        and finding in ("", one.ruling.act.finding)
    ]
    return sorted(found, key=lambda one: (-one.ruling.at, one.id))


def _is_under(cited: str, rule: str) -> bool:
    return cited.startswith(rule) if rule.endswith(".") else cited == rule


def _all(who: Caller | None) -> Iterator[Precedent]:
    for match in match_list().listed():
        if match.disputes and may_watch(match.table, who):
            last = find_listed_end(match, who)
            for dispute in match.disputes:
                for ruling in dispute.rulings:
                    if ruling.version <= last:
                        yield Precedent(match, dispute, ruling)


def waiting() -> list[WaitingDispute]:
    found = [
        WaitingDispute(match, dispute)
        for match in match_list().listed()
        for dispute in match.disputes
        if not dispute.rulings or (len(dispute.rulings) == 1 and _is_appealed(dispute))
    ]
    return sorted(found, key=lambda one: (one.dispute.at, one.match.summary.match))


def _is_appealed(dispute: Dispute) -> bool:
    return dispute.claim is not None and bool(dispute.claim.appeals)


def plain_precedent(one: Precedent, who: Caller | None) -> dict[str, Any]:
    """Returns a ruling and its match, for JSON."""
    summary = one.match.summary
    return {
        "id": one.id,
        "match": summary.match,
        "title": summary.title,
        "ruleset": summary.game,
        "dispute": one.dispute.name,
        "from": one.dispute.act.first,
        "to": one.dispute.act.last,
        **plain_ruling(one.ruling, who),
    }
