"""Trying out: told as much as who decides so may take back at once, and nothing is changed."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.actions.building import PlaceComplex, StartBuild
from ledger.games.hegemonic.actions.choosing import CommitCard
from ledger.games.tictactoe.gifts import Give
from ledger.games.tictactoe.opening import Write
from ledger.games.tictactoe.play import Mark
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.preview import copy_of, moves_of, prices_of, try_out
from ledger.kernel.records import CHANCE, Decision
from ledger.kernel.refusals import Refused
from tests.support.given import given, match_of
from tests.support.hegemonic.positions import position

NAME = "tictactoe"


def tried(match: Match, seat: int, decision: Decision) -> bool:
    """Whether a trial tells what comes of it; nothing changes in the match itself."""
    before = match.terms.snapshot(match)
    told = try_out(copy_of(match), seat, decision).told
    assert match.terms.snapshot(match) == before
    return told


def test_what_one_may_take_back_at_once_is_told():
    spot = position(2).home(0, "S1d").tile("S1a", industrial=3).caps(9)
    spot.has(0, complexes={"S1d": 1})
    match = spot.turn(0, "industrialize").given().match
    copy = copy_of(match)
    assert try_out(copy, 0, StartBuild()).told
    built = try_out(copy, 0, PlaceComplex("S1a"))
    assert built.facts is not None
    assert set(moves_of(built.facts, 0)) == {"caps"}
    assert moves_of(built.facts, 0)["caps"] < 0
    assert match.state.houses[0].complexes == {"S1d": 1}


def test_whose_turn_it_is_next_is_seen_when_it_is_done():
    assert not tried(given(match_of(NAME)).match, 0, Mark(4))


def test_the_last_of_several_sealed_answers_tells_nothing_before_it_is_given():
    sentence = given(match_of(NAME, options={"opening": "sealed"}))
    assert not tried(sentence.match, 0, Write(0))
    after = sentence.when(0, Write(0)).match
    assert not tried(after, 1, Write(0))
    assert not tried(after, 1, Write(1))


def test_what_chance_decides_is_not_told():
    sentence = given(match_of(NAME, options={"opening": "sealed"}, edition="e1"))
    after = sentence.when(0, Write(4)).match
    assert not tried(after, 1, Write(4))


def test_what_would_be_refused_is_refused_for_the_same_reason():
    match = given(match_of(NAME)).when(0, Mark(4)).match
    for seat, decision in ((1, Mark(4)), (0, Mark(0)), (1, Mark(99))):
        codes = []
        for trial in (lambda m, s, d: try_out(copy_of(m), s, d), fold):
            with pytest.raises(Refused) as refusal:
                trial(match, seat, decision)
            codes.append((refusal.value.code, refusal.value.rule, refusal.value.evidence))
        assert codes[0] == codes[1]


def test_what_stands_open_at_any_time_is_tried_while_others_think():
    match = given(match_of(NAME, options={"begin.stake": 2})).match
    other = 1 - match.asked()[0]
    copy = copy_of(match)
    found = try_out(copy, other, Give(1))
    assert found.facts is not None
    assert moves_of(found.facts, other) == {"chips": -1}
    assert copy.asked() == match.asked()


def test_prices_are_told_for_what_is_allowed_whatever_else_is_learned():
    match = given(match_of(NAME, options={"begin.stake": 2})).match
    seat = match.asked()[0]
    assert prices_of(match, seat, [Give(1), Mark(0), Give(9_999)]) == [{"chips": -1}, {}, None]


def test_in_whole_matches_a_trial_tells_nothing_that_was_to_be_revealed():
    """If a trial tells all facts of a decision, it can be taken back and no chance falls."""
    stream = Stream.named(b"tried", "match")
    match = position(3).given().match.terms.open_match(3)
    begin(match)
    told = untold = 0
    for _ in range(900):
        if match.ended:
            break
        question = match.chance()
        if question is not None:
            wish = question.wish(match.state)
            fold(match, CHANCE, wish.answer(stream.take(32), 0, question.address(match.state)))
            continue
        seat = stream.choose(match.asked())
        decision = stream.choose(match.options(seat))
        found = try_out(copy_of(match), seat, decision)
        asked = match.asked()
        facts = fold(match, seat, decision)
        if found.facts is None:
            untold += 1
            continue
        told += 1
        assert list(found.facts) == facts
        assert not any(fact.irrevocable for fact in facts)
        assert match.asked() == asked == (seat,)
        assert not isinstance(decision, CommitCard)
    assert told > 40
    assert untold > 40
