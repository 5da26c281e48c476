"""Options against what is allowed: every decision that can be put together is tried.

What a question allows it offers, and what it offers it allows. The words of a decision are the
sectors, cards, colours and names that there are, and some that there are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from ledger.games.hegemonic.actions.advancing import DiscardOrAdvance
from ledger.games.hegemonic.actions.building import StartBuild
from ledger.games.hegemonic.actions.piles import DrawTechnology
from ledger.games.hegemonic.actions.relocating import BRANE, EMPTY_SUPPLY, TRANSCENDENCY
from ledger.games.hegemonic.conflicts.moving import MoveUnit
from ledger.games.hegemonic.conflicts.sequence import StartConflict
from ledger.games.hegemonic.map.tiles import ChooseTileAndHex
from ledger.games.hegemonic.state.components import TYPES
from ledger.kernel.match import Match
from ledger.kernel.records import Decision, Seat
from ledger.kernel.refusals import Refused
from tests.support.hegemonic.positions import Position, begun, first, position

NOTHING = ("", "none such")
NUMBERS = (-1, 0, 1, 2, 3)
RICH = 30


def words(match: Match, seat: Seat, name: str) -> Sequence[str]:
    """Returns the values that a field of this name may have."""
    galaxy = match.state
    house = galaxy.houses[seat]
    named: dict[str, Sequence[str]] = {
        "base": (*TYPES, "complex", "gate"),
        "basis": (EMPTY_SUPPLY, TRANSCENDENCY, BRANE),
        "tile": (*galaxy.pool, *house.tiles, "T01", "home"),
        "card": (*house.hand, *house.advanced, "I1a-1", "assault", "discover"),
        "source": ("deck", "discard", "advanced"),
        "pile": ("all", *TYPES),
        "unit": ("agent", "fleet", "gate"),
        "pattern": tuple(match.terms.tables["patterns"]),
        "color": tuple(match.terms.tables["colors"]),
    }
    return tuple(dict.fromkeys((*named.get(name, tuple(galaxy.sectors)), *NOTHING)))


def constructible(match: Match, seat: Seat, kind: type[Decision]) -> Iterator[Decision]:
    """Every decision of a kind, each field with each of its words or numbers."""
    cells: list[Sequence[Any]] = []
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        if get_origin(hint) is tuple:
            name = "card" if field.name == "discards" else field.name
            said = NUMBERS if int in get_args(hint) else words(match, seat, name)
            cells.append(((), *((word,) for word in said)))
        elif hint is str:
            cells.append(words(match, seat, field.name))
        elif hint is bool:
            cells.append((False, True))
        else:
            cells.append(NUMBERS)
    return (kind(*values) for values in product(*cells))


def allowed(match: Match, seat: Seat) -> set[Decision]:
    """All that the question on top allows a seat."""
    question = match.question
    assert question is not None
    found: set[Decision] = set()
    for kind in question.answers:
        for decision in constructible(match, seat, kind):
            try:
                if question.allows(match.state, seat, decision):
                    found.add(decision)
            except Refused:
                continue
    return found


def offered(match: Match, seat: Seat) -> set[Decision]:
    """All that it offers; of fleets, one step: longer ways are offered by one path each."""
    options = match.options(seat)
    assert len(set(options)) == len(options)
    return {one for one in options if not isinstance(one, MoveUnit) or len(one.path) == 1}


def crowd(card: str, caps: int = RICH, *advanced: str) -> Position:
    """Two players on half a map; the first has much of everything, and all its embassies."""
    spot = position(2).home(0, "S1d").home(1, "S3d")
    spot.tile("S2a", "S2b", industrial=1, martial=1).tile("S1a", industrial=3)
    spot.tile("S3a", "K3", martial=2).tile("K1", political=3)
    for sector in ("S1b", "S1c", "S1e", "S2c", "S2d", "S2e", "S3b", "S3c"):
        spot.tile(sector, political=1)
    spot.has(0, complexes={"S1d": 1, "S1a": 1, "S2a": 1}, outposts={"S1d": 1, "S3a": 2})
    spot.has(0, embassies=["S1d", "S1b", "S1c", "S1e", "S2c", "S2d", "S2e", "S3b", "S3c"])
    spot.has(0, agents=["S2c"], fleets=["S3a", "S2b"], gates=[("S1a", "S2b")])
    spot.has(1, complexes={"S3d": 1, "S1a": 1}, embassies=["S3d"], outposts={"S3d": 1, "K3": 1})
    spot.has(1, agents=["S1b", "K1"], fleets=["S3a"])
    return spot.advanced(0, *advanced).caps(caps, caps).turn(0, card)


BUILDS = [
    ("industrialize", RICH, ()), ("industrialize", 3, ("I2b-1",)),
    ("industrialize", RICH, ("I3c-1", "I1b-1")), ("politicize", RICH, ()),
    ("politicize", 3, ("P3b-1",)), ("politicize", RICH, ("P3b-1", "P3a-1")),
    ("martialize", RICH, ()), ("martialize", 2, ("M1b-1", "M3b-1")),
    ("martialize", RICH, ("M3b-1", "M3a-1")),
]  # fmt: skip


@pytest.mark.rule("build.range", "build.location", "build.relocate", "gate.distance", "build.agent")
@pytest.mark.parametrize(("card", "caps", "advanced"), BUILDS)
def test_a_build_offers_all_that_it_allows_and_nothing_else(card: str, caps: int, advanced):
    match = crowd(card, caps, *advanced).given().when(0, StartBuild()).match
    assert offered(match, 0) == allowed(match, 0)
    assert len(match.options(0)) > 1


PATTERNS = [
    ("assault", "assault.sabotage-martial", 2), ("assault", "assault.raze-political", RICH),
    ("subvert", "subvert.annex-industrial", RICH), ("politicize", "politicize.infiltrate", RICH),
    ("martialize", "martialize.strike", 1),
]  # fmt: skip


@pytest.mark.rule("move.agent", "move.fleet", "target.range", "cost.when")
@pytest.mark.parametrize(("card", "pattern", "caps"), PATTERNS)
def test_a_conflict_action_offers_all_that_it_allows(card: str, pattern: str, caps: int):
    match = crowd(card, caps, "P3a-1", "M3a-1").given().when(0, StartConflict(pattern)).match
    assert offered(match, 0) == allowed(match, 0)
    assert any(isinstance(one, MoveUnit) for one in match.options(0))


@pytest.mark.rule("action.two", "pattern.one-per-action", "basic.where")
@pytest.mark.parametrize(
    "card", ["assault", "industrialize", "politicize", "martialize", "subvert", "discover"]
)
def test_a_turn_offers_all_the_actions_that_it_allows(card: str):
    for caps in (0, RICH):
        match = crowd(card, caps).given().match
        assert offered(match, 0) == allowed(match, 0)


@pytest.mark.rule("expansion.place", "draw.sources", "expansion.finish", "advance.swap")
def test_an_expansion_offers_all_that_it_allows():
    def spot() -> Position:
        held = position(3).advanced(0, "I1a-1").hand(0, "I2a-1", "I1a-2", "P1a-1", "M3c-1")
        held.home(0, "S1d").has(0, complexes={"S1d": 1}).discarded("M1a-1").caps(4)
        held.galaxy.pool += ["T02", "T03"]
        return held

    after = DiscardOrAdvance(1, "y", optional=True)
    for doing in (
        ChooseTileAndHex(0, "x"),
        DrawTechnology(0, "x"),
        DrawTechnology(0, "x", research=True),
        DiscardOrAdvance(0, "x"),
        DiscardOrAdvance(0, "x", optional=True),
    ):
        match = spot().doing(doing, after).given().match
        assert offered(match, 0) == allowed(match, 0)
        assert len(match.options(0)) > 1


@pytest.mark.rule("setup.home-placement", "setup.first-tile", "setup.layout-free")
@pytest.mark.parametrize("layout", ["suggested", "free"])
def test_the_setup_offers_all_that_it_allows(layout: str):
    sentence, asked = begun(3, options={"layout": layout}), set()
    while sentence.state.round < 1:
        match = sentence.match
        seat, key = match.asked()[0], match.key(match.asked()[0])
        if "/board/" in key:
            near = {one for one in offered(match, seat) if _near(one)}
            assert near == allowed(match, seat)
        else:
            assert offered(match, seat) == allowed(match, seat), key
        asked.add(key.split("/")[1])
        first(sentence, seat)
    assert asked >= {"home", "tile"} | ({"board", "color"} if layout == "free" else set())


def _near(decision: Decision) -> bool:
    return all(cell in NUMBERS for cell in msgspec.structs.astuple(decision))
