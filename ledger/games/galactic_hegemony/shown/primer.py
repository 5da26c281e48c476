"""An introduction to the game for new players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PRIMER: Final[Mapping[str, str]] = {
    "What it is about": (
        "One player, alone against the galaxy. Twelve planets lie face down on a map of hexes. "
        "You win when all of them are explored, colonised and at peace. You lose when the turns "
        "run out first, or when every colony is in revolt."
    ),
    "A turn": (
        "Saboteurs land anywhere and stir planets up. Planets in revolt lose buildings. You roll "
        "for the morale of each planet. Then you take actions, in any order, as long as you can "
        "pay for them. At the end of the turn, the planets produce resources."
    ),
    "Actions": (
        "Move spacecraft, for 1 resource a hex; they reveal the planet where they arrive. "
        "Colonise it for 2. Build civil infrastructure (better morale), a factory (more "
        "resources) or a shipyard (where spacecraft are built) for 2 each, a spacecraft for 3. "
        "Boost morale for 1, or put a revolt down by force for 1 an attack. All of these need a "
        "spacecraft in orbit. Attacking saboteurs costs nothing."
    ),
    "Morale": (
        "Morale goes from 1 down to −3. A planet produces at 1 and is in revolt below 0, "
        "which pulls its neighbours down too. Spacecraft in orbit and civil infrastructure help."
    ),
}
