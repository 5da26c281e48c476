"""The application: middleware, pages and API, put together in the order in which requests pass."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from flask import Flask, url_for
from werkzeug.middleware.proxy_fix import ProxyFix

from services.run.settings import Settings, read_settings
from services.web import BODY_MAX
from services.web.app.access import allowed
from services.web.app.api import add_api
from services.web.app.context import add_everywhere
from services.web.app.errors import add_errors
from services.web.app.limits import add_limits
from services.web.app.parts import add_parts
from services.web.app.requests import add_requests

STATIC: Final = Path(__file__).parents[1] / "static"


def make_app(settings: Settings | None = None) -> Flask:
    """Returns the application."""
    found = read_settings() if settings is None else settings
    app = Flask("services.web")
    allowed("anyone")(app.view_functions["static"])
    # Flask's own session needs a key of ours; ours has none, for it holds a pass and nothing else.
    app.config["MAX_CONTENT_LENGTH"] = BODY_MAX
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    add_parts(app, found)
    app.extensions["settings"] = found
    # A request passes these from the first to the last, and its answer in the other order.
    add_requests(app, found)
    app.extensions["api"] = add_api(app)
    add_everywhere(app)
    add_errors(app)
    add_limits(app, found)
    if found.proxies:
        # The proxy tells the caller's address and the scheme. X-Forwarded-Host is not taken: if
        # a proxy does not write it, any caller can.
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=found.proxies, x_proto=found.proxies, x_host=0
        )
    # A new stylesheet has a new address, so browsers may keep each for good.
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    versions = {path.relative_to(STATIC).as_posix(): _version(path) for path in files}

    @app.template_global()
    def static_file(name: str) -> str:
        return url_for("static", filename=name, v=versions[name])

    return app


def _version(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
