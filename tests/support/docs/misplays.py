"""Breaks a bundle in ways that only its rules can tell."""

from __future__ import annotations

from ledger.log.format.canonical import encode
from ledger.log.format.chain import padded

from .breakings import Body, Copy, breaks, recommitted


@breaks("short", "edition", claimed=True)
def other_edition(copied: Copy) -> None:
    """The header names another edition than event 1."""
    copied.records[0][1]["edition"] = "e1"


@breaks("corrected", "edition", claimed=True)
def no_overlay(copied: Copy) -> None:
    """The overlay that event 1 names is missing."""
    copied.records = [one for one in copied.records if one[0] != "overlay"]


@breaks("corrected", "edition", claimed=True)
def other_overlay(copied: Copy) -> None:
    """The overlay is not the one that event 1 names."""
    copied.of_kind("overlay")[0][1] = encode({})


@breaks("short", "edition")
def bad_option(copied: Copy) -> None:
    """An option with a value that the ruleset does not have."""
    copied.rebodied(lambda bodies: bodies[0]["act"]["options"].update({"begin.stake": 99}))


@breaks("short", "legality")
def illegal_mark(copied: Copy) -> None:
    """A mark on a cell that is taken; heads are right."""
    copied.rebodied(lambda bodies: bodies[5]["decision"].update(cell=0))


@breaks("short", "legality")
def other_question(copied: Copy) -> None:
    """An answer under the key of another question."""
    copied.rebodied(lambda bodies: bodies[5].update(question="turn/3"))


@breaks("sealed", "legality")
def opens_nothing(copied: Copy) -> None:
    """The event that shows both notes does not list the commitments it opens."""
    copied.rebodied(lambda bodies: bodies[5].pop("opens"))


@breaks("sealed", "legality")
def not_padded(copied: Copy) -> None:
    """What was committed for a sealed decision is not padded."""
    plain = encode({"cell": 4, "type": "opening.write"})
    assert copied.opening(5, "decision")[4] == padded(plain), "the note of seat 0"
    recommitted(copied, 5, "decision", plain)


@breaks("rewound", "legality")
def rewind_without_consent(copied: Copy) -> None:
    """A seat alone takes back what another seat decided."""

    def edit(bodies: list[Body]) -> None:
        rewind = next(one for one in bodies if one.get("act", {}).get("type") == "match.rewound")
        rewind["by"] = {"role": "seat", "seat": 0}

    copied.rebodied(edit)


@breaks("rewound", "legality")
def rewind_for_chance(copied: Copy) -> None:
    """The seat that takes its own decision back is that of chance."""

    def edit(bodies: list[Body]) -> None:
        rewind = next(one for one in bodies if one.get("act", {}).get("type") == "match.rewound")
        rewind["by"] = {"role": "seat", "seat": -1}

    copied.rebodied(edit)


@breaks("crooked", "chance")
def loaded_die(copied: Copy) -> None:
    """The die did not fall as the disclosed key says; all else agrees with it."""
    assert copied.of_kind("event"), "it is broken as it was made"


@breaks("rolled", "chance", claimed=True)
def other_seed(copied: Copy) -> None:
    """Header and closing event give a seed that event 1 did not commit to."""
    seed = bytes(32)
    copied.records[0][1]["seeds"]["dice"] = seed
    copied.rebodied(lambda bodies: bodies[-1]["act"]["seeds"].update(dice=seed))


@breaks("rolled", "chance", claimed=True)
def seeds_differ(copied: Copy) -> None:
    """The header gives no seed, the closing event does."""
    copied.records[0][1]["seeds"] = {}


@breaks("short", "outcome")
def other_outcome(copied: Copy) -> None:
    """The facts that event 5 committed to are not what the rules give."""
    recommitted(copied, 5, "outcome", encode([{"cell": 8, "seat": 0, "type": "play.marked"}]))


@breaks("short", "outcome")
def no_outcome(copied: Copy) -> None:
    """A decision was folded, and its event commits to no outcome."""
    copied.records.remove(copied.opening(5, "outcome"))
    copied.rebodied(lambda bodies: bodies[4].pop("outcome"))


@breaks("short", "result")
def other_result(copied: Copy) -> None:
    """Closing event and end record agree on a result that the rules do not give."""
    result = {"reason": "line top", "scores": [0, 1], "winners": [1]}
    copied.end["result"] = result
    copied.rebodied(lambda bodies: bodies[-1]["act"].update(result=result))


@breaks("short", "result", claimed=True)
def results_differ(copied: Copy) -> None:
    """The end record states another result than the closing event."""
    copied.end["result"] = None


@breaks("short", "result", claimed=True)
def other_policy(copied: Copy) -> None:
    """The closing event discloses by another policy than event 1 set."""
    copied.rebodied(lambda bodies: bodies[-1]["act"].update(discloses=["decisions"]))
