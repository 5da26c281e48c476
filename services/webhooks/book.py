"""The club's webhooks: the book, with the clock, the entropy and the key that it needs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import msgspec

from ledger.club import webhooks as rules
from ledger.club.webhooks import BOOK, Kind, Webhook, WebhookEntry, WebhookMade, Webhooks
from ledger.log.books import Book
from ledger.log.stores.protocol import Store
from ledger.log.write.founding import new_id
from services.matches.play import now_ms
from services.webhooks.addresses import target_of

from .retries import Delivery
from .signatures import Key


class Registry:
    """The webhooks of a store."""

    def __init__(self, store: Store, key: Key, clock: Callable[[], int] = now_ms) -> None:
        self.key = key
        self.clock = clock
        self.book: Book[Webhooks] = Book(store, BOOK, WebhookEntry, Webhooks, clock)

    def read(self) -> Webhooks:
        """All of them, as of now."""
        return self.book.read()

    def make(
        self, person: str, url: str, kinds: Sequence[Kind], label: str = "", *, plain: bool = False
    ) -> tuple[Webhook, str]:
        """One more, and the words of its secret, which are shown this once."""
        target_of(url, plain=plain)
        made = WebhookMade(
            webhook=new_id(os.urandom),
            person=person,
            url=url,
            kinds=tuple(kinds),
            key=self.key.name,
            label=label,
        )
        self.book.write(person, lambda hooks: rules.make(hooks, made))
        found = self.read().one(made.webhook, person)
        return found, self.key.words(found)

    def change_secret(self, webhook: str, person: str) -> tuple[Webhook, str]:
        """Another secret, shown this once."""
        self.book.write(
            person, lambda hooks: rules.change_secret(hooks, webhook, person, self.key.name)
        )
        found = self.read().one(webhook, person)
        return found, self.key.words(found)

    def stop(self, webhook: str, why: str) -> None:
        """Nothing is sent there any more; its owner reads why."""
        self.book.write("", lambda hooks: rules.stop(hooks, webhook, why))


def ping(webhook: Webhook, now: int) -> Delivery:
    """A delivery that tells of nothing: whether it arrives is what is asked."""
    delivery = new_id(os.urandom)
    said = {"id": delivery, "kind": "ping", "at": now}
    return Delivery(
        id=delivery,
        webhook=webhook.id,
        kind="ping",
        made=now,
        body=msgspec.json.encode(said),
        asked=True,
    )


def again(one: Delivery) -> Delivery:
    """The same once more, under the same id; its day begins anew."""
    return msgspec.structs.replace(
        one, attempts=0, due=0, state="waiting", why="", failing_since=0, asked=True
    )
