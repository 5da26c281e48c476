"""Tiles that are dealt to nobody: in the log, in the bundle, verified, and seen by no one."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from ledger.games.hegemonic import RULES
from ledger.games.hegemonic.setup.dealing import NOBODY, TilesAdded
from ledger.kernel.audience import view
from ledger.kernel.chance import Dealt, Stream
from ledger.log.format.bodies import Submitter
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from tests.support.laws.play import any_decision
from tests.support.log.matches import bundled
from tests.support.replays.saying import report_of, verdict_of

ORGANIZER = Submitter(role="organizer")
SEATS = 3
VIEWERS = (*range(SEATS), None)


def longer_game() -> Journal:
    """The Longer Game for three, in which tiles from the box are shuffled into the stack."""
    entropy = Stream.named(bytes(8), "entropy")
    ticks = itertools.count(1_700_000_000_000)
    around = Surroundings(
        store=MemoryStore(),
        rules_of=lambda _: RULES,
        clock=lambda: next(ticks),
        entropy=entropy.take,
    )
    plan = Plan(
        ruleset=RULES.name,
        seats=SEATS,
        options=(("opt.long", True),),
        discloses=("decisions", "chance"),
    )
    one = Journal.create(around, plan)
    for seat in range(SEATS):
        one.join(seat, f"player {seat}")
    one.start()
    return one


def answered(one: Journal, count: int) -> None:
    """So many decisions, always the first that is offered."""
    for _ in range(count):
        match = one.match()
        seat = match.asked()[0]
        one.decide(seat, match.options(seat)[0])


@cache
def running() -> Journal:
    one = longer_game()
    answered(one, 20)
    return one


def drawn(one: Journal) -> list[tuple[Dealt, TilesAdded]]:
    """Returns the tiles taken from the box, as the log has them."""
    return [
        (moment.decision, fact)
        for moment in one.history.replay()
        for fact in moment.facts
        if isinstance(fact, TilesAdded) and isinstance(moment.decision, Dealt)
    ]


@pytest.mark.rule("opt.long-icons", "general.chance")
def test_what_is_dealt_to_nobody_is_seen_by_no_seat_and_by_no_spectator():
    ((dealt, added),) = drawn(running())
    assert (dealt.to, dealt.count) == (NOBODY, len(dealt.cards))
    assert added.tiles == dealt.cards
    assert dealt.cards
    for viewer in VIEWERS:
        assert view(added, viewer)["tiles"] == {"hidden": True}
        assert view(dealt, viewer)["cards"] == {"hidden": len(dealt.cards)}
        tiles = running().match().view(viewer)["state"]["tiles"]
        assert tiles["unseen"] == {"hidden": True}


@pytest.mark.rule("opt.long-icons")
@pytest.mark.parametrize("viewer", ["all", *VIEWERS])
def test_the_bundle_of_everybody_verifies(viewer):
    assert verdict_of(running().history, viewer, lambda _: RULES) == "clean"


@pytest.mark.rule("opt.long-icons")
def test_a_bundle_of_a_seat_holds_the_number_and_not_the_tiles():
    """Only the organizer's bundle opens what was committed; a dealt tile is nobody else's."""
    one = longer_game()
    while not drawn(one):
        answered(one, 1)
    ((dealt, _),) = drawn(one)
    read = {viewer: bundled(one.history, viewer) for viewer in ("all", *VIEWERS)}
    for tile in dealt.cards:
        holding = [viewer for viewer, text in read.items() if tile.encode() in text]
        assert holding in (["all"], *(["all", seat] for seat in range(SEATS)))


@pytest.mark.rule("opt.long-icons", "opt.long-end")
def test_after_a_rewind_it_is_drawn_anew_and_at_the_close_all_is_opened_and_right():
    one = longer_game()
    first = one.history.tip.version
    while not drawn(one):
        answered(one, 1)
    one.rewind(first, ORGANIZER, "played again")
    assert drawn(one) == []
    stream = Stream(b"any")
    while not (match := one.match()).ended:
        _, seat, decision = any_decision(match, SEATS, stream)
        one.decide(seat, decision)
    one.close()
    ((dealt, _),) = drawn(one)
    report = report_of(one.history, None, lambda _: RULES)
    assert [check.detail for check in report.failed] == []
    chance = next(check for check in report.checks if check.name == "chance")
    assert chance.status == "ok", chance.detail
    assert all(tile.encode() in bundled(one.history, None) for tile in dealt.cards)
