"""Bundles: a match as one file that anybody can verify, whole or in a chosen part.

| as | may |
|---|---|
| a seat, spectator, all | as with replays |

`events` and `disclose` choose a part of what the viewer may have. They never add to it.
"""

from __future__ import annotations

import io
from typing import Annotated, Any, Final, cast

from flask import Response, request
from flask.views import MethodView
from marshmallow.validate import Length

from ledger.kernel.audience import Viewer
from ledger.log.format.redaction import BadChoice, read_choice, records_of, write_redacted
from ledger.log.read.bundle import write_bundle
from replays.story.names import ALL, SPECTATOR
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.matches.view import look_of
from services.web.replays.api import ViewerQueryShape

BUNDLING: Final = Routes("bundles", "/matches", "Bundles")
FORM: Final = "application/octet-stream"
WORDS_MAX: Final = 2_000


class BundleQueryShape(ViewerQueryShape):
    """The viewer of a bundle, and the chosen part."""

    events: Annotated[
        str, Length(0, WORDS_MAX), "show only these: `14-20,35`; of the others the hash stays"
    ] = ""
    disclose: Annotated[
        str,
        Length(0, WORDS_MAX),
        "disclose only these openings: `14-20@2,17:private/cards/0,17:outcome`",
    ] = ""


@BUNDLING.route("/<string:match>/bundle")
class OfMatch(MethodView):
    """The bundle of a match."""

    @BUNDLING.takes(BundleQueryShape, location="query")
    @BUNDLING.gives(200, form=FORM)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Returns the match as one verifiable file for a viewer, or a chosen part."""
        shown, disclosed = _words(asked["events"]), _words(asked["disclose"])
        try:
            choice = read_choice(shown, disclosed) if shown or disclosed else None
        except BadChoice as reason:
            raise Problem(422, detail=f"{str(reason)[:1].upper()}{str(reason)[1:]}.") from None
        file = io.BytesIO()
        with match_cache().opened(match) as opened:
            word, last = look_of(opened, asked["viewer"], caller())
            history = opened.history
            if last < history.tip.version:
                history = history.up_to(last)
            if choice is None:
                write_bundle(file, history, _viewer(word))
            else:
                write_redacted(file, records_of(history, _viewer(word)), choice)
        response = Response(file.getvalue(), mimetype=FORM)
        response.headers.set("Content-Disposition", "attachment", filename=f"{match}.hgm")
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Authorization, Cookie"
        response.add_etag()
        return cast("Response", response.make_conditional(request))


def _words(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _viewer(word: str) -> Viewer | str:
    if word == SPECTATOR:
        return None
    return word if word == ALL else int(word)
