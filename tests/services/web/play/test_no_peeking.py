"""No peeking over HTTP: two matches that differ in a secret are one to whoever may not know it.

Two sites over two servers have one club and one clock. Each pair of matches is put on them, and
two ask both for everything that there is to ask, by turns: one of the other seats, and the host,
somebody of the club or nobody. Requests are counted against limits that nobody reaches, and the
numbers that are drawn for them are the same on both, so that nothing has to be taken out of the
headers. At landing it is a pair of each kind; with `-m full` it is fifty.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest
from flask import Flask
from msgspec.structs import asdict, replace

from ledger.club.people import SCOPES
from ledger.club.table import MatchTable, SeatTaken, TableEntry, TableLaid, book_of
from ledger.club.talk import say
from ledger.games import ruleset
from ledger.kernel.match import Match
from ledger.log.books import Book
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.segments.witness import Witness
from services.checkpointer.loop import Checkpointer
from services.keep.heads.keys import signer_in
from services.keep.heads.tree import HEADS, TreeWriter
from services.matches.cache import MatchCache
from services.matches.club import Club
from services.matches.disputes import Subject, file_claim
from services.projector.loop import Projector
from services.run.settings import Settings
from services.web import create_app
from services.web.app.limits import QUOTAS, Limits
from services.web.app.parts import MadeOnce
from services.web.seats import talk
from tests.support.docs.http_api import application
from tests.support.servers import programs, running
from tests.support.web.answered import ask, without_what_may_differ
from tests.support.web.askers import Asker, Wanted
from tests.support.web.leaking import Leaking
from tests.support.web.masks import Masks
from tests.support.web.pair_surroundings import kept_builds, put_tournament
from tests.support.web.pairs import KINDS, SEATS, Twins, twins
from tests.support.web.requests import WAYS, without_a_way
from tests.support.web.routes_apart import NEVER
from tests.support.web.visitors import Clock, bearer

PAIRS: Final = 50
PLENTY: Final = 10_000
SIGNING_KEY: Final = f"club {'5' * 64}"
LOOKING: Final = {name for name in WAYS if name.endswith(" GET")} - NEVER
FOR_THE_HOST: Final = {
    "audit_pages.file_of_tournament GET",
    "audit_pages.of_tournament GET",
    "tournament_audits.OfTournament GET",
    "tournaments.AuditOf GET",
}


class People(NamedTuple):
    """Everybody, by name: the id, and what their programs show."""

    ids: dict[str, str]
    headers: dict[str, dict[str, str]]


class Sites:
    """Two sites of one club."""

    def __init__(self, urls: Sequence[str], folder: Path) -> None:
        self.clock = Clock()
        self.club = Club(MemoryStore(), self.clock)
        self.people = _people(self.club)
        self.stores = [RedisStore(Connection(url)) for url in urls]
        self.folders = [folder / f"site {number}" for number in range(len(urls))]
        self.apps = [self._app(*site) for site in zip(urls, self.folders, self.stores, strict=True)]

    def _app(self, url: str, folder: Path, store: RedisStore) -> Flask:
        signed = {"signing_key": SIGNING_KEY}
        app = create_app(
            Settings(data=folder, ledger_url=url, limits=PLENTY, log="quiet", **signed)
        )
        quotas = {kind: quota * PLENTY for kind, quota in QUOTAS.items()}
        app.extensions["limits"] = Limits(None, lambda: self.clock() / 1_000, quotas)
        app.extensions["club"] = lambda: self.club
        app.extensions["match_cache"] = MadeOnce(lambda: MatchCache(store, self.clock))
        app.testing = True
        return app

    def put(self, pair: Twins) -> list[Masks]:
        """A pair of matches, with everybody at the table; Hal is the host."""
        ids = self.people.ids
        for store, given, beside in zip(self.stores, pair.stores, pair.beside, strict=True):
            given.copy_to(store, pair.match)
            book: Book[MatchTable] = Book(
                store, book_of(pair.match), TableEntry, MatchTable, self.clock
            )
            taken = [SeatTaken(seat=seat, person=ids[str(seat)]) for seat in range(SEATS)]
            entries = [TableLaid(host=ids["host"]), *taken]
            book.write(ids["host"], lambda _, entries=entries: entries)
            for entry in beside.entries:
                one = (
                    replace(entry, person=ids[entry.person]) if "person" in asdict(entry) else entry
                )
                book.write(ids[str(pair.seat)], lambda _, one=one: [one])
            for said in beside.said:
                by = replace(said.by, name=ids[said.by.name])
                say(store, pair.match, replace(said, by=by))
            put_tournament(store, pair.match, self.people.ids, self.clock)
        for app in self.apps:
            self._dispute(app, pair)
        self._sign()
        return [Masks(store, pair.match) for store in self.stores]

    def _dispute(self, app: Flask, pair: Twins) -> None:
        """A neighbour disputes the event that holds the secret, and those around it."""
        seat = (pair.seat + 1) % SEATS
        by = Submitter(role="seat", name=self.people.ids[str(seat)], seat=seat)
        until = min(pair.secret + 2, pair.last)
        about = Subject(words="this was not right", first=pair.secret - 1, last=until)
        with app.extensions["match_cache"]().opened(pair.match) as opened:
            file_claim(opened, about, by, seat, pair.last)

    def _sign(self) -> None:
        """Have everything under a signed head."""
        for folder, store in zip(self.folders, self.stores, strict=True):
            projector = Projector(store, ruleset, Witness(folder / "segments"))
            while projector.step(0):
                pass
            projector.stop()
            tree = TreeWriter(folder / HEADS)
            signer = signer_in(folder, SIGNING_KEY)
            Checkpointer(tree, folder / "segments", signer, store.connection).step()
            tree.close()

    def close(self) -> None:
        for app, store in zip(self.apps, self.stores, strict=True):
            app.extensions["hub"]().stop()
            store.connection.close()
            store.cache.close()


def _people(club: Club) -> People:
    names = ["host", *map(str, range(SEATS)), "member"]
    ids, headers = {}, {"nobody": {}}
    for name in names:
        roles = ["organizer", "player"] if name == "host" else ["player"]
        ids[name] = club.add(f"Called {name}", roles, "")[0].id
        scopes = SCOPES if name == "host" else ("read", "play")
        shown = club.make("token", ids[name], person=ids[name], scopes=scopes)
        headers[name] = bearer(shown.words)
    return People(ids, headers)


@pytest.fixture
def sites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sites]:
    # Each request goes to one site and then to the other: both are given the same number.
    asked = count()
    drawn = SimpleNamespace(token_hex=lambda size: f"{next(asked) // 2:0{2 * size}x}")
    monkeypatch.setattr("services.web.app.requests.secrets", drawn)
    monkeypatch.setattr("replays.document.builder.build", kept_builds())
    program = next(iter(programs().values()))
    with ExitStack() as stack:
        servers = [
            stack.enter_context(running(program, tmp_path / name, {"appendfsync": "no"}))
            for name in ("here", "there")
        ]
        made = Sites([server.url for server in servers], tmp_path)
        yield made
        made.close()


def askers(sites: Sites, pair: Twins) -> Iterator[Asker]:
    """Everybody who may not know the secret."""
    ids, headers = sites.people
    persons = tuple(ids[str(seat)] for seat in range(SEATS))
    for name, shown in headers.items():
        seat = int(name) if name.isdigit() else None
        if seat not in pair.blind:
            continue
        # Eyes that are not theirs: of whose secret it is, or of a neighbour.
        other = pair.seat if pair.seat not in (-1, seat) else ((seat or 0) + 1) % SEATS
        yield Asker(
            name, shown, seat, other, persons, pair.match, pair.secret, pair.last,
            _offer(seat, other),
        )  # fmt: skip


def two_of(everybody: Sequence[Asker], turn: int) -> list[Asker]:
    """By turns: one who sits at the table, and one who does not."""
    seated = [one for one in everybody if one.seat is not None]
    others = [one for one in everybody if one.seat is None]
    return [each[turn % len(each)] for each in (seated, others) if each]


def _offer(seat: int | None, other: int) -> dict[str, Any]:
    """Returns a decision that is allowed at any time and opens nothing."""
    parties = [other if seat is None else seat, other]
    return {"type": "deal.propose", "parties": sorted(parties), "terms": {"text": "peace"}}


class Asked(NamedTuple):
    """The differences and the answers found in asking about a pair."""

    differences: list[str]
    answers: dict[str, int]  # by route and status: how many
    by: frozenset[str]  # who asked


def peek(
    sites: Sites,
    pair: Twins,
    ways: Sequence[str] = tuple(WAYS),
    masks: list[Masks] | None = None,
    turn: int | None = None,
) -> Asked:
    """Let everybody who may not know, or those whose turn it is, ask both for everything."""
    masks = sites.put(pair) if masks is None else masks
    clients = [app.test_client(use_cookies=False) for app in sites.apps]
    differences: list[str] = []
    answers: dict[str, int] = {}
    asking = list(askers(sites, pair))
    asking = asking if turn is None else two_of(asking, turn)
    for route in ways:
        for asker in asking:
            for wanted in WAYS[route](asker):
                last = masks[0].last
                both = [ask(client, asker, wanted, last) for client in clients]
                if wanted.method != "GET":
                    for mask in masks:
                        mask.read()
                row = f"{route} {both[0].status}"
                answers[row] = answers.get(row, 0) + 1
                if both[0] != both[1]:  # what is the same to the last bit tells nobody anything
                    here, there = (
                        without_what_may_differ(one, wanted.path, mask)
                        for one, mask in zip(both, masks, strict=True)
                    )
                    if here != there:
                        differences.append(_difference(pair, route, asker, wanted, here, there))
    return Asked(differences, answers, frozenset(one.name for one in asking))


def _difference(
    pair: Twins, route: str, asker: Asker, wanted: Wanted, here: Any, there: Any
) -> str:
    parts = [name for name in here._fields if getattr(here, name) != getattr(there, name)]
    if "body" in parts:
        at = next(
            (n for n, (a, b) in enumerate(zip(here.body, there.body, strict=False)) if a != b), 0
        )
        shown = f": {here.body[at - 60 : at + 40]!r} {there.body[at - 60 : at + 40]!r}"
    else:
        shown = f": {here.headers} {there.headers}"
    told = f"{pair.kind}: {asker.name} sees it in the {parts} of {route} {wanted.path}"
    return told + shown


# --- the proof ------------------------------------------------------------------------------------


def test_every_route_that_is_about_a_match_has_a_way_to_be_asked():
    missing = without_a_way(application())
    assert not missing, f"say in tests/support/web/requests.py how {sorted(missing)} is asked"


def test_a_new_route_about_a_match_is_noticed():
    app = application()
    app.add_url_rule("/api/v1/account/<match>", "account.new", lambda match: match)
    app.add_url_rule("/other", "other.new", lambda: "")
    app.add_url_rule("/api/v1/tournaments/<tournament>/new", "tournaments.new", lambda _: "")
    found = {"account.new GET", "other.new GET", "tournaments.new GET"}
    assert without_a_way(app) == found


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_sees_over_http_what_is_not_theirs(sites: Sites, kind: str):
    [pair] = twins(kind, 1)
    asked = peek(sites, pair, turn=list(KINDS).index(kind))
    assert asked.differences == []
    check_asked(asked)


def check_asked(asked: Asked) -> None:
    """Checks that requests were answered, not only refused, and that none failed on our side."""
    assert not [row for row in asked.answers if row.split()[-1].startswith("5")]
    answered = {row.rsplit(" ", 1)[0] for row in asked.answers if row.split()[-1][0] in "23"}
    assert LOOKING - (set() if "host" in asked.by else FOR_THE_HOST) <= answered
    assert {"playing.Decisions POST", "talking.Talk POST"} <= answered
    assert asked.answers["playing.Decisions POST 412"]


def fifty_asked(
    sites: Sites, kind: str, ways: Sequence[str], seed: int, *, by_turns: bool
) -> Iterator[Asked]:
    """Ask about fifty pairs of a kind, none of which may differ; tells how many answers it took."""
    begun, many = time.monotonic(), 0
    for turn, pair in enumerate(twins(kind, PAIRS, seed=seed)):
        asked = peek(sites, pair, ways, turn=turn if by_turns else None)
        assert asked.differences == []
        many += sum(asked.answers.values())
        yield asked
    seconds = time.monotonic() - begun
    print(f"\n{kind}: {PAIRS} pairs, {2 * many} answers, {seconds:.0f} s")


@pytest.mark.full
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("kind", KINDS)
def test_nobody_sees_it_in_fifty_pairs_of_a_kind(sites: Sites, kind: str):
    for asked in fifty_asked(sites, kind, tuple(WAYS), 2, by_turns=True):
        check_asked(asked)


DISPUTED: Final = {name for name in WAYS if name.startswith("disput") and name.endswith(" GET")}


@pytest.mark.full
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("kind", KINDS)
def test_no_dossier_shows_it_in_fifty_pairs_of_a_kind(sites: Sites, kind: str):
    """Everybody asks, and for all there is about a dispute: claims, dossiers, pages and files."""
    for asked in fifty_asked(sites, kind, sorted(DISPUTED), 3, by_turns=False):
        assert {row.removesuffix(" 200") for row in asked.answers if row.endswith(" 200")} == (
            DISPUTED
        )


# --- planted leaks --------------------------------------------------------------------------------


def letters(pair: Twins) -> list[str]:
    """A letter of a hash of each secret, the first that tells them apart."""
    hashes = [hashlib.sha256(words.encode()).hexdigest() for words in pair.words]
    return list(next(both for both in zip(*hashes, strict=True) if both[0] != both[1]))


LEAKS: Final = [
    ("body", "playing.View GET"),
    ("header", "playing.SceneOf GET"),
    ("length", "playing.Facts GET"),
    ("body", "live.live GET"),
    ("length", "playing.Events GET"),
    ("body", "pages.bundle GET"),
    ("header", "pages.replay GET"),
    ("length", "playing.Decisions POST"),
    ("number", "talking.Talk GET"),
    ("limit", "matches.One GET"),
]


def test_leaks_that_are_planted_are_caught(sites: Sites, monkeypatch: pytest.MonkeyPatch):
    [pair] = twins("sealed action card", 1)
    masks = sites.put(pair)
    for how, route in LEAKS:
        if route.endswith("GET"):
            assert peek(sites, pair, [route], masks, turn=1).differences == []
        with monkeypatch.context() as planted:
            for app, letter in zip(sites.apps, letters(pair), strict=True):
                planted.setattr(app, "wsgi_app", Leaking(app.wsgi_app, how, letter))
            found = peek(sites, pair, [route], masks, turn=1).differences
        assert found, f"nobody noticed what leaked by the {how} of {route}"
        assert all(route in one for one in found)


def test_a_secret_that_a_route_does_not_cut_is_caught(
    sites: Sites, monkeypatch: pytest.MonkeyPatch
):
    """Views that are nobody's in particular: what would come of it if one cut were forgotten."""
    [pair] = twins("sealed action card", 1)
    masks = sites.put(pair)
    whole = Match.view
    monkeypatch.setattr(Match, "view", lambda match, _: whole(match, pair.seat))
    found = peek(sites, pair, ["playing.View GET"], masks).differences
    assert len(found) >= len(list(askers(sites, pair)))


def test_numbers_that_count_what_others_whisper_are_caught(
    sites: Sites, monkeypatch: pytest.MonkeyPatch
):
    [pair] = twins("whispering", 1)
    masks = sites.put(pair)
    assert peek(sites, pair, ["talking.Talk GET"], masks).differences == []
    heard = talk.visible

    def by_the_chain(*words: Any) -> Iterator[Any]:
        return (one._replace(number=one.line) for one in heard(*words))

    monkeypatch.setattr(talk, "visible", by_the_chain)
    for route in ("talking.Talk GET", "talking.OneLine DELETE"):
        assert peek(sites, pair, [route], masks).differences
