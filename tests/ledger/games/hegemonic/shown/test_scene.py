"""How the table looks: the map, what lies beside it, and what a click decides."""

from __future__ import annotations

from ledger.games.hegemonic.actions.choosing import CommitCard
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.deals.agreement import Deal, Promise, Terms
from ledger.kernel.match import Match
from ledger.kernel.scene import Scene
from replays.drawing.picture import scene_svg
from replays.drawing.text import scene_text
from tests.support.hegemonic.positions import Position, begun, expanded, house, position, set_up


def scene_of(match: Match, viewer: int | None = 0) -> Scene:
    drawn = match.scene(viewer)
    assert drawn is not None
    return drawn


def table() -> Position:
    """Blue at S1d with a gate, Green beside it; Blue is about to build complexes."""
    return (
        position()
        .home(0, "S1d")
        .home(1, "S4d")
        .tile("S2b", industrial=3)
        .tile("S4a", faction="green", political=2)
        .has(
            0, complexes={"S1d": 1, "S2b": 3, "S4b": 1}, embassies=["S1d"], outposts={"S1d": 2},
            agents=["S4a"], fleets=["S2b", "S2b"], gates=[("S2b", "S4b")],
        )
        .has(1, embassies=["S4d", "S4a"])
        .caps(9, 4, 0, 0)
        .hand(0, "I1a-1")
        .hand(1, "P1a-1", "P1a-2")
        .advanced(0, "I2b-1")
        .inactive(1, "M1a-1")
        .discarded("M1b-1")
        .turn(0, "industrialize")
    )  # fmt: skip


# --- the map --------------------------------------------------------------------------------------


def test_boards_lie_where_they_were_laid_and_neighbours_are_neighbours():
    match = table().given().match
    drawn = scene_of(match)
    at = {(cell.x, cell.y): cell.id for cell in drawn.cells}
    beside = match.state.chart.beside
    for (x, y), sector in at.items():
        around = {(x + u, y + v) for u, v in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))}
        assert {at[place] for place in around if place in at} == set(beside[sector])
    assert (0, 0) not in at  # the centre is no sector
    regions = {cell.id: cell.region for cell in drawn.cells}
    assert (regions["K1"], regions["S2b"], regions["S4a"]) == ("K", "S2", "S4")


def test_tiles_are_told_apart_by_kind_and_by_what_they_offer():
    cells = {cell.id: cell for cell in scene_of(table().given().match).cells}
    shown = {
        name: (cells[name].kind, cells[name].note, cells[name].offers)
        for name in ("S1d", "S2b", "S4a", "S3a")
    }
    assert shown == {
        "S1d": ("home", "", "P I2 M2"),
        "S2b": ("free", "", "I3"),
        "S4a": ("green", "Rakshasa 2", "I1"),
        "S3a": ("void", "", ""),
    }


def test_pieces_stand_in_their_sectors_bases_by_stack_and_units_one_by_one():
    drawn = scene_of(table().given().match)
    standing = {(piece.cell, piece.sign, piece.count, piece.seat) for piece in drawn.pieces}
    assert {
        ("S1d", "bC", 1, 0), ("S2b", "bC", 3, 0), ("S1d", "bE", 1, 0), ("S1d", "bO", 2, 0),
        ("S4a", "bA", 1, 0), ("S2b", "bF", 1, 0), ("S4a", "gE", 1, 1), ("S4b", "bG1", 1, 0),
    } <= standing  # fmt: skip
    assert sum(piece.cell == "S2b" and piece.sign == "bF" for piece in drawn.pieces) == 2
    assert [(link.one, link.other, link.seat) for link in drawn.links] == [("S2b", "S4b", 0)]


