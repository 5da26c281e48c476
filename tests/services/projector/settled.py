"""A projector that has come to the end, and what it must have left behind."""

from __future__ import annotations

from ledger.log.history import History
from ledger.log.journal import Journal
from ledger.log.redis import RedisStore
from ledger.log.redis.projections import Projections
from ledger.log.seek import used_bytes
from ledger.rules import ruleset
from replays.standing import Standing
from services.projector.loop import Projector
from services.projector.shards import standings_of


def settle(projector: Projector) -> None:
    """Let it come to the end of its feeds."""
    projector.step(0)
    while projector.step(0):
        pass


def standings(store: RedisStore) -> dict[str, Standing]:
    return {one.match: one for one in standings_of(Projections(store.cache))}


def check_projected(store: RedisStore, journal: Journal) -> None:
    """What was projected is what a fold of the whole log gives."""
    check_match(store, journal.match_id)


def check_match(store: RedisStore, match_id: str) -> None:
    """The same, of a match by its id."""
    history = History.of(store, match_id, ruleset)
    match = history.at()
    assert match is not None
    standing = standings(store)[match_id]
    assert standing.version == history.tip.version
    assert standing.asked == match.asked()
    assert standing.ended == match.ended
    assert standing.closed == history.life.closed
    joined = sorted(history.life.joined.items())
    assert standing.players == tuple(one.name for _, one in joined)
    assert standing.parked == ""
    for version in range(1, history.tip.version + 1):
        found = store.snapshot(match_id, version, None, history.rules.source)
        if found is not None:
            at = history.at(found.version)
            assert at is not None
            assert (found.held, found.used) == (at.terms.snapshot(at), used_bytes(at.used))
            assert found.head == history.events[found.version - 1].head
