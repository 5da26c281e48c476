"""Talk at a table: for everybody or for some seats, and its moderation.

Messages are numbered separately for each seat, 1, 2, 3: a message that a seat does not hear has no
number there. So no gap shows that others whisper, how much, or when. The numbers of a seat never
change, nor do those of callers without a seat.

A message stays in its chain. A person can block another, and the host can take a message down; both
only change what is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from flask.views import MethodView

from ledger.club import table as tables
from ledger.club.table import Blocked, LineHidden, Unblocked
from ledger.club.talk import Said, is_for, say, talk
from ledger.club.texts import clean_text
from ledger.kernel.audience import Viewer
from ledger.kernel.records import Seat
from ledger.log.format.bodies import Role, Submitter
from services.matches.cache import OpenMatch
from services.matches.club import Caller
from services.web.app.access import allowed
from services.web.app.identity import caller, club, require_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.matches.schemas import EyesShape, ReasonShape, SinceShape
from services.web.matches.view import Look, is_behind, look_here

from .schemas import SayingShape, TalkLineShape, TalkShape

TALKING: Final = Routes("talking", "/matches", "Talk at a table")
LINES_MAX: Final = 20  # of one person within a minute
MINUTE_MS: Final = 60_000
LOOKED_BACK: Final = 400  # lines; more are not said at a table within a minute


@TALKING.route("/<string:match>/talk")
class Talk(MethodView):
    """The talk at a table."""

    @TALKING.takes(SinceShape, location="query")
    @TALKING.gives(200, TalkShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Lists the messages that the caller may see."""
        with match_cache().opened(match) as opened:
            look = look_here(opened, asked["viewer"])
            heard = visible(opened, look, caller(), asked["since"])
            found = list(islice(heard, asked["limit"]))
            return {
                "match": match,
                "as": look.word,
                "last": found[-1].number if found else asked["since"],
                "lines": plain_lines(opened, found),
            }

    @TALKING.takes(SayingShape)
    @TALKING.gives(201, TalkLineShape, problems=(409,))
    @allowed("seat", scope="play")
    def post(self, asked: dict[str, Any], match: str) -> dict[str, Any]:
        """Sends a message to everybody, or from seat to seats. For the players and the host."""
        with match_cache().opened(match) as opened:
            by = speaker(opened, asked.get("seat"))
            to = None if asked["to"] is None else hearers(opened, by, asked["to"])
            check_not_too_much(opened, by.name)
            said = Said(
                version=opened.history.tip.version,
                at=opened.now(),
                by=by,
                text=clean(asked["text"]),
                to=to,
            )
            line = say(opened.store, match, said).number
            lines = opened.roll.read()[:line]
            number = sum(is_for(one, by.seat) for one in lines)
            return plain_line(opened, HeardMessage(number, line, said), said.text)


@TALKING.route("/<string:match>/talk/<int:number>")
class OneLine(MethodView):
    """A chat message."""

    @TALKING.takes(EyesShape, location="query")
    @TALKING.takes(ReasonShape)
    @TALKING.gives(204)
    @allowed("host", scope="play")
    def delete(self, eyes: dict[str, Any], asked: dict[str, Any], match: str, number: int) -> None:
        """Takes a message down. It stays in the chain, but is no longer shown to anybody.

        The number is the one under which the same viewer sees the message.
        """
        who = require_caller()
        with match_cache().opened(match) as opened:
            look = look_here(opened, eyes["viewer"])
            heard = next(visible(opened, look, who, number - 1), None)
            if heard is None or heard.number != number:
                raise tables.make_refusal("no_such_line", {"line": number})
            entry = LineHidden(number=heard.line, reason=asked["reason"])
            opened.book.write(who.person.id, lambda t: [] if heard.line in t.hidden else [entry])


@TALKING.route("/<string:match>/blocks/<string:person>")
class Block(MethodView):
    """A person whose messages the caller does not see."""

    @TALKING.gives(204)
    @allowed("person", scope="play")
    def put(self, match: str, person: str) -> None:
        """Hides a person's messages at this table from the caller. Nobody else is informed."""
        whom, me = club().people().person(person).id, require_caller().person.id
        with match_cache().opened(match) as opened:
            look_here(opened, None)  # who may not look has nothing to write there
            opened.book.write(
                me, lambda t: [] if whom in t.blocked.get(me, ()) else [Blocked(person=whom)]
            )

    @TALKING.gives(204)
    @allowed("person", scope="play")
    def delete(self, match: str, person: str) -> None:
        """Shows a blocked person's messages again."""
        me = require_caller().person.id
        with match_cache().opened(match) as opened:
            opened.book.write(
                me, lambda t: [Unblocked(person=person)] if person in t.blocked.get(me, ()) else []
            )


