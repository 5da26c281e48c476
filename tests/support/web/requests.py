"""Everything that can be asked about a match.

`WAYS` has a way to ask for each method of each route of the application that is about a match.
`routes_apart.py` names the others. A new route stands in neither, and a test says so. Each match is
the only one of a tournament that is called as it is, so `{match}` names that as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from flask import Flask

from tests.support.web.askers import Asker, Wanted
from tests.support.web.routes_apart import APART

Json = dict[str, Any]
API: Final = "/api/v1/matches/{match}"
REASON: Final = {"reason": "because"}
NDJSON: Final = {"Accept": "application/x-ndjson"}

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


def _replayed(path: str) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        for eyes in _eyes(asker):
            yield Wanted("GET", f"{API}{path}?as={eyes}")
        if asker.name != "host":  # who runs the club and sits nowhere may see everything
            yield Wanted("GET", f"{API}{path}?as=all")

    return way


def _dossier(path: str) -> Way:
    def way(asker: Asker) -> Iterator[Wanted]:
        if asker.name == "host":  # who runs the club and sits nowhere may see everything
            return
        yield Wanted("GET", path)
        for eyes in (asker.other, "spectator", "all"):
            yield Wanted("GET", f"{path}?as={eyes}")

    return way


def _bundled(asker: Asker) -> Iterator[Wanted]:
    yield from _replayed("/bundle")(asker)
    for eyes in _eyes(asker):
        yield Wanted("GET", f"{API}/bundle?as={eyes}&disclose=all,all:outcome")
        yield Wanted("GET", f"{API}/bundle?as={eyes}&events=2-5,{asker.secret}-&disclose=all")


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


def _pictured(asker: Asker) -> Iterator[Wanted]:
    path = f"/matches/{{match}}/moment.png?at={asker.secret}"
    yield Wanted("GET", path)
    yield Wanted("GET", f"{path}&as={asker.other}")


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


def _pressed(path: str, **form: str) -> Way:
    """A button of a match's page."""

    def way(asker: Asker) -> Iterator[Wanted]:
        seat = asker.other if asker.seat is None else asker.seat
        where = path.replace("{seat}", str(seat)).replace("{other}", str(asker.other))
        filled = {name: value.replace("{seat}", str(seat)) for name, value in form.items()}
        yield Wanted("POST", f"/matches/{{match}}{where}", form=filled)

    return way


def _at_tournament(method: str, path: str, body: Any = None) -> Way:
    """The tournament whose only match it is."""
    return _once(method, f"/api/v1/tournaments{path}", body)


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