def test_both_halves_of_a_gate_have_its_number_and_end_its_link():
    drawn = scene_of(table().has(0, gates=[("S2b", "S4b"), ("S1d", "S4b")]).given().match)
    ends = {
        link.id: [(piece.cell, piece.sign) for piece in drawn.pieces if piece.link == link.id]
        for link in drawn.links
    }
    assert ends == {
        "s0-gate-0": [("S2b", "bG1"), ("S4b", "bG1")],
        "s0-gate-1": [("S1d", "bG2"), ("S4b", "bG2")],
    }


def test_players_are_drawn_in_the_colours_that_they_have_taken():
    drawn = scene_of(table().given().match)
    assert [(one.name, one.hue) for one in drawn.players][:2] == [
        ("Blue", "blue"),
        ("Green", "green"),
    ]
    svg = scene_svg(drawn)
    assert 'class="piece seat-1 hue-green"' in svg
    assert 'class="link seat-0 hue-blue"' in svg
    fresh = scene_of(begun(3, options={"layout": "free"}).match)
    assert [(one.name, one.hue) for one in fresh.players][2] == ("Seat 2", "grey")


def test_a_picture_shows_the_boards_the_gate_and_every_piece():
    drawn = scene_of(table().given().match)
    svg = scene_svg(drawn)
    assert svg.count('class="cell') == 36
    assert svg.count('class="link') == 1
    assert svg.count('class="face"') == len(drawn.pieces)
    assert ">Rakshasa 2</text>" in svg
    assert ">I1</text>" in svg


def test_a_text_lists_what_lies_where_and_what_everybody_has():
    lines = scene_text(scene_of(table().given().match)).splitlines()
    assert "  S2b (I3): 3bC bF bF bG1" in lines
    assert "  gate 1 of Blue: S2b - S4b" in lines
    blue = lines.index("  Blue (seat 0)")
    assert lines[blue + 1] == (
        "    points 0, industrial 5 of 15, political 1 of 9, martial 2 of 12, CAPs 9"
    )
    assert "    hand: Predictive Algorithms (industrial 1, costs 2, power 5/3/1)" in lines[blue:]
    assert "    hand: 2 face down" in lines[lines.index("  Green (seat 1)") :]
    assert max(map(len, lines)) <= 80


# --- beside the map -------------------------------------------------------------------------------


def test_hands_are_shown_as_the_viewer_may_see_them():
    match = table().given().match
    own = {card.id: card for card in scene_of(match, 0).cards if card.place == "hand"}
    assert own["I1a-1"].name == "Predictive Algorithms (industrial 1, costs 2, power 5/3/1)"
    assert (own["hand-s1"].name, own["hand-s1"].count) == ("", 2)
    for viewer in (0, None):
        assert "P1a-1" not in {card.id for card in scene_of(match, viewer).cards}
    theirs = [card.id for card in scene_of(match, 1).cards if card.place == "hand"]
    assert theirs == ["hand-s0", "P1a-1", "P1a-2"]


def test_piles_are_counted_and_what_lies_open_is_named():
    match = table().given().match
    cards = {card.id: card for card in scene_of(match, None).cards}
    assert cards["pile"].count == match.state.draw_pile
    assert cards["stack"].count == match.state.stack
    assert cards["discards-all"].place == "discards of 1 card"
    top = "Self-Replicating Drones (martial 1, costs 2, power 4/1/4)"
    assert cards["discards-all"].name == top
    assert (cards["I2b-1"].place, cards["M1a-1"].place) == ("advanced", "inactive")


def test_the_pool_lies_open():
    match = set_up().match
    pool = [card for card in scene_of(match, None).cards if card.place == "pool"]
    assert [card.id for card in pool] == match.state.pool
    assert all(card.name for card in pool)


