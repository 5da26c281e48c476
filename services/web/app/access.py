"""Access: one table over all routes says who may call them. A route without a row is refused.

| who | is |
|---|---|
| anyone | any caller, signed in or not |
| person | a person of the club |
| organizer | a person who runs the club |
| host | the maker of the match or tournament, or an organizer |
| seat | a person who sits there or decides for the seat; the route checks which seat |

The scope is the one a token needs. The table does not decide what a viewer sees of a match: the
rules' own audiences do. It does decide what an answer says of people: `FIELDS` lists the fields
that only some callers are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from flask import current_app, request

from ledger.club.people import Scope
from services.matches.club import Caller
from services.matches.tables import Tables
from services.matches.tournaments import Tournaments

from .identity import caller, signed_in
from .problems import Problem

Who: TypeAlias = Literal["anyone", "person", "organizer", "host", "seat"]


class Access(NamedTuple):
    """The callers that a route admits, and the scope that a token needs."""

    who: Who
    scope: Scope = "read"


ACCESS: Final[Mapping[str, Access]] = {
    "static": Access("anyone"),
    "api-docs.openapi_json": Access("anyone"),
    "reference.page": Access("anyone"),
    "reference.problem": Access("anyone"),
    # pages
    "pages.front": Access("anyone"),
    "pages.match_page": Access("anyone"),
    "pages.sit": Access("person", "play"),
    "pages.get_up": Access("seat", "play"),
    "pages.seat_bot": Access("host", "play"),
    "pages.invite": Access("host", "play"),
    "pages.start": Access("host", "play"),
    "pages.pause": Access("host", "play"),
    "pages.resume": Access("host", "play"),
    "pages.abandon": Access("host", "play"),
    "pages.approve": Access("host", "play"),
    "new_matches.play": Access("person", "play"),
    "new_matches.new": Access("person"),
    "new_matches.make": Access("person", "play"),
    "pages.replay": Access("anyone"),
    "pages.replay_json": Access("anyone"),
    "pages.bundle": Access("anyone"),
    "audit_pages.of_match": Access("anyone"),
    "audit_pages.file_of_match": Access("anyone"),
    "dispute_pages.of_match": Access("anyone"),
    "dispute_pages.file": Access("seat", "play"),
    "dispute_pages.one": Access("anyone"),
    "dispute_pages.rule": Access("organizer", "organize"),
    "dispute_pages.appeal": Access("seat", "play"),
    "dispute_pages.consent": Access("seat", "play"),
    "dispute_pages.dossier": Access("seat"),
    "dispute_pages.dossier_file": Access("seat"),
    "ruling_pages.rulings": Access("anyone"),
    "ruling_pages.operations": Access("seat"),
    "edition_pages.of_match": Access("anyone"),
    "edition_pages.rule": Access("host", "play"),  # with no part in the match
    "edition_pages.ask": Access("seat", "play"),
    "edition_pages.answer": Access("seat", "play"),
    "errata_pages.lab": Access("anyone"),
    "errata_pages.run": Access("person", "play"),
    "errata_pages.one": Access("anyone"),
    "compare_pages.compare": Access("anyone"),
    "exports.page": Access("anyone"),
    "exports.picture": Access("anyone"),
    "exports.fork_form": Access("anyone"),
    "exports.fork": Access("person", "play"),  # of a match that one may watch
    "table_pages.table": Access("anyone"),
    "pages.health": Access("anyone"),
    "pages.icon": Access("anyone"),
    "ready.ready": Access("anyone"),
    "metrics.show": Access("anyone"),  # it looks at its token itself
    "door.look": Access("anyone"),
    "door.enter": Access("anyone"),
    "door.leave": Access("anyone"),
    "profile_pages.sign_in": Access("anyone"),
    "profile_pages.by_link": Access("anyone"),
    "profile_pages.you": Access("person"),
    "profile_pages.rename": Access("person", "play"),
    "profile_pages.link": Access("person", "organize"),
    "profile_pages.end_pass": Access("person", "play"),
    "profile_pages.tokens": Access("person"),
    "profile_pages.make_token": Access("person", "organize"),
    "people_pages.everybody": Access("organizer", "organize"),
    "people_pages.add": Access("organizer", "organize"),
    "people_pages.somebody": Access("person"),
    "people_pages.set_roles": Access("organizer", "organize"),
    "people_pages.new_link": Access("organizer", "organize"),
    # one's own
    "account.Me.get": Access("person"),
    "account.Me.post": Access("anyone"),  # who has a link that opens once
    "account.Me.patch": Access("person", "play"),
    "account.Passes.get": Access("person"),
    "account.OnePass.delete": Access("person", "play"),
    "account.Tokens.post": Access("person", "organize"),
    "account.Links.post": Access("person", "organize"),
    "webhooks.Mine.get": Access("person"),
    "webhooks.Mine.post": Access("person", "play"),
    "webhooks.One.get": Access("person"),
    "webhooks.One.patch": Access("person", "play"),
    "webhooks.One.delete": Access("person", "play"),
    "webhooks.ItsSecret.post": Access("person", "play"),
    "webhooks.Ping.post": Access("person", "play"),
    "webhooks.Deliveries.get": Access("person"),
    "webhooks.Again.post": Access("person", "play"),
    # matches
    "matches.All.get": Access("anyone"),
    "matches.All.post": Access("person", "play"),
    "matches.One.get": Access("anyone"),
    "matches.OneSeat.put": Access("person", "play"),
    "matches.Invitations.post": Access("host", "play"),
    "matches.BotAtSeat.put": Access("host", "play"),
    "matches.Delegates.post": Access("person", "play"),
    "matches.OneDelegate.delete": Access("person", "play"),
    "matches.Start.post": Access("host", "play"),
    "matches.Pause.post": Access("host", "play"),
    "matches.Resume.post": Access("host", "play"),
    "matches.Abandon.post": Access("host", "play"),
    "matches.Close.post": Access("host", "play"),
    "forking.Forks.post": Access("person", "play"),  # of a match that one may watch
    # the life of a table: a seat's rights are looked at by the route
    "tending.Undos.get": Access("anyone"),
    "tending.Undos.post": Access("seat", "play"),
    "tending.OneUndo.put": Access("seat", "play"),
    "tending.OneUndo.delete": Access("seat", "play"),
    "editions.InForce.post": Access("host", "play"),  # with no part in the match
    "editions.Requests.get": Access("anyone"),
    "editions.Requests.post": Access("seat", "play"),
    "editions.OneRequest.put": Access("seat", "play"),
    "editions.OneRequest.delete": Access("seat", "play"),
    "tending.Holder.put": Access("host", "play"),
    "tending.Resign.post": Access("seat", "play"),
    "tending.Orders.put": Access("seat", "play"),
    "tending.Digest.get": Access("anyone"),
    "talking.Talk.get": Access("anyone"),
    "talking.Talk.post": Access("seat", "play"),
    "talking.OneLine.delete": Access("host", "play"),
    "talking.Block.put": Access("person", "play"),
    "talking.Block.delete": Access("person", "play"),
    # looking and deciding: the route looks through whose eyes, and for which seat
    "playing.View.get": Access("anyone"),
    "playing.SceneOf.get": Access("anyone"),
    "playing.Options.get": Access("seat"),
    "playing.Decisions.post": Access("seat", "play"),
    "choosing.Choices.get": Access("anyone"),
    "choosing.Choices.post": Access("seat"),
    "playing.Events.get": Access("anyone"),
    "playing.Facts.get": Access("anyone"),
    "replaying.Document.get": Access("anyone"),
    "replaying.AsLines.get": Access("anyone"),
    "replaying.AsText.get": Access("anyone"),
    "replaying.AsTable.get": Access("anyone"),
    "deals.OfMatch.get": Access("anyone"),
    "bundles.OfMatch.get": Access("anyone"),
    "auditing.OfMatch.get": Access("anyone"),
    # disputes: claims and dossiers are for the parties, which the routes look at
    "disputes.All.get": Access("anyone"),
    "disputes.All.post": Access("seat", "play"),
    "disputes.One.get": Access("anyone"),
    "disputes.TheDossier.get": Access("seat"),
    "disputes.Consents.put": Access("seat", "play"),
    "disputes.Rulings.post": Access("organizer", "organize"),
    "disputes.Appeals.post": Access("seat", "play"),
    "operations.OfMatch.get": Access("seat"),
    "rulings.Precedents.get": Access("anyone"),
    "rulings.Waiting.get": Access("organizer", "organize"),
    "comparing.OfMatch.get": Access("anyone"),
    # other rules: which matches, and who may see what came out, is looked at by the route
    "reprojections.All.post": Access("person", "play"),
    "reprojections.Touched.post": Access("person"),
    "reprojections.One.get": Access("anyone"),
    "reprojections.Table.get": Access("anyone"),
    "reprojections.TableCsv.get": Access("anyone"),
    "reprojections.OneMatch.get": Access("anyone"),
    "reprojections.Against.get": Access("anyone"),
    "live.live": Access("anyone"),
    # signed heads
    "heads.Head.get": Access("anyone"),
    "heads.Consistency.get": Access("anyone"),
    "proofs.Proof.get": Access("anyone"),
    "signed_heads.checkpoint": Access("anyone"),
    "signed_heads.key": Access("anyone"),
    "signed_heads.tile": Access("anyone"),
    # games
    "rulesets.All.get": Access("anyone"),
    "rulesets.One.get": Access("anyone"),
    "rulesets.ErrataCheck.post": Access("person"),
    # tournaments: those whose matches are for members alone ask for a member in the route
    "tournaments.AllTournaments.get": Access("anyone"),
    "records.OfTournament.get": Access("anyone"),
    "tournaments.AllTournaments.post": Access("organizer", "organize"),
    "tournaments.OneTournament.get": Access("anyone"),
    "tournaments.Players.post": Access("person", "play"),  # somebody else: the host
    "tournaments.Drop.post": Access("person", "play"),  # somebody else: the host
    "tournaments.End.post": Access("host", "organize"),
    "tournaments.Rounds.get": Access("anyone"),
    "tournaments.PairingsCsv.get": Access("anyone"),
    "tournaments.ResultsCsv.get": Access("anyone"),
    "tournaments.StandingsOf.get": Access("anyone"),
    "tournaments.StandingsCsv.get": Access("anyone"),
    "tournaments.Entries.get": Access("person"),
    "tournaments.AuditOf.get": Access("host", "organize"),
    "tournament_audits.OfTournament.get": Access("host", "organize"),
    "audit_pages.of_tournament": Access("host", "organize"),
    "audit_pages.file_of_tournament": Access("host", "organize"),
    "tournament_pages.pairings": Access("anyone"),
    "tournament_pages.everything": Access("anyone"),
    "tournament_pages.tournament": Access("anyone"),
    "tournament_making.new": Access("organizer", "organize"),
    "tournament_making.make": Access("organizer", "organize"),
    "tournament_acts.enter": Access("person", "play"),  # somebody else: the host
    "tournament_acts.drop": Access("person", "play"),  # somebody else: the host
    "tournament_acts.end": Access("host", "organize"),
    "tournament_acts.draw": Access("host", "organize"),
    "tournament_acts.start": Access("host", "organize"),
    "tournament_acts.pause": Access("host", "organize"),
    "tournament_acts.resume": Access("host", "organize"),
    "tournament_acts.remind": Access("host", "organize"),
    "tournament_acts.results": Access("host", "organize"),
    "tournament_acts.close": Access("host", "organize"),
    "tournament_acts.approve": Access("host", "organize"),
    "tournament_acts.correct": Access("host", "organize"),
    "tournament_acts.forfeit": Access("host", "organize"),
    "rounds.OneRound.get": Access("anyone"),
    "rounds.OneRound.put": Access("host", "organize"),
    "rounds.Draw.post": Access("host", "organize"),
    "rounds.StartAll.post": Access("host", "organize"),
    "rounds.PauseAll.post": Access("host", "organize"),
    "rounds.ResumeAll.post": Access("host", "organize"),
    "rounds.RemindAll.post": Access("host", "organize"),
    "rounds.ReadResults.post": Access("host", "organize"),
    "rounds.CloseRound.post": Access("host", "organize"),
    "rounds.Approve.post": Access("host", "organize"),
    "rounds.Correct.post": Access("host", "organize"),
    "rounds.Forfeits.post": Access("host", "organize"),
    # people
    "people.Everybody.get": Access("person"),
    "people.Everybody.post": Access("organizer", "organize"),
    "people.Somebody.get": Access("person"),
    "people.Somebody.patch": Access("organizer", "organize"),
    "people.TheirLinks.post": Access("organizer", "organize"),
}

# Fields of answers that are left out for whoever is not this, by what they are fields of.
FIELDS: Final[Mapping[str, Mapping[str, Who]]] = {
    "match": {"knew": "person"},
    "seat": {"person": "person", "delegates": "person"},
    "entrant": {"person": "person"},
    "terms": {"host": "person"},
}

# Whether somebody is what a row says of what the address names; by the word in the table.
Holds: TypeAlias = Callable[[Caller, Mapping[str, object]], bool]


def _is_host(who: Caller, named: Mapping[str, object]) -> bool:
    if who.person.organizer:
        return True
    if "tournament" in named:
        tournaments = cast("Tournaments", current_app.extensions["tournaments"]())
        return tournaments.state(str(named["tournament"])).made.host == who.person.id
    with tables().opened(str(named["match"])) as opened:
        return opened.table.host == who.person.id


HOLDS: Final[dict[Who, Holds]] = {
    "person": lambda _, __: True,
    "seat": lambda _, __: True,  # which seat it is about stands in the body
    "organizer": lambda who, _: who.person.organizer,
    "host": _is_host,
}


def tables() -> Tables:
    return cast("Tables", current_app.extensions["tables"]())


def as_shown(kind: str, said: dict[str, Any]) -> dict[str, Any]:
    """Returns an answer without the fields that the caller may not see."""
    rows, who = FIELDS[kind], caller()
    return {
        name: value
        for name, value in said.items()
        if name not in rows or (who is not None and HOLDS[rows[name]](who, {}))
    }


def require_access() -> None:
    """Refuses a caller without access, before the route runs."""
    if request.endpoint is None:
        return  # there is no such route, which is said elsewhere
    if request.method == "OPTIONS":
        return  # which methods there are stands in the document as well
    access = access_of(request.endpoint, request.method)
    if access is None:
        current_app.logger.error("the route %s is not in the table of access", request.endpoint)
        raise Problem(403)
    if access.who == "anyone":
        who = caller()
        if who is not None and access.scope not in who.scopes:
            raise Problem(403, "scope_needed", f"This takes a token for `{access.scope}`.")
        return
    who = signed_in()
    if access.scope not in who.scopes:
        raise Problem(403, "scope_needed", f"This takes a token for `{access.scope}`.")
    holds = HOLDS.get(access.who)
    if holds is None or not holds(who, request.view_args or {}):
        raise Problem(403)


def access_of(endpoint: str, method: str) -> Access | None:
    """Returns the row of a route. Methods of a class have rows of their own."""
    method = "get" if method == "HEAD" else method.lower()
    return ACCESS.get(endpoint) or ACCESS.get(f"{endpoint}.{method}")
