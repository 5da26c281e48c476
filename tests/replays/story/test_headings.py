"""How a replay divides a match and draws its course: headings, deals, conflicts, curves."""

from __future__ import annotations

import itertools

import pytest

from ledger.games import ruleset
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.play import Mark
from ledger.kernel.accounts import account_of
from ledger.kernel.records import tag_of
from ledger.log.format.acts import Rewound
from ledger.log.format.bodies import ActBody, Submitter, body_bytes
from ledger.log.format.chain import link
from ledger.log.read.history import History
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan
from ledger.log.write.journal import Journal
from replays.document.builder import build
from replays.document.changes import scenes
from replays.document.structs import Replay
from services.matches.play import make_seeded_surroundings
from tests.support.log.matches import ORGANIZER, STAKED, started
from tests.support.replays.gathered import curve, flagship, gathered, named, value_at, viewers

NAMES = (*gathered(), "flagship")


@pytest.fixture(scope="module")
def sample() -> Replay:
    return build(flagship(), None)


# --- headings -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_headings_are_a_tree_in_the_order_of_their_beginning(name: str):
    history = named(name)
    document = build(history, None)
    assert document.headings
    levels = history.rules.shown.story.levels
    for number, one in enumerate(document.headings):
        assert 1 <= one.first <= one.last <= document.last
        assert one.level in levels
        if number:
            before = document.headings[number - 1]
            assert (before.first, before.line) <= (one.first, one.line) or one.line == 0
        if one.up is not None:
            up = document.headings[one.up]
            assert one.up < number
            assert up.first <= one.first
            assert one.last <= up.last
    for event in document.events:
        if event.under is not None:
            under = document.headings[event.under]
            assert under.first <= event.n <= under.last


@pytest.mark.parametrize("name", NAMES)
def test_every_event_after_the_start_stands_under_a_heading(name: str):
    document = build(named(name), None)
    begun = next(event.n for event in document.events if event.facts)
    bare = [event.n for event in document.events[begun - 1 :] if event.under is None]
    assert bare == []


def test_a_match_of_hegemonic_is_divided_as_its_rulebook_has_it(sample: Replay):
    rounds = [one.label for one in sample.headings if one.level == "round"]
    assert rounds == ["Setup", *(f"Round {n}" for n in range(1, 7)), "The end"]
    first = next(n for n, one in enumerate(sample.headings) if one.label == "Round 1")
    assert [one.label for one in sample.headings if one.up == first] == [
        "Collection", "Expansion", "First action phase", "Second action phase",
        "Third action phase", "Arbitration", "Scoring",
    ]  # fmt: skip
    turns = [one for one in sample.headings if one.level == "turn"]
    assert len(turns) == 6 * 3 * 4
    assert (turns[0].label, turns[0].seat) == ("Purple: Politicize", 0)


def test_a_heading_begins_before_the_sentence_that_says_so(sample: Replay):
    for one in sample.headings:
        sentence = sample.events[one.first - 1].said[one.line]
        if one.level == "turn":
            assert sentence.endswith(f"turn, with {one.label.partition(': ')[2]}.")
        if one.label.startswith("Round"):
            assert sentence == f"{one.label}."


def test_a_conflict_has_all_of_its_events_for_itself(sample: Replay):
    fights = [n for n, one in enumerate(sample.headings) if one.level == "conflict"]
    assert len(fights) == len(sample.conflicts) == 29
    for number, conflict in zip(fights, sample.conflicts, strict=True):
        heading = sample.headings[number]
        assert (heading.first, heading.last) == (conflict.first, conflict.last)
        assert (heading.label, sample.events[heading.first - 1].under) == (conflict.label, number)


def test_what_is_said_of_a_deal_in_a_turn_does_not_end_the_turn(sample: Replay):
    turns = (one for one in sample.headings if one.level == "turn")
    turn = next(one for one in turns if one.first < 75 < one.last)
    offer = sample.headings[sample.events[74].under or 0]
    assert (offer.level, offer.label, offer.first, offer.last) == (
        "deal", "Yellow's offer 1", 75, 75,
    )  # fmt: skip
    assert sample.headings[offer.up or 0] == turn
    assert sample.headings[sample.events[76].under or 0] == turn


def test_after_a_rewind_play_goes_on_under_the_heading_it_went_back_to():
    journal = started()
    for cell in (0, 3, 1):
        journal.decide(journal.match().asked()[0], Mark(cell))
    journal.rewind(5, ORGANIZER, "again")  # after the first mark
    journal.decide(1, Mark(4))
    document = build(journal.history, None)
    shown = [(one.label, one.first, one.last, one.again is True) for one in document.headings]
    assert shown == [
        ("Beginning", 4, 9, False),
        ("X", 5, 5, False), ("O", 6, 6, False), ("X", 7, 7, False),
        ("X", 8, 8, True), ("O", 9, 9, False),
    ]  # fmt: skip


