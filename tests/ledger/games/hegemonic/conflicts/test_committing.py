"""Step 3: technology cards, chosen in secret and shown together; and the inactive pile."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.piles import DiscardAdvanced, PilesReshuffled
from ledger.games.hegemonic.conflicts.committing import (
    CommitTechnology,
    NothingPlayed,
    TechnologyCommitted,
    TechnologyRevealed,
    TopCardTurned,
    exchange_card,
)
from ledger.games.hegemonic.conflicts.facts import StepBegun
from ledger.games.hegemonic.conflicts.inactive import InactiveReturned, ReturnInactive
from ledger.games.hegemonic.conflicts.outcome import Compared
from ledger.kernel.audience import view
from ledger.kernel.chance import Drawn
from ledger.kernel.records import CHANCE
from ledger.parts.battle import Contribution
from tests.support.hegemonic.conflicts import (
    BLUE,
    LEVERAGE,
    RED,
    YELLOW,
    cleaned,
    fight,
    leverage,
    play,
    powers,
    the,
)
from tests.support.hegemonic.positions import Position, house, position, told

KEY = "r2/p3/s2/a1/card"


def armed(**terms) -> Position:
    """V14 with two cards in each hand."""
    spot = leverage(**terms).hand(YELLOW, "I1a-1", "I3c-1")
    return spot.hand(BLUE, "P1a-2", "M1a-1")


@pytest.mark.rule("step3.commit", "step3.value")
def test_both_choose_in_secret_and_show_together():
    sentence = fight(armed(), LEVERAGE).asks(YELLOW, BLUE, key=KEY)
    sentence.when(RED, CommitTechnology("I1a-1")).refused("not_asked")
    sentence.when(BLUE, CommitTechnology("I1a-1")).refused("card_not_in_hand", "step3.commit")
    sentence.offers(BLUE, CommitTechnology("P1a-2"), CommitTechnology("M1a-1"))
    sentence.when(BLUE, CommitTechnology("P1a-2")).asks(YELLOW)
    (committed,) = told(sentence, TechnologyCommitted)
    assert view(committed, YELLOW)["card"] == {"hidden": True}
    assert view(sentence.state, YELLOW)["houses"][BLUE]["committed"] == {"hidden": True}
    sentence.when(BLUE, CommitTechnology("M1a-1")).refused("not_asked")
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    sentence.when(YELLOW, CommitTechnology("I1a-1"))
    shown = told(sentence, TechnologyRevealed)
    assert [one.contribution for one in shown] == [
        Contribution("step3.value", "I1a-1", 1, "", 0, 5),
        Contribution("step3.value", "P1a-2", 1, "", 0, 5),
    ]
    assert [list(one.discloses()) for one in shown] == [[(KEY, YELLOW)], [(KEY, BLUE)]]
    assert powers(sentence) == (12, 10)
    assert sentence.state.contest.attacker.card == "I1a-1"
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}


@pytest.mark.rule("step3.value", "conflict.side-type")
def test_a_card_adds_its_figure_of_the_type_that_the_side_fights_with():
    sentence = play(fight(armed(), LEVERAGE), {YELLOW: "I3c-1", BLUE: "M1a-1"})
    assert powers(sentence) == (7 + 0, 5 + 1)


@pytest.mark.rule("step3.mandatory")
def test_who_has_a_card_plays_one_and_who_has_none_adds_nothing():
    sentence = fight(leverage().hand(YELLOW, "I1a-1", "I3c-1"), LEVERAGE).asks(YELLOW, key=KEY)
    sentence.when(YELLOW, CommitTechnology()).refused("card_due", "step3.mandatory")
    sentence.when(YELLOW, CommitTechnology("I1a-1"))
    assert told(sentence, NothingPlayed) == [NothingPlayed(BLUE)]
    assert powers(sentence) == (12, 5)


@pytest.mark.rule("step3.mandatory")
def test_by_a_reading_a_card_may_be_held_back_and_nobody_can_tell_before_the_reveal():
    spot = armed(overlay=house(step3__mandatory=False))
    sentence = fight(spot, LEVERAGE)
    assert CommitTechnology() in sentence.match.options(BLUE)
    sentence.when(BLUE, CommitTechnology())
    seen = view(sentence.state, YELLOW)["houses"][BLUE]
    assert (seen["hand"], seen["has_committed"]) == ({"hidden": 1}, True)
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    sentence.when(YELLOW, CommitTechnology("I1a-1"))
    (nothing,) = told(sentence, NothingPlayed)
    assert (nothing.seat, list(nothing.discloses())) == (BLUE, [(KEY, BLUE)])
    assert sentence.state.houses[BLUE].hand == ["P1a-2", "M1a-1"]
    assert powers(sentence) == (12, 5)
    alone = leverage(overlay=house(step3__mandatory=False)).hand(BLUE, "P1a-2")
    fight(alone, LEVERAGE).offers(BLUE, CommitTechnology("P1a-2"), CommitTechnology())


@pytest.mark.rule("step3.mandatory", "step3.last-card", "inactive.return-last")
def test_the_last_card_is_played_without_a_question_and_the_inactive_pile_returns():
    spot = leverage().hand(BLUE, "P1a-2").inactive(BLUE, "M1a-1", "M1a-2")
    spot.hand(YELLOW, "I1a-1", "I3c-1").inactive(YELLOW, "M2a-1")
    sentence = fight(spot, LEVERAGE).asks(YELLOW)
    assert told(sentence, TechnologyCommitted) == [TechnologyCommitted(BLUE, "P1a-2", "")]
    sentence.when(YELLOW, CommitTechnology("I1a-1"))
    assert told(sentence, InactiveReturned) == [
        InactiveReturned(BLUE, ("M1a-1", "M1a-2"), "inactive.return-last")
    ]
    assert sentence.state.houses[BLUE].hand == ["M1a-1", "M1a-2"]
    cleaned(sentence)
    assert sentence.state.houses[BLUE].inactive == ["P1a-2"]
    assert sentence.state.houses[YELLOW].inactive == ["M2a-1", "I1a-1"]


@pytest.mark.rule("inactive.locked", "step3.commit")
def test_an_inactive_card_is_not_played():
    sentence = fight(armed().inactive(BLUE, "P3b-1"), LEVERAGE)
    sentence.when(BLUE, CommitTechnology("P3b-1")).refused("card_not_in_hand")


@pytest.mark.rule("advance.discard-anytime", "tech.polymorphic-matter")
def test_a_technology_may_be_discarded_between_the_choice_and_the_reveal():
    spot = leverage().hand(YELLOW, "I1a-3", "I3c-1").hand(BLUE, "P1a-2", "M1a-1")
    sentence = fight(spot.advanced(BLUE, "I3a-1"), LEVERAGE)
    sentence.when(BLUE, CommitTechnology("P1a-2")).when(BLUE, DiscardAdvanced("I3a-1"))
    sentence.asks(YELLOW).when(YELLOW, CommitTechnology("I1a-3"))
    assert the(sentence, Compared) == Compared(YELLOW, 10, BLUE, 10, None, "step4.compare")


@pytest.mark.rule("inactive.return-last")
def test_an_empty_pile_brings_nothing_back():
    galaxy = position(2).inactive(0, "I1a-1").galaxy
    assert list(ReturnInactive(1, "inactive.return-last").run(galaxy)) == []
    assert list(ReturnInactive(0, "x").run(galaxy)) == [InactiveReturned(0, ("I1a-1",), "x")]


@pytest.mark.rule("step3.value")
def test_a_card_may_be_exchanged_for_another_of_the_hand():
    sentence = play(fight(armed(), LEVERAGE), {YELLOW: "I3c-1", BLUE: "M1a-1"})
    galaxy = sentence.state
    exchange_card(galaxy, YELLOW, "I1a-1").apply(galaxy)
    assert powers(sentence) == (12, 6)
    assert galaxy.contest.attacker.card == "I1a-1"
    assert galaxy.houses[YELLOW].hand == ["I3c-1"]


# --- the Learning Game ----------------------------------------------------------------------------


def learning(**terms) -> Position:
    return leverage(options={"learning": True}, **terms)


@pytest.mark.rule("learn.step3")
def test_in_the_learning_game_the_top_cards_are_turned_up_the_attackers_first():
    sentence = fight(learning(), LEVERAGE).asks(CHANCE, key="r2/p3/s2/a1/flip/s2")
    assert StepBegun(3) in sentence.facts
    sentence.when(CHANCE, Drawn(0, ("I1a-1",))).asks(CHANCE, key="r2/p3/s2/a1/flip/s1")
    turned = Contribution("learn.step3", "I1a-1", 1, "", 0, 5)
    assert told(sentence, TopCardTurned) == [TopCardTurned(YELLOW, "I1a-1", turned, 0)]
    sentence.when(CHANCE, Drawn(0, ("P1a-2",)))
    assert the(sentence, Compared) == Compared(YELLOW, 12, BLUE, 10, YELLOW, "step4.compare")


@pytest.mark.rule("learn.step3", "draw.reshuffle")
def test_in_the_learning_game_the_discards_are_shuffled_when_the_pile_is_empty():
    spot = learning().discarded("I1a-1", "P1a-2")
    spot.hand(RED, *list(spot.galaxy.cards.unseen))
    sentence = fight(spot, LEVERAGE).asks(CHANCE)
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(2)]
    spot = learning()
    spot.hand(RED, *list(spot.galaxy.cards.unseen))
    sentence = fight(spot, LEVERAGE)
    assert told(sentence, NothingPlayed) == [NothingPlayed(YELLOW), NothingPlayed(BLUE)]


@pytest.mark.rule("learn.step3")
def test_in_the_learning_game_a_card_that_a_leader_has_looked_at_needs_no_chance():
    spot = learning()
    spot.galaxy.on_top, spot.galaxy.seen_by = ["I1a-1"], (RED,)
    del spot.galaxy.cards.unseen["I1a-1"]
    sentence = fight(spot, LEVERAGE).asks(CHANCE, key="r2/p3/s2/a1/flip/s1")
    (turned,) = told(sentence, TopCardTurned)
    assert (turned.card, turned.epoch, sentence.state.on_top) == ("I1a-1", None, [])
