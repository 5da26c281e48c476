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
from services.matches.club import now_ms
from services.webhooks.addresses import target_of

from .retries import Delivery, make_delivery
from .signatures import ServiceKey


class Registry:
    def __init__(self, store: Store, key: ServiceKey, clock: Callable[[], int] = now_ms) -> None:
        self.key = key
        self.clock = clock
        self.book: Book[Webhooks] = Book(store, BOOK, WebhookEntry, Webhooks, clock)
        self.read = self.book.read

    def make(
        self, person: str, url: str, kinds: Sequence[Kind], label: str = "", *, plain: bool = False
    ) -> tuple[Webhook, str]:
        """Makes a webhook; also returns the words of its secret, which are shown only now."""
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
        """Gives a webhook a new secret; also returns its words, which are shown only now."""
        self.book.write(
            person, lambda hooks: rules.change_secret(hooks, webhook, person, self.key.name)
        )
        found = self.read().one(webhook, person)
        return found, self.key.words(found)

    def stop(self, webhook: str, why: str) -> None:
        """Stops a webhook. Its owner can read why."""
        self.book.write("", lambda hooks: rules.stop(hooks, webhook, why))


def ping(webhook: Webhook, now: int) -> Delivery:
    """Returns a delivery without news, which tests whether deliveries arrive."""
    delivery = make_delivery(webhook.id, new_id(os.urandom), "ping", {"at": now})
    delivery.asked = True
    return delivery


def reset_delivery(one: Delivery) -> Delivery:
    """Returns the same delivery to be sent again, under the same id and with a new time limit."""
    return msgspec.structs.replace(
        one, attempts=0, due=0, state="waiting", why="", failing_since=0, asked=True
    )
