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
        basic.py, discover.py, research.py
        building.py, items.py, prices.py, locations.py, gates.py, relocating.py   BUILD
        conflict.py: moving.py, declaring.py, and the five steps (contest_facts.py, inactive.py)
            starting_power.py, support.py, committing.py, cleanup.py
            outcome.py: losses.py, takeover.py, reactions.py, rescues.py
    arbitration.py  Arbitration     scoring.py  Scoring     ending.py  The end
transfers.py, offers.py, deals.py   CAPs given away, deals: at any time
    promises.py     what the promises of a deal come to
leaders.py      Optional leaders: leader_ability.py an ability, leader_cards.py who has which,
    leader_minds.py, leader_deck.py, leader_builders.py, leader_turns.py, leader_power.py
    interrupts.py   an action that a leader has interrupted
recounting.py, recounting_map.py   power, prices and points counted again, for audits
errata.py   published corrections
scene.py (scene_*.py), telling.py (telling_*.py, sentences.py), words.py   how it is shown and told
wording.py, explaining.py, composing.py   what pages offer: words for decisions, notes, forms
struggle.py, proposals.py, primer.py   the conflict, offers that stand open, how the game goes
bots.py: sampling.py, weighing.py, foresight.py   who plays it alone
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
    cleanup,
    clock,
    collection,
    committing,
    conflict,
    contest_facts,
    dealing,
    deals,
    declaring,
    discover,
    draft,
    ending,
    expansion,
    gates,
    homes,
    inactive,
    interrupts,
    items,
    layout,
    leader_ability,
    leader_builders,
    leader_deck,
    leader_minds,
    leader_power,
    leader_turns,
    leaders,
    losses,
    moving,
    offers,
    outcome,
    piles,
    placing,
    reactions,
    relocating,
    rescues,
    research,
    resolving,
    round,  # noqa: A004 - a round of the game; nothing here rounds numbers
    scoring,
    setup,
    starting_power,
    support,
    takeover,
    tiles,
    transfers,
    turn,
)
from .bots import ideas, promising, score
from .components import TABLES
from .composing import forms_of
from .counting import conserved
from .errata import ERRATA
from .explaining import explained
from .fitting import fitting
from .primer import PRIMER
from .promises import PACTS
from .proposals import offers_of
from .recounting import RECOUNTS
from .retelling import RETELLING
from .sampling import sample
from .scene import scene_of
from .state import CAPS, CARD_PILE, LEADER_PILE, TILE_BOX, TILE_STACK, Galaxy, empty_table
from .struggle import struggle_of
from .telling import TELLING
from .wording import wording_of
from .words import called

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
        research,
        items,
        building,
        gates,
        relocating,
        conflict,
        moving,
        declaring,
        contest_facts,
        starting_power,
        support,
        committing,
        outcome,
        losses,
        takeover,
        cleanup,
        reactions,
        rescues,
        inactive,
        arbitration,
        scoring,
        ending,
        transfers,
        offers,
        deals,
        leader_ability,
        leaders,
        interrupts,
        leader_minds,
        leader_deck,
        leader_builders,
        leader_turns,
        leader_power,
    ),
    state=Galaxy,
    setup=empty_table,
    first=setup.Setup(),
    result=ending.result_of,
    standing=(
        transfers.Transfers(),
        deals.Deals(),
        piles.DiscardAtAnyTime(),
        actions.ChangeCard(),
        leaders.ActivateLeader(),
    ),
    readings=readings_of(__name__),
    tables=TABLES,
    content=content_of(__name__, TABLES),
    fitting=fitting,
    domains=("dice", *(f"deck.{pile}" for pile in (CARD_PILE, TILE_STACK, TILE_BOX, LEADER_PILE))),
    source=source_of(__name__),
    conserved=conserved,
    errata=ERRATA,
    scene=scene_of,
    telling=TELLING,
    retelling=RETELLING,
    recounts=RECOUNTS,
    pacts=PACTS,
    wording=wording_of,
    explaining=explained,
    offers=offers_of,
    primer=PRIMER,
    forms=forms_of,
    struggle=struggle_of,
    currencies={CAPS: "CAPs"},
    called=called,
    sample=sample,
    score=score,
    ideas=ideas,
    promising=promising,
)
