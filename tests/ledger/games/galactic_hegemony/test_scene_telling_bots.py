"""How the table looks, what is said of it, and who plays it."""

from __future__ import annotations

import pytest

from ledger.games import ruleset
from ledger.games.galactic_hegemony import RULES
from ledger.games.galactic_hegemony.actions.building import InfrastructureBuilt
from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.games.galactic_hegemony.actions.fights import Attack, AttackBegun, Suppress, Suppression
from ledger.games.galactic_hegemony.actions.spacecraft import Colonise, Move, PlanetExplored
from ledger.games.galactic_hegemony.bots import sample, score
from ledger.games.galactic_hegemony.errata import SuppressionTies
from ledger.games.galactic_hegemony.phases.checks import MoraleRolled
from ledger.games.galactic_hegemony.phases.ending import GameLost, GameWon
from ledger.games.galactic_hegemony.phases.saboteurs import SaboteurLanded
from ledger.games.galactic_hegemony.phases.tracks import ExcessLost, TokenMoved
from ledger.games.galactic_hegemony.phases.unrest import InfrastructureLost
from ledger.games.galactic_hegemony.state.hexes import Adjacency
from ledger.kernel.accounts import Transferred
from ledger.kernel.audience import view
from ledger.kernel.bots import pending
from ledger.kernel.chance import Stream
from ledger.kernel.fold import fold
from ledger.kernel.records import CHANCE, Fact, tag_of
from ledger.kernel.terms import Terms
from replays.drawing.picture import scene_svg
from replays.drawing.text import scene_text
from tests.support.galactic_hegemony.positions import HOME, NAME, acting, colony, laid_out, through


def told(fact: Fact) -> str:
    return RULES.shown.story.by_tag[tag_of(fact)].told(view(fact, 0), Terms(ruleset(NAME)).silent)


# --- scene ----------------------------------------------------------------------------------------


def scene(**rest):
    sentence = acting(
        colony(1, 1, "CF"), colony(2, -1), explored=[3], ships=[HOME, HOME, (1, 4)],
        saboteurs={2: (1, 1)}, **rest,
    )  # fmt: skip
    return sentence.match, sentence.match.scene(0)


def test_the_map_is_drawn_with_what_lies_on_it():
    _, drawn = scene()
    assert len(drawn.cells) == 60
    kinds = {cell.id: cell.kind for cell in drawn.cells}
    shown = [kinds[f"h{place}"] for place in ("3,5", "1,1", "1,4", "1,7", "2,2")]
    assert shown == ["colony", "revolt", "planet", "unexplored", "space"]
    signs = {(piece.cell, piece.sign, piece.count) for piece in drawn.pieces}
    assert {
        ("h3,5", "Er", 1), ("h3,5", "s", 2), ("h1,4", "s", 1), ("h1,1", "x", 1), ("h1,7", "??", 1),
    } <= signs  # fmt: skip


@pytest.mark.parametrize("layout", ["even-rows-right", "odd-rows-right", "flat-top"])
def test_neighbours_on_the_map_are_neighbours_in_the_drawing(layout: str):
    _, drawn = scene(options={"hex-layout": layout})
    at = {cell.label: (cell.x, cell.y) for cell in drawn.cells}
    for place in ((1, 1), (3, 5), (4, 5), (6, 10)):
        x, y = at[f"{place[0]},{place[1]}"]
        around = {(x + u, y + v) for u, v in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))}
        found = {at[f"{row},{column}"] for row, column in Adjacency.neighbours(layout, place)}
        assert found == around & set(at.values())


def test_the_tracks_show_size_resources_turns_and_morale():
    _, drawn = scene()
    values = {track.id: (track.value, track.high) for track in drawn.tracks}
    assert values == {
        "size": (1, 12), "stock": (4, 26), "token": (9, 10), "m1": (1, 1), "m2": (-1, 1),
    }  # fmt: skip
    assert [card.name for card in drawn.cards] == [
        "Ert (1), morale 1, civil, factory", "Vesh (2), morale -1, in revolt",
    ]  # fmt: skip


def test_every_option_is_a_target_on_something_that_is_there():
    match, drawn = scene()
    there = {one.id for part in (drawn.cells, drawn.cards, drawn.counters) for one in part}
    assert {target.on for target in drawn.targets} <= there
    decided = [match.terms.rules.decision(target.decision) for target in drawn.targets]
    assert decided == match.options(0)
    assert match.scene(None).targets == ()


def test_a_scene_can_be_drawn_before_the_galaxy_is_laid_and_in_pictures():
    empty = laid_out({}).match.scene(0)
    assert (empty.pieces, empty.cards) == ((), ())
    _, drawn = scene()
    assert "Ers" not in scene_text(drawn)  # two spacecraft are counted
    assert "Er2s" in scene_text(drawn)
    assert scene_svg(drawn).count("<polygon") >= 60


def test_in_play_to_win_the_second_token_has_a_track_of_its_own():
    sentence = acting(colony(1), token=12)
    sentence.state.counts_up = True
    tracks = {track.id: track.value for track in sentence.match.scene(0).tracks}
    assert (tracks["token"], tracks["token2"]) == (10, 2)


# --- telling --------------------------------------------------------------------------------------