def test_a_player_board_shows_income_retention_tiers_prices_and_what_waits():
    """V01: three complexes, four embassies, eight outposts."""
    sentence = (
        position()
        .has(
            0, complexes={"S1a": 3}, embassies=["S1b", "S2a", "S2b", "S3a"],
            outposts={"S4a": 3, "S4b": 3, "S5a": 2},
        )
        .turn(0, "discover")
    )  # fmt: skip
    drawn = scene_of(sentence.given().match)
    tracks = {track.id: (track.value, track.high) for track in drawn.tracks if track.seat == 0}
    assert tracks == {
        "s0-score": (0, 50), "s0-industrial": (3, 15), "s0-political": (4, 9),
        "s0-martial": (8, 12),
    }  # fmt: skip
    board = next(one.value for one in drawn.counters if one.id == "s0-board")
    assert board == (
        "income 16, retains 4, tiers 1/2/2, next bases cost 2/5/5; "
        "waiting: 3 gates, 3 agents, 3 fleets"
    )


def test_the_score_track_has_laps_of_fifty():
    built = table()
    for seat, score in enumerate((7, 50, 120, 0)):
        built.galaxy.houses[seat].score = score
    tracks = {track.id: (track.value, track.high) for track in scene_of(built.given().match).tracks}
    assert [tracks[f"s{seat}-score"] for seat in range(4)] == [
        (7, 50), (50, 100), (120, 150), (0, 50),
    ]  # fmt: skip


def test_hidden_caps_are_shown_to_their_owner_alone():
    built = position(overlay=house(info__caps="hidden")).caps(3, 4, 5, 6).turn(0, "assault")
    match = built.given().match
    shown = {
        viewer: [one.id for one in scene_of(match, viewer).counters if one.id.endswith("-caps")]
        for viewer in (0, 2, None)
    }
    assert shown == {0: ["s0-caps"], 2: ["s2-caps"], None: []}


def test_the_arbiter_the_turn_and_the_phase_are_shown():
    counters = {one.id: one.value for one in scene_of(table().given().match).counters}
    assert (counters["arbiter"], counters["round"], counters["phase"]) == (
        "Blue",
        2,
        "first actions",
    )
    assert counters["turn"] == "Blue with Industrialize, action 1"


def test_an_action_card_lies_face_down_until_it_is_revealed():
    sentence = expanded().when(1, CommitCard("subvert"))
    names = {
        viewer: [
            card.name
            for card in scene_of(sentence.match, viewer).cards
            if card.place == "chosen action card"
        ]
        for viewer in (0, 1, None)
    }
    assert names == {0: [""], 1: ["Subvert"], None: [""]}


def test_a_conflict_in_progress_is_shown_and_its_sector_marked():
    sentence = (
        table()
        .turn(0, "subvert")
        .given()
        .when(0, StartConflict("subvert.industrial-political"))
        .when(0, Declare(1, "S4a", "S4b"))
    )
    drawn = scene_of(sentence.match, None)
    assert [cell.id for cell in drawn.cells if cell.marked] == ["S4a"]
    counters = {one.id: (one.name, one.value) for one in drawn.counters}
    assert counters["attacker"] == ("attacker: Blue", "4 industrial (1 complex at S4b)")
    assert counters["defender"] == (
        "defender: Green",
        "2 political (1 embassy at S4a), faction Rakshasa",
    )
    assert counters["step"] == ("takeover at S4a", "step 3")


def test_a_deal_that_is_over_or_has_run_out_leaves_the_table():
    def deal(status: str, due: tuple[int, int] | None) -> list[str]:
        built = table()
        promise = Promise(seat=0, to=1, what="spare", due=due)
        terms = Terms(text="peace", promises=(promise,))
        built.galaxy.deals.append(Deal("d0-1", 0, (0, 1), terms, status=status))
        return [one.name for one in scene_of(built.given().match).cards if one.place == "deal"]

    standing = ["Blue with Green, accepted: peace"]
    assert (deal("accepted", None), deal("accepted", (2, 3))) == (standing, standing)
    assert deal("proposed", (2, 3)) == ["Blue with Green, proposed: peace"]
    assert deal("accepted", (2, 2)) == deal("declined", None) == deal("expired", None) == []
