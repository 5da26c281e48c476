"""What a greedy bot needs: a value for a position, and ideas that no question lists.

sampling.py makes the position that it looks at, weighing.py and foresight.py say what it is worth.
Bots make two simple deals: CAPs for support in a conflict, and CAPs for being spared in a round.
They keep what they have promised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.kernel.audience import hidden
from ledger.kernel.door import Door
from ledger.kernel.records import Decision, Seat

from .components import TILES
from .deal import ACCEPTED, PROPOSED, Deal, Payment, Promise, Terms
from .foresight import prospects
from .odds import at_stake
from .offers import Accept, Propose
from .piles_seen import caps_seen
from .state import Galaxy
from .weighing import CAP, POINT, worth

WON: Final = 10_000 * POINT
PRICE: Final = 2  # CAPs, for support or for being spared
SUPPORT, SPARE = "support", "spare"
HELP: Final = 70  # what somebody else's support may be worth, more than its price
PEACE: Final = 60  # to be spared
WORD: Final = 90  # to keep one's word
HOPE: Final = 2  # an offer that may still be accepted is worth a part of what it would bring


def score(galaxy: Galaxy, seat: Seat) -> int:
    """The position, what is about to come of it, and what has been promised."""
    if galaxy.over:
        return WON + POINT * galaxy.houses[seat].score if seat in galaxy.winners else -WON
    value = worth(galaxy, seat) + prospects(galaxy, seat) + at_stake(galaxy, seat)
    return value + sum(_deal(galaxy, deal, seat) for deal in galaxy.deals if seat in deal.parties)


# --- deals ----------------------------------------------------------------------------------------


def _deal(galaxy: Galaxy, deal: Deal, seat: Seat) -> int:
    """What a deal is worth: hope while it is open, gratitude or a debt once it is made."""
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
    """Whether it is about this conflict, or this round."""
    if promise.what == SUPPORT:
        return galaxy.contest is not None and galaxy.contest.key == promise.subject
    return promise.due == (galaxy.round, galaxy.phase) or promise.subject == f"r{galaxy.round}"


def _broken(galaxy: Galaxy, promise: Promise) -> bool:
    """Whether who made the promise has done otherwise."""
    contest = galaxy.contest
    if contest is None:
        return False
    if promise.what == SUPPORT:
        answers = [one.side for one in contest.support if one.seat == promise.seat]
        return bool(answers) and answers[0] != promise.to
    return contest.attacker.seat == promise.seat and contest.defender.seat == promise.to


# --- ideas ----------------------------------------------------------------------------------------


def ideas(seen: Mapping[str, Any], door: Door) -> Sequence[Decision]:
    """Offers to accept, and offers to make, where the seat is asked for something else."""
    board, seat = seen["state"], seen["seat"]
    standing = [option for one in seen.get("standing", ()) for option in one["options"]]
    found: list[Decision] = [
        Accept(option["deal"]) for option in standing if option["type"] == "deal.accept"
    ]
    payable = (caps_seen(board, seat, seat, door) or 0) >= PRICE
    if payable and not door.reads("learning") and door.reads("deal.caps") == "any-time":
        found += _offers(board, seat, door)
    return found


def _offers(board: Mapping[str, Any], seat: Seat, door: Door) -> Iterator[Propose]:
    contest = board["contest"]
    if contest is not None:
        for side in (contest["attacker"], contest["defender"]):
            if side["seat"] == seat and side["type"] == "political" and contest["step"] <= 2:
                yield from _for_support(board, contest, side, door)
    elif board["phase"] in (3, 4, 5) and board["turn"] is None:
        yield from _for_peace(board, seat)


def _for_support(
    board: Mapping[str, Any], contest: Mapping[str, Any], side: Mapping[str, Any], door: Door
) -> Iterator[Propose]:
    """CAPs for the support of whoever has embassies of the faction that is, or may be, used."""
    seat = side["seat"]
    involved = (contest["attacker"]["seat"], contest["defender"]["seat"])
    answered = {one["seat"] for one in contest["support"]}
    for house in board["houses"]:
        other = house["seat"]
        if other in involved or other in answered:
            continue
        factions = {_faction(board, sector, door) for sector in house["embassies"]} - {""}
        wanted = {side["faction"]} if side["faction"] else factions
        if factions & wanted and not _dealt(board, contest["key"], seat, other):
            yield _offer(seat, other, SUPPORT, contest["key"], "your support in this conflict")


def _faction(board: Mapping[str, Any], sector: str, door: Door) -> str:
    place = board["sectors"][sector]
    if place["home_of"] is not None:
        return ""
    return TILES.behind(door)[place["tile"]].faction or ""


def _for_peace(board: Mapping[str, Any], seat: Seat) -> Iterator[Propose]:
    """Once a round, CAPs for being left alone by whoever is ahead of all others."""
    subject = f"r{board['round']}"
    if any(_subject(deal) == subject and deal["seat"] == seat for deal in board["deals"]):
        return
    others = [house for house in board["houses"] if house["seat"] != seat]
    first = max(others, key=lambda house: (house["score"], -house["seat"]))
    armed = any((*first["agents"], *first["fleets"]))
    if armed:
        yield _offer(seat, first["seat"], SPARE, subject, "peace for this round")


def _subject(deal: Mapping[str, Any]) -> str:
    terms = deal["private"] if deal["terms"] is None else deal["terms"]
    if terms is None or hidden(terms):
        return ""
    return next((one["subject"] for one in terms["promises"]), "")


def _dealt(board: Mapping[str, Any], subject: str, seat: Seat, other: Seat) -> bool:
    """Whether the two have spoken of it."""
    return any(
        _subject(deal) == subject and {seat, other} <= set(deal["parties"])
        for deal in board["deals"]
    )


def _offer(seat: Seat, other: Seat, what: Any, subject: str, words: str) -> Propose:
    terms = Terms(
        text=f"{PRICE} CAPs for {words}",
        payments=(Payment(seat=seat, to=other, amount=PRICE),),
        promises=(Promise(seat=other, to=seat, what=what, subject=subject),),
    )
    return Propose(parties=(seat, other), terms=terms)
