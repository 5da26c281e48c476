"""An introduction to the game for new players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PRIMER: Final[Mapping[str, str]] = {
    "What it is about": (
        "One player, alone against the galaxy. Twelve planets lie face down on a map of hexes. "
        "When all of them are explored, colonised and at peace, the game is won; when the turns "
        "are over before, or everything is in revolt, it is lost."
    ),
    "A turn": (
        "Saboteurs come down anywhere and stir planets up, what is in revolt loses what was "
        "built, and the morale of each planet is rolled for. Then one acts, in any order, as "
        "often as one can pay; when that is ended, the planets bring resources."
    ),
    "Actions": (
        "Move spacecraft, for 1 resource a hex; where they arrive, a planet is turned up. "
        "Colonise it for 2. Build civil infrastructure (better morale), a factory (more "
        "resources) or a shipyard (where spacecraft are built) for 2 each, a spacecraft for 3. "
        "Boost morale for 1, or put a revolt down by force for 1 an attack. All that takes a "
        "spacecraft in orbit. Attacking saboteurs costs nothing."
    ),
    "Morale": (
        "It goes from 1 down to −3. A planet brings resources at 1 and is in revolt below 0, "
        "which pulls its neighbours down too. Spacecraft in orbit and civil infrastructure help."
    ),
}
