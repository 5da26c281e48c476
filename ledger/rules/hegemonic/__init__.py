"""Hegemonic: two to six great houses expand, build, fight and plot over an alien galaxy.

components.py, fitting.py   the printed components as tables, and what cannot fit
state.py    the table: house.py a player's side, contest.py the conflict, deal.py a deal
geometry.py, reach.py   Range and distance      power.py   Power       tracks.py   Player boards
caps.py   CAPs     technologies.py   Technologies by name     placing.py   pieces come and go
setup.py    Setup: layout.py the boards, dealing.py and draft.py cards and tiles, homes.py homes
round.py    Game rounds, phase by phase (clock.py):
    collection.py   Collection
    expansion.py    Expansion: tiles.py tiles, piles.py cards, advancing.py advancing
    actions.py      Actions: resolving.py a turn (turn.py, acting.py what actions have in common):
        basic.py, discover.py, building.py, conflict.py, reactions.py
    arbitration.py  Arbitration     scoring.py  Scoring     ending.py  The end
leaders.py      Optional leaders
content/, readings.toml   figures and components, and what the book leaves open; options among them
"""

from __future__ import annotations

from ledger.kernel.ruleset import Ruleset
from ledger.rules.shelf import content_of, readings_of, source_of

from . import (
    actions,
    advancing,
    arbitration,
    basic,
    building,
    clock,
    collection,
    conflict,
    dealing,
    discover,
    draft,
    ending,
    expansion,
    homes,
    layout,
    leaders,
    piles,
    placing,
    reactions,
    resolving,
    round,  # noqa: A004 - a round of the game; nothing here rounds numbers
    scoring,
    setup,
    tiles,
    turn,
)
from .components import TABLES
from .counting import conserved
from .fitting import fitting
from .state import CARD_PILE, LEADER_PILE, TILE_BOX, TILE_STACK, Galaxy, empty_table

RULES = Ruleset.of_chapters(
    "hegemonic",
    title="Hegemonic",
    seats=range(2, 7),
    chapters=(
        setup,
        layout,
        dealing,
        draft,
        homes,
        placing,
        clock,
        round,
        collection,
        expansion,
        tiles,
        piles,
        advancing,
        turn,
        actions,
        resolving,
        basic,
        discover,
        building,
        conflict,
        reactions,
        arbitration,
        scoring,
        ending,
        leaders,
    ),
    state=Galaxy,
    setup=empty_table,
    first=setup.Setup(),
    result=ending.result_of,
    standing=(piles.DiscardAtAnyTime(), actions.ChangeCard()),
    readings=readings_of(__name__),
    tables=TABLES,
    content=content_of(__name__, TABLES),
    fitting=fitting,
    domains=("dice", *(f"deck.{pile}" for pile in (CARD_PILE, TILE_STACK, TILE_BOX, LEADER_PILE))),
    source=source_of(__name__),
    conserved=conserved,
)
