"""One's own webhooks over the API; what is sent is for the tests of the courier."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.club.webhooks import BOOK, KINDS, LABEL_MAX, WEBHOOK_REFUSALS, WEBHOOKS_MAX
from ledger.log.stores.redis import RedisStore
from services.web.app.problems import STATUSES
from services.webhooks.mailbox import ASKING_MS, Mailbox
from services.webhooks.retries import Delivery, Receiver
from tests.support.web.visitors import Site, Visitor, is_problem

URL = "https://hooks.example/hegemon"


@pytest.fixture
def ann(site: Site) -> Visitor:
    return site.founder()


@pytest.fixture
def bob(site: Site, ann: Visitor) -> Visitor:
    return site.person()


def made(who: Visitor, **said: Any) -> dict[str, Any]:
    answer = who.asks("POST", "/me/webhooks", {"url": URL, **said})
    assert answer.status_code == 201, answer.text
    shown: dict[str, Any] = answer.json
    return shown


def mailbox(site: Site) -> Mailbox:
    assert isinstance(site.club.store, RedisStore)
    return Mailbox(site.club.store.cache)


def test_a_webhook_is_made_and_its_secret_shown_once_and_kept_nowhere(bob: Visitor):
    shown = made(bob, kinds=["turn"], label="bot")
    secret = shown.pop("secret")
    assert secret.startswith("whsec_")
    listed = bob.asks("GET", "/me/webhooks")
    assert listed.json == {"webhooks": [shown]}
    assert bob.asks("GET", f"/me/webhooks/{shown['id']}").json == shown
    assert (shown["url"], shown["kinds"], shown["stopped"]) == (URL, ["turn"], False)
    assert secret not in listed.text
    store = bob.site.club.store
    events = b"".join(event.body for event in store.events(BOOK))
    assert secret.encode() not in events
    assert URL.encode() in events
    assert made(bob)["kinds"] == list(KINDS)


def test_two_processes_of_one_data_folder_give_the_same_secret_and_webhooks_differ(a_site: Any):
    first, second = a_site(), a_site()
    ann = first.founder()
    one, other = made(ann), made(ann)
    with first.app.app_context():
        key = first.app.extensions["webhooks"].key
    assert one["secret"] != other["secret"]
    ann_there = Visitor(second, ann.id, ann.session)
    changed = ann_there.asks("POST", f"/me/webhooks/{one['id']}/secret").json["secret"]
    assert key.words(first.app.extensions["webhooks"].read().all[one["id"]]) == changed
    assert changed != one["secret"]


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/",
        "https://a@b.example/",
        "https://x/#y",
        "ftp://x/",
        "x",
        "https://ü/",
    ],
)
def test_an_address_that_cannot_be_is_refused(bob: Visitor, url: str):
    assert is_problem(bob.asks("POST", "/me/webhooks", {"url": url}), 422, "bad_webhook_url")
    assert bob.asks("GET", "/me/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"url": ""},
        {"url": URL, "kinds": []},
        {"url": URL, "kinds": ["all"]},
        {"url": URL, "kinds": ["turn"] * (len(KINDS) + 1)},
        {"url": URL, "label": "x" * (LABEL_MAX + 1)},
        {"url": URL, "secret": "mine"},
        {"url": "https://x/" + "x" * 500},
    ],
)
def test_what_is_asked_for_wrongly_is_not_made(bob: Visitor, asked: dict[str, Any]):
    assert is_problem(bob.asks("POST", "/me/webhooks", asked), 422, "invalid")


def test_ten_are_enough(bob: Visitor):
    ids = [made(bob)["id"] for _ in range(WEBHOOKS_MAX)]
    answer = bob.asks("POST", "/me/webhooks", {"url": URL})
    assert is_problem(answer, 409, "too_many_webhooks")
    assert bob.asks("DELETE", f"/me/webhooks/{ids[3]}").status_code == 204
    made(bob)


def test_another_s_webhook_is_not_there_not_even_for_an_organizer(ann: Visitor, bob: Visitor):
    path = f"/me/webhooks/{made(bob)['id']}"
    for method, more, asked in (
        ("GET", "", None),
        ("PATCH", "", {"label": "mine"}),
        ("DELETE", "", None),
        ("POST", "/secret", None),
        ("POST", "/ping", None),
        ("GET", "/deliveries", None),
        ("POST", "/deliveries/x/again", None),
    ):
        assert is_problem(ann.asks(method, path + more, asked), 404, "no_such_webhook")
    assert bob.asks("GET", path).json["label"] == ""


def test_it_is_changed_stopped_and_started_again(bob: Visitor):
    path = f"/me/webhooks/{made(bob)['id']}"
    said = bob.asks("PATCH", path, {"kinds": ["result", "deal"], "stopped": True}).json
    assert (said["kinds"], said["stopped"], said["why"]) == (
        ["deal", "result"],
        True,
        "you stopped it",
    )
    assert said["stopped_at"] == bob.site.clock.now
    assert is_problem(bob.asks("POST", f"{path}/ping"), 409, "webhook_stopped")
    said = bob.asks("PATCH", path, {"stopped": False}).json
    assert (said["kinds"], said["stopped"], said["why"]) == (["deal", "result"], False, "")
    for asked in ({"url": "https://other/"}, {"stopped": "yes"}, {"kinds": None}):
        assert is_problem(bob.asks("PATCH", path, asked), 422, "invalid")


def test_a_ping_waits_for_the_courier_and_the_next_one_has_to_wait(bob: Visitor):
    path = f"/me/webhooks/{made(bob)['id']}"
    answer = bob.asks("POST", f"{path}/ping")
    assert answer.status_code == 202
    again = bob.asks("POST", f"{path}/ping")
    assert is_problem(again, 429, "too_many_requests")
    assert int(again.headers["Retry-After"]) * 1_000 >= ASKING_MS
    [waiting] = mailbox(bob.site).asked()
    assert waiting.id == answer.json["delivery"]
    assert msgspec.json.decode(waiting.body) == {
        "id": waiting.id,
        "kind": "ping",
        "at": bob.site.clock.now,
    }
    [row] = bob.asks("GET", f"{path}/deliveries").json["deliveries"]
    assert (row["id"], row["kind"], row["state"]) == (waiting.id, "ping", "waiting")
    assert mailbox(bob.site).asked() == []


def test_a_delivery_that_is_done_is_sent_again_under_its_id(bob: Visitor):
    hook = made(bob)["id"]
    one = Delivery(
        id="d1", webhook=hook, kind="turn", made=5, body=b"{}", match="m", version=7, attempts=9,
        state="given up", why="it answered 500", status=500, tried=6, milliseconds=30,
        failing_since=5,
    )  # fmt: skip
    mailbox(bob.site).tried(one, Receiver())
    path = f"/me/webhooks/{hook}/deliveries"
    [row] = bob.asks("GET", path).json["deliveries"]
    assert row == {
        "id": "d1",
        "kind": "turn",
        "match": "m",
        "version": 7,
        "made": 5,
        "state": "given up",
        "attempts": 9,
        "tried": 6,
        "due": 0,
        "status": 500,
        "why": "it answered 500",
        "took": 30,
    }
    assert is_problem(bob.asks("POST", f"{path}/d2/again"), 404, "no_such_delivery")
    assert bob.asks("POST", f"{path}/d1/again").json == {"delivery": "d1"}
    [waiting] = mailbox(bob.site).asked()
    assert (waiting.id, waiting.state, waiting.attempts, waiting.asked) == (
        "d1",
        "waiting",
        0,
        True,
    )
    assert (waiting.body, waiting.failing_since) == (b"{}", 0)
    [row] = bob.asks("GET", path).json["deliveries"]
    assert row["state"] == "waiting"


def test_what_is_known_of_a_webhook_is_forgotten_with_it(bob: Visitor):
    hook = made(bob)["id"]
    done = Delivery(id="d", webhook=hook, kind="turn", made=5, body=b"{}", state="delivered")
    mailbox(bob.site).tried(done, Receiver(sound=True))
    assert len(mailbox(bob.site).log(hook)) == 1
    assert bob.asks("DELETE", f"/me/webhooks/{hook}").status_code == 204
    assert mailbox(bob.site).log(hook) == []
    assert mailbox(bob.site).receivers() == {}
    assert is_problem(bob.asks("GET", f"/me/webhooks/{hook}"), 404, "no_such_webhook")


def test_a_token_for_reading_makes_none_and_changes_none(bob: Visitor):
    path = f"/api/v1/me/webhooks/{made(bob)['id']}"
    program, read = bob.site.program(), bob.token("read")
    assert program.get(path, headers=read).status_code == 200
    for answer in (
        program.post("/api/v1/me/webhooks", json={"url": URL}, headers=read),
        program.delete(path, headers=read),
        program.post(f"{path}/secret", headers=read),
        program.post(f"{path}/ping", headers=read),
    ):
        assert is_problem(answer, 403, "scope_needed")


def test_every_refusal_that_is_no_mistake_of_form_has_a_status_of_its_own():
    assert set(WEBHOOK_REFUSALS) - set(STATUSES) == {"bad_webhook_url"}
