"""The caller: a program with a token, a browser with a session, or anybody; and what they may.

A browser sends its cookie also with requests that another site makes it send. Any change must
therefore come from our own pages and repeat a word that only they know. Requests without a
token must come from our pages even before sign-in: another site could otherwise sign a visitor
in as a different person.

Our address is HEGEMON_PUBLIC_URL, or else the requested Host. A browser sets Host itself, so no
other site can choose it; a proxy's X-Forwarded-Host is not trusted.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

from flask import Response, current_app, g, request

from services.matches.club import DAY_MS, LASTS, Caller, Club, parts_of
from services.run.settings import Settings

from .access import Access, Who
from .parts import all_tournaments, match_cache
from .problems import Problem

COOKIE: Final = "hegemon"
# A browser takes a cookie of such a name only over https, from this very host and for all of it: no
# neighbour under the same domain can put one there.
SECURE_COOKIE: Final = "__Host-hegemon"
CSRF_HEADER: Final = "X-CSRF-Token"
CSRF_FIELD: Final = "csrf"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
# These do not identify the caller.
SAME_FOR_ALL: Final = ("static", "pages.icon", "pages.health", "ready.ready", "metrics.show")


def club() -> Club:
    return cast("Club", current_app.extensions["club"]())


def caller() -> Caller | None:
    """Returns the caller, if signed in."""
    return cast("Caller | None", g.get("caller"))


def browsing() -> Caller | None:
    """Returns the caller if a browser session. Tokens cannot open or end sessions."""
    found = caller()
    return found if found is not None and found.kind == "session" else None


def require_caller() -> Caller:
    """Returns the caller. Refuses anonymous requests."""
    found = caller()
    if found is None:
        raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
    return found


def identify() -> None:
    """Finds out who the caller is, before any other check."""
    g.caller = None
    if request.endpoint in (None, *SAME_FOR_ALL):
        return
    # Other kinds are none of ours: a proxy may ask for a password of its own.
    kind, _, shown = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        found = club().caller(shown.strip(), ("token",))
        if found is None:
            detail = "This token is not valid: it is mistyped, has expired, or was revoked."
            why = {"WWW-Authenticate": 'Bearer realm="hegemon", error="invalid_token"'}
            raise Problem(401, "bad_token", detail, why)
        g.caller = found
        return
    if request.method not in SAFE and is_foreign():
        raise Problem(403, "not_from_our_page", "This request did not come from our pages.")
    words = request.cookies.get(cookie_name(), "")
    if parts_of(words) is not None:
        g.caller = club().caller(words, ("session",))
        if g.caller is not None:
            g.csrf = csrf_of(words)
            if request.method not in SAFE:
                check_own_word()


def csrf_of(words: str) -> str:
    """Returns the CSRF token that our own pages repeat."""
    return base64.urlsafe_b64encode(
        hmac.digest(words.encode(), b"hegemon/csrf/1", "sha256")[:18]
    ).decode()


def is_foreign() -> bool:
    """Tells whether another site made the browser send the request; never for programs."""
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return True
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    if origin.lower() == settings().public_url:
        return False
    return not request.host or origin.lower().partition("://")[2] != request.host.lower()


def settings() -> Settings:
    return cast("Settings", current_app.extensions["settings"])


def is_https() -> bool:
    """Tells whether the browser uses https, by the proxy's word or the configured address."""
    public = settings().public_url or ""
    return request.is_secure or public == f"https://{request.host.lower()}"


def address() -> str:
    """Returns our scheme, host and port, for links that leave this page."""
    public = settings().public_url
    if public is None and not request.host:
        raise Problem(400, detail="The request does not name a host.")
    return public or f"{request.scheme}://{request.host}"


def cookie_name() -> str:
    """Returns the name of the session cookie."""
    return SECURE_COOKIE if is_https() else COOKIE


def check_own_word() -> None:
    """Refuses a request without the CSRF token that only our pages know."""
    said = request.headers.get(CSRF_HEADER) or request.form.get(CSRF_FIELD, "")
    if not hmac.compare_digest(said.encode(), g.csrf.encode()):
        raise Problem(403, "not_from_our_page", "This request did not come from our pages.")


def keep_session(response: Response, words: str) -> None:
    response.set_cookie(
        cookie_name(), words, max_age=LASTS["session"] // DAY_MS * 24 * 3600, **guards("Lax")
    )


def forget_session(response: Response) -> None:
    response.delete_cookie(cookie_name(), **guards("Lax"))


def guards(same_site: Literal["Lax", "Strict"]) -> dict[str, Any]:
    """Returns what keeps a cookie from scripts, other sites, and connections that anyone reads."""
    return {"secure": is_https(), "httponly": True, "samesite": same_site}


# --- access ---------------------------------------------------------------------------------------


def access_of(view: Callable[..., Any], method: str = "get") -> Access | None:
    """Returns what a route's function records. A class of methods has one for each."""
    name = "get" if method == "HEAD" else method.lower()
    recorded = getattr(getattr(view, "view_class", None), name, view)
    return cast("Access | None", getattr(recorded, "access", None))


# Fields of answers that are left out for whoever is not this, by what they are fields of.
FIELDS: Final[Mapping[str, Mapping[str, Who]]] = {
    "match": {"knew": "person"},
    "seat": {"person": "person", "delegates": "person"},
    "entrant": {"person": "person"},
    "terms": {"host": "person"},
}

# Tells whether a caller is what the word says, for the match or tournament that the address names.
Holds: TypeAlias = Callable[[Caller, Mapping[str, object]], bool]


def _is_host(who: Caller, named: Mapping[str, object]) -> bool:
    if who.person.organizer:
        return True
    if "tournament" in named:
        return all_tournaments().state(str(named["tournament"])).made.host == who.person.id
    with match_cache().opened(str(named["match"])) as opened:
        return opened.table.host == who.person.id


HOLDS: Final[dict[Who, Holds]] = {
    "anyone": lambda _, __: True,
    "person": lambda _, __: True,
    "seat": lambda _, __: True,  # which seat it is about stands in the body
    "organizer": lambda who, _: who.person.organizer,
    "host": _is_host,
}


def as_shown(kind: str, said: dict[str, Any]) -> dict[str, Any]:
    """Returns an answer without the fields that the caller may not see."""
    rows, who = FIELDS[kind], caller()
    return {
        name: value
        for name, value in said.items()
        if name not in rows or (who is not None and HOLDS[rows[name]](who, {}))
    }


def require_access() -> None:
    """Refuses a caller without access, before the route runs."""
    if request.endpoint is None:
        return  # there is no such route, which is said elsewhere
    if request.method == "OPTIONS":
        return  # which methods there are stands in the document as well
    access = access_of(current_app.view_functions[request.endpoint], request.method)
    if access is None:
        current_app.logger.error("the route %s says nothing of access", request.endpoint)
        raise Problem(403)
    who = caller() if access.who == "anyone" else require_caller()
    if who is None:
        return
    if access.scope not in who.scopes:
        raise Problem(403, "scope_needed", f"This needs a token with the scope `{access.scope}`.")
    holds = HOLDS.get(access.who)
    if holds is None or not holds(who, request.view_args or {}):
        raise Problem(403)
