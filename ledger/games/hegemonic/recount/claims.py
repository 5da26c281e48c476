"""The recount: power, prices, outcomes, points and payments, counted a second time.

It counts each stated total again from the table before the fact. It uses map.py and
none of the code that made the fact. Stated and counted values are lists that explain
themselves: piece, sector, range, rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ledger.games.hegemonic.conflicts.facts import contest_of, side_of
from ledger.games.hegemonic.deals.transfers import Exchange
from ledger.games.hegemonic.state.contest import Side
from ledger.games.hegemonic.state.galaxy import CAPS, Galaxy
from ledger.kernel.accounts import Transferred
from ledger.kernel.lookup import Lookup
from ledger.kernel.records import Fact, Seat
from ledger.kernel.recount import CONFLICTS, RESULT, Recount, StatedTotal, TotalItem, total
from ledger.parts.deals.recount import recounts
from ledger.parts.recount import by_itself, items_of, single_total, totals_by_seat

from .map import RecountedGalaxy

STARTED: Final = "starting power"
TYPES: Final = {"industrial": "complex", "political": "embassy", "martial": "outpost"}


# --- conflicts ------------------------------------------------------------------------------------


def _recount_cost(
    galaxy: Galaxy, facts: Sequence[Fact], place: int, lookup: Lookup
) -> Iterator[StatedTotal]:
    """`cost.base-power`, `cost.units-free`: the price; `cost.when`: the price was paid."""
    fact: Any = facts[place]
    recounted = RecountedGalaxy(galaxy, lookup)
    rule, defender = f"cost.{fact.action}", fact.defender
    price = recounted.worth(defender.seat, defender.type, fact.sector) * recounted.figure(rule)
    counted: list[TotalItem] = []
    if price:
        house = galaxy.houses[defender.seat]
        count = house.bases_at(defender.type, fact.sector)
        counted = [TotalItem(rule, TYPES[defender.type], price, count, fact.sector)]
        efficient = "efficiency-paradigm"
        if recounted.has(fact.attacker.seat, efficient):
            less = min(price, recounted.figure("tech.efficiency"))
            counted.append(TotalItem(f"tech.{efficient}", efficient, -less, 1, fact.sector))
    yield StatedTotal(CONFLICTS, "price", rule, items_of(fact.price), tuple(counted))
    due = TotalItem(rule, "CAPs", total(counted))
    yield single_total(CONFLICTS, "cost in CAPs", due, fact.cost)
    paid = facts[place - 1] if place else None
    amount = paid.amount if isinstance(paid, Transferred) and paid.rule == rule else 0
    if due.value or amount:
        yield single_total(CONFLICTS, "CAPs paid", due, amount)
    away = recounted.distances(fact.attacker.sector, to=fact.sector).get(fact.sector, 0)
    far = TotalItem("target.range", "steps", away, sector=fact.sector)
    yield single_total(CONFLICTS, "steps to the target", far, fact.distance)


def _recount_start(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`step1.tech`: a side's own power."""
    counted = tuple(recounted.starting(side_of(recounted.galaxy, fact.seat)))
    about = f"{STARTED} of seat {fact.seat}"
    yield StatedTotal(CONFLICTS, about, "step1.order", items_of(fact.contributions), counted)