SENTENCES = [
    (Transferred("resources", "stockpile", "bank", 3, "ship.cost"), "For 3 resources:"),
    (Transferred("resources", "stockpile", "bank", 2, "revolt.enter-trim"),
     "2 resources beyond the new limit are lost."),
    (Transferred("resources", "bank", "stockpile", 5, "collect.planets"), "5 resources collected."),
    (PlanetExplored((3, 6), 9, 0),
     "The tile at (3,6) is Brask (9), which at morale 1 makes 3 resources."),
    (PlanetExplored((3, 6), 12, 0),
     "The tile at (3,6) is Akkem (12), which at morale 1 makes nothing."),
    (SaboteurLanded(2, (3, 5), 1), "Column 5: it lands at (3,5), on Ert!"),
    (SaboteurLanded(2, (3, 5), None), "Column 5: it lands at (3,5) and stirs nobody up."),
    (MoraleRolled(6, (1, 4), -3, -2),
     "Tarsh rolls 1 and 4, with -3 a total of 2: -2 for its morale."),
    (MoraleRolled(1, (4, 4), 2, 0), "Ert rolls 4 and 4, with +2 a total of 10: it holds."),
    (MoraleRolled(1, (6, 6), 0, 1),
     "Ert rolls 6 and 6, a total of 12: +1 for its morale, or a resource where it cannot rise."),
    (InfrastructureBuilt(1, "civil"), "civil infrastructure is built on Ert."),
    (InfrastructureBuilt(1, "factory"), "a factory is built on Ert."),
    (InfrastructureLost(1, "civil"), "Ert loses its civil infrastructure."),
    (InfrastructureLost(1, "shipyard"), "Ert loses its shipyard."),
    (AttackBegun((2, 2), 1, 2), "1 spacecraft attacks 2 saboteurs at (2,2)."),
    (ExcessLost(1, 4), "1 resource beyond the limit of 4 is lost."),
    (TokenMoved(9, counts_up=False), "The turn token is put on 9."),
    (TokenMoved(10, counts_up=False), "The turn token is put on 10."),
    (TokenMoved(11, counts_up=True), "The second turn token is put on 1."),
    (GameWon(9, 1),
     "All twelve planets are under control after 9 turns: the hegemony is complete!"),
    (GameLost("revolt"), "The game is lost: every colony is in revolt."),
]  # fmt: skip


@pytest.mark.parametrize(("fact", "sentence"), SENTENCES, ids=lambda one: str(one)[:40])
def test_a_fact_is_told_in_a_sentence(fact: Fact, sentence: str):
    assert told(fact) == sentence


def test_a_turn_is_told_as_a_report():
    sentence = acting(colony(1, 1, "CFS"), explored=[2], ships=[(1, 1)], stock=4)
    sentence.when(0, Colonise(2))
    assert " ".join(told(fact) for fact in sentence.facts) == "For 2 resources: Vesh is colonised."
    sentence.when(0, EndActions())
    assert " ".join(told(fact) for fact in sentence.facts).startswith(
        "Phase 5, Collect Resources. Ert makes 4. Vesh makes 2. 4 resources collected. "
        "2 resources beyond the limit of 6 are lost. Phase 6, Check End Game Conditions. "
        "The turn token is put on 8. Turn 3 begins."
    )


# --- bots -----------------------------------------------------------------------------------------


def test_a_sample_fits_what_the_seat_sees_all_through_a_match():
    sentence = laid_out()
    stream = Stream(b"sample")
    for _ in range(60):
        match = sentence.match
        if match.ended:
            break
        seen = match.view(0)
        state, agenda = sample(seen, stream, match.terms.silent), pending(seen, RULES.agenda)
        imagined = match.terms.match(seen["version"], state, agenda)
        assert imagined.view(0) == seen
        assert imagined.terms.snapshot(imagined) == match.terms.snapshot(match)
        options = match.options(0)
        if options:
            explores = [one for one in options if isinstance(one, Move)]
            sentence.when(0, stream.choose(explores or options))
        else:
            question = match.chance()
            wish = question.wish(match.state)
            sentence.when(CHANCE, wish.answer(b"k" * 32, 0, question.address(match.state)))


def test_a_sampled_question_is_the_one_in_force_once_it_has_been_bytes():
    match = acting(colony(1, -1), ships=[HOME], edition="e1").match
    state = sample(match.view(0), Stream(b"e1"), match.terms.silent)
    agenda = pending(match.view(0), RULES.agenda)
    agenda.append(Suppression((6,), (6,), 1))
    held = match.terms.snapshot(match.terms.match(1, state, agenda))
    assert type(match.terms.restore(held).agenda[-1]) is SuppressionTies


def after(match, decision) -> int:
    beside = match.terms.restore(match.terms.snapshot(match))
    fold(beside, 0, decision)
    return score(beside.state, 0)


def test_the_bot_would_rather_colonise_than_end_its_turn_and_rather_fight_than_leave_a_revolt():
    match = acting(colony(1), explored=[2], ships=[(1, 1)], stock=4).match
    assert after(match, Colonise(2)) > after(match, EndActions())
    match = acting(colony(1, -1), colony(2), ships=[HOME], stock=4).match
    assert after(match, Suppress(1)) > after(match, EndActions())
    match = acting(colony(1), ships=[(2, 2)], saboteurs={1: (2, 2)}).match
    assert after(match, Attack((2, 2), 1)) > after(match, EndActions())


def test_a_win_scores_above_all_and_a_loss_below():
    board = through(laid_out(), 1).state
    middle = score(board, 0)
    board.outcome = "won"
    assert score(board, 0) > middle
    board.outcome = "time"
    assert score(board, 0) < middle
