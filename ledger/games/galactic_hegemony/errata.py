"""The published corrections of this game."""

from __future__ import annotations

from ledger.games.galactic_hegemony.actions.fights import Suppression
from ledger.kernel.ruleset import Erratum


class SuppressionTies(Suppression, tag="Suppression"):
    """`combat.tie-loses` under erratum e1: in military action equal dice win for the spacecraft."""

    def beats(self, mine: int, theirs: int) -> bool:
        return mine >= theirs


ERRATA = (
    Erratum(
        id="e1",
        date="2026-02-01",
        source="house: military ties",
        text="In military action equal dice win for the spacecraft.",
        replaces={Suppression: SuppressionTies},
    ),
    Erratum(
        id="e2",
        date="2026-03-01",
        source="house: order of losses",
        text="A planet in revolt loses its factory first, then its shipyard, then its civil.",
        content={"infrastructure": {"factory": {"lost": 1}, "shipyard": {"lost": 2}}},
    ),
    Erratum(
        id="e3",
        date="2026-04-01",
        source="house: a misprint on the track",
        text="The limit at hegemony size 5 is 11, not 12.",
        content={"limits": {"5": {"limit": 11}}},
    ),
    Erratum(
        id="e4",
        date="2026-05-01",
        source="house: the morale roll table",
        text="A morale total of 10 raises morale by 1, too.",
        content={"morale": {"zero": {"most": 9}}},
    ),
)
