"""How people have kept their word, over several matches."""

from __future__ import annotations

from replays.deals.reputation import records
from replays.deals.statements import deals_of
from tests.support.log.matches import ORGANIZER
from tests.support.replays.bargaining import GREEN, ORANGE, YELLOW, bargained, played

PEOPLE = ("ann", "bob", "cem", "dot")


def test_what_each_has_given_and_got_is_counted_by_verdict():
    report = deals_of(played().history, "all")
    found = {one.person: one for one in records([(report, PEOPLE)])}
    assert list(found) == list(PEOPLE)
    given = {name: one.given for name, one in found.items()}
    assert {name: (one["kept"], one["broken"]) for name, one in given.items()} == {
        "ann": (3, 1),  # the sector, the starter, the loan; and peace that a bot was paid for
        "bob": (2, 4),
        "cem": (3, 1),
        "dot": (2, 1),
    }
    for verdict in ("kept", "broken", "open", "void", "needs a person"):
        counted = report.counts[verdict]
        assert sum(one.given[verdict] for one in found.values()) == counted
        assert sum(one.got[verdict] for one in found.values()) == counted
    assert sum(one.deals for one in found.values()) == 41  # 19 of two parties, one of three
    breaches = [(one.deal, one.at, one.to) for one in found["bob"].breaches]
    at, names = played().at, played().names
    assert breaches == [
        (names["truce"], at[189], ORANGE),
        (names["rates"], at[250], GREEN),
        (names["vote"], at[212], ORANGE),
        (names["raid"], at[145], GREEN),
    ]


def test_matches_add_up_whoever_sat_where():
    report = deals_of(played().history, "all")
    once = {one.person: one for one in records([(report, PEOPLE)])}
    turned = (PEOPLE[3], *PEOPLE[:3])
    twice = {one.person: one for one in records([(report, PEOPLE), (report, turned)])}
    for name in PEOPLE:
        other = PEOPLE[turned.index(name)]
        kept = once[name].given["kept"] + once[other].given["kept"]
        assert (twice[name].given["kept"], twice[name].matches) == (kept, 2)


def test_deals_that_one_may_not_read_and_such_as_were_undone_do_not_count():
    report = deals_of(played().history, None)
    cem = records([(report, PEOPLE)])[YELLOW]
    assert cem.given["broken"] == 0
    match = bargained(250)
    match.journal.rewind(match.at[37], ORGANIZER, "all of it anew")
    undone = deals_of(match.history, "all")
    assert undone.deals
    for one in records([(undone, PEOPLE)]):
        assert (one.deals, sum(one.given.values()), one.breaches) == (0, 0, [])
