"""Tic-tac-toe: the smallest whole ruleset. Read this one first.

It plays the usual game, and variants that together use every idea of the kernel: a die decides who
begins (`begin.first=rolled`), both players write down their first cell at once (`opening=sealed`),
chips are staked (`begin.stake=2`) and can be given away at any time.

    state.py      the state, and its visibility
    begin.py      chapter 1   stakes, who begins            steps, transfers, chance
    opening.py    chapter 2   the sealed opening            sealed question, disclosure, chance
    play.py       chapter 3   turns                         question, decision, facts, refusals
    ending.py     chapter 4   the pot, the result           steps, result
    gifts.py      chapter 5   gifts at any time             standing question, accounts
    readings.toml, content/   the points that the book leaves open, and its components
    errata.py     corrections: a reading, a content overlay, a replaced class
    scene.py, story.py, wording.py, primer.py, bots.py   scene, story, buttons, primer, bots
"""

from __future__ import annotations

from collections.abc import Mapping

from ledger.games.packaging import content_of, readings_of, source_of
from ledger.kernel.ruleset import AuditRules, Bot, Ruleset, Shown

from . import begin, ending, gifts, opening, play
from .bots import sample, score
from .errata import ERRATA
from .primer import PRIMER
from .scene import scene_of
from .state import LINES, Board, empty_table, fitting
from .story import STORY
from .wording import forms_of, wording_of


def conserved(board: Board) -> Mapping[str, int]:
    """Counts everything that never changes: nine cells, marked or not, and chips that balance."""
    marked = sum(owner is not None for owner in board.cells)
    chips = sum(board.accounts.out_of_balance().values())
    return {"cells": marked + len(board.empty()), "chips out of balance": chips}


RULES = Ruleset.of_chapters(
    "tictactoe",
    title="Tic-tac-toe",
    seats=range(2, 3),
    chapters=(begin, opening, play, ending, gifts),
    state=Board,
    setup=empty_table,
    first=begin.Begin(),
    result=ending.result_of,
    standing=(gifts.Gifts(),),
    readings=readings_of(__name__),
    tables=(LINES,),
    content=content_of(__name__, (LINES,)),
    fitting=fitting,
    errata=ERRATA,
    domains=("dice",),
    source=source_of(__name__),
    shown=Shown(scene=scene_of, story=STORY, wording=wording_of, forms=forms_of, primer=PRIMER),
    bot=Bot(sample=sample, score=score),
    audit=AuditRules(conserved=conserved),
)
