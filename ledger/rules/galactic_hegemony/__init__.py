"""Galactic Hegemony: one player colonises a galaxy of twelve planets before the turns run out.

components.py  the planet cards and tables           state.py   what lies on the table
setup.py       Setup                                 hexes.py   the map
tracks.py      Tracking cards in detail              combat.py  Combat        revolt.py  Revolt
turn.py        Turns and phases: the sequence of play, phase by phase:
    saboteurs.py  Move saboteurs       unrest.py      Revolt actions      checks.py  Morale checks
    actions.py    Player actions: orders.py (what they have in common), spacecraft.py,
                  fights.py, building.py
    collecting.py Collect resources    ending.py      Check end game conditions
content/, readings.toml   figures, and what the book leaves open; the variants among them
errata.py      corrections: a replaced class, and three of content
scene.py, telling.py, primer.py, bots.py   how it looks, what is said of it, who plays it
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.kernel.ruleset import Ruleset
from ledger.rules.shelf import content_of, readings_of, source_of

from . import (
    actions,
    building,
    checks,
    collecting,
    combat,
    ending,
    fights,
    revolt,
    saboteurs,
    setup,
    spacecraft,
    tracks,
    turn,
    unrest,
)
from .bots import sample, score
from .components import TABLES, fitting
from .errata import ERRATA
from .primer import PRIMER
from .retelling import RETELLING
from .scene import scene_of
from .state import TILES, Board, empty_table
from .telling import TELLING
from .wording import forms_of, wording_of


def conserved(board: Board) -> Mapping[str, int]:
    """What never changes: twelve planets, face down or known; four saboteurs; balanced books."""
    known = {tile.planet for tile in board.tiles if tile.planet is not None}
    if board.home:
        known.add(board.home)
    return {
        "planets": board.face_down.size() + len(known),
        "saboteurs": len(board.saboteurs),
        "resources out of balance": sum(board.accounts.out_of_balance().values()),
    }


RULES = Ruleset.of_chapters(
    "galactic_hegemony",
    title="Galactic Hegemony",
    seats=range(1, 2),
    chapters=(
        setup,
        tracks,
        combat,
        revolt,
        turn,
        saboteurs,
        unrest,
        checks,
        actions,
        spacecraft,
        fights,
        building,
        collecting,
        ending,
    ),
    state=Board,
    setup=empty_table,
    first=setup.Setup(),
    result=ending.result_of,
    standing=(actions.Notes(),),
    readings=readings_of(__name__),
    tables=TABLES,
    content=content_of(__name__, TABLES),
    fitting=fitting,
    errata=ERRATA,
    domains=("dice", f"deck.{TILES}"),
    source=source_of(__name__),
    scene=scene_of,
    telling=TELLING,
    retelling=RETELLING,
    wording=wording_of,
    primer=PRIMER,
    forms=forms_of,
    sample=sample,
    score=score,
    conserved=conserved,
)
