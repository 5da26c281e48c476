"""The web service: pages, the JSON API and live streams. A folder holds one feature.

app/    what every request passes: identity, access, limits, problems, logs
server/ how gunicorn runs it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from services.run.settings import Settings


def create_app(settings: Settings | None = None) -> Flask:
    """Returns the WSGI application; gunicorn calls this."""
    from .app.factory import make_app  # gunicorn's settings are read first, and need nothing of it

    return make_app(settings)
