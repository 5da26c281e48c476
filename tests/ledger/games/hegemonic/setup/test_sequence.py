"""Setup: the boards, what is dealt, homes, the first tiles, the pool."""

from __future__ import annotations

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.setup.boards import ChooseLayout, PlaceBoard
from ledger.games.hegemonic.setup.dealing import KeepCard, LastDiscarded, TilesAdded
from ledger.games.hegemonic.setup.homes import PlaceFirstTile, PlaceHome
from ledger.games.hegemonic.setup.sequence import (
    ChooseColor,
    ChooseFirstArbiter,
    ChooseLeader,
    ColorTaken,
)
from ledger.kernel.audience import view
from ledger.kernel.refusals import Refused
from tests.support.given import given
from tests.support.hegemonic.positions import (
    begun,
    expanded,
    falling,
    first,
    house,
    set_up,
    settled,
    terms_of,
    told,
)

SEATS = (2, 3, 4, 5, 6)


@pytest.mark.rule("setup.arbiter", "setup.home-order", "arbiter.setup")
def test_the_homes_are_placed_from_the_first_arbiter_clockwise():
    sentence = begun(4, arbiter=2).asks(2, key="setup/home/s2")
    sentence.when(2, PlaceHome("S1d")).asks(3).when(3, PlaceHome("S2e")).asks(0)
    given(terms_of().open_match(4)).when(1, ChooseFirstArbiter(4)).refused("not_allowed")


@pytest.mark.rule("setup.color")
def test_each_player_takes_a_colour_that_nobody_has():
    sentence = given(terms_of().open_match(2)).when(1, ChooseFirstArbiter(0))
    sentence.when(1, ChooseColor("red")).then(ColorTaken(1, "red")).asks(0, key="setup/color/s0")
    sentence.when(0, ChooseColor("red")).refused("color_taken", "setup.color", color="red")
    for unknown in ("pink", ""):
        sentence.when(0, ChooseColor(unknown)).refused("not_allowed", "setup.color")
    sentence.when(1, ChooseColor("blue")).refused("not_asked", "setup.color")


@pytest.mark.rule("setup.boards-by-count", "setup.core", "setup.layout-suggested")
def test_v03_boards_per_player_count():
    tables = [settled(seats).state for seats in SEATS]
    assert [len(galaxy.galaxy_boards()) for galaxy in tables] == [3, 5, 6, 8, 9]
    assert [len(galaxy.sectors) for galaxy in tables] == [21, 31, 36, 46, 51]
    assert [len(galaxy.empty_sectors()) for galaxy in tables] == [19, 28, 32, 41, 45]


@pytest.mark.rule("setup.tiles-select", "setup.deal-tiles", "setup.pool", "setup.pool-two-players")
def test_v04_tiles():
    before = [settled(seats).state for seats in SEATS]
    assert [galaxy.stack + 2 * len(galaxy.houses) for galaxy in before] == [16, 24, 32, 40, 48]
    after = [set_up(seats).state for seats in SEATS]  # the first tile of the round is turned
    assert [galaxy.stack + 1 for galaxy in after] == [11, 18, 24, 30, 36]
    assert [len(galaxy.pool) - 1 for galaxy in after] == [3, 3, 4, 5, 6]
    placed = [sum(not s.empty for s in galaxy.sectors.values()) for galaxy in after]
    assert placed == [2 * seats for seats in SEATS]


@pytest.mark.rule("setup.tech-deck", "setup.tech-icon")
def test_v04_three_players_have_five_cards_and_the_pile_fifteen():
    galaxy = settled(3).state
    assert [len(one.hand) for one in galaxy.houses] == [5, 5, 5]
    assert galaxy.cards.size() == 15
    assert settled(4).state.cards.size() == 54 - 20


@pytest.mark.rule("setup.tiles-icon")
def test_by_a_reading_the_small_game_uses_the_whole_set():
    galaxy = settled(2, overlay=house(setup__tiles_small="whole-set")).state
    assert galaxy.stack == 24 - 4


