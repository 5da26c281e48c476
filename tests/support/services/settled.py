"""A projector that has come to the end, and what it must have left behind."""

from __future__ import annotations

from ledger.games import ruleset
from ledger.log.format.bodies import AnswerBody, Submitter, body_bytes
from ledger.log.format.chain import link
from ledger.log.read.history import History
from ledger.log.stores.protocol import Appended, Batch, used_bytes
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.projections import Projections
from ledger.log.write.journal import Journal
from replays.story.standing import Standing
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
    """Checks that the projections equal a fold of the whole log."""
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
    assert not standing.parked
    assert not standing.undisclosed
    for version in range(1, history.tip.version + 1):
        found = store.snapshot(match_id, version, None, history.rules.source)
        if found is not None:
            at = history.at(found.version)
            assert at is not None
            assert (found.held, found.used) == (at.terms.snapshot(at), used_bytes(at.used))
            assert found.head == history.events[found.version - 1].head


def spoil(store: RedisStore, journal: Journal) -> int:
    """Write an answer that no rule takes, past the journal: a fault of the engine, or worse."""
    tip = store.tip(journal.match_id)
    body = AnswerBody(
        parent=tip.version,
        at=1,
        by=Submitter(role="seat"),
        question="turn/1",
        seat=0,
        decision=b"\x82\xa4cell\x63\xa4type\xa9play.mark",  # cell 99
    )
    event = link(journal.match_id, tip, body_bytes(body))
    assert isinstance(store.append(journal.match_id, Batch(expect=tip, events=(event,))), Appended)
    return event.version
