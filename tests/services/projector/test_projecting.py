"""The projector over a real server: what comes of what is written, and what cannot be folded."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ledger.club.talk import Said, say
from ledger.games import ruleset
from ledger.kernel.records import Fact
from ledger.log.format.bodies import Submitter
from ledger.log.read.history import History
from ledger.log.read.seek import seek
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.projections import Fenced
from ledger.log.stores.segments.witness import Witness
from ledger.log.write.journal import Journal
from services.projector.loop import Projector
from tests.support.log.matches import FULL_PLAN, ORGANIZER, PLAIN, STAKED, play_out, played, started
from tests.support.servers import Server
from tests.support.services.settled import check_projected, settle, spoil, standings
from tests.support.starting import surroundings

# --- what is written is projected -----------------------------------------------------------------


@pytest.mark.parametrize("plan", [PLAIN, FULL_PLAN, STAKED], ids=["plain", "full", "staked"])
def test_standings_and_snapshots_follow_the_log(store: RedisStore, projector: Projector, plan: Any):
    journals = [played(plan, seed, rewinds=3, store=store) for seed in range(4)]
    going = started(plan, 9, store=store)
    settle(projector)
    for journal in [*journals, going]:
        check_projected(store, journal)
    assert standings(store)[journals[0].match_id].state == "closed"
    assert (
        standings(store)[journals[0].match_id].result
        == journals[0].history.act(journals[0].history.tip.version).result
    )
    play_out(going, random.Random(1))
    settle(projector)
    check_projected(store, going)
    assert standings(store)[going.match_id].state == "ended"


def test_every_event_is_followed_as_it_comes(store: RedisStore, projector: Projector):
    journal = started(STAKED, store=store)
    rng = random.Random(4)
    while not journal.match().ended:
        match = journal.match()
        seat = match.asked()[0]
        journal.decide(seat, rng.choice(match.options(seat)))
        if rng.random() < 0.3:
            journal.rewind(4, ORGANIZER, "a slip")
        projector.step(1)
        settle(projector)
        check_projected(store, journal)
        if journal.history.tip.version > 60:
            break


def test_a_closed_match_has_its_whole_rule_use_index(store: RedisStore, projector: Projector):
    journal = played(FULL_PLAN, store=store)
    settle(projector)
    tip = journal.history.tip.version
    found = store.snapshot(journal.match_id, tip, None, ruleset("tictactoe").source)
    assert found is not None
    assert found.version == tip


def test_talk_is_no_event_of_the_match(store: RedisStore, projector: Projector):
    journal = started(store=store)
    by = Submitter(role="seat", name="ann", seat=0)
    say(store, journal.match_id, Said(version=4, at=1, by=by, text="hello"))
    settle(projector)
    check_projected(store, journal)


# --- starting again -------------------------------------------------------------------------------


def test_the_next_projector_goes_on_where_the_last_one_stopped(store: RedisStore, folder: Path):
    journal = started(STAKED, store=store)
    rng = random.Random(7)
    for _ in range(8):
        projector = Projector(store, ruleset, Witness(folder))
        settle(projector)
        projector.stop()
        check_projected(store, journal)
        if journal.match().ended:
            break
        match = journal.match()
        journal.decide(match.asked()[0], rng.choice(match.options(match.asked()[0])))


def test_a_projector_that_vanished_is_followed_by_another(store: RedisStore, folder: Path):
    journal = played(FULL_PLAN, store=store)
    first = Projector(store, ruleset, Witness(folder), lease_ms=300)
    first.step(1)  # and no more: it is gone without a word
    first._copier.stop()
    second = Projector(store, ruleset, Witness(folder), lease_ms=300)
    until = time.monotonic() + 10
    while len(second._shards) < 16 and time.monotonic() < until:
        second.step(20)
    settle(second)
    check_projected(store, journal)
    with pytest.raises(Fenced):
        for shard in first._shards.values():
            shard._moved = True
            shard.flush()
    second.stop()


def test_two_projectors_never_have_one_shard(store: RedisStore, folder: Path, tmp_path: Path):
    one = Projector(store, ruleset, Witness(folder), shards=range(16))
    two = Projector(store, ruleset, Witness(tmp_path / "other"), shards=range(16))
    one.step(0)
    two.step(0)
    assert set(one._shards) == set(range(16))
    assert set(two._shards) == set()
    one.stop()
    two._claimed = float("-inf")
    two.step(0)
    assert set(two._shards) == set(range(16))
    two.stop()


def test_lost_projections_are_made_anew(store: RedisStore, folder: Path):
    journal = played(FULL_PLAN, rewinds=2, store=store)
    for lost in ("checkpoint", "standings"):
        projector = Projector(store, ruleset, Witness(folder))
        settle(projector)
        projector.stop()
        for key in store.cache.ask("KEYS", f"*:{lost}"):
            store.cache.call("DEL", key)
    projector = Projector(store, ruleset, Witness(folder))
    settle(projector)
    projector.stop()
    another = started(store=store, seed=3)
    projector = Projector(store, ruleset, Witness(folder))
    settle(projector)
    projector.stop()
    check_projected(store, another)
    assert journal.match_id in store.matches()


def test_projections_of_another_log_are_forgotten(store: RedisStore, folder: Path, tmp_path: Path):
    """The ledger was put back and went on; what the cache holds is of the lost future."""
    first = played(PLAIN, seed=1, store=store)
    projector = Projector(store, ruleset, Witness(folder))
    settle(projector)
    projector.stop()
    cached = {key: store.cache.ask("DUMP", key) for key in store.cache.ask("KEYS", "*")}
    store.connection.call("FLUSHALL")
    played(STAKED, seed=2, store=store)
    other = played(STAKED, seed=1, store=store)
    assert other.match_id == first.match_id
    for key, dump in cached.items():
        if key.endswith((b":standings", b":checkpoint", b":snapshots")):
            store.cache.call("RESTORE", key, 0, dump, "REPLACE")
    projector = Projector(store, ruleset, Witness(tmp_path / "new"))
    settle(projector)
    projector.stop()
    check_projected(store, other)


# --- what cannot be folded ------------------------------------------------------------------------


class Exploding(Fact, tag="test.exploding"):
    """Never in a ruleset."""


def parked_within(projector: Projector, store: RedisStore, match: str, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        projector.step(5)
        if store.parked(match) is not None:
            return True
    return False


def test_a_match_that_cannot_be_folded_is_parked_at_once(store: RedisStore, projector: Projector):
    journal, others = started(store=store), [started(store=store, seed=n) for n in range(1, 6)]
    settle(projector)
    version = spoil(store, journal)
    assert parked_within(projector, store, journal.match_id, 10.0)
    settle(projector)
    standing = standings(store)[journal.match_id]
    assert standing.version == version - 1
    assert standing.parked
    assert (store.parked(journal.match_id) or b"").startswith(b"event %d: " % version)
    assert store.parked_matches() == [journal.match_id]
    for other in others:
        other.decide(0, other.match().options(0)[0])
    settle(projector)
    for other in others:
        check_projected(store, other)


def test_a_parked_match_goes_on_when_it_is_unparked_and_folds(
    store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    settle(projector)

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("a new bug of ours")

    with monkeypatch.context() as patched:
        patched.setattr("ledger.games.tictactoe.play.Marked.apply", broken)
        with pytest.raises(ZeroDivisionError):
            journal.decide(0, journal.match().options(0)[0])
    # Written by a service whose rules are whole, read by a projector whose rules are broken.
    journal = Journal(journal.around, journal.match_id)
    journal.decide(0, journal.match().options(0)[0])
    with monkeypatch.context() as patched:
        patched.setattr("ledger.games.tictactoe.play.Marked.apply", broken)
        settle(projector)
    notice = store.parked(journal.match_id)
    assert notice is not None
    assert b"event 5: ZeroDivisionError: a new bug of ours" in notice
    store.unpark(journal.match_id)
    until = time.monotonic() + 5
    while standings(store)[journal.match_id].parked and time.monotonic() < until:
        projector.step(10)
    check_projected(store, journal)
    journal.decide(1, journal.match().options(1)[0])
    settle(projector)
    check_projected(store, journal)


def test_an_engine_that_differs_parks_the_match(
    store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    settle(projector)
    journal.decide(0, journal.match().options(0)[0])
    monkeypatch.setattr("ledger.log.read.history.facts_bytes", lambda _: b"other facts")
    settle(projector)
    assert b"engine_differs" in (store.parked(journal.match_id) or b"")


def test_a_rule_that_never_ends_is_stopped_and_its_match_parked(
    store: RedisStore, projector: Projector, monkeypatch: pytest.MonkeyPatch
):
    journal = started(store=store)
    settle(projector)
    journal.decide(0, journal.match().options(0)[0])

    def endless(*_: Any) -> None:
        while True:
            pass

    monkeypatch.setattr("ledger.games.tictactoe.play.Marked.apply", endless)
    monkeypatch.setattr("services.projector.shards.WORK_SECONDS", 0.5)
    began = time.process_time()
    assert parked_within(projector, store, journal.match_id, 60.0)
    assert time.process_time() - began < 2.0
    assert b"OutOfTime" in (store.parked(journal.match_id) or b"")


BEGUN = """
import sys
from pathlib import Path
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from ledger.games import GAMES
from services.projector.__main__ import begin
from services.run.settings import Settings
begin(Settings(data=Path(sys.argv[2])), RedisStore(Connection(sys.argv[1])))
sys.exit([name for name in GAMES if f"ledger.games.{name}" not in sys.modules] or 0)
"""


def test_games_are_imported_before_the_first_event(store: RedisStore, ledger: Server, folder: Path):
    """On a slow machine that alone takes longer than the fold of one event may."""
    command = [sys.executable, "-c", BEGUN, ledger.url, str(folder)]
    done = subprocess.run(command, env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_match_of_unknown_rules_is_parked_where_it_would_begin(store: RedisStore, folder: Path):
    journal = started(store=store)
    known: Callable[[str], Any] = lambda name: ruleset(f"no-{name}")  # noqa: E731
    projector = Projector(store, known, Witness(folder))
    settle(projector)
    assert store.parked_matches() == [journal.match_id]
    standing = standings(store)[journal.match_id]
    assert (standing.version, standing.state) == (3, "open")
    assert standing.parked
    notice = store.parked(journal.match_id) or b""
    assert notice.startswith(b"event 4: Refused: unknown_ruleset")
    projector.stop()


# --- what lies there ------------------------------------------------------------------------------


def test_a_point_is_reached_from_projected_snapshots(store: RedisStore, projector: Projector):
    journal = played(FULL_PLAN, rewinds=3, store=store)
    settle(projector)
    history = History.of(store, journal.match_id, ruleset)
    for version in range(1, history.tip.version + 1):
        found, whole = seek(store, journal.match_id, version, ruleset), history.at(version)
        assert (found is None) == (whole is None)
        if found is not None and whole is not None:
            assert found.terms.snapshot(found) == whole.terms.snapshot(whole)