def speaker(opened: OpenMatch, seat: Seat | None) -> Submitter:
    """Returns the speaker: a seat that the caller decides for, or the host."""
    me = require_caller()
    table = opened.table
    if seat is None and (own := table.seats_of(me.person.id)):
        seat = own[0]
    if seat is not None:
        opened.check_seat(seat)
        role: Role | str = table.decides(me.person.id, seat)
        if not role:
            raise tables.make_refusal("not_your_seat", {"seat": seat})
        return Submitter(role=role, name=me.person.id, seat=seat)  # type: ignore[arg-type]
    if table.host == me.person.id or me.organizer:
        return Submitter(role="organizer", name=me.person.id)
    raise tables.make_refusal("not_your_seat")


def hearers(opened: OpenMatch, by: Submitter, to: list[Seat]) -> tuple[Seat, ...]:
    """Returns the seats that hear a message, the speaker's included. Only seats may whisper."""
    if by.seat is None:
        raise tables.make_refusal("not_your_seat")
    for seat in to:
        opened.check_seat(seat)
    return tuple(sorted({*to, by.seat}))


def clean(text: str) -> str:
    """Removes invisible characters. Refuses a text that has no others."""
    if not (found := clean_text(text)):
        raise Problem(422, errors={"text": ["The text of this message was removed."]})
    return found


def check_not_too_much(opened: OpenMatch, person: str) -> None:
    """Refuses a person who sends too many messages within a minute."""
    since = opened.now() - MINUTE_MS
    lines = opened.roll.read()[-LOOKED_BACK:]
    if sum(one.by.name == person and one.at > since for one in lines) >= LINES_MAX:
        raise tables.make_refusal("too_much_talk", {"lines": LINES_MAX, "seconds": 60})


class HeardMessage(NamedTuple):
    """A message for a viewer, with its number there."""

    number: int  # among all that are for these ears
    line: int  # of the chain: shown to nobody
    said: Said


def ear_of(opened: OpenMatch, look: Look, who: Caller | None) -> Viewer:
    """Returns the seat whose talk the caller may read.

    Private talk is for the people who decide for the seat. The close opens it to nobody else.
    """
    if who is None or look.viewer is None:
        return None
    return look.viewer if opened.table.decides(who.person.id, look.viewer) else None


def visible(
    opened: OpenMatch, look: Look, who: Caller | None, since: int = 0
) -> Iterator[HeardMessage]:
    """Yields the messages after `since` that a caller may see by now, without their words.

    A viewer with a delay hears talk with that delay. A blocked person's message keeps its number.
    """
    table, ear = opened.table, ear_of(opened, look, who)
    blocked = frozenset[str]() if who is None else table.blocked.get(who.person.id, frozenset())
    until = opened.now() - table.delay if is_behind(opened, look) else None
    number = 0
    for line, said in enumerate(opened.roll.read(), 1):
        if until is not None and said.at > until:
            return
        number += is_for(said, ear)
        if number > since and is_for(said, ear) and said.by.name not in blocked:
            yield HeardMessage(number, line, said)


def plain_lines(opened: OpenMatch, found: Sequence[HeardMessage]) -> list[dict[str, Any]]:
    """Returns messages for JSON, with their words."""
    if not found:
        return []
    words = {
        one.number: one.said.text
        for one in talk(opened.store, opened.match, found[0].line, found[-1].line)
    }
    return [plain_line(opened, one, words[one.line]) for one in found]


def plain_line(opened: OpenMatch, heard: HeardMessage, text: str) -> dict[str, Any]:
    said, hidden = heard.said, heard.line in opened.table.hidden
    return {
        "number": heard.number,
        "version": said.version,
        "at": said.at,
        "seat": said.by.seat,
        "name": speaker_name_of(opened, said.by),
        "to": None if said.to is None else list(said.to),
        "text": "" if hidden else text,
        "hidden": hidden,
    }


def speaker_name_of(opened: OpenMatch, by: Submitter) -> str:
    """Returns the name under which a speaker is shown."""
    person = club().people().people.get(by.name)
    if person is not None and caller() is not None:
        return person.name
    joined = None if by.seat is None else opened.history.life.joined.get(by.seat)
    return "the host" if joined is None else joined.name
