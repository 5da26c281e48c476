"""One's own webhooks: made, changed, read. docs/webhooks.md describes their messages."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias, cast

from flask import current_app
from flask.views import MethodView
from marshmallow.validate import And, Length
from msgspec.structs import asdict

from ledger.club import webhooks as rules
from ledger.club.webhooks import KINDS, LABEL_MAX, URL_MAX, Kind, Webhook
from ledger.log.stores.redis.store import RedisStore
from services.web.app.access import allowed
from services.web.app.identity import club, require_caller, settings
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import ABSENT, Shape, one_line
from services.webhooks.book import Registry, ping, reset_delivery
from services.webhooks.mailbox import Mailbox
from services.webhooks.retries import Delivery
from services.webhooks.signatures import key_of

WEBHOOKS: Final = Routes("webhooks", "/me/webhooks", "Webhooks: programs that are told")

Kinds: TypeAlias = Annotated[list[Kind], Length(1, len(KINDS)), "the kinds of events that it gets"]
Label: TypeAlias = Annotated[str, And(Length(0, LABEL_MAX), one_line)]
When: TypeAlias = Annotated[int, "in milliseconds; 0: never"]


class NewWebhookShape(Shape):
    """The address of a webhook, and its kinds of events."""

    url: Annotated[str, Length(1, URL_MAX), "https://...; do not put a secret into it"]
    kinds: Annotated[Kinds, {"load_default": list(KINDS)}] = ABSENT
    label: Label = ""


class ChangedWebhookShape(Shape):
    """Changes to a webhook."""

    kinds: Kinds = ABSENT
    label: Label = ABSENT
    stopped: Annotated[bool, "false starts it again"] = ABSENT


class WebhookShape(Shape):
    """A webhook, without its secret."""

    id: Annotated[str, {"metadata": {"pattern": "^[a-z0-9]{16}$"}}]
    url: str
    kinds: Kinds
    label: str
    made: int
    stopped: bool
    why: Annotated[str, "if nothing is sent to it: why"]
    stopped_at: When


class ShownWebhookShape(WebhookShape):
    """A webhook with its secret, shown only this once."""

    secret: Annotated[str, "shown once, and never again"]


class WebhooksShape(Shape):
    """The caller's webhooks."""

    webhooks: list[WebhookShape]


class DeliveryShape(Shape):
    """A delivery to a webhook, and its result."""

    id: str
    kind: str
    match: Annotated[str, "empty: of a ping"]
    version: int
    made: int
    state: Literal["waiting", "delivered", "given up"]
    attempts: int
    tried: When
    due: Annotated[int, "when the courier tries next; 0: now"]
    status: Annotated[int, "of the last answer; 0: there was none"]
    why: Annotated[str, "what went wrong last time"]
    took: Annotated[int, "milliseconds"]


class DeliveriesShape(Shape):
    """The last deliveries to a webhook."""

    deliveries: list[DeliveryShape]


class WebhookAskedShape(Shape):
    """A delivery that will be tried in a moment."""

    delivery: str


# --- what the routes work with --------------------------------------------------------------------


def registry() -> Registry:
    found = current_app.extensions.get("webhooks")
    if found is None:
        key = key_of(settings().data, settings().webhook_key)
        made = Registry(club().store, key, club().clock)
        found = current_app.extensions.setdefault("webhooks", made)
    return cast("Registry", found)


def mailbox() -> Mailbox:
    return Mailbox(cast("RedisStore", club().store).cache)


def mine(webhook: str) -> Webhook:
    return registry().read().one(webhook, require_caller().person.id)


def plain_webhook(found: Webhook) -> dict[str, Any]:
    return {**asdict(found), "stopped": bool(found.stopped), "why": found.stopped}


def plain_delivery(one: Delivery) -> dict[str, Any]:
    due = one.due if one.state == "waiting" else 0
    return {**asdict(one), "due": due, "took": one.milliseconds}


def queue_delivery(found: Webhook, one: Delivery) -> dict[str, Any]:
    """Queues a delivery. Refuses a stopped webhook."""
    if found.stopped:
        raise rules.make_refusal("webhook_stopped", {"why": found.stopped})
    if not mailbox().ask(one):
        raise Problem(429, headers={"Retry-After": "5"})
    return {"delivery": one.id}


