"""Routes that are not asked about a match: each is named, so that a new one is noticed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# What nobody is told of a match that is played, whoever asks.
NEVER: Final = frozenset({"comparing.OfMatch GET", "compare_pages.compare GET"})
# Routes that tell nothing of any match, or only what `WAYS` asks for by another: by blueprint.
APART: Final[Mapping[str, str]] = {
    "": "static GET",
    "account": "Links POST, Me GET, Me PATCH, Me POST, OnePass DELETE, Passes GET, Tokens POST",
    "api-docs": "openapi_json GET",
    # Of running matches they tell who may see everything alone, and that is noted.
    "reprojections": (
        "Against GET, All POST, One GET, OneMatch GET, Table GET, TableCsv GET, Touched POST"
    ),
    "errata_pages": "lab GET, one GET, run POST",
    "door": "enter POST, leave POST, look GET",
    "heads": "Consistency GET, Head GET",
    "metrics": "show GET",
    "new_matches": "make POST, new GET, play POST",
    "pages": "health GET, icon GET",
    "people": "Everybody GET, Everybody POST, Somebody GET, Somebody PATCH, TheirLinks POST",
    "people_pages": "add POST, everybody GET, new_link POST, set_roles POST, somebody GET",
    "profile_pages": (
        "by_link POST, end_pass POST, link POST, make_token POST, rename POST, sign_in GET, "
        "tokens GET, you GET"
    ),
    "ready": "ready GET",
    "reference": "page GET, problem GET",
    "rounds": "Approve POST, Correct POST, Draw POST, OneRound PUT, StartAll POST",
    "rulesets": "All GET, ErrataCheck POST, One GET",
    "rulings": "Waiting GET",
    "signed_heads": "checkpoint GET, key GET, tile GET",
    "tournament_acts": (
        "approve POST, close POST, correct POST, draw POST, drop POST, end POST, enter POST, "
        "forfeit POST, pause POST, remind POST, results POST, resume POST, start POST"
    ),
    "tournament_making": "make POST, new GET",
    "tournaments": "AllTournaments POST, Drop POST, End POST, Players POST",
    "webhooks": (
        "Again POST, Deliveries GET, ItsSecret POST, Mine GET, Mine POST, One DELETE, One "
        "GET, One PATCH, Ping POST"
    ),
}
