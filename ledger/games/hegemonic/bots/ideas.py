"""A greedy bot: the value of a position, and ideas for decisions that no question lists.

sample.py makes the position that the bot looks at; evaluation.py and foresight.py value it.
Bots make two simple deals: CAPs for support in a conflict, and CAPs for being spared in a round.
They keep their promises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ledger.games.hegemonic.actions.pile_views import caps_seen
from ledger.games.hegemonic.deals.agreement import Deal, Promise, Terms
from ledger.games.hegemonic.deals.negotiation import Propose
from ledger.games.hegemonic.map.gates import PlaceGate, RelocateGate
from ledger.games.hegemonic.state.components import TILES
from ledger.games.hegemonic.state.galaxy import Galaxy
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Decision, Seat
from ledger.kernel.story import Seen
from ledger.parts.deals.agreement import ACCEPTED, PROPOSED, Payment
from ledger.parts.deals.answers import Accept
from ledger.parts.deals.shown.words import terms_seen

from .evaluation import CAP, POINT, Balance, worth
from .foresight import prospects
from .odds import at_stake

WON: Final = 10_000 * POINT
PRICE: Final = 2  # CAPs, for support or for being spared
SUPPORT, SPARE = "support", "spare"
HELP: Final = 70  # what somebody else's support may be worth, more than its price
PEACE: Final = 60  # to be spared
WORD: Final = 90  # to keep one's word
HOPE: Final = 2  # an offer that may still be accepted is worth a part of what it would bring


def score(galaxy: Galaxy, seat: Seat) -> int:
    """Returns the value of the position, its prospects and the seat's deals."""
    if galaxy.over:
        return WON + POINT * galaxy.houses[seat].score if seat in galaxy.winners else -WON
    balance = Balance(galaxy, seat)
    value = worth(galaxy, seat, balance) + prospects(galaxy, balance) + at_stake(galaxy, balance)
    return value + sum(_deal(galaxy, deal, seat) for deal in galaxy.deals if seat in deal.parties)


# --- deals ----------------------------------------------------------------------------------------


def _deal(galaxy: Galaxy, deal: Deal, seat: Seat) -> int:
    """Values a deal: hope while it is open, a gain or a debt once it is made."""
    promise = next(iter(deal.agreed_on.promises), None)
    if promise is None or not _current(galaxy, promise):
        return 0
    gain = HELP if promise.what == SUPPORT else PEACE
    if deal.status == PROPOSED and deal.seat == seat:
        return gain // HOPE
    if deal.status != ACCEPTED:
        return 0
    if seat == promise.to:
        return gain + CAP * PRICE
    return -CAP // 2 - WORD * _broken(galaxy, promise)


def _current(galaxy: Galaxy, promise: Promise) -> bool:
    """Returns whether the promise is about this conflict or this phase."""
    now = promise.due == (galaxy.round, galaxy.phase)
    if promise.what == SUPPORT:
        return now and galaxy.contest is not None and galaxy.contest.sector == promise.subject
    return now


def _broken(galaxy: Galaxy, promise: Promise) -> bool:
    """Returns whether the promising player has acted against the promise."""
    contest = galaxy.contest
    if contest is None:
        return False
    if promise.what == SUPPORT:
        answers = [one.side for one in contest.support if one.seat == promise.seat]
        return bool(answers) and answers[0] != promise.to
    return contest.attacker.seat == promise.seat and contest.defender.seat == promise.to


# --- options --------------------------------------------------------------------------------------


def promising(seen: Seen, options: Sequence[Decision]) -> Sequence[Decision]:
    """Drops equivalent gate options: pairs are alike, and so are the ways to reach a sector.

    A pair on the map moves only when none is left to build.
    """
    house = seen["state"]["houses"][seen["seat"]]
    left = any(not gate["first"] for gate in house["gates"])
    found: dict[tuple[object, ...], Decision] = {}
    for option in options:
        if isinstance(option, PlaceGate):
            found.setdefault(("new", option.second), option)
        elif isinstance(option, RelocateGate):
            if not left:
                found.setdefault((option.gate, option.second), option)
        else:
            found[("other", len(found))] = option
    return list(found.values()) or options


# --- ideas ----------------------------------------------------------------------------------------


