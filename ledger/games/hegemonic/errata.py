"""The published corrections of this game: changed readings and changed figures.

An edition applies all corrections up to its own, in this order.
"""

from __future__ import annotations

from ledger.kernel.ruleset import Erratum

ERRATA = (
    Erratum(
        id="err.01",
        date="2026-01-01",
        source="house: step4.draw-defenders",
        text="A draw destroys attacking units only: defending units stay.",
        content={"fates": {"draw.defending-units": {"fate": "survive"}}},
    ),
    Erratum(
        id="err.02",
        date="2026-02-01",
        source="house: score.tie-first",
        text="Players tied for first on a board get 4 points each.",
        content={"figures": {"score.tie-first": {"value": 4}}},
    ),
    Erratum(
        id="err.03",
        date="2026-03-01",
        source="house: step2.value",
        text="Support counts the power of the embassies' locations, not their number.",
        readings={"support.value": "location-power"},
    ),
    Erratum(
        id="err.04",
        date="2026-04-01",
        source="house: card.martialize, card.subvert, card.discover",
        text="Martialize resolves at 3, Subvert at 4, Discover at 5.",
        content={
            "orders": {
                "martialize": {"number": 3},
                "subvert": {"number": 4},
                "discover": {"number": 5},
            }
        },
    ),
    Erratum(
        id="err.05",
        date="2026-05-01",
        source="house: cost.takeover",
        text="A takeover costs 3 CAPs a point of the targeted bases' power.",
        content={"figures": {"cost.takeover": {"value": 3}}},
    ),
    Erratum(
        id="err.06",
        date="2026-06-01",
        source="house: move.agent-cost",
        text="An agent pays 1 CAP a border that it crosses.",
        content={"figures": {"move.agent-border": {"value": 1}}},
    ),
    Erratum(
        id="err.07",
        date="2026-07-01",
        source="house: score.core",
        text="On the core board only who controls it gets the bonus.",
        readings={"score.core-who": "controller"},
    ),
    Erratum(
        id="err.08",
        date="2026-08-01",
        source="house: score.home-embassy",
        text="Home embassies count nothing in scoring.",
        content={"figures": {"score.home-embassy": {"value": 0}}},
    ),
)