def _trying(asker: Asker) -> Iterator[Wanted]:
    """Nonsense; for another seat; what ends a turn; and something that is allowed at any time."""
    path = f"{API}/choices"
    seat = asker.other if asker.seat is None else asker.seat
    said = asker.offered or {"type": "turn.end"}
    for whose, decision in [
        (seat, {"type": "nonsense"}),
        (asker.other, said),
        (seat, {"type": "turn.end"}),
        (seat, said),
    ]:
        yield Wanted("POST", path, {"seat": whose, "decisions": [{"decision": decision}]})


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
    "choosing.Choices GET": _looking("/choices"),
    "playing.Events GET": _reading("/events", lines=True),
    "playing.Facts GET": _reading("/facts"),
    "replaying.Document GET": _replayed("/replay"),
    # ... of which these are other forms.
    "replaying.AsLines GET": _once("GET", f"{API}/replay.ndjson"),
    "replaying.AsText GET": _once("GET", f"{API}/replay.txt"),
    "replaying.AsTable GET": _once("GET", f"{API}/replay.csv"),
    "deals.OfMatch GET": _replayed("/deals"),
    "proofs.Proof GET": _looking("/proof"),
    "bundles.OfMatch GET": _bundled,
    "auditing.OfMatch GET": _replayed("/audit"),
    "disputes.All GET": _once("GET", f"{API}/disputes"),
    "disputes.One GET": _once("GET", f"{API}/disputes/d1"),
    "disputes.TheDossier GET": _dossier(f"{API}/disputes/d1/dossier"),
    "operations.OfMatch GET": _once("GET", f"{API}/operations"),
    "rulings.Precedents GET": lambda _: iter([Wanted("GET", "/api/v1/rulings")]),
    "dispute_pages.of_match GET": _page("/matches/{match}/disputes"),
    "dispute_pages.one GET": _page("/matches/{match}/disputes/d1"),
    "dispute_pages.dossier GET": _dossier("/matches/{match}/disputes/d1/dossier"),
    "dispute_pages.dossier_file GET": _dossier("/matches/{match}/disputes/d1/dossier.html"),
    "ruling_pages.operations GET": _page("/matches/{match}/operations"),
    "ruling_pages.rulings GET": lambda _: iter([Wanted("GET", "/rulings")]),
    "audit_pages.of_match GET": _page("/matches/{match}/audit"),
    "audit_pages.file_of_match GET": _page("/matches/{match}/audit.html"),
    "talking.Talk GET": _reading("/talk"),
    "tending.Digest GET": _reading("/digest"),
    "tending.Undos GET": _once("GET", f"{API}/undo"),
    "editions.Requests GET": _once("GET", f"{API}/edition/requests"),
    "edition_pages.of_match GET": _page("/matches/{match}/edition"),
    "live.live GET": _live,
    "pages.match_page GET": _page("/matches/{match}"),
    "table_pages.table GET": _page("/matches/{match}/table"),
    "pages.replay GET": _page("/matches/{match}/replay"),
    "pages.replay_json GET": _page("/matches/{match}/replay.json"),
    "pages.bundle GET": _once("GET", "/matches/{match}.hgm"),
    "exports.page GET": _once("GET", "/matches/{match}/replay.html"),
    "exports.picture GET": _pictured,
    "exports.fork_form GET": _once("GET", "/matches/{match}/fork"),
    "comparing.OfMatch GET": _looking("/compare"),
    "compare_pages.compare GET": _page("/matches/{match}/compare"),
    "tournaments.AllTournaments GET": _at_tournament("GET", "?limit=200"),
    "tournaments.OneTournament GET": _at_tournament("GET", "/{match}"),
    "tournaments.Rounds GET": _at_tournament("GET", "/{match}/rounds"),
    "rounds.OneRound GET": _at_tournament("GET", "/{match}/rounds/1"),
    "tournaments.PairingsCsv GET": _at_tournament("GET", "/{match}/pairings.csv"),
    "tournaments.ResultsCsv GET": _at_tournament("GET", "/{match}/results.csv"),
    "tournaments.StandingsOf GET": _at_tournament("GET", "/{match}/standings"),
    "tournaments.StandingsCsv GET": _at_tournament("GET", "/{match}/standings.csv"),
    "tournaments.Entries GET": _at_tournament("GET", "/{match}/entries"),
    "tournaments.AuditOf GET": _at_tournament("GET", "/{match}/audit"),
    "tournament_audits.OfTournament GET": _at_tournament("GET", "/{match}/audit/report"),
    "records.OfTournament GET": _at_tournament("GET", "/{match}/deals"),
    "tournament_pages.everything GET": _once("GET", "/tournaments"),
    "tournament_pages.tournament GET": _once("GET", "/tournaments/{match}"),
    "tournament_pages.pairings GET": _once("GET", "/tournaments/{match}/pairings/1"),
    "audit_pages.of_tournament GET": _once("GET", "/tournaments/{match}/audit"),
    "audit_pages.file_of_tournament GET": _once("GET", "/tournaments/{match}/audit.html"),
    # What is refused to most of them, or changes something that all may know.
    "matches.All POST": lambda _: iter([Wanted("POST", "/api/v1/matches", {"ruleset": "go"})]),
    "choosing.Choices POST": _trying,
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
    "dispute_pages.file POST": _pressed("/disputes", words="wrong", to="0"),
    "dispute_pages.consent POST": _pressed("/disputes/d1/consents/{seat}", gives="1"),
    "dispute_pages.appeal POST": _pressed("/disputes/d1/appeal", words="wrong"),
    "dispute_pages.rule POST": _pressed("/disputes/d1/ruling", finding="void", reason="so"),
    "disputes.All POST": _once("POST", f"{API}/disputes", {"words": "no", "to": 0}),
    "disputes.Consents PUT": _once("PUT", f"{API}/disputes/d1/consents/{{seat}}", {"gives": True}),
    "disputes.Appeals POST": _once("POST", f"{API}/disputes/d1/appeals", {"words": "no"}),
    "disputes.Rulings POST": _once(
        "POST", f"{API}/disputes/d1/rulings", {"finding": "dismissed", **REASON}
    ),
    "exports.fork POST": _pressed("/fork", at="5", seat="0"),
    "forking.Forks POST": _once("POST", f"{API}/forks", {"at": 5}),
    "pages.sit POST": _pressed("/seats/{seat}/sit"),
    "pages.invite POST": _pressed("/seats/{other}/invite"),
    "pages.start POST": _pressed("/start"),
    "pages.approve POST": _pressed("/close"),
    "pages.pause POST": _pressed("/pause", reason="lunch"),
    "pages.resume POST": _pressed("/resume", reason="back"),
    "tending.Undos POST": _once("POST", f"{API}/undo", {"seat": 0, "to": 0, **REASON}),
    "tending.OneUndo PUT": _once("PUT", f"{API}/undo/1", {"seat": 0, "agrees": False}),
    "tending.OneUndo DELETE": _once("DELETE", f"{API}/undo/1"),
    "editions.InForce POST": _once("POST", f"{API}/edition", {"edition": "err.01", **REASON}),
    "editions.Requests POST": _once(
        "POST", f"{API}/edition/requests", {"seat": 0, "edition": "err.01", **REASON}
    ),
    "editions.OneRequest PUT": _once(
        "PUT", f"{API}/edition/requests/1", {"seat": 0, "agrees": False}
    ),
    "editions.OneRequest DELETE": _once("DELETE", f"{API}/edition/requests/1"),
    "edition_pages.rule POST": _pressed("/edition", edition="err.01", reason="so"),
    "edition_pages.ask POST": _pressed(
        "/edition/requests", edition="err.01", reason="so", seat="{seat}"
    ),
    "edition_pages.answer POST": _pressed("/edition/requests/1", do="decline", seat="{seat}"),
    "tending.Orders PUT": _once("PUT", f"{API}/seats/{{seat}}/orders", {"only_option": False}),
    "matches.BotAtSeat PUT": _once("PUT", f"{API}/seats/{{other}}/bot", {"bot": "random"}),
    "tending.Holder PUT": _once(
        "PUT", f"{API}/seats/{{other}}/holder", {"bot": "greedy", **REASON}
    ),
    "tending.Resign POST": _once("POST", f"{API}/seats/{{seat}}/resign", REASON),
    "pages.seat_bot POST": _pressed("/seats/{other}/bot", bot="random"),
    "pages.get_up POST": _pressed("/seats/{seat}/leave", reason="late"),
    "rounds.ReadResults POST": _at_tournament("POST", "/{match}/rounds/1/results", {}),
    "rounds.RemindAll POST": _at_tournament("POST", "/{match}/rounds/1/remind", {}),
    "rounds.PauseAll POST": _at_tournament("POST", "/{match}/rounds/1/pause", REASON),
    "rounds.ResumeAll POST": _at_tournament("POST", "/{match}/rounds/1/resume", REASON),
    "rounds.Forfeits POST": _at_tournament(
        "POST", "/{match}/rounds/1/tables/1/forfeits", {"players": [1], "why": "clock"}
    ),
    "rounds.CloseRound POST": _at_tournament("POST", "/{match}/rounds/1/close", {}),
    "matches.Abandon POST": _once("POST", f"{API}/abandon", REASON),
    "pages.abandon POST": _pressed("/abandon", reason="rain"),
}


def without_a_way(app: Flask) -> set[str]:
    """The routes of an application that nobody has said how to ask, and ways that lead nowhere."""
    routes = {
        f"{rule.endpoint} {method}"
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    apart = {
        f"{blueprint}.{name}" if blueprint else name
        for blueprint, names in APART.items()
        for name in names.split(", ")
    }
    return routes ^ (WAYS.keys() | apart)