# --- routes ---------------------------------------------------------------------------------------


@WEBHOOKS.route("")
class Mine(MethodView):
    """The caller's webhooks."""

    @WEBHOOKS.gives(200, WebhooksShape)
    @allowed("person")
    def get(self) -> dict[str, Any]:
        """Lists the caller's webhooks and whether they work."""
        found = registry().read().of(require_caller().person.id)
        return {"webhooks": [plain_webhook(one) for one in found]}

    @WEBHOOKS.takes(NewWebhookShape)
    @WEBHOOKS.gives(201, ShownWebhookShape, problems=(409,))
    @allowed("person", scope="play")
    def post(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Makes a webhook for events that concern the caller. Its secret is shown only once."""
        found, words = registry().make(
            require_caller().person.id,
            asked["url"],
            asked["kinds"],
            asked["label"],
            plain=bool(settings().webhook_networks),
        )
        return {**plain_webhook(found), "secret": words}


@WEBHOOKS.route("/<string:webhook>")
class One(MethodView):
    """A webhook."""

    @WEBHOOKS.gives(200, WebhookShape)
    @allowed("person")
    def get(self, webhook: str) -> dict[str, Any]:
        """Returns a webhook."""
        return plain_webhook(mine(webhook))

    @WEBHOOKS.takes(ChangedWebhookShape)
    @WEBHOOKS.gives(200, WebhookShape)
    @allowed("person", scope="play")
    def patch(self, asked: dict[str, Any], webhook: str) -> dict[str, Any]:
        """Changes, renames, stops or restarts a webhook."""
        me = require_caller().person.id
        registry().book.write(me, lambda hooks: rules.change(hooks, webhook, me, **asked))
        return plain_webhook(mine(webhook))

    @WEBHOOKS.gives(204)
    @allowed("person", scope="play")
    def delete(self, webhook: str) -> None:
        """Deletes a webhook. Nothing more is sent to it."""
        me = require_caller().person.id
        registry().book.write(me, lambda hooks: rules.end(hooks, webhook, me))
        mailbox().over(webhook, [], forget=True)


@WEBHOOKS.route("/<string:webhook>/secret")
class ItsSecret(MethodView):
    """The secret of a webhook."""

    @WEBHOOKS.gives(201, ShownWebhookShape)
    @allowed("person", scope="play")
    def post(self, webhook: str) -> dict[str, Any]:
        """Makes a new secret, shown only this once. The old one signs for another day."""
        found, words = registry().change_secret(webhook, require_caller().person.id)
        return {**plain_webhook(found), "secret": words}


@WEBHOOKS.route("/<string:webhook>/ping")
class Ping(MethodView):
    """A test of a webhook."""

    @WEBHOOKS.gives(202, WebhookAskedShape, problems=(409,))
    @allowed("person", scope="play")
    def post(self, webhook: str) -> dict[str, Any]:
        """Sends an empty test message. Its result is among the deliveries."""
        found = mine(webhook)
        return queue_delivery(found, ping(found, club().clock()))


@WEBHOOKS.route("/<string:webhook>/deliveries")
class Deliveries(MethodView):
    """The deliveries to a webhook."""

    @WEBHOOKS.gives(200, DeliveriesShape)
    @allowed("person")
    def get(self, webhook: str) -> dict[str, Any]:
        """Lists the waiting deliveries and the last hundred done, newest first."""
        return {"deliveries": [plain_delivery(one) for one in mailbox().log(mine(webhook).id)]}


@WEBHOOKS.route("/<string:webhook>/deliveries/<string:delivery>/again")
class Again(MethodView):
    """A repeated delivery."""

    @WEBHOOKS.gives(202, WebhookAskedShape, problems=(409,))
    @allowed("person", scope="play")
    def post(self, webhook: str, delivery: str) -> dict[str, Any]:
        """Sends a delivery again, under the same id."""
        found = mine(webhook)
        for one in mailbox().log(webhook):
            if one.id == delivery:
                return queue_delivery(found, reset_delivery(one))
        raise rules.make_refusal("no_such_delivery", {"delivery": delivery[:40]})
