"""Published errata in a log: carried by the event that puts them in force."""

from __future__ import annotations

from io import BytesIO

import msgspec
import pytest

from ledger.games import ruleset
from ledger.kernel.refusals import Refused
from ledger.log.format.acts import EditionChanged
from ledger.log.format.bodies import ActBody, Submitter
from ledger.log.format.published import Brought, Published, behind_in, edition_name_of, edition_of
from ledger.log.read.bundle import read_history, write_bundle
from ledger.log.read.history import History
from ledger.log.read.seek import seek, snapshot_of
from ledger.log.write.fork import fork
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from ledger.log.write.lifecycle import Life
from replays.story.sentences import tell
from replays.verify.verifier import verify
from tests.support.replays.reprojected import of

ORGANIZER = Submitter(role="organizer")
BENT = Published(
    id="club.01",
    ruleset="tictactoe",
    date="2027-01-01",
    text="A bent line wins as well.",
    scope="from-now-on",
    content={"lines": {"bent": {"cells": [0, 1, 3]}}},
)
OTHER = msgspec.structs.replace(
    BENT, id="club.02", content={"lines": {"bent": None, "hook": {"cells": [0, 1, 5]}}}
)


def begun(seed: int = 1, most: int = 2) -> Journal:
    return of("tictactoe", 2, seed, edition="e1", most=most).journal()


def lines_in(history: History) -> set[str]:
    match = history.at()
    assert match is not None
    return set(match.terms.tables["lines"])


def bundled(history: History) -> BytesIO:
    file = BytesIO()
    write_bundle(file, history)
    file.seek(0)
    return file


def test_an_edition_is_named_after_what_is_in_force_and_which_event_brought_it():
    name = edition_of("err.03", [Brought("club.01", 80), Brought("club.02", 95)])
    assert name == "err.03+club.01@80+club.02@95"
    assert behind_in(name) == [("club.01", 80), ("club.02", 95)]
    assert behind_in("printed") == []
    assert edition_name_of(name) == "err.03 + club.01 + club.02"


@pytest.mark.parametrize("name", ["e1+", "e1+club.01", "e1+club.01@0", "e1+@3", "e1+A@3", "e1+a@b"])
def test_a_name_that_nobody_can_tell_is_refused(name: str):
    with pytest.raises(Refused) as refusal:
        behind_in(name)
    assert refusal.value.code == "unknown_edition"


def test_a_match_goes_on_under_it_and_its_bundle_is_verified_by_anybody():
    journal = begun()
    before = lines_in(journal.history)
    journal.change_edition("e1", ORGANIZER, "as announced", bringing=[BENT])
    version = journal.history.tip.version
    assert journal.match().terms.edition == f"e1+club.01@{version}"
    assert lines_in(journal.history) == before | {"bent"}
    journal.change_edition(journal.match().terms.edition, ORGANIZER, "more", bringing=[OTHER])
    assert lines_in(journal.history) == before | {"hook"}
    file = bundled(journal.history)
    report = verify(file, ruleset)
    assert report.failed == []
    file.seek(0)
    assert lines_in(read_history(file, ruleset)) == before | {"hook"}
    journal.change_edition("e1", ORGANIZER, "back to the book")
    assert lines_in(journal.history) == before


def test_a_match_can_begin_under_it():
    plan = Plan(ruleset="tictactoe", seats=2, edition="e2", errata=(BENT, OTHER))
    journal = Journal.create(begun().around, plan)
    assert journal.history.created.edition == "e2+club.01@1+club.02@1"
    for seat in range(2):
        journal.join(seat, "somebody")
    journal.start()
    assert "hook" in lines_in(journal.history)
    assert verify(bundled(journal.history), ruleset).failed == []
    told = " ".join(next(tell(journal.history, None)).sentences)
    assert "edition e2 + club.01 + club.02" in told
    assert "Erratum club.01 (2027-01-01): A bent line wins as well." in told


def test_a_fork_carries_it_along():
    journal = begun(most=3)
    journal.change_edition("e1", ORGANIZER, "why", bringing=[BENT])
    journal.change_edition(journal.match().terms.edition, ORGANIZER, "why", bringing=[OTHER])
    journal.abandon(ORGANIZER, "enough")
    history = journal.history
    at = next(
        event.version
        for event in reversed(history.events)
        if isinstance(history.act(event.version), EditionChanged)
    )
    forked = fork(journal.around, history, at)
    assert lines_in(forked.history) == lines_in(history)
    assert verify(bundled(forked.history), ruleset).failed == []


def test_a_snapshot_taken_after_it_is_enough_to_go_on_from():
    journal = begun()
    journal.change_edition("e1", ORGANIZER, "why", bringing=[BENT])
    tip, match = journal.history.tip, journal.match()
    journal.around.store.save(journal.match_id, snapshot_of(match, tip.version, tip.head))
    sought = seek(journal.around.store, journal.match_id, tip.version, ruleset)
    assert sought is not None
    assert "bent" in sought.terms.tables["lines"]


@pytest.mark.parametrize(
    ("erratum", "code"),
    [
        (msgspec.structs.replace(BENT, ruleset="hegemonic"), "bad_value"),
        (msgspec.structs.replace(BENT, readings={"nothing": 1}), "unknown_reading"),
        (msgspec.structs.replace(BENT, content={"planes": {}}), "bad_value"),
        (msgspec.structs.replace(BENT, content={"lines": {"x": {"cells": "y"}}}), "bad_value"),
    ],
)
def test_what_does_not_fit_the_match_is_refused_and_changes_no_byte(erratum: Published, code: str):
    journal = begun()
    before = journal.history.tip
    with pytest.raises(Refused) as refusal:
        journal.change_edition("e1", ORGANIZER, "why", bringing=[erratum])
    assert refusal.value.code == code
    assert journal.around.store.tip(journal.match_id) == before


def test_it_is_put_in_force_once_and_by_who_may():
    journal = begun()
    with pytest.raises(Refused, match="not_entitled"):
        journal.change_edition("e1", Submitter(role="seat", seat=0), "why", [0], bringing=[BENT])
    journal.change_edition("e1", Submitter(role="seat", seat=0), "why", [0, 1], bringing=[BENT])
    edition = journal.match().terms.edition
    with pytest.raises(Refused, match="in force already"):
        journal.change_edition(edition, ORGANIZER, "why", bringing=[BENT])


@pytest.mark.parametrize(
    ("edition", "errata", "trouble"),
    [
        ("e1+club.01@8", (), "names an erratum twice, or one that the log has not brought"),
        ("e1+club.01@7", (), "does not name the errata that it brings"),
        ("e1", (BENT,), "does not name the errata that it brings"),
        ("e1+club.01@7+club.01@7", (BENT, BENT), "twice"),
        ("e1+club.01", (BENT,), "does not determine"),
        ("e1+club.01@7", (msgspec.structs.replace(BENT, ruleset="x"),), "another game"),
    ],
)
def test_what_somebody_else_wrote_is_looked_at(
    edition: str, errata: tuple[Published, ...], trouble: str
):
    journal = begun()
    life: Life = journal.history.life
    assert journal.history.tip.version == 6
    act = EditionChanged(edition=edition, reason="", errata=errata)
    body = ActBody(at=0, by=ORGANIZER, parent=journal.history.tip.version, act=act)
    assert trouble in life.trouble(body, journal.match_id)


def test_one_that_was_brought_by_no_event_is_unknown():
    journal = begun()
    with pytest.raises(Refused, match="does not"):
        journal.history.terms("e1+club.01@3")
