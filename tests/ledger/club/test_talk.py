"""Table talk is a log of its own, and never moves the match."""

from __future__ import annotations

import threading

import pytest

from ledger.club.talk import Said, say, talk
from ledger.log.format.bodies import Submitter
from ledger.log.format.canonical import NotCanonical
from ledger.log.format.chain import EMPTY, link
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Store
from tests.support.log.matches import started

ANN = Submitter(role="seat", name="ann", seat=0)


def test_talk_is_kept_in_order_and_chained(store: Store):
    journal = started(store=store)
    tip = journal.history.tip
    said = [Said(version=4, at=n, by=ANN, text=f"word {n}", to=(0, 1)) for n in range(3)]
    lines = [say(store, journal.match_id, one) for one in said]
    assert [line.number for line in lines] == [1, 2, 3]
    assert list(talk(store, journal.match_id)) == lines
    assert list(talk(store, journal.match_id, 3)) == lines[2:]
    assert [line.said for line in lines] == said
    first = next(store.events(f"{journal.match_id}/talk"))
    assert link(f"{journal.match_id}/talk", EMPTY, first.body) == first
    assert store.tip(journal.match_id) == tip
    assert store.matches() == [journal.match_id]


def test_everybody_may_talk_at_once(store: Store):
    journal = started(store=store)

    def chatter() -> None:
        for n in range(10):
            say(store, journal.match_id, Said(version=4, at=n, by=ANN, text="hello"))

    threads = [threading.Thread(target=chatter) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [line.number for line in talk(store, journal.match_id)] == list(range(1, 31))


def test_what_is_too_long_is_not_said():
    store = MemoryStore()
    journal = started(store=store)
    with pytest.raises(NotCanonical):
        say(store, journal.match_id, Said(version=4, at=1, by=ANN, text="x" * 100_000))
    assert list(talk(store, journal.match_id)) == []
