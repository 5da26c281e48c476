"""Leaks planted in Hegemonic, each as an erratum: a checker that lets one pass is broken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.actions.choosing import CardCommitted, ChooseActions, CommitCard
from ledger.games.hegemonic.actions.piles import CardDrawn
from ledger.games.hegemonic.conflicts.committing import CommitTechnologies, CommitTechnology
from ledger.games.hegemonic.deals.negotiation import DealProposed
from ledger.games.hegemonic.setup.dealing import HandDealt, TilesDealt
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.records import Record, Seat
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Erratum
from ledger.kernel.terms import Terms
from tests.support.laws.play import Party


def weight(text: str) -> int:
    """A number that tells a text from most others."""
    return sum(text.encode())


class CommittedSeen(CardCommitted, tag="action.committed"):
    """`leak.state`: the card that lies face down is noted where everybody looks."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        galaxy.counts[f"card/s{self.seat}"] = weight(self.card)


class ChooseKnowing(ChooseActions, tag="ChooseActions"):
    """`leak.options`: what another has chosen stands last."""

    def options(self, galaxy: Galaxy, seat: Seat) -> list[CommitCard]:
        found = list(super().options(galaxy, seat))
        chosen = {other.chosen for other in galaxy.others(seat)}
        return sorted(found, key=lambda one: one.card in chosen)


class CommitKnowing(CommitTechnologies, tag="CommitTechnologies"):
    """`leak.evidence`: the refusal of a wrong card tells of the other side's."""

    def allows(self, galaxy: Galaxy, seat: Seat, decision: CommitTechnology) -> bool:
        try:
            return super().allows(galaxy, seat, decision)
        except Refused as refusal:
            others = sum(weight(other.committed) for other in galaxy.others(seat))
            evidence = {**refusal.evidence, "others": others}
            raise Refused(refusal.code, refusal.rule, refusal.message, evidence) from None


class HandSeenByAll(HandDealt, tag="setup.hand-dealt"):
    """`leak.hand`: how good a dealt hand is can be seen."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        galaxy.counts[f"hand/s{self.seat}"] = sum(map(weight, self.cards))


class TilesSeenByAll(TilesDealt, tag="setup.tiles-dealt"):
    """`leak.tiles`: what a player was dealt lies in the pool for a moment."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        galaxy.counts[f"tiles/s{self.seat}"] = sum(map(weight, self.tiles))


class DrawSeenByAll(CardDrawn, tag="tech.drawn"):
    """`leak.draw`: a card that is drawn can be told from others."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        galaxy.counts[f"drawn/s{self.seat}"] = weight(self.card)


class DealOverheard(DealProposed, tag="deal.proposed"):
    """`leak.deal`: how much was said in private can be heard."""

    def apply(self, galaxy: Galaxy) -> None:
        super().apply(galaxy)
        said = "" if self.private is None else self.private.text
        galaxy.counts[f"said/s{self.seat}"] = weight(said)


PLANTED: Mapping[str, Mapping[type[Record], type[Record]]] = {
    "leak.state": {CardCommitted: CommittedSeen},
    "leak.options": {ChooseActions: ChooseKnowing},
    "leak.evidence": {CommitTechnologies: CommitKnowing},
    "leak.hand": {HandDealt: HandSeenByAll},
    "leak.tiles": {TilesDealt: TilesSeenByAll},
    "leak.draw": {CardDrawn: DrawSeenByAll},
    "leak.deal": {DealProposed: DealOverheard},
}


def leaky(leak: str, seats: int) -> Party:
    """Hegemonic with this leak."""
    erratum = Erratum(
        id=leak, date="2027-01-01", source="", text="A planted leak.", replaces=PLANTED[leak]
    )
    return Party(Terms(replace(RULES, errata=(erratum,)), leak), seats)
