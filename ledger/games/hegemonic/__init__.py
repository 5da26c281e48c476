"""Hegemonic: two to six great houses expand, build, fight and plot over an alien galaxy.

    setup/      the boards, what is dealt and drafted, the homes
    rounds/     the game rounds, phase by phase, to the end
    actions/    action cards, turns, and what each action does
    conflicts/  movement, declaring, the five steps of a conflict, and what follows
    deals/      CAPs given away, and deals, at any time
    leaders/    optional leaders
    state/, map/    the table and its components; range, distance and placing
    shown/, bots/, recount/    how the game is shown, who plays it alone, totals counted again
    content/, readings.toml, errata.toml    figures, what the book leaves open, corrections

`setup/`, `rounds/` and `conflicts/` have their order of play in `sequence.py`.
"""

from __future__ import annotations

from functools import partial

from ledger.games.hegemonic.actions.choosing import ChangeCard
from ledger.games.hegemonic.actions.piles import DiscardAtAnyTime
from ledger.games.hegemonic.bots.ideas import ideas, promising, score
from ledger.games.hegemonic.bots.sample import sample
from ledger.games.hegemonic.deals.negotiation import Deals
from ledger.games.hegemonic.deals.templates import PACTS
from ledger.games.hegemonic.deals.transfers import Transfers
from ledger.games.hegemonic.leaders.activation import ActivateLeader
from ledger.games.hegemonic.recount.claims import RECOUNTS
from ledger.games.hegemonic.rounds.counting import count_conserved
from ledger.games.hegemonic.rounds.ending import result_of
from ledger.games.hegemonic.setup.sequence import Setup
from ledger.games.hegemonic.shown.forms import FORMS
from ledger.games.hegemonic.shown.hints import explain_option
from ledger.games.hegemonic.shown.names import name_seats
from ledger.games.hegemonic.shown.primer import PRIMER
from ledger.games.hegemonic.shown.scene.table import scene_of
from ledger.games.hegemonic.shown.story.chapters import STORY
from ledger.games.hegemonic.shown.story.deals import WORDS
from ledger.games.hegemonic.shown.struggle import struggle_of
from ledger.games.hegemonic.shown.wording import wording_of
from ledger.games.hegemonic.state.components import TABLES
from ledger.games.hegemonic.state.fitting import fitting
from ledger.games.hegemonic.state.galaxy import (
    CAPS,
    CARD_PILE,
    LEADER_PILE,
    TILE_BOX,
    TILE_STACK,
    Galaxy,
    empty_table,
)
from ledger.games.packaging import chapters_of, content_of, errata_of, readings_of, source_of
from ledger.kernel.ruleset import AuditRules, Bot, Ruleset, Shown
from ledger.parts.deals.shown.proposals import open_offers

CHAPTERS = """
    setup.sequence setup.boards setup.dealing setup.homes map.placing rounds.clock
    rounds.sequence map.tiles actions.piles actions.advancing actions.turn actions.choosing
    actions.resolving actions.basic actions.discover actions.research actions.items
    actions.building map.gates actions.relocating conflicts.sequence conflicts.moving
    conflicts.declaring conflicts.facts conflicts.starting_power conflicts.support
    conflicts.committing conflicts.outcome conflicts.takeover conflicts.cleanup
    conflicts.reactions conflicts.rescues conflicts.inactive rounds.arbitration
    rounds.scoring rounds.ending deals.transfers deals.negotiation
    ledger.parts.deals.answers leaders.activation leaders.minds leaders.builders
    leaders.turns leaders.power
"""  # in the order of the book

RULES = Ruleset.of_chapters(
    "hegemonic",
    title="Hegemonic",
    seats=range(2, 7),
    chapters=chapters_of(__name__, CHAPTERS),
    state=Galaxy,
    setup=empty_table,
    first=Setup(),
    result=result_of,
    standing=(
        Transfers(),
        Deals(),
        DiscardAtAnyTime(),
        ChangeCard(),
        ActivateLeader(),
    ),
    readings=readings_of(__name__),
    tables=TABLES,
    content=content_of(__name__, TABLES),
    fitting=fitting,
    domains=("dice", *(f"deck.{pile}" for pile in (CARD_PILE, TILE_STACK, TILE_BOX, LEADER_PILE))),
    source=source_of(__name__),
    errata=errata_of(__name__),
    shown=Shown(
        scene=scene_of,
        story=STORY,
        wording=wording_of,
        hints=explain_option,
        forms=FORMS.forms,
        offers=partial(open_offers, WORDS),
        struggle=struggle_of,
        primer=PRIMER,
        currencies={CAPS: "CAPs"},
        called=name_seats,
    ),
    bot=Bot(sample=sample, score=score, ideas=ideas, promising=promising),
    audit=AuditRules(recounts=RECOUNTS, conserved=count_conserved, pacts=PACTS),
)
