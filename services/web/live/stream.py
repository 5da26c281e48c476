"""Streams the events of a match to one viewer, from a number on, while they listen.

Each event is sent as the API serves it to this viewer, with its facts and sentences. Chat
messages and changes at the table are only announced. A heartbeat keeps the connection open
and detects viewers who have left.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any, Final, cast

import msgspec
from flask import Blueprint, Response, current_app, request

from ledger.club.people import BOOK, People
from ledger.club.table import book_of
from ledger.club.talk import TALK
from ledger.kernel.refusals import Refused
from ledger.log.stores.protocol import Unavailable
from services.feeds.hub import Hub
from services.matches.cache import CannotRead, OpenMatch
from services.matches.club import Caller
from services.run.measures import TURNED_AWAY, VIEWERS
from services.web.app.access import allowed
from services.web.app.identity import caller, club
from services.web.app.limits import address_of_caller
from services.web.app.parts import match_cache
from services.web.app.problems import Problem, of_exception
from services.web.live.places import NoPlace, ViewerPlaces
from services.web.matches.view import Look, is_behind, looking
from services.web.play.api import plain_event, plain_facts
from services.web.seats.talk import visible

LIVE: Final = Blueprint("live", __name__)
HEARTBEAT_SECONDS: Final = 15.0
GONE_SECONDS: Final = 2.0  # how soon a place is free again whose viewer has left
DELAYED_SECONDS: Final = 1.0  # how often a viewer who sees it later looks again
AT_ONCE: Final = 200  # events under one lock
SENT_BYTES: Final = 4_000_000  # kept of one match, for all viewers
HOUR: Final = 3_600.0
_RETRY: Final = b"retry: 1000\n\n"


@LIVE.get("/live/matches/<string:match>")
@allowed("anyone")
def live(match: str) -> Response:
    """Streams the events of a match as they happen."""
    word = request.args.get("as")
    since = _since()
    who = caller()
    with match_cache().opened(match) as opened:
        looking(opened, word, who)  # refuses before anything is sent
    places: ViewerPlaces = current_app.extensions["live_places"]
    try:
        leave = places.take("" if who is None else who.person.id, address_of_caller)
    except NoPlace as why:
        TURNED_AWAY.inc()
        status, code = (503, "no_place") if why.at_all else (429, "too_many_places")
        raise Problem(status, code, str(why), {"Retry-After": "5"}) from None
    with ExitStack() as leaving:
        leaving.callback(leave)
        hub = cast("Hub", current_app.extensions["hub"]())
        viewing = Viewing(hub, match, word, who, _watch_client(request.environ))
        VIEWERS.inc()
        leaving.callback(VIEWERS.dec)
        chunks = viewing.chunks(since, current_app.app_context())
        response = Response(chunks, 200, mimetype="text/event-stream")
        response.headers["Cache-Control"] = "no-cache"
        response.headers["X-Accel-Buffering"] = "no"
        response.call_on_close(leaving.pop_all().close)
    return response


def _since() -> int:
    """Returns the client's last event, from the browser's header or the query."""
    said = request.headers.get("Last-Event-ID") or request.args.get("since", "0")
    if not (said.isascii() and said.isdigit() and len(said) < 10):
        raise Problem(400, "bad_event_id")
    return int(said)


def _watch_client(environ: Mapping[str, Any]) -> Callable[[], bool]:
    """Returns a function that detects a closed client. Without it only a failed write does."""
    found: socket.socket | None = environ.get("gunicorn.socket")

    def gone() -> bool:
        if found is None:
            return False
        try:
            return found.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except (OSError, ValueError):
            return True

    return gone


class Viewing:
    """One viewer's stream of a match."""

    def __init__(
        self,
        hub: Hub,
        match: str,
        word: str | None,
        who: Caller | None,
        gone: Callable[[], bool] = lambda: False,
    ) -> None:
        self._hub = hub
        self._gone = gone  # whether the viewer has left
        self._match = match
        self._word = word
        self._who = who
        self._names = (match, match + TALK, book_of(match))
        self._table = self._talk = -1  # versions that were looked at
        self._said = 0  # the last line that was announced, as these ears count
        self._people: People | None = None
        self._people_news: int | None = None

    def chunks(self, since: int, context: Any) -> Iterator[bytes]:
        """Yields the bytes to send, from an event on."""
        with context, self._hub.listening((*self._names, BOOK)) as bell:
            yield _RETRY
            until = time.monotonic() + HOUR  # then the browser comes again, and is looked at anew
            late = False  # nothing was heard for so long that the store is asked anyway
            while time.monotonic() < until and not self._hub.stopped:
                bell.clear()
                try:
                    since, said, wait = self._look(since, asks=late)
                except (Refused, Problem, CannotRead, Unavailable) as why:
                    yield _format_event("problem", {"code": of_exception(why).code})
                    return
                if said:
                    yield said
                if not wait:
                    continue
                late = not self._heard(bell, wait)
                if self._gone():
                    return
                if late and wait == HEARTBEAT_SECONDS:
                    yield b": still here\n\n"

    def _heard(self, bell: threading.Event, wait: float) -> bool:
        """Returns whether there is news, or the viewer leaves, within so many seconds."""
        until = time.monotonic() + wait
        while (left := until - time.monotonic()) > 0:
            if bell.wait(min(left, GONE_SECONDS)) or self._gone():
                return True
        return False

    def _look(self, since: int, *, asks: bool) -> tuple[int, bytes, float]:
        """Returns the last event to be sent, the bytes, and how long to wait for more."""
        if self._who is not None:
            self._check_still(asks=asks)
        news = None if asks else self._hub.news(self._names)
        with match_cache().opened(self._match, news) as opened:
            look = looking(opened, self._word, self._who)
            last = min(look.last, since + AT_ONCE)
            said = b"".join(events_as_sent(opened, look, range(since + 1, last + 1)))
            said += self._announced(opened, look)
        if last < look.last:
            return last, said, 0.0
        return max(since, last), said, HEARTBEAT_SECONDS if look.live else DELAYED_SECONDS

    def _check_still(self, *, asks: bool) -> None:
        """Ends the stream if the token or session was taken back or has expired."""
        assert self._who is not None
        news = None if asks else self._hub.news((BOOK,))
        if self._people is None or news is None or news != self._people_news:
            self._people, self._people_news = club().people(), news
        found = self._people.passes[self._who.pass_id]
        if not found.opens(club().clock()):
            raise Problem(401)

    def _announced(self, opened: OpenMatch, look: Look) -> bytes:
        """Announces chat messages this viewer may read, and changes at the table."""
        said = b""
        (table, talk), behind = opened.beside(), is_behind(opened, look)
        if hidden := opened.table.hidden:  # of which this viewer is told what they may read
            table += sum(one.line in hidden for one in visible(opened, look, self._who))
        if self._table not in (-1, table) and not behind:
            said += _format_event("table", {"version": table})
        self._table = table
        if talk != self._talk or behind:
            heard = [one.number for one in visible(opened, look, self._who, self._said)]
            if heard:
                said += b"" if self._talk < 0 else _format_event("talk", {"number": heard[-1]})
                self._said = heard[-1]
            self._talk = talk
        return said


def events_as_sent(opened: OpenMatch, look: Look, versions: range) -> Iterator[bytes]:
    """Yields events as a viewer receives them. Each is built once for all with the same view."""
    sent = opened.sent
    for version in versions:
        key = (look.viewer, version)
        if key not in sent:
            [came] = plain_facts(opened, look, range(version, version + 1))
            event = plain_event(opened.history, version, look)
            packed = msgspec.json.encode({**event, **came}).decode()
            sent[key] = f"id: {version}\nevent: event\ndata: {packed}\n\n".encode()
            opened.sent_bytes += len(sent[key])
        said = sent[key]
        while opened.sent_bytes > SENT_BYTES:  # the oldest are asked for least
            opened.sent_bytes -= len(sent.pop(next(iter(sent))))
        yield said


def _format_event(kind: str, what: dict[str, Any]) -> bytes:
    return f"event: {kind}\ndata: {msgspec.json.encode(what).decode()}\n\n".encode()
