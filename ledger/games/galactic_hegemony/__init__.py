"""Galactic Hegemony: one player colonises a galaxy of twelve planets before the turns run out.

setup.py    Setup
phases/     the turn, phase by phase; tracking cards in detail; revolt
actions/    phase 4: what the player may do, and combat
state/      the table, the planet cards and tables, the map
shown/      scene, story, words
content/, readings.toml, errata.py    figures, variants, corrections
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.galactic_hegemony.actions.choosing import Notes
from ledger.games.galactic_hegemony.phases.ending import result_of
from ledger.games.galactic_hegemony.shown.primer import PRIMER
from ledger.games.galactic_hegemony.shown.scene import scene_of
from ledger.games.galactic_hegemony.shown.story import STORY
from ledger.games.galactic_hegemony.shown.wording import forms_of, wording_of
from ledger.games.galactic_hegemony.state.board import TILES, Board, empty_table
from ledger.games.galactic_hegemony.state.components import TABLES, fitting
from ledger.games.packaging import chapters_of, content_of, readings_of, source_of
from ledger.kernel.ruleset import AuditRules, Bot, Ruleset, Shown

from .bots import sample, score
from .errata import ERRATA
from .setup import Setup


def conserved(board: Board) -> Mapping[str, int]:
    """Counts everything that never changes: twelve planets, four saboteurs, balanced books."""
    known = {tile.planet for tile in board.tiles if tile.planet is not None}
    if board.home:
        known.add(board.home)
    return {
        "planets": board.face_down.size() + len(known),
        "saboteurs": len(board.saboteurs),
        "resources out of balance": sum(board.accounts.out_of_balance().values()),
    }


CHAPTERS = """
    setup phases.tracks actions.combat phases.revolt phases.turn phases.saboteurs
    phases.unrest phases.checks actions.choosing actions.spacecraft actions.fights
    actions.building phases.collecting phases.ending
"""  # in the order of the book

RULES = Ruleset.of_chapters(
    "galactic_hegemony",
    title="Galactic Hegemony",
    seats=range(1, 2),
    chapters=chapters_of(__name__, CHAPTERS),
    state=Board,
    setup=empty_table,
    first=Setup(),
    result=result_of,
    standing=(Notes(),),
    readings=readings_of(__name__),
    tables=TABLES,
    content=content_of(__name__, TABLES),
    fitting=fitting,
    errata=ERRATA,
    domains=("dice", f"deck.{TILES}"),
    source=source_of(__name__),
    shown=Shown(scene=scene_of, story=STORY, wording=wording_of, forms=forms_of, primer=PRIMER),
    bot=Bot(sample=sample, score=score),
    audit=AuditRules(conserved=conserved),
)
