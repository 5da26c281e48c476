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
`FIELDS` in identity.py lists the fields that only some callers are shown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ledger.club.people import Scope

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
