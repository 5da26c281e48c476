"""The life of a match above its rules, as the journal keeps it and as a log is judged by it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from ledger.games.tictactoe.play import Mark
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import (
    Abandoned,
    Act,
    Closed,
    Created,
    Disputed,
    Joined,
    Origin,
    Paused,
    Remedy,
    Resumed,
    Rewound,
    Ruled,
    Started,
)
from ledger.log.format.bodies import ActBody, AnswerBody, AnyBody, SealedBody, Submitter
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import LOG_REFUSALS, Life
from tests.support.log.matches import (
    FULL_PLAN,
    ORGANIZER,
    PLAIN,
    STAKED,
    around,
    eventful,
    play_out,
    played,
    started,
)
from tests.support.replays.saying import verdict_of

CLEAN = "clean"


def refusal_of(attempt: Callable[[], object]) -> tuple[str, dict[str, Any]]:
    with pytest.raises(Refused) as refusal:
        attempt()
    assert refusal.value.message == LOG_REFUSALS[refusal.value.code]
    return refusal.value.code, refusal.value.evidence


def kinds(journal: Journal) -> list[str]:
    bodies = journal.history.bodies
    return [
        str(body.act.__struct_config__.tag) if isinstance(body, ActBody) else "answer"
        for body in bodies
    ]


# --- joining and starting -------------------------------------------------------------------------


def test_a_match_starts_when_every_seat_is_taken():
    journal = Journal.create(around(), PLAIN)
    assert refusal_of(journal.start) == ("seats_free", {"free": [0, 1]})
    journal.join(1, "bob")
    assert refusal_of(journal.start) == ("seats_free", {"free": [0]})
    journal.join(0, "ann")
    journal.start()
    assert kinds(journal) == ["match.created", "match.joined", "match.joined", "match.started"]
    assert {seat: joined.name for seat, joined in journal.history.life.joined.items()} == {
        0: "ann",
        1: "bob",
    }


@pytest.mark.parametrize("seat", [0, 2, -1, -2])
def test_a_seat_that_is_taken_or_is_none_cannot_be_joined(seat: int):
    journal = Journal.create(around(), PLAIN)
    journal.join(0, "ann")
    assert refusal_of(lambda: journal.join(seat, "eve"))[0] == "seat_taken"


def test_nobody_joins_or_starts_what_has_started():
    journal = started()
    assert refusal_of(lambda: journal.join(0, "eve"))[0] == "already_started"
    assert refusal_of(journal.start)[0] == "already_started"


@pytest.mark.parametrize(
    "attempt",
    [
        lambda j: j.decide(0, Mark(4)),
        lambda j: j.match(),
        lambda j: j.close(),
        lambda j: j.rewind(1, ORGANIZER, "why"),
        lambda j: j.change_edition("e1", ORGANIZER, "why"),
    ],
    ids=["decide", "match", "close", "rewind", "change_edition"],
)
def test_nothing_is_decided_before_the_start(attempt: Callable[[Journal], object]):
    journal = Journal.create(around(), PLAIN)
    assert refusal_of(lambda: attempt(journal))[0] == "not_started"
    assert kinds(journal) == ["match.created"]


def test_the_nonces_are_committed_before_they_are_opened():
    journal = started(FULL_PLAN)
    act = journal.history.act(4)
    assert isinstance(act, Started)
    assert act.nonces == journal.secrets.nonces
    assert len(set(act.nonces)) == 2


# --- pauses ---------------------------------------------------------------------------------------


def test_decisions_wait_while_a_match_is_paused():
    journal = started()
    journal.pause(ORGANIZER, "tea")
    assert refusal_of(lambda: journal.decide(0, Mark(4)))[0] == "match_paused"
    journal.resume(ORGANIZER)
    journal.decide(0, Mark(4))
    assert kinds(journal)[-3:] == ["match.paused", "match.resumed", "answer"]
    assert verdict_of(journal.history) == CLEAN


def test_a_pause_is_not_undone_by_a_rewind():
    journal = started()
    journal.decide(0, Mark(4))
    journal.pause(ORGANIZER, "a dispute")
    journal.rewind(4, ORGANIZER, "settled")
    assert refusal_of(lambda: journal.decide(0, Mark(4)))[0] == "match_paused"
    journal.resume(ORGANIZER)
    journal.decide(0, Mark(3))
    assert verdict_of(journal.history) == CLEAN


# --- editions -------------------------------------------------------------------------------------


def test_another_edition_is_in_force_from_here_on_its_line():
    journal = started()
    journal.change_edition("e3", ORGANIZER, "agreed")
    with pytest.raises(Refused) as refusal:
        journal.decide(0, Mark(4))
    assert refusal.value.code == "centre_first"
    journal.rewind(4, ORGANIZER, "as printed after all")
    journal.decide(0, Mark(4))
    assert journal.match().terms.edition == "printed"
    assert verdict_of(journal.history) == CLEAN


def test_an_edition_names_only_a_dispute_that_has_been_filed():
    journal = started()
    code, evidence = refusal_of(
        lambda: journal.change_edition("e3", ORGANIZER, "as ruled", because="d7")
    )
    assert (code, evidence) == ("no_such_dispute", {"dispute": "d7"})


def test_an_edition_can_be_changed_back():
    journal = started()
    for edition in ("e3", "printed", "e2"):
        journal.change_edition(edition, ORGANIZER, "why not")
        assert journal.match().terms.edition == edition
    for cell in (2, 0, 4, 1, 6):  # the rising diagonal, which e2 takes away
        journal.decide(journal.match().asked()[0], Mark(cell))
    assert not journal.match().ended
    play_out(journal, random.Random(1))
    journal.close()
    assert verdict_of(journal.history) == CLEAN


def test_a_match_in_which_everything_happens_is_clean():
    for seed in range(10):
        assert verdict_of(eventful(FULL_PLAN, seed).history) == CLEAN


# --- the end --------------------------------------------------------------------------------------


def test_a_match_is_closed_when_it_has_ended():
    journal = started()
    assert refusal_of(journal.close) == ("not_ended", {"asked": [0]})
    for cell in (0, 3, 1, 4, 2):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.close()
    act = journal.history.act(journal.history.tip.version)
    assert isinstance(act, Closed)
    assert act.result == {"winners": [0], "scores": [1, 0], "reason": "line top"}
    assert act.seeds == {"dice": journal.secrets.seed("dice")}


@pytest.mark.parametrize("how", ["closed", "abandoned"])
@pytest.mark.parametrize(
    "attempt",
    [
        lambda j: j.decide(0, Mark(8)),
        lambda j: j.join(0, "eve"),
        lambda j: j.start(),
        lambda j: j.pause(ORGANIZER, "tea"),
        lambda j: j.resume(ORGANIZER),
        lambda j: j.rewind(4, ORGANIZER, "why"),
        lambda j: j.change_edition("e1", ORGANIZER, "why"),
        lambda j: j.close(),
        lambda j: j.abandon(ORGANIZER, "rain"),
    ],
    ids=["decide", "join", "start", "pause", "resume", "rewind", "edition", "close", "abandon"],
)
def test_a_closed_match_takes_nothing(attempt: Callable[[Journal], object], how: str):
    journal = played() if how == "closed" else started()
    if how == "abandoned":
        journal.abandon(ORGANIZER, "rain")
    before = journal.history.tip
    assert refusal_of(lambda: attempt(journal)) == ("match_closed", {"version": before.version})
    assert journal.history.tip == before


def test_an_abandoned_match_has_no_result_and_is_open_to_all():
    journal = started(FULL_PLAN)
    journal.abandon(ORGANIZER, "rain")
    assert kinds(journal)[-2:] == ["match.abandoned", "match.closed"]
    act = journal.history.act(journal.history.tip.version)
    assert isinstance(act, Closed)
    assert act.result is None
    assert act.seeds
    assert verdict_of(journal.history) == CLEAN


def test_a_match_can_be_abandoned_before_it_has_started():
    journal = Journal.create(around(), PLAIN)
    journal.abandon(ORGANIZER, "nobody came")
    assert kinds(journal) == ["match.created", "match.abandoned", "match.closed"]
    assert verdict_of(journal.history) == CLEAN


# --- judging a log that somebody else wrote -------------------------------------------------------

SERVICE = Submitter(role="service")


def act_body(act: Act, by: Submitter = SERVICE) -> ActBody:
    return ActBody(parent=0, at=0, by=by, act=act)  # type: ignore[arg-type]


def sealed_by(role: Any, seat: int = 0) -> SealedBody:
    by = Submitter(role=role)
    return SealedBody(parent=0, at=0, by=by, question="q", seat=seat, commitment=b"")


def grown(*bodies: AnyBody) -> Life:
    life = Life()
    for body in bodies:
        assert life.trouble(body, MATCH) == ""
        life.grow(body)
    return life


STORY = started(STAKED).history
MATCH = STORY.match
CREATED, ANN, BOB, BEGUN = STORY.bodies[:4]
OTHER_START = act_body(Started(nonces=(bytes(32), bytes(32))))
ONE_NONCE = act_body(Started(nonces=(bytes(32),)))
LEFT = act_body(Abandoned(reason=""))
WON = Closed(result={"winners": [0], "scores": [1, 0], "reason": ""}, seeds={}, discloses=())
END = act_body(Closed(result=None, seeds={}, discloses=()))
DISPUTED = act_body(Disputed(dispute="d1", first=4, last=4))
BACK = Remedy(kind="rewind", version=4)
RULED = act_body(Ruled(dispute="d1", finding="upheld", reason="", remedy=BACK), ORGANIZER)
NOTE = Remedy(kind="note", text="a pity")
NOTED = act_body(Ruled(dispute="d1", finding="upheld", reason="", remedy=NOTE), ORGANIZER)
BEGUN_AGAIN = sealed_by("seat")

TROUBLES: dict[str, tuple[tuple[AnyBody, ...], AnyBody]] = {
    "a first event that creates nothing": ((), ANN),
    "a decision first": ((), sealed_by("seat")),
    "a match created twice": ((CREATED,), CREATED),
    "a seat taken twice": ((CREATED, ANN), ANN),
    "a seat that is none": ((CREATED,), act_body(Joined(seat=2, name="eve", nonce=b""))),
    "a start with a seat free": ((CREATED, ANN), BEGUN),
    "a start with other nonces": ((CREATED, ANN, BOB), OTHER_START),
    "a start with a nonce too few": ((CREATED, ANN, BOB), ONE_NONCE),
    "a second start": ((CREATED, ANN, BOB, BEGUN), BEGUN),
    "a seat taken after the start": ((CREATED, ANN, BOB, BEGUN), ANN),
    "a decision before the start": ((CREATED, ANN, BOB), sealed_by("seat")),
    "a decision in a pause": (
        (CREATED, ANN, BOB, BEGUN, act_body(Paused(reason=""))),
        sealed_by("seat"),
    ),
    "chance from a seat": ((CREATED, ANN, BOB, BEGUN), sealed_by("seat", -1)),
    "chance from a bot": ((CREATED, ANN, BOB, BEGUN), sealed_by("bot", -1)),
    "dice for a seat": ((CREATED, ANN, BOB, BEGUN), sealed_by("dice", 1)),
    "a rewind to before the start": (
        (CREATED, ANN, BOB, BEGUN),
        act_body(Rewound(to=3, reason="")),
    ),
    "a rewind without a start": ((CREATED, ANN), act_body(Rewound(to=1, reason=""))),
    "a dispute about what has not come": (
        (CREATED, ANN, BOB, BEGUN),
        act_body(Disputed(dispute="d1", first=4, last=5)),
    ),
    "a ruling on no dispute": ((CREATED, ANN, BOB, BEGUN), RULED),
    "a rewind that no ruling ordered": (
        (CREATED, ANN, BOB, BEGUN, DISPUTED),
        act_body(Rewound(to=4, reason="", because="d1")),
    ),
    "a rewind to elsewhere than was ruled": (
        (CREATED, ANN, BOB, BEGUN, DISPUTED, RULED),
        act_body(Rewound(to=5, reason="", because="d1")),
    ),
    "play after it was abandoned": (
        (CREATED, ANN, BOB, BEGUN, LEFT),
        sealed_by("seat"),
    ),
    "an act after the close": ((CREATED, LEFT, END), act_body(Resumed())),
    "a second close": ((CREATED, LEFT, END), END),
    "a close without a result": ((CREATED, ANN, BOB, BEGUN), END),
    "a result of an abandoned match": ((CREATED, LEFT), act_body(WON)),
    "a pause before the start": ((CREATED,), act_body(Paused(reason=""))),
    "chance from the referee, where keys answer": (
        (CREATED, ANN, BOB, BEGUN),
        sealed_by("referee", -1),
    ),
    "a copy where nothing is copied": ((CREATED, ANN, BOB, BEGUN), sealed_by("fork")),
    "chance copied where nothing is copied": ((CREATED, ANN, BOB, BEGUN), sealed_by("fork", -1)),
}


@pytest.mark.parametrize("what", TROUBLES)
def test_a_log_that_lives_otherwise_is_in_trouble(what: str):
    before, body = TROUBLES[what]
    assert grown(*before).trouble(body, MATCH)


@pytest.mark.parametrize("then", [act_body(WON), BEGUN_AGAIN], ids=["closed anew", "played on"])
def test_a_log_of_before_may_go_on_after_a_note(then: AnyBody):
    noted = grown(CREATED, ANN, BOB, BEGUN, LEFT, END, DISPUTED, NOTED)
    assert noted.closed
    assert noted.trouble(then, MATCH) == ""
    noted.grow(then)
    assert noted.closed is (then is not BEGUN_AGAIN)


def test_a_log_of_another_match_is_in_trouble():
    assert MATCH in Life().trouble(CREATED, "another")


def test_the_life_of_a_whole_match_is_without_trouble():
    for journal in (played(FULL_PLAN, 3, 2), eventful(STAKED, 1)):
        life = Life()
        for body in journal.history.bodies:
            assert life.trouble(body, journal.match_id) == ""
            life.grow(body)
        assert life.closed
        assert isinstance(life.created, Created)


@pytest.mark.parametrize("discloses", [(), ("chance",), ("decisions",), ("outcomes",)])
def test_the_close_discloses_by_the_policy_of_event_1(discloses: tuple[Any, ...]):
    journal = played(replace(FULL_PLAN, discloses=discloses), 2)
    act = journal.history.act(journal.history.tip.version)
    assert isinstance(act, Closed)
    assert act.discloses == discloses
    assert bool(act.seeds) is ("chance" in discloses)
    assert journal.history.created.origin == Origin(kind="live")


def test_answers_are_no_acts():
    journal = started()
    journal.decide(0, Mark(4))
    assert isinstance(journal.history.body(5), AnswerBody)
    assert journal.history.act(5) is None