def ideas(seen: Seen, lookup: Lookup) -> Sequence[Decision]:
    """Returns offers to accept and offers to make while the seat is asked another question."""
    board, seat = seen["state"], seen["seat"]
    standing = [option for one in seen.get("standing", ()) for option in one["options"]]
    found: list[Decision] = [
        Accept(option["deal"])
        for option in standing
        if option["type"] == "deal.accept" and _can_be_kept(board, option["deal"])
    ]
    payable = (caps_seen(board, seat, seat, lookup) or 0) >= PRICE
    if payable and not lookup.reads("learning") and lookup.reads("deal.caps") == "any-time":
        found += _offers(board, seat, lookup)
    return found


def _can_be_kept(board: Seen, deal: str) -> bool:
    """Returns whether the bot can still keep every promise that the offer asks for."""
    offer = next(one for one in board["deals"] if one["id"] == deal)
    contest = board["contest"]
    asked_for = _promises(offer)
    return bool(asked_for) and all(
        _due(one) == _now(board)
        and (one["what"] != SUPPORT or (contest or {}).get("sector") == one["subject"])
        for one in asked_for
    )


def _offers(board: Seen, seat: Seat, lookup: Lookup) -> Iterator[Propose]:
    contest = board["contest"]
    if contest is not None:
        for side in (contest["attacker"], contest["defender"]):
            if side["seat"] == seat and side["type"] == "political" and contest["step"] <= 2:
                yield from _for_support(board, contest, side, lookup)
    elif board["phase"] in (3, 4, 5) and board["turn"] is None:
        yield from _for_peace(board, seat)


def _for_support(board: Seen, contest: Seen, side: Seen, lookup: Lookup) -> Iterator[Propose]:
    """Offers CAPs for support to owners of embassies of the faction that is, or may be, used."""
    seat = side["seat"]
    involved = (contest["attacker"]["seat"], contest["defender"]["seat"])
    answered = {one["seat"] for one in contest["support"]}
    for house in board["houses"]:
        other = house["seat"]
        if other in involved or other in answered:
            continue
        factions = {_faction(board, sector, lookup) for sector in house["embassies"]} - {""}
        wanted = {side["faction"]} if side["faction"] else factions
        if factions & wanted and not _spoken(board, SUPPORT, contest["sector"], seat, other):
            yield _offer(board, seat, other, SUPPORT, contest["sector"])


def _faction(board: Seen, sector: str, lookup: Lookup) -> str:
    place = board["sectors"][sector]
    if place["home_of"] is not None:
        return ""
    return TILES.behind(lookup)[place["tile"]].faction or ""


def _for_peace(board: Seen, seat: Seat) -> Iterator[Propose]:
    """Once a round, offers the leading opponent CAPs for being spared in this phase."""
    if any(
        deal["seat"] == seat and one["what"] == SPARE and _due(one)[:1] == (board["round"],)
        for deal in board["deals"]
        for one in _promises(deal)
    ):
        return
    others = [house for house in board["houses"] if house["seat"] != seat]
    first = max(others, key=lambda house: (house["score"], -house["seat"]))
    if any((*first["agents"], *first["fleets"])):
        yield _offer(board, seat, first["seat"], SPARE, "")


def _promises(deal: Seen) -> Sequence[Seen]:
    """Returns a deal's promises, or none if the seat may not read its terms."""
    terms = terms_seen(deal)
    return () if terms is None else terms["promises"]


def _spoken(board: Seen, what: str, subject: str, seat: Seat, other: Seat) -> bool:
    """Returns whether the two have dealt on this in this phase."""
    return any(
        {seat, other} <= set(deal["parties"])
        and (one["what"], one["subject"], _due(one)) == (what, subject, _now(board))
        for deal in board["deals"]
        for one in _promises(deal)
    )


def _now(board: Seen) -> tuple[int, int]:
    return board["round"], board["phase"]


def _due(promise: Seen) -> tuple[int, ...]:
    """Returns the round and phase in which a promise is due; empty if it names none."""
    return tuple(promise["due"] or ())


def _offer(board: Seen, seat: Seat, other: Seat, what: Any, subject: str) -> Propose:
    """Offers CAPs now for a promise due in this phase. The offer expires with the phase."""
    now = _now(board)
    terms = Terms(
        payments=(Payment(seat=seat, to=other, amount=PRICE),),
        promises=(Promise(seat=other, to=seat, what=what, subject=subject, due=now),),
    )
    return Propose(parties=(seat, other), terms=terms, expires=now)
