"""Founding a match: the plan for it, and event 1, which pins that plan."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ledger.kernel.chance import seed_commitment
from ledger.kernel.content import Overlay
from ledger.kernel.readings import Value
from ledger.kernel.ruleset import PRINTED
from ledger.kernel.terms import Terms
from ledger.log.format.acts import FORMAT, FULL, Created, Origin
from ledger.log.format.bodies import Submitter
from ledger.log.format.canonical import KEPT_BYTES_MAX, encode
from ledger.log.format.chain import EMPTY
from ledger.log.format.published import Brought, Published, behind_of, edition_of
from ledger.log.format.secrets import KEPT_AS, Entropy, Secrets
from ledger.log.format.shapes import PolicyName
from ledger.log.read.history import OVERLAY, RulesOf
from ledger.log.stores.protocol import Appended, Batch, Store

from .writer import Draft, write_act

LIVE: Final = Origin(kind="live")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The choices with which a match is created."""

    ruleset: str
    seats: int
    edition: str = PRINTED
    options: tuple[tuple[str, Value], ...] = ()
    overlay: Overlay | None = None
    discloses: tuple[PolicyName, ...] = FULL
    origin: Origin = LIVE
    entered: bool = False  # dice and cards are typed in from a real table
    title: str = ""
    tournament: str | None = None  # that the match is a part of
    errata: tuple[Published, ...] = ()  # published ones, behind those of the edition


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The dependencies that a journal needs from its caller."""

    store: Store
    rules_of: RulesOf
    clock: Callable[[], int]  # milliseconds
    entropy: Entropy


def create_match(around: Surroundings, plan: Plan, by: Submitter) -> str:
    """Creates a match and returns its id; refuses a plan that does not fit its ruleset."""
    rules = around.rules_of(plan.ruleset)
    rules.check_seats(plan.seats)
    edition = edition_of(plan.edition, (Brought(one.id, 1) for one in plan.errata))
    behind = behind_of(rules, plan.errata)
    Terms(rules, edition, dict(plan.options), plan.overlay, behind)  # refuses what does not fit
    origin = plan.origin
    if plan.entered and origin.kind == "live":
        origin = Origin(kind="entered")
    match = new_id(around.entropy)
    secrets = Secrets.drawn(around.entropy, plan.seats)
    overlay = None if not plan.overlay else encode(plan.overlay, KEPT_BYTES_MAX)
    domains = () if plan.entered else rules.domains
    created = Created(
        format=FORMAT,
        match=match,
        ruleset=rules.name,
        edition=edition,
        source=rules.source,
        seats=plan.seats,
        options=dict(plan.options),
        overlay=None if overlay is None else hashlib.sha256(overlay).digest(),
        chance="entered" if plan.entered else "keys",
        domains={d: seed_commitment(secrets.seed(d), d) for d in domains},
        discloses=plan.discloses,
        origin=origin,
        title=plan.title,
        tournament=plan.tournament,
        errata=plan.errata,
    )
    draft = Draft(match, secrets.salt_key)
    write_act(draft, created, by, around.clock())
    # Secrets first: a log whose secrets are lost could never be opened.
    around.store.keep(match, KEPT_AS, secrets.kept())
    if overlay is not None:
        around.store.keep(match, OVERLAY, overlay)
    answer = around.store.append(match, Batch(expect=EMPTY, events=tuple(draft.events)))
    assert isinstance(answer, Appended), f"a new id was not new: {match}"
    return match


_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # 31, none of which looks like another


def new_id(entropy: Entropy) -> str:
    """Returns a match's id: 16 letters, some 79 bits."""
    letters: list[str] = []
    while len(letters) < 16:
        byte = entropy(1)[0]
        if byte < 8 * len(_LETTERS):  # the rest would favour the first letters
            letters.append(_LETTERS[byte % len(_LETTERS)])
    return "".join(letters)