# --- deals ----------------------------------------------------------------------------------------


def test_a_deal_is_followed_from_its_offer_to_its_payment(sample: Replay):
    deal = sample.deals[0]
    assert (deal.id, deal.seats) == ("s1/1", [1, 0])
    assert deal.label.startswith("Yellow with Purple: 2 CAPs for peace for this round")
    assert [(step.n, step.what) for step in deal.steps] == [
        (67, "proposed"), (75, "accepted"), (75, "made"), (75, "paid"),
    ]  # fmt: skip
    assert deal.steps[0].said in sample.events[66].said


def test_every_step_of_a_deal_stands_in_an_event_about_deals(sample: Replay):
    steps = {step.n for deal in sample.deals for step in deal.steps}
    assert steps == {event.n for event in sample.events if "deal" in event.tags}


def dealt() -> Journal:
    """Two private offers of seat 0 to seat 1, the first of which was undone."""
    around = make_seeded_surroundings(MemoryStore(), 1)
    journal = Journal.create(around, Plan(ruleset="hegemonic", seats=3))
    for seat in range(3):
        journal.join(seat, f"player {seat}")
    journal.start()
    begun = journal.history.tip.version
    offer(journal, "the first plan")
    journal.rewind(begun, ORGANIZER, "again")
    offer(journal, "the second plan")
    answer = {"type": "deal.reject", "deal": "s0/1"}
    journal.decide(1, journal.match().terms.rules.decision(answer))
    return journal


def offer(journal: Journal, words: str) -> None:
    terms = {"text": words, "payments": [], "promises": []}
    said = {"type": "deal.propose", "parties": [0, 1], "private": terms}
    journal.decide(0, journal.match().terms.rules.decision(said))


def test_after_a_rewind_an_offer_of_the_same_number_is_another_deal():
    deals = build(dealt().history, 1).deals
    assert [(deal.id, [step.what for step in deal.steps]) for deal in deals] == [
        ("s0/1", ["proposed"]), ("s0/1", ["proposed", "declined"]),
    ]  # fmt: skip
    assert "the second plan" in deals[1].label


def test_the_terms_of_a_private_deal_are_for_its_parties():
    history = dealt().history
    labels = {viewer: build(history, viewer).deals[1].label for viewer in viewers(history)}
    assert [labels[seat].endswith("the second plan") for seat in (0, 1, -9)] == [True] * 3
    assert labels[2] == labels[None] == "Seat 0 with Seat 1: its terms are between them"


# --- conflicts ------------------------------------------------------------------------------------


def test_the_parts_of_a_conflict_come_to_what_was_compared(sample: Replay):
    compared = [
        fact for event in sample.events for fact in event.facts
        if fact["type"] == "conflict.compared"
    ]  # fmt: skip
    assert len(compared) == 29
    for conflict, fact in zip(sample.conflicts, compared, strict=True):
        assert [side.seat for side in conflict.sides] == [fact["attacker"], fact["defender"]]
        assert [side.total for side in conflict.sides] == [fact["attack"], fact["defense"]]
        assert all(sum(one.value for one in side.parts) == side.total for side in conflict.sides)
        assert conflict.outcome.startswith(f"{sample.seats[fact['attacker']].called} against")


def test_parts_point_at_what_stands_on_the_board(sample: Replay):
    drawn = dict(scenes(sample))
    parts = [
        (part, part.n) for fight in sample.conflicts for side in fight.sides for part in side.parts
    ]
    pointed = 0
    for part, n in parts:
        scene = drawn[n - 1]  # its own event may destroy it
        assert scene is not None
        assert part.rule
        assert part.cell is None or part.cell in {cell.id for cell in scene.cells}
        if part.piece is not None:
            (piece,) = (one for one in scene.pieces if one.id == part.piece)
            assert (piece.cell, piece.seat) == (part.cell, part.seat)
            pointed += 1
    assert pointed > 60


def test_support_is_a_part_of_the_side_that_it_was_given_to(sample: Replay):
    lent = [
        (side.seat, part.seat)
        for fight in sample.conflicts for side in fight.sides for part in side.parts
        if part.seat != side.seat
    ]  # fmt: skip
    given = [
        (fact["side"], fact["seat"])
        for event in sample.events for fact in event.facts
        if fact["type"] == "conflict.supported" for _ in fact["contributions"]
    ]  # fmt: skip
    assert lent == given
    assert given


def test_dice_that_are_compared_one_by_one_do_not_add_up():
    fights = build(gathered()["galactic_hegemony"], None).conflicts
    assert fights
    for fight in fights:
        assert [side.total for side in fight.sides] == [None, None]
        assert all(1 <= die.value <= 6 for side in fight.sides for die in side.parts)
    assert any("destroyed" in fight.outcome for fight in fights)


