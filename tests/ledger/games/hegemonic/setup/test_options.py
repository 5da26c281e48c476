"""The optional rules, each in a whole match, and what is special about it."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.actions.piles import DrawCard, DrawTechnology, PilesReshuffled
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.power import of_embassy
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.conflicts.starting_power import ChooseDraw
from ledger.games.hegemonic.conflicts.support import LendSupport, Supported
from ledger.games.hegemonic.rounds.ending import EndKnown, RoundEnded
from ledger.games.hegemonic.rounds.scoring import BoardScored, Scoring
from ledger.games.hegemonic.state.components import CARDS, TECHNOLOGIES, TYPES
from ledger.games.hegemonic.state.galaxy import CARD_PILE, ONE_PILE
from ledger.kernel.chance import Deck
from ledger.kernel.refusals import Refused
from ledger.parts.battle import total
from tests.support.given import Given
from tests.support.hegemonic.playing import idle, idle_round
from tests.support.hegemonic.positions import (
    begun,
    falling,
    house,
    position,
    set_up,
    terms_of,
    told,
)

RED, BLUE, YELLOW = 0, 1, 2
WHOLE = [
    (2, {"opt.piles": True}), (3, {"opt.draft": True}), (2, {"opt.wild": True}),
    (5, {"layout": "free"}), (4, {"opt.leaders": "dealt"}), (3, {"opt.leaders": "chosen"}),
]  # fmt: skip


def played_out(sentence: Given) -> Given:
    """Nothing is done in it but what the rules demand."""
    while not sentence.match.ended:
        idle_round(sentence)
        assert set(RULES.audit.conserved(sentence.state).values()) == {0}
    return sentence


@pytest.mark.rule("opt.piles", "opt.draft", "opt.wild", "setup.layout-free", "leader.assign")
@pytest.mark.parametrize(("seats", "options"), WHOLE)
def test_a_whole_match_with_each_option(seats: int, options: dict[str, object]):
    sentence = begun(seats, options=options)
    while sentence.state.round < 1:
        idle(sentence)
    played_out(sentence)
    assert told(sentence, RoundEnded)[0].round == 6
    assert sentence.match.result().winners


# --- three discard piles --------------------------------------------------------------------------


@pytest.mark.rule("opt.piles", "opt.piles-discard", "opt.piles-draw")
def test_each_type_has_a_discard_pile_whose_top_can_be_drawn():
    sentence = set_up(4, options={"opt.piles": True})
    assert tuple(sentence.state.discards) == TYPES
    cards, technologies = CARDS.of(sentence.state), TECHNOLOGIES.of(sentence.state)
    while sentence.state.phase == 2:
        idle(sentence)
    for pile, discarded in sentence.state.discards.items():
        assert {technologies[cards[card].technology].type for card in discarded} <= {pile}
    assert sum(map(len, sentence.state.discards.values())) == 4
    assert tuple(set_up(4).state.discards) == (ONE_PILE,)


@pytest.mark.rule("opt.piles-reshuffle", "draw.reshuffle")
def test_an_empty_draw_pile_is_made_of_all_three():
    spot = position(2, options={"opt.piles": True}).discarded("I1a-1", "P1a-1", "M1a-1", "M1b-1")
    held = spot.galaxy
    held.cards = Deck.of(CARD_PILE, ())
    held.discards = {
        "industrial": ["I1a-1"], "political": ["P1a-1"], "martial": ["M1a-1", "M1b-1"],
    }  # fmt: skip
    after = DiscardOrAdvance(0, "x")
    sentence = spot.doing(DrawTechnology(0, "x"), after).given().asks(0, key="x/draw")
    tops = [DrawCard("discard", pile=pile) for pile in TYPES]
    sentence.offers(0, DrawCard("deck"), *tops)
    sentence.when(0, DrawCard("deck")).then(PilesReshuffled(4))
    assert not any(held.discards.values())
    falling(sentence).asks(0, key="x/finish")
    assert (held.cards.size(), len(held.houses[0].hand)) == (3, 1)


@pytest.mark.rule("opt.piles-reshuffle", "draw.reshuffle")
@pytest.mark.parametrize(("when", "shuffled"), [("when-emptied", 1), ("on-demand", 0)])
def test_the_piles_are_shuffled_by_a_reading_with_the_last_card_though_one_is_empty(
    when: str, shuffled: int
):
    spot = position(2, options={"opt.piles": True}, overlay=house(draw__reshuffle=when))
    held = spot.discarded("I1a-1", "P1a-1", "M1a-1", "M1b-1").galaxy
    held.cards = Deck.of(CARD_PILE, ("P1a-1", "P1b-1"))
    held.discards = {"industrial": ["I1a-1"], "political": [], "martial": ["M1a-1", "M1b-1"]}
    sentence = spot.doing(DrawTechnology(0, "x"), DrawTechnology(0, "y")).given()
    falling(sentence.when(0, DrawCard("deck"))).asks(0, key="y/draw")
    assert told(sentence, PilesReshuffled) == []
    falling(sentence.when(0, DrawCard("deck")))
    assert told(sentence, PilesReshuffled) == [PilesReshuffled(3)] * shuffled
    assert held.cards.size() == 3 * shuffled


# --- the longer game ------------------------------------------------------------------------------


@pytest.mark.rule("opt.long", "opt.long-end", "opt.long-icons")
@pytest.mark.parametrize(("seats", "hexes", "rounds"), [(2, 19, 9), (3, 28, 9), (4, 32, 7)])
def test_the_longer_game_is_played_until_the_last_hex_is_filled(seats, hexes, rounds):
    sentence = played_out(set_up(seats, options={"opt.long": True}))
    placed = [s for s in sentence.state.sectors.values() if not s.empty and s.home_of is None]
    assert (len(placed), sentence.state.empty_sectors()) == (hexes, [])
    assert told(sentence, EndKnown) == [EndKnown("opt.long-end", rounds)]


@pytest.mark.rule("opt.long-end", "end.hexes")
def test_a_match_that_nothing_would_end_is_refused():
    off = {"switches": {"end.hexes": {"on": False}}}
    for options, overlay in (
        ({"opt.long": True}, off),
        ({}, {"switches": {"end.hexes": {"on": False}, "end.stack": {"on": False}}}),
    ):
        with pytest.raises(Refused, match="bad_value"):
            terms_of(options=options, overlay=overlay)
    assert terms_of(overlay=off).tables["switches"]["end.hexes"].on is False
    for table, row in (("switches", "end.stack"), ("fates", "draw.bases")):
        with pytest.raises(Refused, match="bad_value"):
            terms_of(overlay={table: {row: None}})


# --- wild home embassies --------------------------------------------------------------------------


@pytest.mark.rule("opt.wild", "opt.wild-conflict", "power.home-embassy")
def test_a_wild_home_embassy_gives_one_to_any_faction_and_scores_as_ever():
    powers, scored = [], []
    for wild in (False, True):
        spot = position(4, options={"opt.wild": wild}).home(0, "S1d")
        spot.tile("S2a", faction="orange", political=3).tile("S2b", faction="green", political=2)
        spot.has(0, embassies=["S1d", "S2a", "S2b"])
        powers.append([total(of_embassy(spot.galaxy, 0, sector)) for sector in ("S2a", "S2b")])
        sentence = spot.at(6).doing(Scoring()).given()
        scored.append([fact.powers for fact in told(sentence, BoardScored)])
    assert powers == [[3, 2], [4, 3]]
    assert scored[0] == scored[1] == [((0, 1),), ((0, 5),)]


@pytest.mark.rule("opt.wild-support", "opt.wild", "step2.home")
@pytest.mark.parametrize(("wild", "most"), [(False, 2), (True, 3)])
def test_a_wild_home_embassy_supports_as_one_of_the_faction_in_use(wild: bool, most: int):
    spot = position(4, options={"opt.wild": wild}).home(RED, "S1d").home(YELLOW, "S3d")
    spot.tile("S6d", "S5d", faction="orange", political=2)
    spot.tile("S5a", faction="orange", political=1)
    spot.has(RED, outposts={"S4b": 2}, fleets=["S4e"]).has(BLUE, embassies=["S6d"], agents=["S4e"])
    spot.has(YELLOW, embassies=["S3d", "S5d", "S5a"]).caps(5, 5, 5, 5)
    sentence = spot.turn(RED, "assault").given()
    sentence.when(RED, StartConflict("assault.raze-political"))
    sentence.when(RED, Declare(BLUE, "S4e", units=(0,)))
    sentence.when(RED, ChooseDraw(("S4b",))).when(BLUE, ChooseDraw(("orange",))).asks(YELLOW)
    sentence.when(YELLOW, LendSupport(BLUE, most + 1)).refused("too_much_support", "step2.faction")
    sentence.when(YELLOW, LendSupport(BLUE, most))
    lent = told(sentence, Supported)[0].contributions
    assert sum(one.amount for one in lent) == most
    assert ("S3d" in [one.sector for one in lent]) is wild
