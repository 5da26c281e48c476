"""The web service: pages, the JSON API and live streams. It knows no game.

Each folder is a feature: its routes of the API (`api.py`, `schemas.py`) and its pages (`pages.py`).

    app/         common to all: app/features.py lists the routes, app/access.py says who may call
    server/      how gunicorn runs it
    templates/   the pages' HTML
    static/      their styles, scripts and pictures
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from flask import Flask

    from services.run.settings import Settings

BODY_MAX: Final = 64 * 1024  # of a request; a longer one is refused, and not waited for


def create_app(settings: Settings | None = None) -> Flask:
    """Returns the WSGI application; gunicorn calls this."""
    from .app.factory import make_app  # gunicorn's settings are read first, and need nothing of it

    return make_app(settings)