@pytest.mark.rule("setup.tech-deck", "general.information")
def test_nobody_sees_the_hand_or_the_tiles_of_another():
    shown = view(settled(3).state, 1)["houses"]
    assert shown[0]["hand"] == {"hidden": 5}
    assert shown[0]["tiles"] == {"hidden": 2}
    assert len(shown[1]["hand"]) == 5


@pytest.mark.rule("general.information")
def test_map_boards_pool_and_caps_are_open_to_everybody():
    table = set_up(3).state
    shown = view(table, None)
    assert [len(board["sectors"]) for board in shown["boards"]] == [6, 5, 5, 5, 5, 5]
    assert shown["pool"] == table.pool
    tiles = {at: sector["tile"] for at, sector in shown["sectors"].items() if sector["tile"]}
    assert tiles == {at: sector.tile for at, sector in table.sectors.items() if sector.tile}
    assert len(tiles) == 3 + 3
    balances = shown["accounts"]["balances"]["caps"]
    assert [balances[f"seat.{seat}"] for seat in range(3)] == [6, 6, 6]


@pytest.mark.rule("setup.home-placement", "setup.home-not-adjacent")
def test_where_a_home_may_not_lie():
    sentence = begun(4)
    sentence.when(0, PlaceHome("K1")).refused("core_board", "setup.home-placement")
    sentence.when(0, PlaceHome("S9a")).refused("no_such_sector", "setup.home-placement")
    sentence.when(0, PlaceHome("S1e"))
    sentence.when(1, PlaceHome("S1e")).refused("sector_taken", "setup.home-placement")
    sentence.when(1, PlaceHome("S1a")).refused("board_has_home", "setup.home-placement")
    sentence.when(1, PlaceHome("S2c")).refused("beside_home", "setup.home-not-adjacent")
    sentence.when(2, PlaceHome("S3d")).refused("not_asked")
    sentence.when(1, PlaceHome("S2e")).asks(2)


@pytest.mark.rule("setup.home-not-adjacent")
def test_without_the_ban_homes_may_lie_next_to_each_other():
    lifted = {"switches": {"setup.home-adjacent-ban": {"on": False}}}
    begun(4, overlay=lifted).when(0, PlaceHome("S1e")).when(1, PlaceHome("S2c")).asks(2)


@pytest.mark.rule("setup.home-bases")
def test_a_base_of_each_type_stands_at_home():
    one = settled(2).state.houses[0]
    assert (one.complexes, one.embassies, one.outposts) == ({"S1d": 1}, ["S1d"], {"S1d": 1})


@pytest.mark.rule("setup.first-tile")
def test_v09_first_tile():
    sentence = settled(4)
    tiles = sentence.state.houses[0].tiles
    options = sentence.match.options(0)
    assert {one.sector for one in options} == {"S1a", "S1b", "S1c", "S1e"}
    assert {one.tile for one in options} == set(tiles)
    sentence.when(0, PlaceFirstTile(tiles[0], "K1")).refused("not_beside_home", "setup.first-tile")
    sentence.when(0, PlaceFirstTile(tiles[0], "S1d")).refused("sector_taken")
    sentence.when(0, PlaceFirstTile("T00", "S1a")).refused("tile_not_held")


@pytest.mark.rule("setup.first-tile")
def test_the_first_tile_may_lie_on_the_core():
    sentence = begun(4).when(0, PlaceHome("S1a"))
    for seat, home in ((1, "S2e"), (2, "S4d"), (3, "S5e")):
        sentence.when(seat, PlaceHome(home))
    assert "K1" in {one.sector for one in sentence.match.options(0)}


