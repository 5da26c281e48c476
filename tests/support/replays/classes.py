"""The ways to tamper with a bundle: each changes one thing and says where.

A change takes the loose bundle and draws its place; it returns the version that it touched, or
None where this bundle has nothing of the kind. What it leaves inconsistent is for the repair.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ledger.kernel.records import CHANCE
from ledger.log.format.canonical import decode, encode
from ledger.log.format.chain import OUTCOME_PATH, SEALED_PATH, padded, unpad_value

from .loose import Loose

Change = Callable[[Loose, random.Random], int | None]

CELLS = range(9)
EDITIONS = ("printed", "e1", "e2", "e3")
# Once the value that was committed to, or decided, has been changed and committed to anew, the
# rules find it: the event is illegal, or its facts, dice or result are others.
RULES_CHECKS = frozenset({"legality", "outcome", "chance", "result"})


@dataclass(frozen=True)
class Tampering:
    """A class of changes, and the checks of which one must name it after each repair."""

    change: Change
    relinked: frozenset[str]
    recommitted: frozenset[str]
    exact: bool = False  # the check must also name the very event


def _pick(rng: random.Random, places: list[int]) -> int | None:
    return rng.choice(places) if places else None


def _other(rng: random.Random, value: Any, values: Any) -> Any:
    return rng.choice([one for one in values if one != value])


def opening_value(loose: Loose, rng: random.Random) -> int | None:
    """Another value is disclosed than was committed: of a sealed note or of some facts."""
    place = _pick(rng, [n for n, line in enumerate(loose.lines) if line.openings])
    if place is None:
        return None
    openings = loose.lines[place].openings
    path = rng.choice(sorted(openings))
    salt, plain = openings[path]
    if path == SEALED_PATH:
        decision = decode(unpad_value(plain))
        decision["cell"] = _other(rng, decision["cell"], CELLS)
        openings[path] = (salt, padded(encode(decision)))
    else:
        openings[path] = (salt, _other_facts(plain, rng))
    return place + 1


def opening_salt(loose: Loose, rng: random.Random) -> int | None:
    """The value is the right one, the salt is not."""
    place = _pick(rng, [n for n, line in enumerate(loose.lines) if line.openings])
    if place is None:
        return None
    openings = loose.lines[place].openings
    path = rng.choice(sorted(openings))
    openings[path] = (rng.randbytes(32), openings[path][1])
    return place + 1


def decision(loose: Loose, rng: random.Random) -> int | None:
    """A seat is said to have decided something else."""
    seats = [n for n in loose.places("answer") if loose.lines[n].body["seat"] != CHANCE]
    place = _pick(rng, seats)
    if place is None:
        return None
    said = loose.lines[place].body["decision"]
    name = "cell" if "cell" in said else "amount"
    said[name] = _other(rng, said[name], range(1, 12) if name == "amount" else CELLS)
    return place + 1


def _chance_places(loose: Loose) -> list[int]:
    return [n for n in loose.places("answer") if loose.lines[n].body["seat"] == CHANCE]


def chance_answer(loose: Loose, rng: random.Random) -> int | None:
    """A die shows the other side."""
    place = _pick(rng, _chance_places(loose))
    if place is None:
        return None
    said = loose.lines[place].body["decision"]
    said["values"] = [3 - said["values"][0]]
    return place + 1


def _other_facts(plain: bytes, rng: random.Random) -> bytes:
    facts = decode(plain, 1 << 24)
    if facts and rng.random() < 0.3:
        facts.pop(rng.randrange(len(facts)))
    elif facts and rng.random() < 0.8:
        fact = rng.choice(facts)
        name = rng.choice([name for name in fact if name != "type"] or ["type"])
        fact[name] = fact[name] + 1 if isinstance(fact[name], int) else f"{fact[name]}x"
    else:
        facts.append({"type": "play.drew"})
    return encode(facts, 1 << 24)


def facts(loose: Loose, rng: random.Random) -> int | None:
    """The facts are told differently."""
    place = _pick(rng, [n for n, line in enumerate(loose.lines) if OUTCOME_PATH in line.openings])
    if place is None:
        return None
    openings = loose.lines[place].openings
    salt, plain = openings[OUTCOME_PATH]
    openings[OUTCOME_PATH] = (salt, _other_facts(plain, rng))
    return place + 1


def result(loose: Loose, rng: random.Random) -> int | None:
    """Another result is approved; the last record says so too, or not."""
    if loose.closing is None:
        return None
    stated = loose.closing.act["result"]
    winners = _other(rng, stated["winners"], ([0], [1], [0, 1]))
    scores = [int(len(winners) == 1 and seat in winners) for seat in (0, 1)]
    loose.closing.act["result"] = {**stated, "winners": winners, "scores": scores}
    if rng.random() < 0.7:
        loose.result = loose.closing.act["result"]
    return len(loose.lines)


def edition(loose: Loose, rng: random.Random) -> int | None:
    """The match was played under another edition, the header says so too."""
    changes = [0, *loose.places("match.edition-changed")]
    place = rng.choice(changes)
    act = loose.lines[place].act
    act["edition"] = _other(rng, act["edition"], EDITIONS)
    if place == 0:
        loose.header["edition"] = act["edition"]
    return place + 1


def header(loose: Loose, rng: random.Random) -> int | None:
    """The header speaks of another edition or source than event 1."""
    if rng.random() < 0.5:
        loose.header["edition"] = _other(rng, loose.header["edition"], EDITIONS)
    else:
        loose.header["source"] = rng.randbytes(32).hex()
    return 1


def options(loose: Loose, rng: random.Random) -> int | None:
    """The match was created with other options."""
    said = loose.lines[0].act["options"]
    name, values = rng.choice(
        [
            ("begin.first", ("first-seat", "rolled")),
            ("begin.stake", range(10)),
            ("opening", ("turns", "sealed")),
        ]
    )
    said[name] = _other(rng, said.get(name), values)
    return 1


def overlay(loose: Loose, rng: random.Random) -> int | None:
    """The content overlay is another one."""
    if loose.overlay is None:
        return None
    laid = decode(loose.overlay)
    if "readings" in laid and rng.random() < 0.3:
        del laid["readings"]
    else:
        row = rng.choice(("top", "left", "falling", "bent", "centre"))
        cells = rng.choice((None, {"cells": sorted(rng.sample(CELLS, 3))}))
        laid.setdefault("lines", {})[row] = cells
    changed = encode(laid)
    if changed == loose.overlay:
        return None
    loose.overlay = changed
    return 1


def overlay_kept_hash(loose: Loose, rng: random.Random) -> int | None:
    """The overlay is another one, or is gone, and event 1 still names the old one."""
    if loose.overlay is None:
        return None
    if rng.random() < 0.5:
        loose.overlay = None
    elif overlay(loose, rng) is None:
        return None
    loose.overlay_hash_stays = True
    return 1


def dropped(loose: Loose, rng: random.Random) -> int | None:
    """An event is missing."""
    place = rng.randrange(len(loose.lines))
    if place == len(loose.lines) - 1:
        loose.result = None
    loose.drop(place)
    return place + 1


def swapped(loose: Loose, rng: random.Random) -> int | None:
    """Two events that follow each other have changed places."""
    place = rng.randrange(len(loose.lines) - 1)
    lines = loose.lines
    if lines[place].body == lines[place + 1].body:
        return None
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return place + 1


def doubled(loose: Loose, rng: random.Random) -> int | None:
    """An event stands there twice."""
    place = rng.randrange(len(loose.lines))
    loose.double(place)
    return place + 2


def seed(loose: Loose, rng: random.Random) -> int | None:
    """Another seed is disclosed, or another one was committed to."""
    if loose.closing is None or not loose.closing.act["seeds"]:
        return None
    if rng.random() < 0.5:
        loose.closing.act["seeds"]["dice"] = rng.randbytes(32)
    else:
        loose.lines[0].act["domains"]["dice"] = rng.randbytes(32)
    return 1


def seed_withheld(loose: Loose, rng: random.Random) -> int | None:
    """The close keeps a seed to itself that event 1 promised; the dice may have been changed."""
    if loose.closing is None or not loose.closing.act["seeds"]:
        return None
    loose.closing.act["seeds"] = {}
    return len(loose.lines)


def nonce(loose: Loose, rng: random.Random) -> int | None:
    """A seat is said to have brought another nonce."""
    act = loose.first("match.started").act
    act["nonces"][rng.randrange(2)] = rng.randbytes(32)
    return loose.places("match.started")[0] + 1


def chance_submitter(loose: Loose, rng: random.Random) -> int | None:
    """Somebody else is said to have answered for chance: a seat, the referee, another match."""
    place = _pick(rng, _chance_places(loose))
    if place is None or loose.lines[0].act["chance"] != "keys":
        return None
    roles = ("seat", "delegate", "bot", "clock", "order", "organizer", "service", "referee", "fork")
    loose.lines[place].body["by"]["role"] = rng.choice(roles)
    return place + 1


def dice_for_seat(loose: Loose, rng: random.Random) -> int | None:
    """The dice are said to have decided for a seat."""
    kinds = [*loose.places("answer"), *loose.places("sealed")]
    place = _pick(rng, [n for n in kinds if loose.lines[n].body["seat"] != CHANCE])
    if place is None:
        return None
    loose.lines[place].body["by"]["role"] = "dice"
    return place + 1


def loaded_fork(loose: Loose, rng: random.Random) -> int | None:
    """A die shows the other side, and is said to come from a match that this one never forked."""
    place = chance_answer(loose, rng)
    if place is None or loose.lines[0].act["chance"] != "keys":
        return None
    loose.lines[place - 1].body["by"]["role"] = "fork"
    return place


def parent(loose: Loose, rng: random.Random) -> int | None:
    """An event names another parent."""
    place = rng.randrange(len(loose.lines))
    loose.parents_stay = True
    body = loose.lines[place].body
    body["parent"] = _other(rng, body["parent"], range(len(loose.lines) + 1))
    return place + 1


def rewound_to(loose: Loose, rng: random.Random) -> int | None:
    """A rewind went back to another event."""
    place = _pick(rng, loose.places("match.rewound"))
    if place is None:
        return None
    act = loose.lines[place].act
    act["to"] = _other(rng, act["to"], range(1, place + 1))
    return place + 1


def _of(*names: str) -> frozenset[str]:
    return frozenset(names)


CLASSES: dict[str, Tampering] = {
    # A commitment binds value and salt; made anew, a value is compared with what the rules give.
    "opening value": Tampering(opening_value, _of("openings"), RULES_CHECKS, exact=True),
    # A salt means nothing: with the commitment made anew nothing is left to contradict.
    "opening salt": Tampering(opening_salt, _of("openings"), _of(), exact=True),
    # The outcome's opening still tells what was really decided, if the rules allow it at all.
    "decision": Tampering(
        decision, _of("legality", "outcome"), _of("legality", "outcome"), exact=True
    ),
    "chance answer": Tampering(chance_answer, _of("chance", "outcome"), _of("chance", "outcome")),
    "facts": Tampering(facts, _of("openings"), _of("outcome"), exact=True),
    "result": Tampering(result, _of("result"), _of("result")),
    # Other terms give other questions, facts, dice or another result, where they matter.
    "edition": Tampering(edition, RULES_CHECKS, RULES_CHECKS),
    "header": Tampering(header, _of("edition"), _of("edition"), exact=True),
    "options": Tampering(options, RULES_CHECKS, RULES_CHECKS),
    "overlay": Tampering(overlay, RULES_CHECKS, RULES_CHECKS),
    "overlay, old hash": Tampering(overlay_kept_hash, _of("edition"), _of("edition"), exact=True),
    # A commitment binds its version: what moved no longer opens. Made anew, the rules or the
    # life of a match (created, joined, started, closed) miss what is not there.
    # Without its last decision a match has not ended: the result names that.
    "dropped event": Tampering(dropped, _of("openings", "life", "result"), RULES_CHECKS | {"life"}),
    "swapped events": Tampering(swapped, _of("openings", "life"), RULES_CHECKS | {"life"}),
    "doubled event": Tampering(doubled, _of("openings", "life"), RULES_CHECKS | {"life"}),
    # Event 1 commits to the seed; a whole other pair of both gives other dice.
    "seed": Tampering(seed, _of("chance"), _of("chance")),
    "seed withheld": Tampering(seed_withheld, _of("chance", "result"), _of("chance", "result")),
    # Joining commits to the nonce; a whole other pair of both gives other dice.
    "nonce": Tampering(nonce, _of("life"), _of("chance")),
    "chance submitter": Tampering(chance_submitter, _of("life", "chance"), _of("life", "chance")),
    "dice for a seat": Tampering(dice_for_seat, _of("life"), _of("life"), exact=True),
    # Its facts were of the true die; where they are told anew see retelling.py.
    "die from nowhere": Tampering(
        loaded_fork, _of("life", "chance", "outcome"), _of("life", "chance", "outcome")
    ),
    # The parent follows from the kind of event: there is nothing to choose.
    "parent": Tampering(parent, _of("chain"), _of("chain"), exact=True),
    "rewound to": Tampering(rewound_to, RULES_CHECKS | {"life"}, RULES_CHECKS | {"life"}),
}
