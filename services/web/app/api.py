"""The JSON API under /api/v1, and the OpenAPI document that describes it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]

from services.web.matches.schemas import EventShape

from .access import allowed
from .features import FEATURES
from .identity import COOKIE, CSRF_HEADER, SECURE_COOKIE, identify, require_access
from .routes import Routes
from .shapes import ABSENT, Shape

PREFIX: Final = "/api/v1"
DESCRIPTION: Final = """\
Matches, seats and decisions of a club.

A decision names the question it answers and the version it was composed at (`If-Match`), and has a
key of its own (`Idempotency-Key`): a client that gets no answer sends the same request again. Every
failure is `application/problem+json` with a stable `code`, and the id of the rule where a rule
refused. Programs show a token as `Authorization: Bearer hgm_t_...`.
"""
# The stream of live events is no operation with one answer, so an extension describes it.
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


class ProblemShape(Shape):
    """A problem as in RFC 9457."""

    type: Annotated[str, "the page that explains the code"]
    title: str
    status: int
    code: Annotated[str, "stable; for programs"]
    detail: Annotated[str, "for people"] = ABSENT
    rule: Annotated[str, "the id of the rule that refused"] = ABSENT
    evidence: Annotated[dict[str, Any], "the evidence of the refusal"] = ABSENT
    errors: Annotated[dict[str, Any], "what is wrong, by field"] = ABSENT
    version: Annotated[int, "of a match that has gone on: its last version"] = ABSENT
    events: Annotated[list[EventShape], "... and the new events, as the caller may see them"] = (
        ABSENT
    )
    trace: Annotated[str, "the number of the request, as in `X-Request-ID`"] = ABSENT


class Documented(Api):  # type: ignore[misc] # flask-smorest has no types
    """The API with its OpenAPI document."""

    def _register_error_handlers(self) -> None:
        """Does nothing: errors are answered for the whole application, pages and API alike."""

    @allowed("anyone")
    def _openapi_json(self) -> Any:
        return super()._openapi_json()

    DEFAULT_ERROR_RESPONSE_NAME = None  # each answer that a route may give is named


def add_api(app: Flask) -> Documented:
    """Adds the routes of all features, those of the API with their document."""
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
    api.spec.components.schema("Problem", schema=ProblemShape)
    for unused in ("Error", "PaginationMetadata"):  # the library's own, which nothing of ours gives
        api.spec.components.schemas.pop(unused, None)
    for feature in FEATURES:
        if isinstance(feature, Routes):
            api.register_blueprint(feature.blueprint, url_prefix=PREFIX + feature.prefix)
        else:
            app.register_blueprint(feature)
    app.before_request(identify)
    app.before_request(require_access)
    return api