@pytest.mark.rule("setup.caps", "setup.score")
def test_nothing_is_handed_out_and_every_score_starts_at_nothing():
    set_up(2).holds("caps", seat_0=6, seat_1=6)  # the income of the first round
    set_up(2, overlay=house(setup__caps=5)).holds("caps", seat_0=11, seat_1=11)
    assert [one.score for one in set_up(2).state.houses] == [0, 0]


# --- free layouts ---------------------------------------------------------------------------------


def free(seats: int = 2, arbiter: int = 0):
    return begun(seats, arbiter=arbiter, options={"layout": "free"})


@pytest.mark.rule("setup.layout-free", "setup.boards-by-count")
def test_boards_are_laid_counter_clockwise_from_the_arbiter():
    sentence = free(3, arbiter=1)
    for number, seat in enumerate((1, 0, 2, 1, 0), 1):
        sentence.asks(seat, key=f"setup/board/{number}")
        first(sentence, seat)
    assert [board.id for board in sentence.state.boards] == ["K", "G1", "G2", "G3", "G4", "G5"]
    assert sentence.state.boards[1].sectors == ["G1a", "G1b", "G1c", "G1d", "G1e"]


@pytest.mark.rule("setup.layout-touch")
def test_a_board_touches_two_others_one_of_them_the_core():
    sentence = free(4)
    sentence.when(0, PlaceBoard(9, 9, 0)).refused("board_touches_too_few", "setup.layout-touch")
    sentence.when(0, PlaceBoard(0, 0, 0)).refused("board_overlaps", "setup.layout-touch")
    sentence.when(0, PlaceBoard(3, 0, 6)).refused("no_such_rotation", "setup.layout-touch")
    sentence.when(0, PlaceBoard(3, 0, 2)).asks(3)
    sentence.when(3, PlaceBoard(-3, 0, 5)).refused("board_touches_too_few")
    sentence.when(3, PlaceBoard(3, -3, 3)).asks(2)
    sentence.when(2, PlaceBoard(4, -3, 5)).refused("board_must_touch_core", "setup.layout-touch")


@pytest.mark.rule("setup.layout-touch")
def test_what_is_offered_is_what_is_allowed():
    sentence = free(2)
    for _ in range(3):
        seat = sentence.match.asked()[0]
        question, galaxy = sentence.match.question, sentence.state
        offered = set(sentence.match.options(seat))
        for q in range(-7, 8):
            for r in range(-7, 8):
                for rotation in range(6):
                    board = PlaceBoard(q, r, rotation)
                    try:
                        legal = question.allows(galaxy, seat, board)
                    except Refused:
                        legal = False
                    assert legal == (board in offered), board
        first(sentence, seat)


# --- options of the setup -------------------------------------------------------------------------


@pytest.mark.rule("setup.layout-suggested")
def test_of_two_layouts_for_so_many_players_the_table_chooses():
    other = {
        "layouts": {"mine": {"players": 2, "slots": ["S4", "S5", "S6"], "homes": ["S4d", "S6d"]}}
    }
    sentence = given(terms_of(overlay=other).open_match(2)).when(0, ChooseFirstArbiter(0))
    sentence.offers(1, ChooseLayout("L2"), ChooseLayout("mine"))
    sentence.when(1, ChooseLayout("L4")).refused("not_allowed", "setup.layout-suggested")
    sentence.when(1, ChooseLayout("mine"))
    assert [board.id for board in sentence.state.boards] == ["K", "S4", "S5", "S6"]


