"""Step 2: third players lend political power."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.facts import (
    PowerAdded,
    StepBegun,
    SupportBarred,
    SupportCanceled,
)
from ledger.games.hegemonic.conflicts.support import (
    AskForSupport,
    DeclineSupport,
    LendSupport,
    PoliticalSupport,
    SealSupport,
    SupportDeclined,
    Supported,
    SupportSealed,
)
from ledger.games.hegemonic.deals.transfers import Transfer
from ledger.games.hegemonic.state.contest import Support
from ledger.kernel.audience import view
from ledger.parts.battle import Contribution
from tests.support.hegemonic.conflicts import (
    BLUE,
    GREEN,
    LEVERAGE,
    RED,
    SABOTAGE,
    SIEGE,
    YELLOW,
    draws,
    fight,
    leverage,
    powers,
    sabotage,
    siege,
)
from tests.support.hegemonic.positions import Position, allowed, house, position, told

KEY = "r2/p3/s0/a1/support"


def besieged(spot: Position, faction: str = "orange"):
    """V17 up to its second step."""
    for seat, kind in enumerate(("I1a", "P1a", "M1a", "M1b")):
        spot.hand(seat, f"{kind}-1", f"{kind}-2")
    sentence = draws(fight(spot, SIEGE, "S4e"), RED, "S4b")
    return draws(sentence, BLUE, *([faction] if faction else []))


@pytest.mark.rule("step2.value", "step2.faction", "step2.who", "step2.whom", "step2.home")
def test_v17_yellow_supports_blue_with_two_sectors():
    sentence = besieged(siege()).asks(YELLOW, key=f"{KEY}/s2")
    sentence.when(YELLOW, LendSupport(BLUE, 2))
    assert powers(sentence) == (8, 8)
    given = (
        Contribution("step2.value", "embassy", 1, "S5d", 0, 1),
        Contribution("step2.value", "embassy", 1, "S5a", 0, 1),
    )
    assert told(sentence, Supported) == [Supported(YELLOW, BLUE, given)]
    assert told(sentence, SupportDeclined) == [SupportDeclined(GREEN)]
    assert sentence.state.contest.support == [
        Support(YELLOW, BLUE, 2, 2, given), Support(GREEN, None, 0, 0),
    ]  # fmt: skip


@pytest.mark.rule("err.03", "step2.value")
def test_err_03_support_counts_the_power_of_the_locations():
    read = siege(overlay=house(support__value="location-power"))
    sentence = besieged(read).when(YELLOW, LendSupport(BLUE, 2))
    assert powers(sentence) == (8, 9)
    (fact,) = told(sentence, Supported)
    assert [one.amount for one in fact.contributions] == [2, 1]


@pytest.mark.rule("step2.partial")
def test_any_number_of_sectors_may_be_lent_or_by_a_reading_all():
    besieged(siege()).offers(
        YELLOW, DeclineSupport(), LendSupport(BLUE, 1), LendSupport(BLUE, 2)
    ).when(YELLOW, LendSupport(BLUE, 1))
    sentence = besieged(siege(overlay=house(support__partial=False)))
    sentence.offers(YELLOW, DeclineSupport(), LendSupport(BLUE, 2))
    sentence.when(YELLOW, LendSupport(BLUE, 1)).refused("all_or_none", "step2.partial")


@pytest.mark.rule("step2.whom", "step2.faction", "step2.who")
def test_only_a_political_side_is_supported_and_with_what_there_is():
    sentence = besieged(siege())
    sentence.when(YELLOW, LendSupport(RED, 1)).refused("not_supportable", "step2.whom", side=RED)
    sentence.when(YELLOW, LendSupport(GREEN, 1)).refused("not_supportable", "step2.whom")
    sentence.when(YELLOW, LendSupport(BLUE, 3)).refused("too_much_support", most=2)
    sentence.when(YELLOW, LendSupport(BLUE, 0)).refused("too_much_support", "step2.faction")
    for seat in (RED, BLUE):
        sentence.when(seat, LendSupport(BLUE, 1)).refused("not_asked")
    sentence.when(YELLOW, DeclineSupport())
    assert powers(sentence) == (8, 6)
    sentence.when(YELLOW, LendSupport(BLUE, 1)).refused("not_asked")


@pytest.mark.rule("step2.whom")
def test_a_side_that_has_named_no_faction_is_not_supported():
    sentence = besieged(siege(), "")
    assert told(sentence, Supported, SupportDeclined) == []
    assert StepBegun(2) in sentence.facts
    sentence.asks(RED, BLUE, key="r2/p3/s0/a1/card")


@pytest.mark.rule("step2.faction")
def test_another_faction_brings_no_support_from_yellow():
    sentence = besieged(siege(), "green").asks(RED, BLUE)
    assert told(sentence, SupportDeclined) == [SupportDeclined(YELLOW), SupportDeclined(GREEN)]


@pytest.mark.rule("step2.order")
def test_third_players_answer_clockwise_from_the_attackers_left():
    spot = siege().tile("S3e", faction="orange").has(GREEN, embassies=["S3e"])
    sentence = besieged(spot).asks(YELLOW, key=f"{KEY}/s2")
    sentence.when(GREEN, LendSupport(BLUE, 1)).refused("not_asked")
    sentence.when(YELLOW, LendSupport(BLUE, 1)).asks(GREEN, key=f"{KEY}/s3")
    sentence.when(GREEN, DeclineSupport()).asks(RED, BLUE)
    spot = sabotage().has(RED, embassies=["S1d"])
    for seat, sector in ((GREEN, "S3e"), (YELLOW, "S5e")):
        spot.tile(sector, faction="orange").has(seat, embassies=[sector])
    sentence = draws(fight(spot, SABOTAGE), BLUE, "orange").asks(YELLOW)
    sentence.when(YELLOW, DeclineSupport()).asks(GREEN)


@pytest.mark.rule("step2.order")
def test_by_a_reading_all_answer_at_once_in_secret():
    spot = siege(5, overlay=house(support__order="simultaneous")).tile("S3e", faction="orange")
    spot.has(GREEN, embassies=["S3e"])
    sentence = besieged(spot).asks(YELLOW, GREEN, key=KEY)
    assert told(sentence, SupportDeclined) == [SupportDeclined(4)]
    sentence.when(GREEN, SealSupport(BLUE, 2)).refused("too_much_support", most=1)
    sentence.when(GREEN, SealSupport(None, 1)).refused("not_allowed")
    sentence.offers(GREEN, SealSupport(), SealSupport(BLUE, 1))
    sentence.when(GREEN, SealSupport(BLUE, 1)).asks(YELLOW)
    (sealed,) = told(sentence, SupportSealed)
    assert view(sealed, YELLOW)["count"] == {"hidden": True}
    assert powers(sentence) == (8, 6)
    sentence.when(YELLOW, SealSupport())
    (lent,) = told(sentence, Supported)
    assert (lent.seat, lent.side, list(lent.discloses())) == (GREEN, BLUE, [(KEY, GREEN)])
    (declined,) = told(sentence, SupportDeclined)
    assert (declined.seat, list(declined.discloses())) == (YELLOW, [(KEY, YELLOW)])
    assert powers(sentence) == (8, 7)


@pytest.mark.rule("step2.whom", "step2.who")
def test_with_two_political_sides_a_third_helps_one_of_them():
    spot = position(4).home(RED, "S1d").home(BLUE, "S4d").home(YELLOW, "S5e")
    spot.tile("S2a", faction="orange", political=2).tile("S2b", faction="green", political=2)
    spot.tile("S2d", faction="orange", political=1).tile("S3b", faction="green", political=1)
    spot.has(RED, agents=["S2a"]).has(BLUE, embassies=["S2a"]).caps(9, 9, 9, 9)
    spot.has(YELLOW, embassies=["S2d", "S3b", "S5e"]).turn(RED, "politicize")
    attack = ("politicize.infiltrate", Declare(BLUE, "S2a", units=(0,)))
    sentence = draws(fight(spot, attack), RED, "green")
    sentence.offers(YELLOW, DeclineSupport(), LendSupport(RED, 1), LendSupport(BLUE, 1))
    legal = [
        LendSupport(side, count)
        for side in range(-1, 6)
        for count in range(-1, 5)
        if allowed(sentence, YELLOW, LendSupport(side, count))
    ]
    assert legal == [LendSupport(RED, 1), LendSupport(BLUE, 1)]


@pytest.mark.rule("tech.empathy-transmitter")
def test_nobody_supports_the_opponent_of_an_empathy_transmitter():
    sentence = besieged(siege().advanced(RED, "P2c-1")).asks(RED, BLUE)
    assert told(sentence, SupportDeclined) == [SupportDeclined(YELLOW), SupportDeclined(GREEN)]
    besieged(siege().advanced(BLUE, "P2c-1")).asks(YELLOW)


@pytest.mark.rule("tech.empathy-transmitter", "advance.discard-anytime")
def test_an_empathy_transmitter_advanced_by_one_side_bars_only_the_other():
    spot = position(4).home(RED, "S1d").tile("S2a", faction="orange", political=2)
    spot.tile("S2b", faction="orange", political=1).has(RED, agents=["S2a"])
    spot.has(BLUE, embassies=["S2a"]).has(YELLOW, embassies=["S2b"]).advanced(BLUE, "P2c-1")
    spot.caps(9, 9, 9).turn(RED, "politicize")
    attack = ("politicize.infiltrate", Declare(BLUE, "S2a", units=(0,)))
    sentence = draws(fight(spot, attack), RED, "orange")
    sentence.offers(YELLOW, DeclineSupport(), LendSupport(BLUE, 1))
    sentence.when(YELLOW, LendSupport(RED, 1))
    sentence.refused("support_barred", "tech.empathy-transmitter", side=RED)


@pytest.mark.rule("opt.wild-support", "step2.home", "opt.wild")
def test_a_wild_home_embassy_supports_as_one_of_the_faction_in_use():
    sentence = besieged(siege(options={"opt.wild": True})).when(YELLOW, LendSupport(BLUE, 3))
    assert powers(sentence) == (8, 9)
    (fact,) = told(sentence, Supported)
    assert fact.contributions[-1] == Contribution("opt.wild-support", "embassy", 1, "S6b", 0, 1)


@pytest.mark.rule("learn.no-support")
def test_the_learning_game_leaves_support_out():
    spot = siege(options={"learning": True})
    sentence = draws(draws(fight(spot, SIEGE, "S4e"), RED), BLUE, "orange")
    assert told(sentence, Supported, SupportDeclined) == []
    sentence.asks(-1, key="r2/p3/s0/a1/flip/s0")


@pytest.mark.rule("step2.whom")
def test_a_conflict_without_a_political_side_has_no_support():
    sentence = fight(leverage().has(GREEN, embassies=["S3e"]), LEVERAGE)
    assert told(sentence, SupportDeclined) == [SupportDeclined(GREEN), SupportDeclined(RED)]
    spot = leverage().has(BLUE, complexes={"S2d": 1}).turn(YELLOW, "industrialize")
    spot.galaxy.houses[YELLOW].complexes.pop("S2d")
    attack = ("industrialize.takeover", Declare(BLUE, "S2d", "S2b"))
    assert told(fight(spot, attack), Supported, SupportDeclined) == []


@pytest.mark.rule("step2.negotiate", "deal.caps")
def test_caps_may_change_hands_before_support_is_answered():
    sentence = besieged(siege()).when(BLUE, Transfer(YELLOW, 3)).asks(YELLOW)
    sentence.holds("caps", seat_1=6, seat_2=12).when(YELLOW, LendSupport(BLUE, 2))


# --- what leaders may change ----------------------------------------------------------------------


@pytest.mark.rule("step2.value")
def test_support_can_be_canceled_and_power_added():
    sentence = besieged(siege()).when(YELLOW, LendSupport(BLUE, 2))
    galaxy = sentence.state
    SupportCanceled(YELLOW).apply(galaxy)
    assert powers(sentence) == (8, 6)
    assert galaxy.contest.support[0] == Support(YELLOW, None, 0, 0)
    added = Contribution("leader.anytime", "LD07", 1, "S4e", 0, 2)
    PowerAdded(RED, added).apply(galaxy)
    assert powers(sentence) == (10, 6)
    assert galaxy.contest.attacker.given[-1] == added


@pytest.mark.rule("step2.who")
def test_who_is_barred_from_support_is_not_asked():
    sentence = besieged(siege())
    galaxy = sentence.state
    SupportBarred(YELLOW).apply(galaxy)
    (first, second) = AskForSupport().run(galaxy)
    assert list(first.run(galaxy)) == [SupportDeclined(YELLOW)]
    assert list(second.run(galaxy)) == [SupportDeclined(GREEN)]
    assert len(list(PoliticalSupport().run(galaxy))) == 4
