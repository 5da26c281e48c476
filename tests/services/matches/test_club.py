"""The club on real servers: passes that are hashed, that open once, and that end at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ledger.club.people import BOOK, ONCE, SCOPES, PassMade
from ledger.kernel.refusals import Refused
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from services.matches.club import (
    LASTS,
    Club,
    founders_link,
    hash_of,
    parts_of,
    person_named,
    without_secrets,
    words_of,
)
from tests.support.servers import Server

NOW = 1_000_000


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> int:
        return self.now


@contextmanager
def club_on(server: Server) -> Iterator[Club]:
    connection = Connection(server.url)
    try:
        yield Club(RedisStore(connection), lambda: NOW)
    finally:
        connection.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def club(clock: Clock) -> Club:
    return Club(MemoryStore(), clock)


def founded(club: Club, name: str = "Ann") -> str:
    """The id of the organizer of a new club."""
    words = founders_link(club)
    assert words is not None
    return club.let_in(words, name)[0].id


def refused(code: str, call: object, *words: object, **named: object) -> None:
    with pytest.raises(Refused) as raised:
        call(*words, **named)  # type: ignore[operator]
    assert raised.value.code == code


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["founder", "link", "invitation", "session", "token"])
def test_a_pass_can_be_read_back_and_every_mistyped_letter_is_seen(kind: str):
    words = words_of(kind, "a1b2c3d4e5f6g7h8", "S" * 43)  # type: ignore[arg-type]
    assert parts_of(words) == (kind, "a1b2c3d4e5f6g7h8", hash_of("S" * 43))
    for at in range(len(words)):
        changed = words[:at] + ("x" if words[at] != "x" else "y") + words[at + 1 :]
        assert parts_of(changed) is None, at
    for other in ("", words[:-1], words + "0", words + "\n", words.upper(), f" {words}", "hgm_"):
        assert parts_of(other) is None


def test_no_secret_is_left_in_what_is_logged(club: Club):
    words = club.make("founder").words
    secret = words.split("_", 3)[3]
    said = without_secrets(f"Exception on /welcome/{words} [GET]; and {words}")
    assert words.split("_")[2] in said
    assert secret not in said
    assert secret[:43] not in said
    assert secret[-8:] not in said


def test_only_hashes_are_kept(club: Club):
    ann = founded(club)
    made = [
        club.make("token", ann, person=ann, scopes=SCOPES, label="laptop"),
        club.make("link", ann, person=ann),
        club.make("invitation", ann, match="m", seat=1),
    ]
    bodies = b"".join(event.body for event in club.store.events(BOOK))
    for one in made:
        secret = one.words.split("_", 3)[3][:43]
        assert hash_of(secret) in bodies
        assert secret.encode() not in bodies
    assert len({one.made.hash for one in made}) == 3


# --- coming in ------------------------------------------------------------------------------------


def test_who_opens_the_founders_link_runs_the_club_and_there_is_no_second(club: Club):
    words = founders_link(club)
    assert words is not None
    person, session = club.let_in(words, "Ann")
    assert person.roles == ("organizer", "player")
    found = club.caller(session.words, ("session",))
    assert found is not None
    assert (found.person, found.scopes, found.organizer) == (person, SCOPES, True)
    assert founders_link(club) is None
    refused("pass_ended", club.let_in, words, "Eve")
    assert len(club.people().people) == 1


def test_a_newer_founders_link_ends_the_one_before(club: Club):
    first, second = founders_link(club), founders_link(club)
    assert first is not None
    assert second is not None
    refused("pass_ended", club.looked_at, first)
    assert club.looked_at(second).kind == "founder"


def test_of_two_browsers_at_one_founders_link_at_once_exactly_one_wins(ledger: Server):
    for _ in range(8):
        with club_on(ledger) as home:
            home.store.connection.call("FLUSHALL")  # type: ignore[attr-defined]
        with club_on(ledger) as home, club_on(ledger) as one, club_on(ledger) as other:
            words = founders_link(home)
            assert words is not None
            start, came, late = threading.Barrier(2), [], []

            def enter(club: Club, name: str) -> None:
                start.wait()  # noqa: B023 - the threads end within the round
                try:
                    came.append(club.let_in(words, name)[0].id)  # noqa: B023
                except Refused as refusal:
                    late.append(refusal.code)  # noqa: B023

            threads = [
                threading.Thread(target=enter, args=given) for given in ((one, "A"), (other, "B"))
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert (len(came), late) == (1, ["pass_ended"])
            assert list(home.people().people) == came
            assert [one.organizer for one in home.people().people.values()] == [True]


def test_an_open_invitation_is_taken_by_who_is_signed_in_or_makes_somebody_new(club: Club):
    ann = founded(club)
    first, second = (club.make("invitation", ann, match="m", seat=seat) for seat in (0, 1))
    assert club.let_in(first.words, known=ann)[0].id == ann
    person, _ = club.let_in(second.words, "Bob")
    assert (person.name, person.roles) == ("Bob", ("player",))
    assert len(club.people().people) == 2


def test_a_bad_name_uses_nothing_up(club: Club):
    words = founders_link(club)
    assert words is not None
    refused("bad_name", club.let_in, words, " ")
    assert not club.people().people
    assert club.let_in(words, "Ann")[0].organizer


def test_who_comes_in_anew_leaves_the_session_before(club: Club):
    ann = founded(club)
    first = club.let_in(club.make("link", person=ann).words)[1]
    second = club.let_in(club.make("link", person=ann).words, leaves=first.made.pass_id)[1]
    assert club.caller(first.words, ("session",)) is None
    assert club.caller(second.words, ("session",)) is not None
    for leaves in (first.made.pass_id, "nothing"):
        assert club.let_in(club.make("link", person=ann).words, leaves=leaves)


# --- being somebody -------------------------------------------------------------------------------


def test_a_pass_is_good_for_what_it_is_and_in_its_time(club: Club, clock: Clock):
    ann = founded(club)
    token = club.make("token", ann, person=ann, scopes=("read",), lasts=10)
    found = club.caller(token.words, ("token",))
    assert found is not None
    assert (found.scopes, found.kind, found.organizer) == (("read",), "token", False)
    assert club.caller(token.words, ("session",)) is None
    refused("no_such_pass", club.looked_at, token.words)
    refused("no_such_pass", club.let_in, token.words, "Eve")
    as_session = words_of("session", token.made.pass_id, token.words.split("_", 3)[3][:43])
    assert club.caller(as_session, ("session",)) is None
    other = words_of("token", token.made.pass_id, "x" * 43)
    assert club.caller(other, ("token",)) is None
    clock.now += 9
    assert club.caller(token.words, ("token",)) is not None
    clock.now += 1
    assert club.caller(token.words, ("token",)) is None


@pytest.mark.parametrize("kind", ONCE)
def test_what_opens_once_expires(club: Club, clock: Clock, kind: str):
    shown = club.make(kind)  # type: ignore[arg-type]
    clock.now += LASTS[kind] - 1  # type: ignore[index]
    assert club.looked_at(shown.words) == shown.made
    clock.now += 1
    refused("pass_ended", club.looked_at, shown.words)


def test_what_is_taken_back_is_over_in_every_process_at_once(ledger: Server):
    with club_on(ledger) as here, club_on(ledger) as there:
        ann = founded(here)
        token = here.make("token", ann, person=ann)
        assert there.caller(token.words, ("token",)) is not None
        here.take_back(token.made.pass_id, ann)
        assert there.caller(token.words, ("token",)) is None
        link = there.make("link", ann, person=ann)
        assert here.looked_at(link.words) == link.made
        there.let_in(link.words)
        refused("pass_ended", here.let_in, link.words)


def test_who_runs_the_club_no_more_does_so_with_no_old_token(club: Club):
    ann = founded(club)
    bob, _ = club.add("Bob", ("organizer", "player"), ann)
    token = club.make("token", bob.id, person=bob.id, scopes=SCOPES)
    before = club.caller(token.words, ("token",))
    club.change(bob.id, ann, roles=("player",))
    after = club.caller(token.words, ("token",))
    assert before is not None
    assert after is not None
    assert (before.organizer, after.organizer) == (True, False)


def test_a_change_is_made_whole_or_not_at_all(club: Club):
    ann = founded(club)
    bob, link = club.add("Bob", ("player",), ann)
    assert club.looked_at(link.words).person == bob.id
    refused("bad_name", club.change, bob.id, ann, name="", roles=("organizer",))
    refused("last_organizer", club.change, ann, ann, name="Anna", roles=("player",))
    people = club.people()
    assert (people.person(bob.id).roles, people.person(ann).name) == (("player",), "Ann")
    changed = club.change(bob.id, ann, name="Rob", roles=("organizer",))
    assert (changed.name, changed.roles) == ("Rob", ("organizer",))


def test_people_are_read_while_others_write(ledger: Server):
    with club_on(ledger) as here, club_on(ledger) as there:
        ann = founded(here)
        failures: list[BaseException] = []

        def write() -> None:
            for number in range(60):
                person, _ = there.add(f"p{number}", ("player",), ann)
                there.change(person.id, ann, name=f"q{number}")

        def read() -> None:
            try:
                while thread.is_alive():
                    people = here.people()
                    assert people.founded
                    assert sorted(people.people) != []
                    assert people.open_passes(ann, "session", NOW)
            except BaseException as failure:  # noqa: BLE001 - shown below
                failures.append(failure)

        thread = threading.Thread(target=write)
        readers = [threading.Thread(target=read) for _ in range(3)]
        for one in (thread, *readers):
            one.start()
        for one in (thread, *readers):
            one.join()
        assert failures == []
        assert len(here.people().people) == 61
        assert here.book.tip == there.book.tip


def test_people_are_found_by_id_by_name_or_as_the_one_organizer(club: Club):
    ann = founded(club)
    club.add("Bob", ("player",), ann)
    bob, _ = club.add("bob", ("player",), ann)
    people = club.people()
    assert person_named(people, "").id == person_named(people, "ANN").id == ann
    assert person_named(people, bob.id) == bob
    refused("which_person", person_named, people, "Bob")
    refused("no_such_person", person_named, people, "Eve")
    club.change(bob.id, ann, roles=("organizer",))
    refused("which_person", person_named, club.people(), "")


def test_the_book_of_people_is_the_same_after_it_was_read_again(ledger: Server):
    with club_on(ledger) as here:
        ann = founded(here)
        here.make("token", ann, person=ann, label="a")
        here.change(ann, ann, name="Anna")
        with club_on(ledger) as there:
            assert there.people().people == here.people().people
            assert there.people().passes == here.people().passes
        kinds = [type(entry) for _, _, _, entry in here.book.entries()]
        assert kinds.count(PassMade) == 3  # the founder's, the session, the token


def test_a_store_that_went_back_is_read_anew():
    def club_with(name: str) -> Club:
        club = Club(MemoryStore())
        founded(club, name)
        return club

    here, other = club_with("Ann"), club_with("Eve")
    assert [one.name for one in here.people().people.values()] == ["Ann"]
    store: Store = MemoryStore()
    here.book._store = store
    assert not here.people().people
    assert [one.name for one in other.people().people.values()] == ["Eve"]
