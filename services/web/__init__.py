"""The web service: pages that show what is in the store. They work without script.

    archive.py   matches as read for pages: a small cache, never written through
    frames.py    what a page of a replay shows, for one viewer at one event
    asking.py    what an address asks for, checked
    pages.py     the routes
    safety.py    headers, and errors as clean pages

Which game is played is nothing to it: a page draws scenes and tells sentences.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from flask import Flask, url_for

from services.settings import Settings, read_settings

from .archive import Archive, stores_of
from .pages import PAGES
from .safety import make_safe

STATIC: Final = Path(__file__).parent / "static"


def create_app(settings: Settings | None = None) -> Flask:
    """The application; gunicorn calls this."""
    found = read_settings() if settings is None else settings
    app = Flask(__name__)
    # For the cookies of a session there would have to be a key; there is none, and no session.
    app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    archive = Archive(stores_of(found))
    app.extensions["archive"] = archive
    app.extensions["settings"] = found
    app.register_blueprint(PAGES)
    make_safe(app)
    # A new stylesheet has a new address, so browsers may keep each for good.
    versions = {path.name: _version(path) for path in STATIC.iterdir() if path.is_file()}

    @app.template_global()
    def static_file(name: str) -> str:
        return url_for("static", filename=name, v=versions[name])

    return app


def _version(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
