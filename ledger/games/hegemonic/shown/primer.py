"""An introduction for new players: the aim of the game, and the course of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PRIMER: Final[Mapping[str, str]] = {
    "What it is about": (
        "Two to six houses share a galaxy of hexes. Each has three kinds of power: industrial "
        "(complexes and gates), political (embassies and agents) and martial (outposts and "
        "fleets). Points come at the end of every round, on each board of the map by itself: 6 "
        "for the house with most power there, 3 for the second, 1 for whoever else has a base, "
        "and 2 more for who is there alone. The match is over when the map or the stack of tiles "
        "is used up. Most points win."
    ),
    "Money": (
        "CAPs pay for everything. The more bases of a kind stand on the map, the higher its "
        "income, and the fewer CAPs may be kept over the end of a round: so spend them. They can "
        "be given to others, and most of what players agree on is paid with them."
    ),
    "A round": (
        "Collect income. Place a tile of the pool, which makes the map larger, draw a technology,"
        " and discard one or pay to advance one. Then three times: all choose an action card in "
        "secret, turn them up together, and carry them out by their numbers, lowest first, with "
        "up to two actions each. At last the house with most CAPs names the arbiter of the next "
        "round, all are cut to what they may keep, and every board is scored."
    ),
    "Action cards": (
        "Industrialize, Politicize and Martialize build a kind, or take over bases of the same "
        "kind. Assault destroys other kinds, early; Subvert takes them over, later. Discover "
        "collects, explores or changes cards. All but Discover also bring 2 CAPs or a card."
    ),
    "Conflicts": (
        "Both sides count what they have in range. Then players who are not in it may lend "
        "support with their embassies, and both sides commit a technology card in secret, for the"
        " value of their kind of power. The higher sum wins."
    ),
    "Deals": (
        "Players may offer each other anything at any time. CAPs that go with a deal move when "
        "all have agreed; promises bind nobody, and the record shows who kept theirs."
    ),
}
