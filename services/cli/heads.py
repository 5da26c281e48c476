"""The `heads` command: tells whether two signed heads can both be true."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from ledger.anchors.notes import (
    BadNote,
    SignatureVerifier,
    read_checkpoint,
    read_verifier,
)
from ledger.anchors.proofs import contradiction, find_contradiction, read_proof
from ledger.anchors.trees import BadProof
from services.cli.support.anchors import parse_heads, parse_note, text_of
from services.cli.support.exits import NotAnchored, Tampered, UnreadableInput
from services.cli.support.output import show
from services.cli.support.params import as_json_option, several


@click.command(name="heads")
@click.argument("one", metavar="HEAD")
@click.argument("other", metavar="HEAD")
@click.option("--key", metavar="NAME+ID+KEY", required=True, help="The service's key.")
@click.option(
    "--consistency",
    metavar="FILE",
    help="The service's answer at /api/v1/heads/consistency, for heads of two sizes.",
)
@several(
    "--head",
    "events",
    "VERSION:HEX",
    "The head of a proof's event: one for each of the two proofs, in their order.",
)
@as_json_option
def heads(one: str, other: str, key: str, consistency: str | None, events: tuple[str, ...]) -> None:
    r"""Check whether two signed heads belong to one history.

    Two heads over equally many events must be the same. If the sizes differ, the service has to
    show that the larger head extends the smaller one. If it cannot, or two heads contradict each
    other, you hold the evidence: both are signed. Two proofs of events, each under its own head,
    are evidence at any sizes if they show two events in one place or under one number.

    \b
        curl -s https://club.example/heads/checkpoint > today.head
        curl -s 'https://club.example/api/v1/heads/consistency?old=512&new=980' > shown.json
        hegemon heads friday.head today.head --key club+...  --consistency shown.json
        hegemon heads friday.proof today.proof --key club+... --head 7:4f0c... --head 7:91aa...

    Exit codes: 0 one story, 3 no proof connects the heads, 4 a fork.
    """
    verifier = parse_note("--key", read_verifier, key)
    if events:
        _compare_proofs((one, other), parse_heads(events), verifier)
        text = f"no contradiction: {verifier.name} has shown two events, each in its place"
        show({"origin": verifier.name, "verdict": "no contradiction"}, text)
        return
    found = [parse_note(name, read_checkpoint, text_of(name), verifier) for name in (one, other)]
    proof = None if consistency is None else _proof(consistency)
    sizes = [head.size for head in found]
    try:
        fork = contradiction(found[0], found[1], proof)
    except BadNote as reason:
        raise UnreadableInput(str(reason)) from None
    except BadProof as reason:
        message = f"no proof that the head over {max(sizes)} events continues the other: {reason}"
        raise NotAnchored(message) from None
    if fork is not None:
        roots = " and ".join(head.root.hex()[:12] for head in found)
        raise Tampered(f"FORK: {verifier.name} has signed {fork.why} ({roots}...)")
    said: dict[str, Any] = {"origin": verifier.name, "sizes": sizes, "verdict": "one story"}
    text = f"one story: {verifier.name}, from {min(sizes)} to {max(sizes)} events"
    show(said, text)


def _compare_proofs(
    names: tuple[str, str], known: Sequence[tuple[int, bytes]], verifier: SignatureVerifier
) -> None:
    """Compares two proofs of events, each under its own signed head."""
    if len(known) != len(names):
        raise UnreadableInput(
            "two proofs need two --head options, each with the head of the proof's event"
        )
    try:
        one, other = (read_proof(text_of(name), verifier) for name in names)
        for proof, name, (version, _) in zip((one, other), names, known, strict=True):
            if proof.version != version:
                raise UnreadableInput(f"{name} is about event {proof.version}, not {version}")
        fork = find_contradiction(one, known[0][1], other, known[1][1])
    except BadNote as reason:
        raise UnreadableInput(str(reason)) from None
    except BadProof as reason:
        raise NotAnchored(f"a proof does not show the event with its --head: {reason}") from None
    if fork is not None:
        sizes = f"{fork.one.size} and {fork.other.size}"
        message = f"FORK: {verifier.name} has signed {fork.why}, under heads over {sizes} events"
        raise Tampered(message)


class _Consistency(msgspec.Struct):
    proof: list[bytes]


def _proof(name: str) -> list[bytes]:
    try:
        return msgspec.json.decode(Path(name).read_bytes(), type=_Consistency).proof
    except (OSError, msgspec.MsgspecError) as reason:
        raise UnreadableInput(f"{name} proves nothing: {reason}") from None


COMMANDS = (heads,)
