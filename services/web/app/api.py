"""The JSON API under /api/v1, and the OpenAPI document that describes it.

problems.py   every answer that is no success: problem+json with a stable code
shapes.py     common to all schemas; match_shapes.py: those of matches
routes.py     common to all routes; bodies.py: how a request's body is read
identity.py   the caller: a token, or the session of a browser
access.py     one table of who may call which route
account.py    one's own name, tokens and links; the people of the club
webhooks.py   programs that are notified of one's matches
matches.py    matches: made, joined, started, ended
match_plain.py  ... and the answers about them
looking.py    a caller's viewpoint of a match, and the last event it shows
editions.py   other editions in running matches, by ruling or by consent
forking.py    playing on from an event of a finished match, against bots
playing.py    views, options, decisions, the log
anchoring.py  signed heads, and proofs that an event is under one
choosing.py   the possible decisions in words, and previews of their results
disputing.py  disputes, dossiers, rulings and appeals; rulings.py: those of all matches
disputing_plain.py  ... and the answers about them, for each caller
operating.py  the operations ledger: what officials did to a match, and who looked
dealing.py    deals and their verdicts; how people have kept their word
bundling.py   bundles: a match as one file, or a chosen part
comparing.py  a match under two sets of rules
reprojecting.py  many matches under other rules, by workers; reprojecting_sight.py: access
auditing.py   audits of matches and of tournaments, which workers make
replaying.py  replays: a whole match as a document, which a worker makes
rulesets.py   the games: seats, options, and schemas of decisions and facts
tending.py    the life of a table: going back, seats, standing orders, digests
talking.py    talk at a table
tournaments.py, tournament_rounds.py   tournaments: players and standings; rounds and tables
tournament_sight.py   what a caller may know of a tournament by now
reference.py  the document as a page, without script
"""

from __future__ import annotations

from typing import Any, Final

from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]

from services.web.audits.api import AUDITING, TOURNAMENT_AUDITS
from services.web.deals.api import DEALING, RECORDS
from services.web.disputes.api import DISPUTING
from services.web.disputes.rulings import RULINGS
from services.web.editions.api import EDITIONS
from services.web.errata.api import REPROJECTING
from services.web.errata.comparison import COMPARING
from services.web.games.api import RULESETS
from services.web.heads.api import ANCHORING, HEADS, PROVING
from services.web.matches.api import MATCHES
from services.web.matches.bundle import BUNDLING
from services.web.matches.forks import FORKING
from services.web.matches.operations import OPERATING
from services.web.people.api import ACCOUNT, PEOPLE
from services.web.play.api import PLAYING
from services.web.play.choices import CHOOSING
from services.web.reference.document import REFERENCE
from services.web.replays.api import REPLAYING
from services.web.seats.api import TENDING
from services.web.seats.talk import TALKING
from services.web.tournaments.api import TOURNAMENTS
from services.web.tournaments.rounds import ROUNDS
from services.web.webhooks.api import WEBHOOKS

from .access import require_access
from .identity import COOKIE, CSRF_HEADER, SECURE_COOKIE, identify
from .problems import ProblemSchema

PREFIX: Final = "/api/v1"
ROUTES: Final = (
    ACCOUNT,
    PEOPLE,
    WEBHOOKS,
    MATCHES,
    FORKING,
    PLAYING,
    PROVING,
    REPLAYING,
    BUNDLING,
    AUDITING,
    TOURNAMENT_AUDITS,
    COMPARING,
    REPROJECTING,
    DEALING,
    DISPUTING,
    RULINGS,
    OPERATING,
    CHOOSING,
    TENDING,
    EDITIONS,
    TALKING,
    RULESETS,
    TOURNAMENTS,
    ROUNDS,
    RECORDS,
    ANCHORING,
)
DESCRIPTION: Final = """\
Matches, seats and decisions of a club.

A decision names the question it answers and the version it was composed at (`If-Match`), and has a
key of its own (`Idempotency-Key`): whoever gets no answer sends the same again. What is not a
success is `application/problem+json` with a stable `code`, and the id of the rule where a rule
refused. Programs show a token as `Authorization: Bearer hgm_t_...`.
"""
# What happens in a match as it happens is no operation with an answer: an extension describes it.
LIVE: Final = {
    "path": "/live/matches/{match}",
    "description": (
        "Server-sent events, one for each event of the match as one viewer gets it, with its facts "
        "and sentences: `as` says through whose eyes. Their ids are versions; `Last-Event-ID`, or "
        "`since`, says after which one to begin."
    ),
    "query": ["as", "since"],
}
TOKENS: Final = "Made at `/api/v1/me/tokens`; each route says which scope it must have."
SESSION: Final = (
    f"A browser's, from a link that was opened; over https it is called `{SECURE_COOKIE}`. What "
    f"changes something repeats the word of our pages in `{CSRF_HEADER}`."
)


class Documented(Api):  # type: ignore[misc] # flask-smorest has no types
    """The API with its OpenAPI document."""

    def _register_error_handlers(self) -> None:
        """Does nothing: errors are answered for the whole application, pages and API alike."""

    DEFAULT_ERROR_RESPONSE_NAME = None  # each answer that a route may give is named


def add_api(app: Flask) -> Documented:
    app.config.update(
        API_TITLE="Hegemon",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=PREFIX,
        OPENAPI_JSON_PATH="openapi.json",
    )
    options: dict[str, Any] = {
        "x-live": LIVE,
        "info": {"description": DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        "components": {
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer", "description": TOKENS},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": COOKIE,
                    "description": SESSION,
                },
            }
        },
    }
    api = Documented(app, spec_kwargs=options)
    api.spec.components.schema("Problem", schema=ProblemSchema)
    for unused in ("Error", "PaginationMetadata"):  # the library's own, which nothing of ours gives
        api.spec.components.schemas.pop(unused, None)
    for routes in ROUTES:
        api.register_blueprint(routes.blueprint, url_prefix=PREFIX + routes.prefix)
    app.register_blueprint(REFERENCE)
    app.register_blueprint(HEADS)
    app.before_request(identify)
    app.before_request(require_access)
    return api
