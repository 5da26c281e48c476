"""Players that know a game only as the API describes it: what is offered, and the schemas.

They choose by a seed, and so that much happens: what ends a turn or does nothing seldom, what leads
to conflicts and to support often. Offers are made in private, accepted or declined, and CAPs are
given away.
"""

from __future__ import annotations

import hashlib
import random
import threading
from collections import Counter
from typing import Any, Final

from jsonschema_rs import Draft202012Validator

from tests.support.web.client import Answer, Client, Follower

SELDOM: Final = ("end", "finish", "cancel", "decline", "pass", "discard", "collect", "skip")
OFTEN: Final = ("conflict", "politic", "support", "start", "embassy", "subvert")
OFFERED: Final = 0.03  # how often somebody whose turn it is not offers a deal
GIVEN: Final = 0.02  # ... or gives CAPs away
ACCEPTED: Final = 0.7  # how often an offer is accepted
LATE: Final = ("stale", "question_gone", "not_asked", "match_over", "match_closed")


class Game:
    """A game as the API describes it."""

    def __init__(self, client: Client, name: str) -> None:
        self.said = client.got("rulesets-One-get", name=name)
        schema = self.said["decisions"]
        self._kinds = {
            one["properties"]["type"]["enum"][0]: one
            for one in schema["$defs"].values()
            if "enum" in one.get("properties", {}).get("type", {})
        }
        self._defs = schema["$defs"]
        self._check = Draft202012Validator(schema)

    def option(self, name: str) -> dict[str, Any]:
        """An option of the game."""
        return next(one for one in self.said["options"] if one["name"] == name)

    def decision(self, kind: str, **said: Any) -> dict[str, Any]:
        """A decision of a type, as its schema wants it; what is not said is empty."""
        made = {"type": kind, **self._filled(self._kinds[kind], said)}
        self._check.validate(made)
        return made

    def part(self, name: str, **said: Any) -> dict[str, Any]:
        """A part of one."""
        return self._filled(self._defs[name], said)

    def _filled(self, schema: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
        properties = schema["properties"]
        assert said.keys() <= properties.keys()
        return {
            name: said[name] if name in said else _empty(properties[name])
            for name in schema["required"]
            if name != "type"
        }


def _empty(schema: dict[str, Any]) -> Any:
    kinds = [one.get("type") for one in schema.get("anyOf", [schema])]
    kinds += [
        inner.get("type") for one in schema.get("anyOf", ()) for inner in one.get("anyOf", ())
    ]
    if "null" in kinds:
        return None
    return {"string": "", "integer": 0, "array": [], "boolean": False}[str(kinds[0])]


class Player(threading.Thread):
    """Plays one seat, as its own client: hears of everything live, and asks what it may do."""

    def __init__(self, client: Client, game: Game, match: str, seat: int, seed: int) -> None:
        super().__init__(daemon=True)
        self.nonce = hashlib.sha256(f"nonce {seed} {seat}".encode()).digest()
        self.follower = Follower(client.again(), match, str(seat))
        self.decided: Counter[str] = Counter()
        self.lost: Counter[str] = Counter()  # decisions that came too late
        self.sealed: dict[int, dict[str, Any]] = {}  # its own sealed decisions, by event
        self.failed: BaseException | None = None
        self._client = client
        self._game = game
        self._match = match
        self._seat = seat
        self._random = random.Random(f"{seed}/{seat}")
        self._keys = 0
        made = client.got("matches-One-get", match=match)
        self._others = [one["seat"] for one in made["seats"] if one["seat"] != seat]
        self._pays = not made["options"].get("learning")

    def join(self, timeout: float | None = None) -> None:  # type: ignore[override]
        super().join(timeout)
        self.follower.join(timeout)

    def sit_down(self) -> None:
        """Take the seat, with a nonce of one's own."""
        self._client.got(
            "matches-OneSeat-put",
            {"name": f"Player {self._seat}", "nonce": self.nonce.hex()},
            match=self._match,
            seat=self._seat,
        )

    def run(self) -> None:
        self.follower.start()
        try:
            while not self.follower.closed and self.follower.failed is None:
                self._turn()
        except BaseException as why:
            self.failed = why
            raise

    def _turn(self) -> None:
        offered = self._client.ask("playing-Options-get", match=self._match, as_=self._seat)
        assert offered.status == 200, offered
        said = offered.body
        decided = self._beside(said)
        if not decided and said["asked"] is not None:
            asked = said["asked"]
            decided = self._decide(said["version"], asked, self._chosen(asked["options"]))
        if not decided:
            assert self.follower.wait_beyond(said["version"]), "nothing happens any more"

    # --- what to decide ------------------------------------------------------------------------

    def _chosen(self, options: list[dict[str, Any]]) -> dict[str, Any]:
        kinds = sorted({one["type"] for one in options})
        kind = self._random.choices(kinds, [weight(one) for one in kinds])[0]
        found = [one for one in options if one["type"] == kind]
        return self._random.choices(found, [weight(str(one)) for one in found])[0]

    def _beside(self, said: dict[str, Any]) -> bool:
        """Answer an offer, make one, or give something away, whoever's turn it is."""
        standing = [one for one in said["standing"] if one["takes"]]
        for question in standing:
            for offer in question["options"]:
                if offer["type"] == "deal.accept":  # so it is somebody else's, and affordable
                    kind = "deal.accept" if self._random.random() < ACCEPTED else "deal.reject"
                    decision = self._game.decision(kind, deal=offer["deal"])
                    return self._decide(said["version"], question, decision)
        for question in standing:
            chance = self._random.random()
            if "deal.propose" in question["takes"] and chance < OFFERED:
                return self._decide(said["version"], question, self._offer())
            if "caps.transfer" in question["takes"] and question["options"] and chance < GIVEN:
                given = min(question["options"], key=lambda one: (one["amount"], one["to"]))
                return self._decide(said["version"], question, given)
        return False

    def _offer(self) -> dict[str, Any]:
        other = self._random.choice(self._others)
        pays = self._pays and self._random.random() < 0.5
        terms = self._game.part(
            "Terms",
            text=f"support me, and I spare you: {self._random.random()}",
            payments=[self._game.part("Payment", seat=self._seat, to=other, amount=1)] * pays,
            promises=[],
        )
        parties = sorted((self._seat, other))
        return self._game.decision("deal.propose", parties=parties, private=terms)

    def _decide(self, version: int, question: dict[str, Any], decision: dict[str, Any]) -> bool:
        self._keys += 1
        answer: Answer = self._client.ask(
            "playing-Decisions-post",
            {"seat": self._seat, "question": question["question"], "decision": decision},
            match=self._match,
            If_Match=f'"{version}"',
            Idempotency_Key=f"{self._seat} {self._keys}",
        )
        if answer.status == 201:
            self.decided[decision["type"]] += 1
            if question["sealed"]:
                self.sealed[answer.body["first"]] = decision
            return True
        self.lost[answer.code] += 1
        if answer.code not in LATE:
            # What was offered is allowed, unless something has come in between.
            now = self._client.got("matches-One-get", match=self._match)
            assert now["version"] > version, answer
        return False


def weight(words: str) -> int:
    """How gladly something is chosen."""
    if any(word in words for word in SELDOM):
        return 1
    return int(4 ** (1 + sum(word in words for word in OFTEN)))