def test_a_conflict_that_play_went_back_into_is_told_again_from_there(sample: Replay):
    """The sample, gone back from the end of its first conflict to the middle of it."""
    fight = sample.conflicts[0]
    short = flagship().up_to(fight.last)
    again = build(rewound(short, fight.first + 1), None).conflicts
    assert [len(one.sides[0].parts) for one in again] == [3, 2]
    assert (again[0].last, again[1].first) == (fight.last, fight.last + 1)
    assert again[1].outcome == ""
    assert again[1].sides[0].parts == fight.sides[0].parts[:2]


def rewound(history: History, to: int) -> History:
    """The same log with a rewind at its end; who asks for it does not matter here."""
    at = history.body(history.tip.version).at
    act = Rewound(to=to, reason="to look")
    body = ActBody(parent=to, at=at, by=Submitter(role="organizer"), act=act)
    history.add(link(history.match, history.tip, body_bytes(body)))
    return history


# --- curves ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [one for one in NAMES if one.startswith("hegemonic")])
def test_curves_of_hegemonic_say_what_the_table_says(name: str):
    history = named(name)
    document = build(history, "all")
    assert {"points", "caps", "bases", "power-political"} <= {one.id for one in document.curves}
    for version in range(history.life.started, history.tip.version + 1, 7):
        match = history.at(version)
        assert match is not None
        galaxy = match.state
        for house in galaxy.houses:
            seat = house.seat
            assert value_at(curve(document, "points"), seat, version) == house.score
            caps = galaxy.accounts.balance("caps", account_of(seat))
            assert value_at(curve(document, "caps"), seat, version) == caps
            built = sum(house.built(kind) for kind in ("industrial", "political", "martial"))
            assert value_at(curve(document, "bases"), seat, version) == built


def test_the_power_on_a_board_is_what_it_was_scored_by(sample: Replay):
    scored = [
        (event.n, fact) for event in sample.events for fact in event.facts
        if fact["type"] == "score.board"
    ]  # fmt: skip
    assert len(scored) > 30
    for version, fact in scored:
        board = curve(sample, f"board-{fact['board']}")
        for seat, power in fact["powers"]:
            assert value_at(board, seat, version) == power


def test_hidden_caps_have_no_curve_for_others():
    history = gathered()["hegemonic, CAPs hidden"]
    seats = {
        viewer: [series.seat for one in build(history, viewer).curves if one.id == "caps"
                 for series in one.series]
        for viewer in viewers(history)
    }  # fmt: skip
    assert seats == {None: [], 0: [0], 1: [1], 2: [2], -9: [0, 1, 2]}


def test_a_point_is_there_only_where_a_figure_has_changed(sample: Replay):
    for one in sample.curves:
        for series in one.series:
            values = [value for _, value in series.points]
            assert all(a != b for a, b in itertools.pairwise(values))


# --- tags -----------------------------------------------------------------------------------------


def test_a_gift_is_a_transfer_and_a_stake_is_none():
    journal = started(STAKED)
    journal.decide(1, Give(1))
    events = build(journal.history, None).events
    assert [event.tags for event in events[-2:]] == [[], ["transfer"]]


def test_tags_say_what_an_event_is_about(sample: Replay):
    def of(tag: str) -> list[int]:
        return [event.n for event in sample.events if tag in event.tags]

    assert of("transfer")[:2] == [75, 76]
    assert {98, 99, 100, 101, 102, 103} <= set(of("conflict"))
    assert of("scoring")[0] == 111
    passes = [sample.events[n - 1].said[0] for n in of("pass")]
    assert len(passes) > 10
    assert not [one for one in passes if " pays " in one or " builds" in one]


def test_every_fact_of_a_fight_is_tagged_as_one():
    untagged = {"conflict.skipped", "conflict.step-begun"}  # nobody fights; the step says it
    for name, begins in (("hegemonic", "conflict."), ("galactic_hegemony", "combat.")):
        rules = ruleset(name)
        facts = {tag_of(kind) for kind in rules.facts if tag_of(kind).startswith(begins)}
        beats = rules.shown.story.by_tag
        tagged = {one for one in facts if "conflict" in beats[one].tagged({})}
        assert facts - untagged == tagged


def test_every_fact_about_a_deal_is_a_step_of_it():
    facts = {tag_of(kind) for kind in ruleset("hegemonic").facts}
    about = {one for one in facts if one.startswith("deal.")} - {"deal.transfer-counted"}
    beats = ruleset("hegemonic").shown.story.by_tag
    assert about == {one for one, beat in beats.items() if beat.deal is not None}
