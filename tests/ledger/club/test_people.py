"""People and passes: what may be written, whatever was written before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ledger.club import people as rules
from ledger.club.people import (
    CLUB_REFUSALS,
    NAME_MAX,
    ONCE,
    PASSES_MAX,
    PassEnded,
    PassMade,
    People,
    PeopleEntry,
    Person,
    RolesSet,
)
from ledger.kernel.refusals import Refused

HASH = b"h" * 32


def taking(people: People, *entries: PeopleEntry, at: int = 0, by: str = "") -> People:
    for entry in entries:
        people.take(1, at, by, entry)
    return people


def a_pass(pass_id: str, kind: str = "token", **said: object) -> PassMade:
    return PassMade(pass_id=pass_id, kind=kind, hash=HASH, **{"expires": 100, **said})  # type: ignore[arg-type]


@pytest.fixture
def club() -> People:
    """Ann runs it, Bob plays."""
    people = People()
    taking(people, *rules.add_person(people, "ann", "Ann", ("organizer", "player")), at=5)
    return taking(people, *rules.add_person(people, "bob", "Bob", ("player",)), at=6)


def code_of(raised: pytest.ExceptionInfo[Refused]) -> str:
    assert raised.value.message == CLUB_REFUSALS[raised.value.code]
    return raised.value.code


def test_people_come_and_are_renamed(club: People):
    taking(club, *rules.rename(club, "bob", "Robert"))
    assert club.person("bob") == Person(id="bob", name="Robert", roles=("player",), since=6)
    assert rules.rename(club, "bob", "Robert") == []
    assert club.founded


@pytest.mark.parametrize(
    "name", ["", " ", " Bob", "Bob ", "B\nob", "B\0b", "\u202ebob", "x" * (NAME_MAX + 1), "\ud800"]
)
def test_a_name_that_cannot_be_shown_is_refused(club: People, name: str):
    with pytest.raises(Refused) as raised:
        rules.rename(club, "bob", name)
    assert code_of(raised) == "bad_name"
    assert raised.value.evidence["letters"] == len(name)
    with pytest.raises(Refused):
        rules.add_person(club, "new", name, ("player",))


@pytest.mark.parametrize("name", ["x", "Łukasz Ó", "李雷", "x" * NAME_MAX, "<b>&'\"", "🐙"])
def test_other_names_are_taken_as_they_are(club: People, name: str):
    assert taking(club, *rules.rename(club, "bob", name)).person("bob").name == name


def test_who_is_not_here_cannot_be_changed(club: People):
    for follows in (
        lambda: club.person("eve"),
        lambda: rules.rename(club, "eve", "Eve"),
        lambda: rules.set_roles(club, "eve", ("player",)),
        lambda: rules.make_pass(club, a_pass("p1", person="eve"), 0),
    ):
        with pytest.raises(Refused) as raised:
            follows()
        assert code_of(raised) == "no_such_person"


def test_the_last_organizer_stays_until_there_is_another(club: People):
    with pytest.raises(Refused) as raised:
        rules.set_roles(club, "ann", ("player",))
    assert code_of(raised) == "last_organizer"
    taking(club, *rules.set_roles(club, "bob", ("organizer", "player")))
    assert rules.set_roles(club, "ann", ("player",)) == [RolesSet(person="ann", roles=("player",))]
    assert rules.set_roles(club, "bob", ("player", "organizer")) == []


def test_a_token_can_do_no_more_than_its_owner(club: People):
    made = a_pass("p1", person="bob", scopes=("read", "organize"))
    with pytest.raises(Refused) as raised:
        rules.make_pass(club, made, 0)
    assert code_of(raised) == "bad_scope"
    assert rules.make_pass(club, a_pass("p1", person="ann", scopes=("organize",)), 0)


def test_tokens_have_a_limit_and_those_that_are_over_do_not_count(club: People):
    for number in range(PASSES_MAX):
        taking(club, *rules.make_pass(club, a_pass(f"p{number}", person="bob"), 0))
    with pytest.raises(Refused) as raised:
        rules.make_pass(club, a_pass("more", person="bob"), 99)
    assert code_of(raised) == "too_many_passes"
    assert rules.make_pass(club, a_pass("more", person="bob"), 100)
    assert rules.make_pass(club, a_pass("more", person="ann"), 99)
    taking(club, *rules.take_back(club, "p7", "bob"))
    taking(club, *rules.make_pass(club, a_pass("more", person="bob"), 99))
    assert len(club.open_passes("bob", "token", 99)) == PASSES_MAX


def test_one_more_session_ends_the_oldest(club: People):
    for number in range(PASSES_MAX):
        taking(club, *rules.make_pass(club, a_pass(f"s{number}", "session", person="bob"), 0))
    more = a_pass("more", "session", person="bob")
    assert rules.make_pass(club, more, 0) == [PassEnded(pass_id="s0", why="taken back"), more]


def test_a_new_founders_link_ends_those_before_and_none_is_made_once_there_is_an_organizer(
    club: People,
):
    empty = taking(People(), a_pass("f1", "founder"))
    second = a_pass("f2", "founder")
    assert rules.make_pass(empty, second, 0) == [PassEnded(pass_id="f1", why="taken back"), second]
    with pytest.raises(Refused) as raised:
        rules.make_pass(club, second, 0)
    assert code_of(raised) == "founded"


def test_a_founders_link_opens_nothing_once_there_is_an_organizer(club: People):
    taking(club, a_pass("f1", "founder"))
    with pytest.raises(Refused) as raised:
        rules.use(club, "f1", 0, ONCE)
    assert code_of(raised) == "pass_ended"


def test_a_link_is_used_once_and_in_its_time(club: People):
    taking(club, a_pass("l1", "link", person="bob"), a_pass("l2", "link", person="bob"))
    taking(club, *rules.use(club, "l1", 99, ONCE))
    for pass_id, now, ended in (("l1", 99, "used"), ("l2", 100, "expired")):
        with pytest.raises(Refused) as raised:
            rules.use(club, pass_id, now, ONCE)
        assert code_of(raised) == "pass_ended"
        assert raised.value.evidence == {"kind": "link", "ended": ended}


@pytest.mark.parametrize("kind", ["token", "session"])
def test_what_is_shown_again_and_again_is_no_door_that_opens_once(club: People, kind: str):
    taking(club, a_pass("p1", kind, person="bob"))
    for pass_id in ("p1", "nothing"):
        with pytest.raises(Refused) as raised:
            rules.use(club, pass_id, 0, ONCE)
        assert code_of(raised) == "no_such_pass"


def test_a_pass_is_taken_back_by_its_owner_its_maker_and_who_may_take_back_anybodys(club: People):
    taking(club, a_pass("p1", "link", person="bob"), by="ann")
    for person, anybodys in (("ann", False), ("bob", False), ("eve", True)):
        assert rules.take_back(club, "p1", person, anybodys=anybodys)
    for pass_id in ("p1", "nothing"):
        with pytest.raises(Refused) as raised:
            rules.take_back(club, pass_id, "eve")
        assert code_of(raised) == "no_such_pass"
    taking(club, *rules.take_back(club, "p1", "bob"))
    assert rules.take_back(club, "p1", "bob") == []
    assert club.passes["p1"].ended == "taken back"


def test_to_end_twice_is_to_end_once(club: People):
    ended = PassEnded(pass_id="p1", why="used")
    taking(club, a_pass("p1", person="bob"), ended, PassEnded(pass_id="p1", why="taken back"))
    assert club.passes["p1"].ended == "used"
    assert club.open_passes("bob", "token", 0) == []


def test_what_was_read_does_not_change_under_the_readers_hands(club: People):
    taking(club, a_pass("p1", person="bob"))
    bob, held = club.person("bob"), club.passes["p1"]
    taking(club, *rules.rename(club, "bob", "Robert"), PassEnded(pass_id="p1", why="used"))
    assert (bob.name, held.ended) == ("Bob", "")


def test_a_pass_is_found_by_its_hash_alone(club: People):
    taking(club, a_pass("p1", person="bob"))
    assert club.opening("p1", HASH, lambda a, b: a == b).made.person == "bob"
    for pass_id, hash_ in (("p1", b"x" * 32), ("p2", HASH)):
        with pytest.raises(Refused) as raised:
            club.opening(pass_id, hash_, lambda a, b: a == b)
        assert code_of(raised) == "no_such_pass"


# --- whatever is written --------------------------------------------------------------------------

WHO = st.sampled_from(["a", "b", "c", "d"])
ROLES = st.lists(st.sampled_from(rules.ROLES), unique=True)
KINDS = st.sampled_from(["founder", "link", "invitation", "session", "token"])


class Writing(RuleBasedStateMachine):
    """Anything that anybody may try, in any order; time goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.people = People()
        self.now = 0
        self.made = 0
        self.used: list[str] = []
        self.refused: set[str] = set()
        self.was_founded = False

    def write(self, follows) -> list[PeopleEntry]:  # type: ignore[no-untyped-def]
        try:
            entries = follows()
        except Refused as refusal:
            self.refused.add(refusal.code)
            return []
        taking(self.people, *entries, at=self.now)
        return entries

    @rule(by=st.integers(0, 40))
    def wait(self, by: int) -> None:
        self.now += by

    @rule(person=WHO, name=st.text(max_size=50), roles=ROLES)
    def come(self, person: str, name: str, roles: list[rules.Role]) -> None:
        if person not in self.people.people:
            self.write(lambda: rules.add_person(self.people, person, name, roles))

    @rule(person=WHO, name=st.text(max_size=50))
    def rename(self, person: str, name: str) -> None:
        self.write(lambda: rules.rename(self.people, person, name))

    @rule(person=WHO, roles=ROLES)
    def give_roles(self, person: str, roles: list[rules.Role]) -> None:
        self.write(lambda: rules.set_roles(self.people, person, roles))

    @rule(kind=KINDS, person=st.one_of(st.just(""), WHO), lasts=st.integers(1, 60))
    def make(self, kind: str, person: str, lasts: int) -> None:
        self.made += 1
        made = a_pass(f"p{self.made}", kind, person=person, expires=self.now + lasts)
        self.write(lambda: rules.make_pass(self.people, made, self.now))

    @precondition(lambda self: self.made)
    @rule(which=st.integers(0, 1_000), twice=st.booleans())
    def use(self, which: int, twice: bool) -> None:
        pass_id = f"p{which % self.made + 1}"
        for _ in range(2 if twice else 1):
            if self.write(lambda: rules.use(self.people, pass_id, self.now, ONCE)):
                self.used.append(pass_id)

    @precondition(lambda self: self.made)
    @rule(which=st.integers(0, 1_000), person=WHO, anybodys=st.booleans())
    def take_back(self, which: int, person: str, anybodys: bool) -> None:
        pass_id = f"p{which % self.made + 1}"
        self.write(lambda: rules.take_back(self.people, pass_id, person, anybodys=anybodys))

    @invariant()
    def a_club_that_has_had_an_organizer_has_one(self) -> None:
        self.was_founded = self.was_founded or self.people.founded
        assert self.people.founded == self.was_founded

    @invariant()
    def what_is_refused_has_a_code(self) -> None:
        assert self.refused <= set(CLUB_REFUSALS)

    @invariant()
    def nothing_opens_twice(self) -> None:
        assert len(self.used) == len(set(self.used))

    @invariant()
    def every_name_can_be_shown(self) -> None:
        for one in self.people.people.values():
            assert one.name.isprintable()
            assert 1 <= len(one.name) <= NAME_MAX

    @invariant()
    def what_is_open_to_somebody_is_what_opens(self) -> None:
        for person in ("", *self.people.people):
            for kind in ("founder", "link", "session", "token"):
                listed = [
                    one.made.pass_id
                    for one in self.people.open_passes(person, kind, self.now)  # type: ignore[arg-type]
                ]
                whole = [
                    pass_id
                    for pass_id, one in self.people.passes.items()
                    if (one.made.person, one.made.kind) == (person, kind) and one.opens(self.now)
                ]
                assert listed == whole


TestWriting = Writing.TestCase
TestWriting.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)


@given(st.text(max_size=60))
@settings(max_examples=100)
def test_a_name_is_taken_whole_or_refused(name: str):
    try:
        taken = rules.check_name(name)
    except Refused:
        taken = None
    shown = name.isprintable() and name == name.strip() and 1 <= len(name) <= NAME_MAX
    assert taken == (name if shown else None)
