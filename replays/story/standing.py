"""A summary of a match after an event, computed event by event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec

from ledger.log.format.acts import (
    Abandoned,
    Act,
    Closed,
    Created,
    Joined,
    Paused,
    Resumed,
    Ruled,
    Started,
)
from ledger.log.format.bodies import ActBody
from ledger.log.read.history import Moment
from ledger.log.write.lifecycle import opens_again

StateName: TypeAlias = Literal["open", "running", "paused", "ended", "closed", "abandoned"]


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """The public summary of a match, for lists and for clients that wait for a turn. It holds
    no secrets.
    """

    match: str
    ruleset: str
    title: str
    edition: str
    players: tuple[str, ...]  # by seat; '' where it is free
    version: int
    made_at: int
    changed_at: int
    started: bool = False
    paused: bool = False
    ended: bool = False
    closed: bool = False
    abandoned: bool = False
    rounds: int = 0  # so many have ended on this line or on one that was undone
    asked: tuple[int, ...] = ()
    result: dict[str, Any] | None = None
    parked: bool = False  # it cannot be folded any further than this; the store knows why
    undisclosed: bool = False  # nor this: what comes next was not disclosed to where it lies

    @property
    def state(self) -> StateName:
        if self.abandoned:
            return "abandoned"
        if self.closed:
            return "closed"
        if not self.started:
            return "open"
        if self.ended:
            return "ended"
        return "paused" if self.paused else "running"


def standing_after(before: Standing | None, match: str, moment: Moment) -> Standing:
    """Returns the summary after an event, from the one before it."""
    body = moment.body
    act = body.act if isinstance(body, ActBody) else None
    if before is None:
        assert isinstance(act, Created), "a log begins with match.created"
        return Standing(
            match=match,
            ruleset=act.ruleset,
            title=act.title,
            edition=act.edition,
            players=("",) * act.seats,
            version=moment.version,
            made_at=body.at,
            changed_at=body.at,
        )
    position = moment.match
    changes: dict[str, Any] = {} if act is None else _changes(before, act)
    return msgspec.structs.replace(
        before,
        version=moment.version,
        edition=before.edition if position is None else position.terms.edition,
        changed_at=body.at,
        ended=position is not None and position.ended,
        asked=() if position is None else position.asked(),
        rounds=before.rounds + any(fact.checkpoint for fact in moment.facts),
        **changes,
    )


def _changes(before: Standing, act: Act) -> dict[str, Any]:
    match act:
        case Joined():
            players = list(before.players)
            players[act.seat] = act.name
            return {"players": tuple(players)}
        case Closed():
            return {"closed": True, "result": act.result}
        case Ruled() if opens_again(act):
            return {"closed": False, "abandoned": False, "result": None}
    return CHANGES.get(type(act), {})


CHANGES: Final[Mapping[type[Act], dict[str, Any]]] = {
    Started: {"started": True},
    Paused: {"paused": True},
    Resumed: {"paused": False},
    Abandoned: {"abandoned": True},
}
