"""Bundles that a careless reader takes for good: nothing in them contradicts anything else."""

from __future__ import annotations

import base64

from ledger.log.format.canonical import encode
from ledger.log.format.chain import commit, padded

from .breakings import Body, Copy, breaks, framed, recommitted


@breaks("short", "frame")
def true_for_one(copied: Copy) -> None:
    """The number of event 1 is `true`."""
    copied.records[copied.place(1)][1] = True


@breaks("short", "frame")
def hash_as_text(copied: Copy) -> None:
    """The head in the end record is a text, in base64."""
    copied.end["head"] = base64.b64encode(copied.of_kind("event")[-1][2]).decode()
    copied.counted = False


@breaks("short", "frame")
def header_field_too_few(copied: Copy) -> None:
    """The header leaves out `supersedes`, whose value would be nil."""
    del copied.records[0][1]["supersedes"]


@breaks("short", "frame")
def long_match_id(copied: Copy) -> None:
    """The header's match id has 256 bytes, which no head can cover."""
    copied.records[0][1]["match"] = "x" * 256


@breaks("short", "frame")
def no_events(copied: Copy) -> None:
    """There is no event."""
    del copied.records[1:]
    copied.end["result"] = None
    copied.records[0][1]["seeds"] = {}


@breaks("corrected", "frame")
def overlay_twice(copied: Copy) -> None:
    """The overlay is there twice."""
    copied.records.insert(1, copied.records[1])


@breaks("corrected", "frame")
def overlay_late(copied: Copy) -> None:
    """The overlay stands behind event 1."""
    overlay = copied.records.pop(1)
    copied.records.insert(copied.place(1) + 1, overlay)


@breaks("short", "edition", claimed=True)
def overlay_unnamed(copied: Copy) -> None:
    """There is an overlay, and event 1 names none."""
    copied.records.insert(1, ["overlay", encode({})])


@breaks("short", "frame")
def short_salt(copied: Copy) -> None:
    """A salt has 16 bytes; the commitment agrees with it."""
    opening = copied.opening(5, "outcome")
    opening[3] = bytes(16)
    commitment = commit(copied.match, 5, "outcome", opening[3], opening[4])
    copied.rebodied(lambda bodies: bodies[4].update(outcome=commitment))


@breaks("short", "chain")
def long_private_name(copied: Copy) -> None:
    """The name of a private field has 248 bytes, which no path can hold."""
    name = "x" * 248
    copied.closed_up()
    copied.rebodied(lambda bodies: bodies[4].update(private={name: bytes(32)}))
    opening = ["opening", 5, f"private/{name}", bytes(32), padded(encode(1))]
    copied.records.insert(copied.place(5) + 1, opening)


@breaks("short", "chain")
def short_hash(copied: Copy) -> None:
    """A commitment to a nonce has 16 bytes."""
    copied.rebodied(lambda bodies: bodies[1]["act"].update(nonce=bytes(16)))


@breaks("short", "chain")
def too_many_seats(copied: Copy) -> None:
    """Event 1 speaks of 2^53 - 1 seats, and the match starts."""
    copied.closed_up()
    copied.rebodied(lambda bodies: bodies[0]["act"].update(seats=(1 << 53) - 1))


@breaks("crooked", "life")
def forked_chance(copied: Copy) -> None:
    """A loaded die is handed in as `fork`, where nothing is recomputed, in a match that is live."""
    copied.rebodied(lambda bodies: bodies[4]["by"].update(role="fork"))


@breaks("short", "life")
def opening_act(copied: Copy) -> None:
    """An act lists commitments that it opens."""
    copied.rebodied(lambda bodies: bodies[1].update(opens=[[1, "decision"]]))


@breaks("rolled", "life")
def entered_die(copied: Copy) -> None:
    """A referee enters a die in a match whose dice come from keys."""
    copied.rebodied(lambda bodies: bodies[4]["by"].update(role="referee"))


@breaks("rolled", "life")
def deciding_dice(copied: Copy) -> None:
    """The dice decide for a seat."""
    copied.rebodied(lambda bodies: bodies[5]["by"].update(role="dice"))


@breaks("forked", "life")
def copied_too_late(copied: Copy) -> None:
    """The last decision of a fork says that it was copied, and others before it were not."""
    copied.rebodied(lambda bodies: bodies[-2]["by"].update(role="fork"))


@breaks("short", "life")
def closed_without_result(copied: Copy) -> None:
    """The closing event states no result, and the match was not abandoned."""
    copied.rebodied(lambda bodies: bodies[-1]["act"].update(result=None))
    copied.end["result"] = None


@breaks("corrected", "life")
def abandoned_with_result(copied: Copy) -> None:
    """The closing event states a result, and the match was abandoned."""
    result = {"reason": "line top", "scores": [1, 0], "winners": [0]}
    copied.rebodied(lambda bodies: bodies[-1]["act"].update(result=result))
    copied.end["result"] = result


@breaks("short", "life")
def edition_before_the_start(copied: Copy) -> None:
    """The edition changes before the match has started."""
    act = {"edition": "e1", "reason": "early", "type": "match.edition-changed"}

    def edit(bodies: list[Body]) -> None:
        bodies[1:] = [bodies[1] | {"act": act}]

    copied.closed_up()
    copied.rebodied(edit)
    copied.records[0][1]["seeds"], copied.end["result"] = {}, None


@breaks("reopened", "life")
def reopened_without_remedy(copied: Copy) -> None:
    """A ruling without a remedy leaves the match closed, and it is rewound."""

    def edit(bodies: list[Body]) -> None:
        ruled = next(one for one in bodies if one.get("act", {}).get("type") == "match.ruled")
        del ruled["act"]["remedy"]

    copied.rebodied(edit)


@breaks("rolled", "chance", claimed=True)
def withheld_seed(copied: Copy) -> None:
    """The policy discloses chance, and the closing event keeps the seed of the dice."""

    def edit(bodies: list[Body]) -> None:
        bodies[-1]["act"]["seeds"] = {}

    copied.records[0][1]["seeds"] = {}
    copied.rebodied(edit)


@breaks("sealed", "legality")
def note_not_canonical(copied: Copy) -> None:
    """What was committed for a sealed decision is padded, but not canonical."""
    right = encode({"cell": 4, "type": "opening.write"})
    assert right[:1] == b"\x82", "a map of two"
    recommitted(copied, 5, "decision", padded(b"\xde\x00\x02" + right[1:]))


@breaks("short", "frame")
def cut_to_its_header(copied: Copy) -> bytes:
    """The file ends behind its header: what was not read is not `ok`."""
    return copied.packed()[: 8 + len(framed(encode(copied.records[0])))]