def _recount_support(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`step2.faction`, `step2.value`: embassies of a faction in use, the best ones first."""
    house = recounted.galaxy.houses[fact.seat]
    side: Side = side_of(recounted.galaxy, fact.side)
    located = recounted.lookup.reads("support.value") == "location-power"
    able: list[TotalItem] = []
    for at in house.embassies:
        tile = recounted.tile(at)
        if at == house.home:
            if recounted.lookup.reads("opt.wild"):
                able.append(TotalItem("opt.wild-support", "embassy", 1, 1, at))
        elif tile is not None and tile.faction in side.factions:
            value = tile.political if located else 1
            able.append(TotalItem("step2.value", "embassy", value, 1, at))
    stated = items_of(fact.contributions)
    best = tuple(sorted(able, key=lambda item: -item.value)[: len(stated)])
    as_good = sorted(item.value for item in stated) == sorted(item.value for item in best)
    among = len(set(stated)) == len(stated) and set(stated) <= set(able)
    about = f"support of seat {fact.seat} for seat {fact.side}"
    counted = stated if as_good and among else best
    yield StatedTotal(CONFLICTS, about, "step2.value", stated, counted)


def _card(recounted: RecountedGalaxy, side: Side, card: str, rule: str, sign: int = 1) -> TotalItem:
    """`step3.value`: the figure of the type of power that the side fights with."""
    return TotalItem(rule, card, sign * int(getattr(recounted.card(card), side.type)), sign)


def _make_card_recount(rule: str) -> Recount:
    def shown(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
        counted = (_card(recounted, side_of(recounted.galaxy, fact.seat), fact.card, rule),)
        about = f"technology card of seat {fact.seat}"
        yield StatedTotal(CONFLICTS, about, rule, items_of([fact.contribution]), counted)

    return by_itself(RecountedGalaxy, shown)


def _recount_exchange(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`step3.value`: the card first shown counts no longer, the other one does."""
    side = side_of(recounted.galaxy, fact.seat)
    counted = (
        _card(recounted, side, side.card, "step3.value", -1),
        _card(recounted, side, fact.card, "step3.value"),
    )
    about = f"card that seat {fact.seat} shows instead"
    yield StatedTotal(CONFLICTS, about, "step3.value", items_of(fact.contributions), counted)


def _by_leader(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`leader.choose`: the amount on the leader card for the level that acts."""
    house = recounted.galaxy.houses[fact.seat]
    row = recounted.lookup.table("leaders")[house.leader]
    amount = getattr(row, f"amount_{house.leading}", None) or 0
    counted = (
        TotalItem("leader.choose", house.leader, amount, 1, contest_of(recounted.galaxy).sector),
    )
    about = f"leader of seat {fact.seat}"
    yield StatedTotal(CONFLICTS, about, "leader.choose", items_of([fact.contribution]), counted)


def _recount_comparison(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`step4.compare`: all power given and lent to each side, added up; and the winner."""
    contest = contest_of(recounted.galaxy)
    powers = {}
    for side, said in zip(contest.sides, (fact.attack, fact.defense), strict=True):
        lent = [one for one in contest.support if one.side == side.seat]
        parts = [*side.given, *(part for one in lent for part in one.given)]
        powers[side.seat] = sum(part.amount for part in parts)
        about = f"total of seat {side.seat}"
        yield single_total(
            CONFLICTS, about, TotalItem("step4.compare", about, powers[side.seat]), said
        )
    attacker, defender = powers.values()
    if attacker != defender:
        won: Seat | None = max(powers, key=lambda seat: powers[seat])
    else:
        matter = [seat for seat in powers if recounted.has(seat, "polymorphic-matter")]
        first, second = powers
        named = {"none": None, "attacker": first, "defender": second}
        won = matter[0] if matter else named[recounted.lookup.reads("draw.winner")]
    winner = TotalItem("step4.compare", "winner", -1 if won is None else won)
    stated = -1 if fact.winner is None else fact.winner
    yield single_total(CONFLICTS, "winner by seat, -1 in a draw", winner, stated)


# --- points ---------------------------------------------------------------------------------------


def _recount_scores(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`score.power`, `score.control` and the rules after them: a board, player by player."""
    sectors = next(one.sectors for one in recounted.galaxy.boards if one.id == fact.board)
    powers = {}
    for house in recounted.galaxy.houses:
        held = [(type_, at) for at in sectors for type_ in TYPES if house.bases_at(type_, at)]
        if held:
            powers[house.seat] = sum(_worth(recounted, house.seat, type_, at) for type_, at in held)
    about = f"power on board {fact.board}"
    yield totals_by_seat(RESULT, about, "score.power", fact.powers, powers.items())
    awarded = tuple(TotalItem(one.rule, f"seat {one.seat}", one.points) for one in fact.awards)
    due = tuple(_awards(recounted, fact.board, powers))
    yield StatedTotal(RESULT, f"points of board {fact.board}", "score.when", awarded, due)


def _worth(recounted: RecountedGalaxy, seat: Seat, type_: str, sector: str) -> int:
    """`score.home-embassy`: the home embassy counts here, and nowhere else."""
    if type_ == "political" and sector == recounted.galaxy.houses[seat].home:
        return recounted.figure("score.home-embassy")
    return recounted.worth(seat, type_, sector)


def _awards(
    recounted: RecountedGalaxy, board: str, powers: Mapping[Seat, int]
) -> Iterator[TotalItem]:
    def points(rule: str, seat: Seat) -> TotalItem:
        return TotalItem(rule, f"seat {seat}", recounted.figure(rule))

    ranks = sorted(set(powers.values()), reverse=True)
    tied = Counter(powers.values())
    blocked = tied[ranks[0]] > 1 and recounted.lookup.reads("score.tie-first-blocks-second")
    for seat, power in powers.items():
        rank = ranks.index(power)
        if rank == 0:
            yield points("score.control" if tied[power] == 1 else "score.tie-first", seat)
        elif rank == 1 and not blocked:
            yield points("score.influence" if tied[power] == 1 else "score.tie-second", seat)
        else:
            yield points("score.presence", seat)
        if len(powers) == 1:
            yield points("score.exclusive", seat)
        alone = rank == 0 and tied[power] == 1
        if board == "K" and (alone or recounted.lookup.reads("score.core-who") != "controller"):
            yield points("score.core", seat)


def _final(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`end.final-tech`: each advanced technology counts by its tier."""
    rule = "end.final-tech"
    tiers = recounted.lookup.table("technologies")
    counted = tuple(
        TotalItem(
            rule,
            card,
            recounted.figure("final.vp-per-tier") * tiers[recounted.card(card).technology].tier,
        )
        for card in recounted.galaxy.houses[fact.seat].advanced
    )
    stated = tuple(TotalItem(rule, card, points) for card, points in fact.cards)
    yield StatedTotal(RESULT, f"technologies of seat {fact.seat}", rule, stated, counted)
    points = TotalItem(rule, "points", total(counted))
    yield single_total(RESULT, f"last points of seat {fact.seat}", points, fact.points)


def _winners(fact: Any, recounted: RecountedGalaxy) -> Iterator[StatedTotal]:
    """`end.winner`, `end.tiebreak`, `end.tiebreak-rest`: points, then incomes, then a reading."""
    scores = {house.seat: house.score for house in recounted.galaxy.houses}
    yield totals_by_seat(RESULT, "scores", "end.winner", enumerate(fact.scores), scores.items())
    best = [seat for seat in scores if scores[seat] == max(scores.values())]
    if len(best) > 1:
        incomes = {seat: _income(recounted, seat) for seat in scores}
        yield totals_by_seat(
            RESULT, "incomes", "end.tiebreak", enumerate(fact.incomes), incomes.items()
        )
        most = max(incomes[seat] for seat in best)
        best = [seat for seat in best if incomes[seat] == most]
    last = recounted.lookup.reads("tiebreak.last")
    if len(best) > 1 and last == "caps":
        held = {seat: recounted.galaxy.accounts.balance(CAPS, f"seat.{seat}") for seat in best}
        best = [seat for seat in best if held[seat] == max(held.values())]
    elif len(best) > 1 and last == "arbiter-order":
        best = [min(best, key=lambda seat: (seat - recounted.galaxy.arbiter) % len(scores))]
    winners, right = ([(seat, 1) for seat in seats] for seats in (fact.winners, best))
    yield totals_by_seat(RESULT, "winners", "end.winner", winners, right)


def _income(recounted: RecountedGalaxy, seat: Seat) -> int:
    """`board.income`: over the right-most vacated space of each track."""
    spaces = (recounted.space(seat, type_) for type_ in TYPES)
    return sum(int(space.income) for space in spaces if space is not None)


RECOUNTS: Final[Mapping[str, Recount]] = {
    "conflict.begun": _recount_cost,
    "conflict.starting-power": by_itself(RecountedGalaxy, _recount_start),
    "conflict.supported": by_itself(RecountedGalaxy, _recount_support),
    "conflict.card-revealed": _make_card_recount("step3.value"),
    "conflict.top-card-turned": _make_card_recount("learn.step3"),
    "conflict.card-exchanged": by_itself(RecountedGalaxy, _recount_exchange),
    "conflict.power-added": by_itself(RecountedGalaxy, _by_leader),
    "leader.support-raised": by_itself(RecountedGalaxy, _by_leader),
    "conflict.compared": by_itself(RecountedGalaxy, _recount_comparison),
    "score.board": by_itself(RecountedGalaxy, _recount_scores),
    "score.final": by_itself(RecountedGalaxy, _final),
    "end.winners": by_itself(RecountedGalaxy, _winners),
    **recounts(Exchange),
}