@pytest.mark.rule("opt.draft", "opt.draft-pick", "opt.draft-last")
def test_a_draft_keeps_one_card_and_passes_the_rest_clockwise():
    sentence = begun(3, arbiter=1, options={"opt.draft": True})
    packets = [tuple(one.packet) for one in sentence.state.houses]
    assert [len(packet) for packet in packets] == [6, 6, 6]
    for seat in range(3):
        other = packets[(seat + 1) % 3][0]
        sentence.when(seat, KeepCard(other)).refused("card_not_in_packet", "opt.draft-pick")
        sentence.when(seat, KeepCard(packets[seat][0]))
    assert sentence.state.houses[1].packet == list(packets[0][1:])
    assert sentence.state.houses[0].packet == list(packets[2][1:])
    while sentence.match.question.answers == (KeepCard,):
        seat = sentence.match.asked()[0]
        sentence.when(seat, sentence.match.options(seat)[0])
    assert [fact.seat for fact in told(sentence, LastDiscarded)] == [1, 2, 0]
    assert [len(one.hand) for one in sentence.state.houses] == [5, 5, 5]


@pytest.mark.rule("opt.draft-pick")
def test_nobody_sees_what_another_kept():
    sentence = begun(3, options={"opt.draft": True})
    card = sentence.state.houses[0].packet[0]
    sentence.when(0, KeepCard(card))
    assert view(sentence.facts[0], 1)["card"] == {"hidden": True}
    assert view(sentence.state, 1)["houses"][0]["hand"] == {"hidden": 1}


@pytest.mark.rule("opt.long", "opt.long-icons")
def test_a_longer_game_uses_all_tiles_and_three_players_four_more():
    long = {"opt.long": True}
    assert settled(4, options=long).state.stack == 48 - 8
    assert settled(2, options=long).state.stack == 24 - 4
    three = settled(3, options=long).state
    assert three.stack == 28 - 6
    assert three.box.size() == 20
    fact = TilesAdded((), ("T05",), 1, 0)
    assert view(fact, 0)["tiles"] == {"hidden": True}


@pytest.mark.rule("leader.assign", "leader.start", "setup.leaders")
def test_leaders_are_dealt_or_chosen_clockwise_from_the_arbiter():
    dealt = settled(3, options={"opt.leaders": "dealt"}).state
    assert len({one.leader for one in dealt.houses}) == 3
    assert [one.level for one in dealt.houses] == [0, 0, 0]
    sentence = begun(3, arbiter=1, options={"opt.leaders": "chosen"}).asks(1)
    sentence.when(1, ChooseLeader("LD05")).asks(2)
    sentence.when(2, ChooseLeader("LD05")).refused("leader_taken", "leader.assign")
    for unknown in ("LD99", ""):
        sentence.when(2, ChooseLeader(unknown)).refused("not_allowed", "leader.assign")


@pytest.mark.rule("learn.tiles", "learn.pool", "learn.no-hand", "learn.home", "learn.first-tile")
def test_the_setup_of_the_learning_game():
    learning = {"learning": True}
    sentence = begun(2, options=learning)
    assert [len(one.hand) for one in sentence.state.houses] == [0, 0]
    assert (len(sentence.state.pool), sentence.state.stack) == (3, 5)
    sentence.when(0, PlaceHome("S1a")).refused("not_marked", "learn.home")
    sentence.when(0, PlaceHome("S1d")).when(1, PlaceHome("S3d"))
    falling(sentence).asks(0, key="setup/tile/s0")
    assert len(sentence.state.houses[0].tiles) == 1
    first(sentence, 0).asks(1, key="setup/tile/s1")
    assert set_up(4, options=learning).state.stack == 16 - 4 - 4 - 1


@pytest.mark.rule("learn.layout")
@pytest.mark.parametrize("option", [("opt.draft", True), ("opt.long", True), ("layout", "free")])
def test_the_learning_game_goes_with_some_options_only(option: tuple[str, object]):
    with pytest.raises(Refused, match="bad_value"):
        terms_of(options={"learning": True, option[0]: option[1]})


@pytest.mark.rule("game.players")
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(
    "options", [{}, {"opt.long": True}, {"opt.draft": True, "opt.piles": True}]
)
def test_nothing_is_lost_in_the_setup_and_the_expansion(seats: int, options):
    sentence = expanded(seats, options=options)
    assert set(RULES.audit.conserved(sentence.state).values()) == {0}
