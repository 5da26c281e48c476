"""Step 5: the cards that were played become inactive, or are replaced."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.piles import (
    AdvancedTaken,
    CardDrawn,
    DiscardTaken,
    PilesReshuffled,
)
from ledger.games.hegemonic.conflicts.cleanup import CardMadeInactive, CleanUp, PlayedDiscarded
from ledger.games.hegemonic.conflicts.facts import ContestEnded, StepBegun
from ledger.kernel.chance import Drawn
from ledger.kernel.records import CHANCE
from tests.support.hegemonic.conflicts import BLUE, LEVERAGE, YELLOW, fight, leverage, play
from tests.support.hegemonic.positions import Position, falling, house, told

KEY = "r2/p3/s2/a1/cleanup"


def played(spot: Position):
    """V14 up to its last step: Yellow has won."""
    spot.hand(YELLOW, "I1a-1", "I3c-1").hand(BLUE, "P1a-2", "M1a-1")
    return play(fight(spot, LEVERAGE), {YELLOW: "I1a-1", BLUE: "P1a-2"})


@pytest.mark.rule("step5.choice", "step5.inactive", "step5.order")
def test_each_decides_about_its_card_the_attacker_first():
    sentence = played(leverage()).asks(YELLOW, key=f"{KEY}/s2")
    assert StepBegun(5) in sentence.facts
    sentence.offers(YELLOW, CleanUp(), CleanUp("deck"))
    sentence.when(YELLOW, CleanUp()).then(CardMadeInactive(YELLOW, "I1a-1"))
    sentence.asks(BLUE, key=f"{KEY}/s1").when(BLUE, CleanUp())
    assert told(sentence, ContestEnded) == [ContestEnded("r2/p3/s2/a1")]
    assert sentence.state.houses[YELLOW].inactive == ["I1a-1"]
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}


@pytest.mark.rule("step5.order")
def test_by_a_reading_the_defender_cleans_up_first():
    sentence = played(leverage(overlay=house(cleanup__order="defender-first"))).asks(BLUE)
    sentence.when(BLUE, CleanUp("deck"))
    falling(sentence).asks(YELLOW)
    sentence.offers(YELLOW, CleanUp(), CleanUp("deck"), CleanUp("discard"))
    sentence.when(YELLOW, CleanUp("discard"))
    assert told(sentence, DiscardTaken) == [DiscardTaken(YELLOW, "P1a-2", "all")]
    later = played(leverage()).when(YELLOW, CleanUp("deck"))
    falling(later).asks(BLUE).when(BLUE, CleanUp("discard"))
    assert told(later, DiscardTaken) == [DiscardTaken(BLUE, "I1a-1", "all")]


@pytest.mark.rule("step5.replace", "draw.sources")
def test_the_card_may_be_replaced_from_any_source_and_is_discarded_after_the_draw():
    spot = leverage().discarded("M3a-1").advanced(YELLOW, "P1b-1")
    sentence = played(spot)
    sentence.offers(
        YELLOW, CleanUp(), CleanUp("deck"), CleanUp("discard"), CleanUp("advanced", "P1b-1")
    )
    sentence.when(YELLOW, CleanUp("advanced", "P2a-1")).refused("no_such_source", "step5.replace")
    sentence.when(YELLOW, CleanUp("x")).refused("no_such_source", "step5.replace")
    sentence.when(YELLOW, CleanUp("discard")).then(
        DiscardTaken(YELLOW, "M3a-1", "all"), PlayedDiscarded(YELLOW, "I1a-1", "all")
    )
    assert sentence.state.houses[YELLOW].hand == ["I3c-1", "M3a-1"]
    assert sentence.state.discards == {"all": ["I1a-1"]}
    back = played(leverage().advanced(YELLOW, "P1b-1"))
    back.when(YELLOW, CleanUp("advanced", "P1b-1"))
    assert told(back, AdvancedTaken) == [AdvancedTaken(YELLOW, "P1b-1")]


@pytest.mark.rule("step5.replace")
def test_a_card_of_the_draw_pile_falls_before_the_played_one_is_discarded():
    sentence = played(leverage()).when(YELLOW, CleanUp("deck"))
    sentence.asks(CHANCE, key=f"{KEY}/s2/card")
    assert sentence.state.discards == {"all": []}
    falling(sentence).asks(BLUE)
    assert sentence.state.discards == {"all": ["I1a-1"]}
    assert told(sentence, CardDrawn)[0].seat == YELLOW


@pytest.mark.rule("step5.replace", "draw.reshuffle")
def test_the_played_card_is_never_the_one_that_is_drawn():
    spot = leverage().discarded("M3a-1")
    spot.hand(0, *(c for c in list(spot.galaxy.cards.unseen) if c not in "I1a-1 I3c-1 P1a-2 M1a-1"))
    sentence = played(spot).when(YELLOW, CleanUp("deck"))
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(1)]
    falling(sentence)
    assert [one.card for one in told(sentence, CardDrawn)] == ["M3a-1"]


@pytest.mark.rule("step5.choice", "draw.nothing-left")
def test_with_nothing_to_draw_the_card_becomes_inactive_without_a_question():
    spot = leverage()
    spot.hand(0, *(c for c in list(spot.galaxy.cards.unseen) if c not in "I1a-1 I3c-1 P1a-2 M1a-1"))
    sentence = played(spot)
    assert told(sentence, CardMadeInactive) == [
        CardMadeInactive(YELLOW, "I1a-1"), CardMadeInactive(BLUE, "P1a-2"),
    ]  # fmt: skip


@pytest.mark.rule("step5.choice")
def test_who_played_no_card_has_nothing_to_clean_up():
    sentence = fight(leverage().hand(BLUE, "P3c-1"), LEVERAGE).asks(BLUE, key=f"{KEY}/s1")
    sentence.when(BLUE, CleanUp())
    assert sentence.state.contest is None


@pytest.mark.rule("opt.piles-discard", "step5.replace")
def test_with_three_piles_the_played_card_goes_to_the_pile_of_its_type():
    spot = leverage(options={"opt.piles": True})
    spot.galaxy.discards = {"industrial": [], "political": ["P3a-1"], "martial": []}
    del spot.galaxy.cards.unseen["P3a-1"]
    sentence = played(spot)
    sentence.offers(YELLOW, CleanUp(), CleanUp("deck"), CleanUp("discard", "", "political"))
    sentence.when(YELLOW, CleanUp("discard", "", "political"))
    assert sentence.state.discards["industrial"] == ["I1a-1"]


@pytest.mark.rule("learn.step5")
def test_in_the_learning_game_both_cards_are_discarded_the_attackers_first():
    sentence = fight(leverage(options={"learning": True}), LEVERAGE)
    sentence.when(CHANCE, Drawn(0, ("I1a-1",))).when(CHANCE, Drawn(0, ("P1a-2",)))
    assert told(sentence, PlayedDiscarded) == [
        PlayedDiscarded(YELLOW, "I1a-1", "all"), PlayedDiscarded(BLUE, "P1a-2", "all"),
    ]  # fmt: skip
    assert sentence.state.discards == {"all": ["I1a-1", "P1a-2"]}
    assert sentence.state.contest is None
