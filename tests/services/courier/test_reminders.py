"""Reminders of a tournament: told to who is to decide, once, and to nobody else."""

from __future__ import annotations

from ledger.club.table import book_of
from ledger.club.tournament.entries import Reminded
from ledger.club.tournament.state import TournamentState
from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys
from ledger.log.write.journal import Journal
from services.courier.notices import find_reminded_seats
from services.courier.reader import NamedLog, events_in
from services.matches.cache import MatchCache
from services.matches.play import surroundings
from services.matches.tournaments import Tournaments
from tests.services.courier.conftest import Town, deliveries, hooked
from tests.support.services.receivers import receiving
from tests.support.web.organizing import SMALL, Host, tournament
from tests.support.web.visitors import Visitor


def begun(town: Town, players: int = 4) -> tuple[Host, list[Visitor]]:
    host, people = tournament(town.site, players, **SMALL)
    host.post("/rounds/1/draw", {})
    host.post("/rounds/1/start")
    return host, people


def state_of(town: Town, host: Host) -> TournamentState:
    return Tournaments(town.store, MatchCache(town.store)).state(host.id)


def test_who_is_waited_for_is_reminded_and_their_delegate_and_nobody_else(town: Town):
    host, people = begun(town)
    found = host.get("/rounds/1")["tables"]
    first = {state_of(town, host).player(one["seats"][0]["player"]).person for one in found}
    friend = town.site.person("Friend")
    [asked, _] = [one for one in people if one.id in first]
    [table] = [one for one in found if one["seats"][0]["name"] == named(town, asked)]
    path = f"/matches/{table['match']}/seats/0/delegates"
    assert asked.asks("POST", path, {"person": friend.id}).status_code == 200
    with receiving() as told, receiving() as helping, receiving() as others:
        hook = hooked(asked, told.url, "reminder")
        hooked(friend, helping.url, "reminder")
        for one in people:
            if one.id not in first:
                hooked(one, others.url, "reminder", "turn")
        hooked(host.who, others.url)
        assert len(host.post("/rounds/1/remind")["tables"]) == 2
        assert town.deliver(lambda: bool(told.received and helping.received))
        assert town.deliver(lambda: False, 0.5) is False  # a second courier finds nothing new
        assert (len(told.received), len(helping.received), others.received) == (1, 1, [])
    [entry] = [one for one in host.get("/entries")["entries"] if one["what"]["type"] == "reminded"]
    assert told.received[0].said == {
        "id": told.ids[0],
        "kind": "reminder",
        "tournament": host.id,
        "round": 1,
        "table": table["table"],
        "match": table["match"],
        "at": entry["at"],
        "link": f"http://localhost/matches/{table['match']}",
        "seat": 0,
    }
    assert helping.received[0].said["match"] == table["match"]
    [done] = deliveries(asked, hook["id"])
    assert (done["kind"], done["state"], done["match"]) == (
        "reminder", "delivered", table["match"],
    )  # fmt: skip
    assert town.said == []


def test_a_table_that_cannot_be_read_leaves_the_reminders_of_the_others(
    town: Town, connection: Connection
):
    host, people = begun(town)
    with receiving() as told:
        for one in people:
            hooked(one, told.url, "reminder")
        host.post("/rounds/1/remind")
        first, second = [one["match"] for one in host.get("/rounds/1")["tables"]]
        connection.call("DEL", log_keys(book_of(first)).events)
        assert town.deliver(lambda: bool(told.received))
    assert [one.said["match"] for one in told.received] == [second]
    assert any(line.startswith(f"cannot follow {first}: DamagedLog") for line in town.said)


def named(town: Town, who: Visitor) -> str:
    return town.site.club.people().person(who.id).name


def test_each_reminder_is_told_and_one_that_is_read_again_has_the_same_id(
    town: Town, connection: Connection
):
    host, people = begun(town, 2)
    with receiving() as told:
        for one in people:
            hooked(one, told.url, "reminder")
        host.post("/rounds/1/remind")
        assert town.deliver(lambda: len(told.received) == 1)
        host.post("/rounds/1/remind")
        assert town.deliver(lambda: len(told.received) == 2)
        connection.call(
            "DEL", *connection.call("KEYS", "{courier}:*")
        )  # so the last hour is read again
        assert town.deliver(lambda: len(told.received) == 4)
    assert len(set(told.ids)) == 2
    assert town.said == []


def test_who_has_decided_meanwhile_is_not_the_next_to_be_reminded(town: Town):
    host, _ = begun(town, 2)
    [table] = host.get("/rounds/1")["tables"]
    journal = Journal(surroundings(town.store), table["match"])
    journal.decide(0, journal.match().options(0)[0])
    assert host.post("/rounds/1/remind")["tables"][0]["players"] == [table["seats"][1]["player"]]
    entry = Reminded(round=1, players=(table["seats"][1]["player"],))
    found = list(find_reminded_seats(state_of(town, host), entry))
    assert [(one.match, seat) for one, seat in found] == [(table["match"], 1)]


def test_only_what_the_feeds_say_of_tournaments_is_read():
    said = ("tournament:abc 7", "abc 7", "club:people 7", "tournament:abc", "tournament:abc x")
    said += ("table:abc 7", "abc/talk 7", "abc/kept 7 and more", "tournament:def 12")
    rows = [(b"0-%d" % at, [b"e", text.encode()]) for at, text in enumerate(said, start=1)]
    assert list(events_in(rows)) == [
        NamedLog("tournament:abc", 7),
        NamedLog("abc", 7),
        NamedLog("tournament:def", 12),
    ]
