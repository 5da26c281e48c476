"""An introduction for new players: the aim of the game, and the course of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PRIMER: Final[Mapping[str, str]] = {
    "What it is about": (
        "Two to six houses share a galaxy of hexes. Each has three kinds of power: industrial "
        "(complexes and gates), political (embassies and agents) and martial (outposts and "
        "fleets). At the end of every round, each board of the map gives points separately: 6 "
        "for the house with most power there, 3 for the second, 1 for any other with a base, "
        "and 2 more for a house that is alone. The match ends when the map or the stack of tiles "
        "is used up. Most points win."
    ),
    "Money": (
        "CAPs pay for everything. The more bases of a kind stand on the map, the higher its "
        "income, and the fewer CAPs you may keep at the end of a round: so spend them. You can "
        "also give CAPs to other players, which is how most deals are paid."
    ),
    "A round": (
        "Collect income. Place a tile from the pool to make the map larger, draw a technology,"
        " and discard one or pay to advance one. Then three times: all choose an action card in "
        "secret, reveal them together, and carry them out by their numbers, lowest first, with "
        "up to two actions each. Then the house with most CAPs names the arbiter of the next "
        "round, all lose the CAPs that they may not keep, and every board is scored."
    ),
    "Action cards": (
        "Industrialize, Politicize and Martialize build a kind, or take over bases of the same "
        "kind. Assault destroys other kinds, early; Subvert takes them over, later. Discover "
        "collects, explores or changes cards. All but Discover also bring 2 CAPs or a card."
    ),
    "Conflicts": (
        "Both sides count their power in range. Then players outside the conflict may lend "
        "support with their embassies, and both sides commit a technology card in secret, for the"
        " value in their kind of power. The higher sum wins."
    ),
    "Deals": (
        "Players may offer each other anything at any time. CAPs that go with a deal move when "
        "all have agreed; promises bind nobody, and the record shows who kept theirs."
    ),
}
