"""Everything that is offered can be clicked: on a thing of the scene, for every decision there is.

Matches of every kind are played, and positions where what no such match comes to is offered. What
no question lists, because it is not finite, stands in UNLISTED with the reason.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance, DrawAndFinish
from ledger.games.hegemonic.actions.building import StartBuild
from ledger.games.hegemonic.conflicts.declaring import Declare
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.deals.agreement import Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.leaders.activation import Activate
from ledger.games.hegemonic.setup.sequence import ChooseFirstArbiter
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Seat, tag_of
from ledger.kernel.scene import Scene
from tests.support.given import Given, given
from tests.support.hegemonic.conflicts import INVADE, RED, draws, fight, invasion
from tests.support.hegemonic.leading import led
from tests.support.hegemonic.positions import begun, falling, position, terms_of

pytestmark = pytest.mark.long

UNLISTED: Final = {
    "deal.propose": "terms are words and sums: a page has a form for it",
    "deal.state-outcome": "what is said of a deal is words: a page has a form for it",
    "chance.rolled": "chance decides, and clicks on nothing",
    "chance.drawn": "chance decides, and clicks on nothing",
    "chance.dealt": "chance decides, and clicks on nothing",
}
# Between them these come to everything; others are played if one day they do not.
FIRST: Final = (7, 8, 5, 2)
OTHERS: Final = range(10, 40)
EVENTS_MAX: Final = 1_500  # random players may take back what they do for ever
# What leads on to most: random players take one of these two times out of three.
EAGER: Final = (
    "turn.start-conflict", "conflict.declare", "conflict.move-unit", "conflict.commit-card",
    "turn.start-build", "build.place-complex", "build.place-embassy", "build.place-outpost",
    "build.place-fleet",
)  # fmt: skip
# What opens nothing.
IDLE: Final = ("turn.cancel-action", "conflict.skip", "build.finish", "turn.end")


# --- what is checked ------------------------------------------------------------------------------


def offered(match: Match, seat: Seat) -> list[Decision]:
    """All that a seat may decide and that is listed."""
    standing = [
        option
        for question in match.standing(seat)
        for option in question.options(match.state, seat)
    ]
    return [*match.options(seat), *standing]


def check_targets(match: Match, seat: Seat) -> None:
    """Each of them is a target on something that is there."""
    drawn = match.scene(seat)
    assert drawn is not None
    there = check_ids(drawn)
    assert {target.on for target in drawn.targets} <= there
    assert [RULES.decision(one.decision) for one in drawn.targets] == offered(match, seat)
    assert all(target.label.strip() for target in drawn.targets)


def check_ids(drawn: Scene) -> set[str]:
    """Ids are unique within their part of a scene."""
    parts: tuple[Any, ...] = (
        drawn.cells, drawn.pieces, drawn.links, drawn.cards, drawn.tracks, drawn.counters,
    )  # fmt: skip
    for part in parts:
        ids = [thing.id for thing in part]
        assert len(set(ids)) == len(ids), ids
    return {thing.id for part in parts for thing in part}


# --- matches of every kind ------------------------------------------------------------------------


def some_match(number: int, stream: Stream) -> Match:
    """Options and readings as they fall."""
    options: dict[str, Any] = {}
    values: dict[str, Any] = {}
    for name, reading in RULES.readings.items():
        if reading.range is None and name != "learning":
            chosen = stream.choose([reading.value, *reading.also])
            (options if reading.option else values)[name] = chosen
    return terms_of(options, {"readings": {"values": values}}).open_match(2 + number % 5)


def choice(options: list[Decision], stream: Stream) -> Decision:
    """A kind of decision, then one of that kind."""
    by_kind: dict[str, list[Decision]] = {}
    for option in options:
        by_kind.setdefault(tag_of(type(option)), []).append(option)
    eager = [kind for kind in by_kind if kind in EAGER]
    busy = [kind for kind in by_kind if kind not in IDLE]
    wanted = eager if eager and stream.below(3) else busy or [*by_kind]
    return stream.choose(by_kind[stream.choose(wanted)])


def played(number: int, seen: set[str]) -> None:
    """A match; its targets are checked where something new is offered, and now and then."""
    stream = Stream.named(bytes([number]), "clicked")
    match = some_match(number, stream)
    begin(match)
    for event in range(EVENTS_MAX):
        if match.ended:
            return
        if match.chance() is not None:
            question = match.chance()
            assert question is not None
            wish = question.wish(match.state)
            fold(match, CHANCE, wish.answer(stream.take(32), 0, question.address(match.state)))
            continue
        seat = stream.choose(match.asked())
        options = match.options(seat)
        kinds = {tag_of(type(option)) for option in options}
        if kinds - seen or event % 40 == 0:
            check_targets(match, seat)
            kinds |= {tag_of(type(option)) for option in offered(match, seat)}
        seen |= kinds
        fold(match, seat, choice(options, stream))


# --- positions ------------------------------------------------------------------------------------


def two_layouts() -> Given:
    layout = {"players": 2, "slots": ["S4", "S5", "S6"], "homes": ["S4d", "S6d"]}
    match = terms_of(overlay={"layouts": {"mine": layout}}).open_match(2)
    return given(match).when(0, ChooseFirstArbiter(0))


def nothing_drawn() -> Given:
    spot = position(2).hand(0, "I1a-1")
    return spot.hand(1, *list(spot.galaxy.cards.unseen)).doing(DrawAndFinish(0, "x")).given()


def no_base_is_left() -> Given:
    spot = position(4).home(0, "S1d").home(1, "S4d").caps(50)
    spot.tile("S3b", martial=3).tile("S4a", martial=3).tile("S4b", martial=3)
    spot.tile("S1a", "S1b", martial=1)
    spot.has(0, outposts={"S3b": 3, "S4a": 3, "S4b": 3, "S1d": 2, "S1a": 1})
    return spot.turn(0, "martialize").given().when(0, StartBuild())


def taken_over_short_of_bases() -> Given:
    spot = invasion().tile("S2a", "S2b", "S1b", industrial=3).tile("S1a", "S3b", industrial=2)
    spot.has(
        RED, complexes={"S2a": 3, "S2b": 3, "S1b": 3, "S1a": 2, "S3b": 2, "S2d": 1}
    )  # fmt: skip
    return draws(fight(spot, INVADE, "S5d"), RED, "S6a")


def a_stack_falls() -> Given:
    spot = position(2).tile("S2a", industrial=0, martial=2).tile("S2b", industrial=3)
    spot.tile("K2", martial=1).advanced(1, "M2c-1").has(0, complexes={"S2b": 3})
    spot.has(1, outposts={"S2a": 2}).caps(20, 20)
    sentence = spot.turn(0, "assault").given().when(0, StartConflict("assault.industrial-martial"))
    return sentence.when(0, Declare(1, "S2a", origin="S2b"))


def a_deal_is_offered() -> Given:
    sentence = begun(3)
    return sentence.when(0, Propose(parties=(0, 1), terms=Terms(text="peace")))


def the_pile_is_looked_at() -> Given:
    spot = led(position(2).at(2), {1: ("LD04", 3)}).doing(DiscardOrAdvance(0, "x", optional=True))
    return falling(spot.given().when(1, Activate(1)))


def an_action_is_interrupted() -> Given:
    spot = position(2, options={"opt.leaders": "chosen"}).home(0, "S1d").home(1, "S3d")
    spot.tile("S2a", faction="orange", political=1, industrial=2, martial=1)
    spot.has(0, complexes={"S2a": 1}, fleets=["S2a"]).has(1, complexes={"S2a": 1}).caps(9, 9)
    sentence = led(spot, {1: ("LD02", 3)}).turn(0, "martialize").given()
    return sentence.when(0, StartConflict("martialize.strike")).when(1, Activate(3))


POSITIONS: Final[tuple[Callable[[], Given], ...]] = (
    two_layouts, nothing_drawn, no_base_is_left, taken_over_short_of_bases, a_stack_falls,
    a_deal_is_offered, the_pile_is_looked_at, an_action_is_interrupted,
)  # fmt: skip


def test_every_decision_that_there_is_can_be_clicked_where_it_is_offered():
    seen: set[str] = set()
    for made in POSITIONS:
        match = made().match
        for seat in range(len(match.state.houses)):
            check_targets(match, seat)
            seen |= {tag_of(type(option)) for option in offered(match, seat)}
    listed = {tag_of(decision) for decision in RULES.decisions} - set(UNLISTED)
    for number in (*FIRST, *OTHERS):
        if number in FIRST or seen != listed:
            played(number, seen)
    assert seen == listed


# --- where they are -------------------------------------------------------------------------------


def targets_of(sentence: Given, seat: Seat = 0) -> set[tuple[str, str]]:
    drawn = sentence.match.scene(seat)
    assert drawn is not None
    return {(target.decision["type"], target.on) for target in drawn.targets}


def test_a_click_is_near_what_it_is_about():
    spot = position().home(0, "S1d").home(1, "S4d").tile("S2a", "S2b", industrial=3)
    spot.has(0, complexes={"S1d": 1, "S2b": 2}, embassies=["S1d"], outposts={"S1d": 1})
    spot.caps(9, 4).advanced(0, "I2b-1").turn(0, "industrialize")
    targets = targets_of(spot.given().when(0, StartBuild()))
    assert ("build.place-complex", "S2a") in targets
    assert ("build.place-gate", "S2a") in targets
    assert ("caps.transfer", "s1-caps") in targets
    assert ("tech.discard-advanced", "I2b-1") in targets


def test_an_offer_is_answered_on_its_card():
    sentence = a_deal_is_offered()
    (deal,) = sentence.state.deals
    assert {("deal.accept", f"deal-{deal.id}"), ("deal.reject", f"deal-{deal.id}")} <= targets_of(
        sentence, 1
    )
    assert ("deal.withdraw", f"deal-{deal.id}") in targets_of(sentence, 0)


def test_while_players_lay_boards_the_places_beside_them_can_be_clicked():
    sentence = falling(begun(3, options={"layout": "free"}))
    drawn = sentence.match.scene(sentence.match.asked()[0])
    assert drawn is not None
    places = {cell.id: (cell.x, cell.y) for cell in drawn.cells if cell.kind == "space"}
    laid = [one for one in drawn.targets if one.decision["type"] == "setup.place-board"]
    on_places = [one for one in laid if one.on in places]
    assert {one.on for one in on_places} == set(places)
    assert all(places[one.on] == (one.decision["q"], one.decision["r"]) for one in on_places)


def test_a_spectator_has_nothing_to_click():
    drawn = a_deal_is_offered().match.scene(None)
    assert drawn is not None
    assert drawn.targets == ()
