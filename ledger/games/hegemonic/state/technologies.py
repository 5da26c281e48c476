"""Technologies: the 24 of them by name, and who has which of them advanced.

Each effect is in the code that it changes. docs/rules/hegemonic.md names the class under
`tech.NAME`.
"""

from __future__ import annotations

from typing import Final

from ledger.kernel.records import Seat

from .components import CARDS, TECHNOLOGIES, Technology
from .galaxy import Galaxy

PREDICTIVE_ALGORITHMS: Final = "predictive-algorithms"
MASS_TRANSLATION_RELAY: Final = "mass-translation-relay"
DYSON_SPHERE_ASSEMBLY: Final = "dyson-sphere-assembly"
NANO_FABRICANTS: Final = "nano-fabricants"
EFFICIENCY_PARADIGM: Final = "efficiency-paradigm"
POLYMORPHIC_MATTER: Final = "polymorphic-matter"
EMERGENT_ECONOMICS: Final = "emergent-economics"
QUANTUM_TUNNEL_LATTICE: Final = "quantum-tunnel-lattice"
SUBLIMINAL_TELEPATHY: Final = "subliminal-telepathy"
STEALTH_FIELD_EMITTER: Final = "stealth-field-emitter"
NANO_ACCELERANTS: Final = "nano-accelerants"
PSIONIC_ECOLOGY: Final = "psionic-ecology"
EMPATHY_TRANSMITTER: Final = "empathy-transmitter"
SENTIENT_PROPAGANDA: Final = "sentient-propaganda"
TRANSCENDENCY_ROUTINE: Final = "transcendency-routine"
POST_PHYSICAL_ARRAY: Final = "post-physical-array"
PHASED_TELEPORTATION: Final = "phased-teleportation"
SELF_REPLICATING_DRONES: Final = "self-replicating-drones"
SINGULARITY_FTL_DRIVE: Final = "singularity-ftl-drive"
HYPER_CANNON_BATTERIES: Final = "hyper-cannon-batteries"
BIO_ADAPTIVE_HULLS: Final = "bio-adaptive-hulls"
PSI_SUBVERSION_PROBES: Final = "psi-subversion-probes"
BRANE_MANIPULATION: Final = "brane-manipulation"
SYNERGIZED_LOGISTICS: Final = "synergized-logistics"


def technology_of(galaxy: Galaxy, card: str) -> Technology:
    return TECHNOLOGIES.of(galaxy)[CARDS.of(galaxy)[card].technology]


def holds(galaxy: Galaxy, seat: Seat, technology: str) -> bool:
    """`advance.effect`: an advanced technology acts from its placing until it leaves its slot.

    `general.card-beats-rule`: where it contradicts a rule, the card wins.
    """
    advanced = galaxy.houses[seat].advanced
    if not advanced:
        return False
    cards = CARDS.of(galaxy)
    for card in advanced:  # noqa: SIM110 - nothing is asked more often, and this is the faster way
        if cards[card].technology == technology:
            return True
    return False
