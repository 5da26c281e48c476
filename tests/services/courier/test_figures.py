"""The courier's figures: what came of attempts, what waits, and since when."""

from __future__ import annotations

from services.run.figures import courier_figures
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery, Receiver
from tests.services.courier.conftest import Town


def delivery(number: int, made: int, webhook: str = "one") -> Delivery:
    return Delivery(id=f"d{number}", webhook=webhook, kind="turn", made=made, body=b"{}")


def figures(box: Mailbox) -> dict[str, float]:
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in courier_figures(box._connection)
        for sample in family.samples
    }


def test_nothing_has_been_delivered_to_begin_with(town: Town):
    assert figures(town.mailbox) == {
        "hegemon_deliveries_total delivered": 0,
        "hegemon_deliveries_total failed": 0,
        "hegemon_deliveries_total given_up": 0,
        "hegemon_deliveries_waiting": 0,
        "hegemon_deliveries_age_seconds": 0,
    }


def test_attempts_are_counted_by_what_came_of_them(town: Town):
    box, first, second = town.mailbox, delivery(1, 1_000), delivery(2, 2_000)
    box.noticed([first, second], {})
    box.tried(first, Receiver(failures=1))
    box.tried(first, Receiver(failures=2))
    assert box.counts() == {"delivered": 0, "failed": 2, "given_up": 0}
    assert box.oldest() == (2, 1_000)
    first.state = "delivered"
    box.tried(first, Receiver())
    second.state = "given up"
    box.tried(second, Receiver(failures=3))
    assert box.counts() == {"delivered": 1, "failed": 3, "given_up": 1}
    assert box.oldest() == (0, None)


def test_what_waits_ages_from_when_it_was_made(town: Town):
    town.mailbox.noticed([delivery(1, 1_000), delivery(2, 5_000, "two")], {})
    assert figures(town.mailbox)["hegemon_deliveries_waiting"] == 2
    assert figures(town.mailbox)["hegemon_deliveries_age_seconds"] > 1_000_000


def test_what_waited_for_a_webhook_that_is_over_waits_no_more(town: Town):
    box = town.mailbox
    box.noticed([delivery(1, 1_000), delivery(2, 2_000), delivery(3, 3_000, "two")], {})
    box.over("one", [])  # the sender has not heard of them yet
    assert box.oldest() == (1, 3_000)
