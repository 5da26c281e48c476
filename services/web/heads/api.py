"""Signed heads, which anybody may keep to hold the service to them later.

They are files (services/checkpointer), stored with the segments; these routes read them. One
proof shows that an event is under a signed head. Another shows that a head extends an older one,
so that nothing before it was changed.
"""

from __future__ import annotations

import base64
from typing import Annotated, Any, Final, TypeAlias

from flask import Blueprint, Response
from flask.views import MethodView
from marshmallow.validate import Range

from ledger.anchors.notes import read_checkpoint
from ledger.anchors.proofs import proof_text
from services.keep.heads.tree import HASH, WIDTH, tile_path
from services.web.app.access import allowed
from services.web.app.parts import match_cache, signer, tree
from services.web.app.problems import Problem
from services.web.app.routes import Routes
from services.web.app.shapes import EXACT_MAX, Number, Shape
from services.web.matches.schemas import LookShape
from services.web.matches.view import event_in, look_here

ANCHORING: Final = Routes("heads", "/heads", "Signed heads")
PROVING: Final = Routes("proofs", "/matches", "That an event is under a signed head")
# Programs fetch these as files, as C2SP's tlog-tiles defines them.
HEADS: Final = Blueprint("signed_heads", __name__, url_prefix="/heads")
FOR_EVER: Final = "public, max-age=31536000, immutable"
Size: TypeAlias = Annotated[int, Number, Range(1, EXACT_MAX - 1)]


class HeadsShape(Shape):
    """The last signed head, and the key it is signed with."""

    key: Annotated[str, "`name+id+key`, to check signatures with"]
    size: Annotated[int, "events under the signed head"]
    checkpoint: Annotated[str, "the signed head (C2SP tlog-checkpoint), or empty"]


class SizesShape(Shape):
    """The sizes of two signed heads: the number of events under each."""

    old: Size
    new: Size


class ConsistencyShape(Shape):
    """A proof that one head extends another."""

    old: int
    new: int
    proof: Annotated[list[str], "hashes, in base64 (RFC 6962)"]


class ProofShape(Shape):
    """A proof that an event is under a signed head."""

    match: str
    version: int
    head: str
    proof: Annotated[str, "C2SP tlog-proof, the signed head within it"]


@ANCHORING.route("")
class Head(MethodView):
    """The last signed head."""

    @ANCHORING.gives(200, HeadsShape)
    @allowed("anyone")
    def get(self) -> Any:
        """Returns the last signed head over all events of all matches, and its key."""
        note = tree().checkpoint() or ""
        size = read_checkpoint(note, signer().verifier).size if note else 0
        return {"key": str(signer().verifier), "size": size, "checkpoint": note}


@ANCHORING.route("/consistency")
class Consistency(MethodView):
    """Proofs that no event between two heads was changed."""

    @ANCHORING.takes(SizesShape, location="query")
    @ANCHORING.gives(200, ConsistencyShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any]) -> Any:
        """Proves that one signed head extends an older one."""
        old, new, signed = asked["old"], asked["new"], tree().signed_size()
        if not old <= new <= signed:
            evidence = {"old": old, "new": new, "signed": signed}
            raise Problem(422, "no_such_head", evidence=evidence)
        proof = tree().consistency(old, new)
        return {"old": old, "new": new, "proof": [_text(one) for one in proof]}


@PROVING.route("/<string:match>/proof")
class Proof(MethodView):
    """Proofs that an event is under a signed head."""

    @PROVING.takes(LookShape, location="query")
    @PROVING.gives(200, ProofShape)
    @allowed("anyone")
    def get(self, asked: dict[str, Any], match: str) -> Any:
        """Proves that an event, `at` or the last one, is under the last signed head."""
        with match_cache().opened(match) as opened:
            version = event_in(look_here(opened, asked["viewer"]), asked["at"])
            head = opened.history.events[version - 1].head
        note = tree().checkpoint() or ""
        size = read_checkpoint(note, signer().verifier).size if note else 0
        place = tree().places.find(match, version, size)
        if place is None:
            raise Problem(
                404, "not_signed_yet", "No signed head covers it yet: try again in a few seconds."
            )
        shown = tree().inclusion(place.leaf, size)
        proof = proof_text(match, version, place.leaf, shown, note)
        return {"match": match, "version": version, "head": head.hex(), "proof": proof}


def _text(packed: bytes) -> str:
    return base64.b64encode(packed).decode()


# --- as files -------------------------------------------------------------------------------------


@HEADS.get("/checkpoint")
@allowed("anyone")
def checkpoint() -> Response:
    """Serves the last signed head as text."""
    note = tree().checkpoint()
    if note is None:
        raise Problem(404, "not_signed_yet", "Nothing has been signed yet.")
    response = Response(note, mimetype="text/plain")
    response.headers["Cache-Control"] = "no-cache"
    return response


@HEADS.get("/key")
@allowed("anyone")
def key() -> Response:
    """Serves the key that checks signed heads and receipts."""
    return Response(f"{signer().verifier}\n", mimetype="text/plain")


@HEADS.get("/tile/<int:level>/<path:number>")
@allowed("anyone")
def tile(level: int, number: str) -> Response:
    """Serves the hashes of a tile under the signed head; `.p/W` asks for W of them."""
    whole, _, width = number.partition(".p/")
    digits = whole.replace("x", "").replace("/", "")
    wanted = int(width) if width.isascii() and width.isdigit() and len(width) < 4 else WIDTH
    known = digits.isascii() and digits.isdigit() and len(digits) < 16 and level < 8
    if not known or tile_path(level, int(digits)) != f"tile/{level}/{whole}":
        raise Problem(404)
    there = (tree().signed_size() >> (8 * level)) - int(digits) * WIDTH
    if not 0 < wanted <= min(there, WIDTH) or (width and wanted == WIDTH):
        raise Problem(404)
    held = tree().tiles.tile(level, int(digits))[: wanted * HASH]
    response = Response(held, mimetype="application/octet-stream")
    response.headers["Cache-Control"] = FOR_EVER
    return response
