"""The front page: a match to begin with, one's own matches, open tables, and all matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

import msgspec
from flask import Response, current_app, render_template, request
from markupsafe import Markup

from ledger.games import rulesets
from ledger.kernel.refusals import Refused
from ledger.kernel.ruleset import Ruleset
from ledger.log.stores.protocol import Unavailable
from replays.drawing.picture import scene_svg
from services.matches.cache import CannotRead
from services.matches.samples import flagship_id, sample_id
from services.run.settings import Settings
from services.web.app.access import allowed
from services.web.app.identity import caller
from services.web.app.parts import match_cache
from services.web.app.query import NotAnswered, find_game
from services.web.replays.frames import scene_of
from services.web.replays.pages import PAGES, make_response

from .listing import Summary
from .view import list_visible_matches

LISTED: Final = 50  # matches on a page of the list
FIRST: Final = 8  # of one's own, and of open tables, above it
LOOKED_AT: Final = 30  # of one's own matches, whether one is asked there
USUAL_SEATS: Final = 4

# The label of each filter, and the states that it lets through.
FILTERS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "open": ("Waiting for players", ("open",)),
    "running": ("Running", ("running", "paused", "parked")),
    "finished": ("Finished", ("finished", "abandoned")),
}


class MatchRow(msgspec.Struct, frozen=True, kw_only=True):
    one: Summary
    mine: bool = False
    asked: bool = False  # whether whoever looks is to decide


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """A game that can be played against bots."""

    name: str
    title: str
    seats: tuple[int, ...]
    usual: int

    @property
    def for_how_many(self) -> str:
        least, most = self.seats[0], self.seats[-1]
        if least == most:
            return "1 player, alone" if most == 1 else f"{most} players"
        return f"{least} to {most} players"


class Filter(msgspec.Struct, frozen=True, kw_only=True):
    """The filter of the list of matches."""

    game: str = ""
    state: str = ""
    mine: bool = False

    def takes(self, line: Summary, me: str) -> bool:
        return (
            (not self.game or line.game == self.game)
            and (not self.state or line.state in FILTERS[self.state][1])
            and (not self.mine or me in line.people)
        )

    @property
    def any(self) -> bool:
        return bool(self.game or self.state or self.mine)

    @property
    def query(self) -> dict[str, str]:
        """Returns the filter as parameters of an address."""
        said = {"game": self.game, "state": self.state, "mine": "1" if self.mine else ""}
        return {name: value for name, value in said.items() if value}


@PAGES.get("/")
@allowed("anyone")
def front() -> Response:
    """Shows the matches to play, to watch and to look at."""
    who = caller()
    me = "" if who is None else who.person.id
    wanted = _filter()
    found = list_visible_matches(who)
    shown = [one for one in found if wanted.takes(one, me)]
    pages = max(1, -(-len(shown) // LISTED))
    page = _page(pages)
    settings = cast("Settings", current_app.extensions["settings"])
    sample = _sample_among(found, settings)
    plain = not wanted.any and page == 1
    mine = _of_mine(found, me) if plain else []
    return make_response(
        render_template(
            "front.html",
            plain=plain,
            mine=mine[:FIRST],
            more_of_mine=len(mine) > FIRST,
            waits=sum(line.asked for line in mine),
            tables=_open_tables(found, me)[:FIRST] if plain else [],
            matches=shown[(page - 1) * LISTED : page * LISTED],
            mine_ids={one.match for one in shown if me and me in one.people},
            count=len(shown),
            page=page,
            pages=pages,
            wanted=wanted,
            filters=FILTERS,
            games=games(),
            sample=sample,
            picture=Markup(_last_picture(sample) if plain and sample else ""),  # noqa: S704 - ours
        )
    )


def games() -> list[Game]:
    return [
        Game(name=one.name, title=one.title, seats=tuple(one.seats), usual=usual_seats(one))
        for one in rulesets().values()
    ]


def usual_seats(rules: Ruleset) -> int:
    """Returns a table's number of seats if none is given."""
    return USUAL_SEATS if USUAL_SEATS in rules.seats else rules.seats.start


def _filter() -> Filter:
    game, state = request.args.get("game", ""), request.args.get("state", "")
    if game:
        find_game(game)
    if state and state not in FILTERS:
        raise NotAnswered(400, f"state must be {', '.join(FILTERS)}, or nothing.")
    return Filter(game=game, state=state, mine=request.args.get("mine", "") == "1")


def _of_mine(found: Iterable[Summary], me: str) -> list[MatchRow]:
    """Returns the visitor's matches that are not over, those first that wait for a decision."""
    lines: list[MatchRow] = []
    over = FILTERS["finished"][1]
    for one in found:
        if me and (me in one.people or me == one.host) and one.state not in over:
            mine = me in one.people
            asked = mine and len(lines) < LOOKED_AT and _is_asked(one, me)
            lines.append(MatchRow(one=one, mine=mine, asked=asked))
    return sorted(lines, key=lambda line: not line.asked)


def _is_asked(one: Summary, me: str) -> bool:
    """Tells whether a person has a decision to make in a match now."""
    if one.state != "running":
        return False
    try:
        with match_cache().opened(one.match) as opened:
            match = opened.at(opened.good)
            own = opened.table.seats_of(me)
            return match is not None and bool(set(own) & set(match.asked()))
    except (Refused, CannotRead, Unavailable):
        return False  # the list is there all the same


def _open_tables(found: Iterable[Summary], me: str) -> list[MatchRow]:
    return [MatchRow(one=one) for one in found if one.free and me not in one.people]


def _sample_among(found: Sequence[Summary], settings: Settings) -> Summary | None:
    """Returns the match shown to visitors: the flagship's, else the sample."""
    finished = {one.match: one for one in found if one.state == "finished"}
    return finished.get(flagship_id()) or finished.get(sample_id(settings.data) or "")


def _last_picture(sample: Summary) -> str:
    """Draws the sample's last board, or returns nothing."""
    try:
        with match_cache().read(sample.match) as opened:
            scene = scene_of(opened.shown().history.at(), None)
    except Exception:
        # It may have been played under rules that were changed since; the page can do without.
        current_app.logger.exception("the sample match cannot be drawn")
        return ""
    return "" if scene is None else scene_svg(scene)


def _page(pages: int) -> int:
    text = request.args.get("page", "1")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise NotAnswered(400, "page must be a number.")
    if not 1 <= int(text) <= pages:
        raise NotAnswered(404, f"There is no page {int(text)} of the list, which has {pages}.")
    return int(text)
