"""The strongest repair: a whole other match under the same id, made by whoever has the service.

Everything in it is derived anew, so nothing in it contradicts anything else; what was committed
before the match began (seeds, nonces, rules) still binds, and a head kept elsewhere tells the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec

from ledger.games import ruleset
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.secrets import Entropy
from ledger.log.read.history import RulesOf
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from tests.support.log.matches import around, bundled, joined, play_out

from .loose import loosened, relinked


@dataclass(frozen=True)
class Told:
    """A match that can be told again: how it was created, and how it was played."""

    plan: Plan
    seed: int
    rewinds: int = 0


def _there(told: Told, secrets: int | None = None, rules_of: RulesOf = ruleset) -> Surroundings:
    """Surroundings in which the next match gets the id of this one, and secrets of its own."""
    there = around(told.seed, rules_of=rules_of)
    if secrets is None:
        return there
    ids, drawn = random.Random(told.seed).randbytes, random.Random(secrets).randbytes
    entropy: Entropy = lambda size: (ids if size == 1 else drawn)(size)  # noqa: E731 - two sources
    return replace(there, entropy=entropy)


def _closed(journal: Journal, told: Told, rng: random.Random | None = None) -> bytes:
    play_out(journal, rng or random.Random(told.seed + 1), told.rewinds)
    journal.close()
    return bundled(journal.history)


def original(told: Told) -> bytes:
    """The match as it was."""
    return _closed(joined(Journal.create(_there(told), told.plan)), told)


def other_play(told: Told, rng: random.Random) -> bytes:
    """Other decisions by the same seats, with the same seeds, nonces and salts."""
    return _closed(joined(Journal.create(_there(told), told.plan)), told, rng)


def other_secrets(told: Told, rng: random.Random) -> bytes:
    """Other seeds and nonces, so other dice, under the same decisions as far as they go."""
    there = _there(told, secrets=rng.randrange(1 << 32))
    return _closed(joined(Journal.create(there, told.plan)), told)


def other_salts(told: Told, rng: random.Random) -> bytes:
    """The same match with other salts."""
    journal = Journal.create(_there(told), told.plan)
    journal._writer.secrets = msgspec.structs.replace(journal.secrets, salt_key=rng.randbytes(32))
    journal.history.salt_key = journal.secrets.salt_key
    return _closed(joined(journal), told)


def loaded_dice(told: Told, rng: random.Random) -> bytes:
    """Seeds and nonces as committed, and dice from another seed."""
    journal = Journal.create(_there(told), told.plan)
    true = journal.secrets
    journal._writer.secrets = msgspec.structs.replace(true, server_seed=rng.randbytes(32))
    joined(journal)
    play_out(journal, random.Random(told.seed + 1), told.rewinds)
    journal._writer.secrets = true
    journal.close()
    return bundled(journal.history)


def loaded_fork(told: Told, rng: random.Random) -> bytes:
    """Dice from another seed, said to be those of a match that this one was never forked from."""
    loose = loosened(loaded_dice(told, rng))
    for line in loose.lines:
        if line.body["by"]["role"] == "dice":
            line.body["by"]["role"] = "fork"
    return relinked(loose)


def loaded_and_withheld(told: Told, rng: random.Random) -> bytes:
    """Dice from another seed, and the close keeps to itself the one that event 1 promised."""
    loose = loosened(loaded_dice(told, rng))
    assert loose.closing is not None
    loose.closing.act["seeds"] = {}
    return relinked(loose)


def lying_rules(told: Told, rng: random.Random) -> bytes:
    """The same decisions, folded by rules that know fewer lines than event 1 says."""
    true = ruleset("tictactoe")
    gone = set(rng.sample(sorted(true.content["lines"]), 6))
    lines = {name: row for name, row in true.content["lines"].items() if name not in gone}
    lying: Ruleset = replace(true, content={"lines": lines})
    there = _there(told, rules_of=lambda _name: lying)
    return _closed(joined(Journal.create(there, told.plan)), told)


def other_edition(told: Told, rng: random.Random) -> bytes:
    """Played under another edition from the start."""
    editions = [one for one in ("printed", "e1", "e2", "e3") if one != told.plan.edition]
    plan = replace(told.plan, edition=rng.choice(editions))
    return _closed(joined(Journal.create(_there(told), plan)), told)


def other_options(told: Told, rng: random.Random) -> bytes:
    """Played with another option from the start."""
    options = dict(told.plan.options)
    name, values = rng.choice(
        [("begin.stake", (1, 2, 4)), ("begin.first", ("first-seat", "rolled"))]
    )
    options[name] = rng.choice([value for value in values if value != options.get(name)])
    plan = replace(told.plan, options=tuple(sorted(options.items())))
    return _closed(joined(Journal.create(_there(told), plan)), told)


def other_overlay(told: Told, rng: random.Random) -> bytes:
    """Played with another content overlay from the start."""
    cells = sorted(rng.sample(range(9), 3))
    plan = replace(told.plan, overlay={"lines": {"top": {"cells": cells}}})
    return _closed(joined(Journal.create(_there(told), plan)), told)


def other_rewinds(told: Told, rng: random.Random) -> bytes:
    """Played with more or fewer rewinds: events dropped, doubled, on other parents."""
    other = replace(told, rewinds=rng.choice([n for n in range(4) if n != told.rewinds]))
    return _closed(joined(Journal.create(_there(told), told.plan)), other)


def other_order(told: Told, rng: random.Random) -> bytes:
    """The seats were taken in the other order."""
    return _closed(joined(Journal.create(_there(told), told.plan), (1, 0)), told)


def typed_in(told: Told, rng: random.Random) -> bytes:
    """The dice are said to come from a real table."""
    plan = replace(told.plan, entered=True)
    return _closed(joined(Journal.create(_there(told), plan)), told, rng)


Retelling = Callable[[Told, random.Random], bytes]

# How each class of change looks once everything has been made anew, and the checks that still
# name it: committed seeds and the rules themselves; all else only a head from elsewhere can tell.
RETOLD: dict[str, tuple[Retelling, frozenset[str]]] = {
    "opening value": (other_play, frozenset()),
    "opening salt": (other_salts, frozenset()),
    "decision": (other_play, frozenset()),
    "chance answer": (loaded_dice, frozenset({"chance"})),
    "facts": (lying_rules, frozenset({"legality", "outcome", "result"})),
    "result": (other_play, frozenset()),
    "edition": (other_edition, frozenset()),
    "options": (other_options, frozenset()),
    "overlay": (other_overlay, frozenset()),
    "dropped event": (other_rewinds, frozenset()),
    "swapped events": (other_order, frozenset()),
    "doubled event": (other_rewinds, frozenset()),
    "seed": (other_secrets, frozenset()),
    "seed withheld": (loaded_and_withheld, frozenset({"chance", "result"})),
    "nonce": (other_secrets, frozenset()),
    "chance submitter": (typed_in, frozenset()),
    "die from nowhere": (loaded_fork, frozenset({"chance", "life"})),
    "parent": (other_rewinds, frozenset()),
    "rewound to": (other_rewinds, frozenset()),
}
