"""Books: logs beside the matches, on every store that keeps them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ledger.log.books import Book, Entry, Repeated, Reused
from ledger.log.stores.memory import MemoryStore
from ledger.log.stores.protocol import Command, Store
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.connection import Connection
from tests.support.servers import AnyLedger, Server, programs


class Added(Entry, tag="added"):
    number: int


class Taken(Entry, tag="taken"):
    number: int


class Sum:
    def __init__(self) -> None:
        self.total = 0
        self.by: list[str] = []

    def take(self, number: int, at: int, by: str, entry: Any) -> None:
        assert number == len(self.by) + 1
        self.total += entry.number if isinstance(entry, Added) else -entry.number
        self.by.append(by)


@pytest.fixture(params=["memory", *programs()])
def store(request: pytest.FixtureRequest, any_ledger: AnyLedger) -> Store:
    if request.param == "memory":
        return MemoryStore()
    return RedisStore(Connection(any_ledger(request.param).url))


def book(store: Store, name: str = "club:people") -> Book[Sum]:
    return Book(store, name, Added | Taken, Sum, lambda: 7)


def test_what_follows_is_written_and_read_by_others(store: Store):
    here, there = book(store), book(store)
    here.write("ann", lambda _: [Added(number=3)])
    there.write("bob", lambda found: [Taken(number=found.total - 1), Added(number=10)])
    assert here.read().total == there.read().total == 11
    assert here.read().by == ["ann", "bob", "bob"]
    assert [(at, by) for _, at, by, _ in here.entries(2)] == [(7, "bob"), (7, "bob")]


def test_what_is_refused_is_not_written(store: Store):
    ours = book(store)
    with pytest.raises(ZeroDivisionError):
        ours.write("", lambda found: [Added(number=1 // found.total)])
    assert store.tip(ours.name).version == 0
    assert ours.write("", lambda _: []) == ()
    assert store.tip(ours.name).version == 0


def test_a_command_that_is_repeated_gives_its_first_answer(store: Store):
    ours, command = book(store), Command("c1", b"12345678")
    ours.write("", lambda _: [Added(number=2), Added(number=3)], command)
    with pytest.raises(Repeated) as again:
        ours.write("", lambda _: [Added(number=2), Added(number=3)], command)
    assert again.value.entries == (Added(number=2), Added(number=3))
    with pytest.raises(Reused):
        ours.write("", lambda _: [Added(number=4)], Command("c1", b"another!"))
    assert ours.read().total == 5


def test_writers_at_once_all_come_in_one_after_the_other(store: Store):
    def write(name: str) -> None:
        own = book(store)
        for _ in range(10):
            own.write(name, lambda found: [Added(number=found.total + 1)])

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert book(store).read().total == 2**30 - 1
    assert sorted(book(store).read().by) == ["a"] * 10 + ["b"] * 10 + ["c"] * 10


def test_books_are_listed_and_are_no_matches(store: Store):
    book(store).write("", lambda _: [Added(number=1)])
    book(store, "table:x7").write("", lambda _: [Added(number=1)])
    assert store.books() == ["club:people", "table:x7"]
    assert store.matches() == []


@pytest.mark.parametrize("name", ["club:", "other:x", "club:a/talk", "club:A", "club:x:y"])
def test_no_book_has_a_name_that_is_none(ledger: Server, name: str):
    with pytest.raises(ValueError, match="a match cannot have"):
        RedisStore(Connection(ledger.url)).tip(name)
