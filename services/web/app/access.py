"""Access: every route says at its definition who may call it. A route that does not is refused.

| who | is |
|---|---|
| anyone | any caller, signed in or not |
| person | a person of the club |
| organizer | a person who runs the club |
| host | the maker of the match or tournament, or an organizer |
| seat | a person who sits there or decides for the seat; the route checks which seat |

The scope is the one a token needs. docs/access.md lists all routes. Access does not decide what a
viewer sees of a match: the rules' own audiences do. It does decide what an answer says of people:
`FIELDS` lists the fields that only some callers are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, cast

from flask import current_app, request

from ledger.club.people import Scope
from services.matches.club import Caller

from .identity import caller, require_caller
from .parts import all_tournaments, match_cache
from .problems import Problem

View = TypeVar("View", bound=Callable[..., Any])
Who: TypeAlias = Literal["anyone", "person", "organizer", "host", "seat"]


class Access(NamedTuple):
    """The callers that a route admits, and the scope that a token needs."""

    who: Who
    scope: Scope = "read"


def allowed(who: Who, *, scope: Scope = "read") -> Callable[[View], View]:
    """Records on a route's function who may call it. It is the decorator right above `def`."""

    def record(view: View) -> View:
        view.__dict__["access"] = Access(who, scope)
        return view

    return record


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
