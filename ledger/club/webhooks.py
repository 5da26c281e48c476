"""Webhooks: addresses of programs that are notified of events that concern a person.

They are stored in the book `club:webhooks`, but their secrets are not. A secret is derived from a
key of the service, a webhook's id and the secret's number. So neither the log nor its segments nor
a backup holds anything that can sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

from ledger.kernel.refusals import Refused
from ledger.log.books import Entry

BOOK: Final = "club:webhooks"
WEBHOOKS_MAX: Final = 10  # of one person
URL_MAX: Final = 500
LABEL_MAX: Final = 60
OVERLAP_MS: Final = 24 * 3_600_000  # a secret that was changed signs for so much longer

Kind: TypeAlias = Literal["turn", "deal", "dispute", "ruling", "result", "reminder"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)

WEBHOOK_REFUSALS: Final[Mapping[str, str]] = {
    "no_such_webhook": "There is no such webhook, or it is not yours.",
    "no_such_delivery": "This webhook has no such delivery, or it is no longer stored.",
    "too_many_webhooks": "A person has at most 10 webhooks; delete one first.",
    "bad_webhook_url": "A webhook's address is https://HOST/... without name, password or #.",
    "webhook_stopped": "This webhook is stopped: start it again first.",
}


def make_refusal(code: str, evidence: Mapping[str, Any] | None = None) -> Refused:
    return Refused(code, "", WEBHOOK_REFUSALS[code], evidence)


# --- entries --------------------------------------------------------------------------------------


class WebhookMade(Entry, tag="webhook-made"):
    """A person registered a webhook."""

    webhook: str
    person: str
    url: str
    kinds: tuple[Kind, ...]
    key: str  # the fingerprint of the service's key, from which its secret follows
    label: str = ""


class WebhookChanged(Entry, tag="webhook-changed"):
    """A webhook's kinds of news or its label were changed."""

    webhook: str
    kinds: tuple[Kind, ...]
    label: str = ""


class SecretChanged(Entry, tag="webhook-secret-changed"):
    """A webhook got another secret; the one before signs for one more day."""

    webhook: str
    key: str


class WebhookStopped(Entry, tag="webhook-stopped"):
    """A webhook gets no more deliveries until its owner starts it again."""

    webhook: str
    why: str  # for its owner


class WebhookStarted(Entry, tag="webhook-started"):
    """A webhook gets deliveries again from now on."""

    webhook: str


class WebhookEnded(Entry, tag="webhook-ended"):
    """A webhook's owner deleted it."""

    webhook: str


WebhookEntry: TypeAlias = (
    WebhookMade | WebhookChanged | SecretChanged | WebhookStopped | WebhookStarted | WebhookEnded
)


# --- what they come to ----------------------------------------------------------------------------


class Secret(msgspec.Struct, frozen=True):
    """A secret of a webhook: its number, and the service's key that it is derived from."""

    number: int
    key: str
    until: int | None = None  # it signs up to then; None: for good


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """An address that receives news."""

    id: str
    person: str
    url: str
    kinds: tuple[Kind, ...]
    label: str
    made: int
    since: int  # what happened before then is no news for it
    secrets: tuple[Secret, ...]  # the newest first
    stopped: str = ""  # why nothing is sent
    stopped_at: int = 0

    def signing(self, now: int) -> list[Secret]:
        """Returns the secrets that sign now, the newest first."""
        return [one for one in self.secrets if one.until is None or now < one.until]


class Webhooks:
    """All webhooks. Entries replace values, so a reader's data stays as it was."""

    def __init__(self) -> None:
        self.all: dict[str, Webhook] = {}

    def take(self, number: int, at: int, by: str, entry: WebhookEntry) -> None:
        match entry:
            case WebhookMade():
                self.all[entry.webhook] = Webhook(
                    id=entry.webhook,
                    person=entry.person,
                    url=entry.url,
                    kinds=entry.kinds,
                    label=entry.label,
                    made=at,
                    since=at,
                    secrets=(Secret(1, entry.key),),
                )
            case WebhookChanged():
                self._change(entry.webhook, kinds=entry.kinds, label=entry.label)
            case SecretChanged():
                old = self.all[entry.webhook].secrets[0]
                over = msgspec.structs.replace(old, until=at + OVERLAP_MS)
                self._change(entry.webhook, secrets=(Secret(old.number + 1, entry.key), over))
            case WebhookStopped():
                self._change(entry.webhook, stopped=entry.why, stopped_at=at)
            case WebhookStarted():
                self._change(entry.webhook, stopped="", stopped_at=0, since=at)
            case WebhookEnded():
                del self.all[entry.webhook]

    def _change(self, webhook: str, **to: Any) -> None:
        self.all[webhook] = msgspec.structs.replace(self.all[webhook], **to)

    def of(self, person: str) -> list[Webhook]:
        return [one for one in list(self.all.values()) if one.person == person]

    def one(self, webhook: str, person: str) -> Webhook:
        """Returns a person's own webhook; refuses another's as if it did not exist."""
        found = self.all.get(webhook)
        if found is None or found.person != person:
            raise make_refusal("no_such_webhook")
        return found

    @property
    def persons(self) -> frozenset[str]:
        """Returns the people who have a running webhook."""
        return frozenset(one.person for one in list(self.all.values()) if not one.stopped)

    def told(self, person: str, kind: Kind, at: int) -> list[Webhook]:
        """Returns a person's webhooks that get news of a kind from a time."""
        wants = [one for one in self.of(person) if kind in one.kinds]
        return [one for one in wants if not one.stopped and one.since <= at]


# --- what may be written --------------------------------------------------------------------------


def make(hooks: Webhooks, made: WebhookMade) -> list[WebhookEntry]:
    assert made.webhook not in hooks.all, "a new id is new"
    if len(hooks.of(made.person)) >= WEBHOOKS_MAX:
        raise make_refusal("too_many_webhooks", {"most": WEBHOOKS_MAX})
    return [msgspec.structs.replace(made, kinds=in_order(made.kinds))]


def change(
    hooks: Webhooks,
    webhook: str,
    person: str,
    *,
    kinds: Sequence[Kind] | None = None,
    label: str | None = None,
    stopped: bool | None = None,
) -> list[WebhookEntry]:
    """Changes a webhook for its owner. A restarted one gets no old news."""
    found = hooks.one(webhook, person)
    entries: list[WebhookEntry] = []
    wanted = found.kinds if kinds is None else in_order(kinds)
    named = found.label if label is None else label
    if (wanted, named) != (found.kinds, found.label):
        entries.append(WebhookChanged(webhook=webhook, kinds=wanted, label=named))
    if stopped is True and not found.stopped:
        entries.append(WebhookStopped(webhook=webhook, why="you stopped it"))
    if stopped is False and found.stopped:
        entries.append(WebhookStarted(webhook=webhook))
    return entries


def change_secret(hooks: Webhooks, webhook: str, person: str, key: str) -> list[WebhookEntry]:
    hooks.one(webhook, person)
    return [SecretChanged(webhook=webhook, key=key)]


def stop(hooks: Webhooks, webhook: str, why: str) -> list[WebhookEntry]:
    """Stops a webhook for the service."""
    found = hooks.all.get(webhook)
    if found is None or found.stopped:
        return []
    return [WebhookStopped(webhook=webhook, why=why)]


def end(hooks: Webhooks, webhook: str, person: str) -> list[WebhookEntry]:
    hooks.one(webhook, person)
    return [WebhookEnded(webhook=webhook)]


def in_order(kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Returns the kinds in their fixed order, each once."""
    return tuple(kind for kind in KINDS if kind in kinds)
