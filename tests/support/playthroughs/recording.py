"""How the scripts of long matches were made: bots played them once, and they were kept.

python -m tests.support.playthroughs.recording NAME...    records these anew
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ledger.games import ruleset
from ledger.games.hegemonic.actions.advancing import Advance
from ledger.kernel.bots import BOTS
from ledger.kernel.chance import Stream
from ledger.kernel.fold import begin, fold
from ledger.kernel.match import Match
from ledger.kernel.records import CHANCE, Decision, Seat, tag_of
from ledger.kernel.ruleset import PRINTED
from ledger.kernel.terms import Terms

from .effects import effects
from .rounds import written

FOLDER: Final = Path(__file__).resolve().parents[2] / "golden" / "playthroughs"
DECISIONS_MAX: Final = 5_000
OPTIONS_TRIED: Final = 60
ONE_IN: Final = 4  # decisions, at which a leader acts


class Recorded(NamedTuple):
    """Which match, and who played it."""

    seats: int
    options: Mapping[str, Any] = {}
    seed: int = 1
    bots: tuple[str, ...] = ("greedy",)
    ruleset: str = "hegemonic"
    overlay: Mapping[str, Any] | None = None


# A longer game in which technologies are cheap, and slots many: every one of them comes to be used.
INVENTIVE: Final[Mapping[str, Any]] = {
    "figures": {
        "advance.slots": {"value": 12},
        "end.extra-rounds": {"value": 4},
        "basic.caps": {"value": 5},
        "setup.hand": {"value": 8},
        "setup.tiles-per-player": {"value": 12},
    },
    "technologies": {
        technology: {"tier": 1, "cost": 1}
        for technology in ruleset("hegemonic").content["technologies"]
    },
    "readings": {"values": {"setup.caps": 5}},
}

MATCHES: Final[Mapping[str, Recorded]] = {
    "two-seats": Recorded(2),
    "three-seats": Recorded(3, seed=3),
    "four-seats": Recorded(4, seed=2),
    "five-seats": Recorded(5),
    "six-seats": Recorded(6),
    "three-piles": Recorded(3, {"opt.piles": True}),
    "draft": Recorded(3, {"opt.draft": True}),
    "longer-game": Recorded(2, {"opt.long": True}),
    "wild-homes": Recorded(3, {"opt.wild": True}),
    "leaders-dealt": Recorded(3, {"opt.leaders": "dealt"}, bots=("greedy", "random")),
    "leaders-chosen": Recorded(3, {"opt.leaders": "chosen"}, bots=("random", "greedy")),
    "free-layout": Recorded(2, {"layout": "free"}),
    "learning-game": Recorded(4, {"learning": True}),
    "every-technology": Recorded(4, {}, seed=6, bots=("inventor",), overlay=INVENTIVE),
}


class Inventor:
    """Plays for all seats, with the whole table in sight, to see each technology at work.

    It takes whatever option a technology makes different that has not been at work yet; else it
    advances one that nobody has, plays greedily, or now and then does anything.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.wanted = set(terms.tables["technologies"])

    def decide(self, match: Match, seat: Seat, stream: Stream) -> Decision:
        """Returns the seat's decision."""
        before, options = self.terms.snapshot(match), match.options(seat)
        for option in options[:OPTIONS_TRIED]:
            if effects(self.terms, before, seat, option, self.wanted):
                return option
        state: Any = match.state
        held = {card[:-2] for house in state.houses for card in house.advanced}
        new = [one for one in options if isinstance(one, Advance) and one.card[:-2] not in held]
        if new:
            return stream.choose(new)
        bot = BOTS["greedy"] if stream.below(3) else BOTS["random"]
        return bot(self.terms, partial(match.view, seat), options, stream)

    def saw(self, before: bytes, seat: Seat, decision: Decision) -> None:
        """Strike out what has been at work now."""
        self.wanted -= set(effects(self.terms, before, seat, decision, self.wanted))


def _decided(
    one: Recorded, inventor: Inventor, match: Match, seat: Seat, stream: Stream
) -> Decision:
    """Returns a seat's decision; leaders of random bots act at times."""
    bot = one.bots[seat % len(one.bots)]
    if bot == "inventor":
        return inventor.decide(match, seat, stream)
    if bot == "random" and one.options.get("opt.leaders") and not stream.below(ONE_IN):
        standing = [
            option
            for question in match.standing(seat)
            for option in question.options(match.state, seat)
            if tag_of(option).startswith("leader.")
        ]
        if standing:
            return stream.choose(standing)
    return BOTS[bot](match.terms, partial(match.view, seat), match.options(seat), stream)


def recorded(name: str) -> str:
    """A script, played now."""
    one = MATCHES[name]
    terms = Terms(ruleset(one.ruleset), PRINTED, one.options, one.overlay)
    match, stream = terms.open_match(one.seats), Stream.named(bytes([one.seed]), name)
    decisions: list[tuple[int, dict[str, Any]]] = []
    inventor = Inventor(terms)
    begin(match)
    while not match.ended:
        assert len(decisions) < DECISIONS_MAX, "no end"
        question = match.chance()
        if question is not None:
            wish, address = question.wish(match.state), question.address(match.state)
            seat, decision = CHANCE, wish.answer(stream.take(32), 0, address)
        else:
            seat = match.asked()[0]
            decision = _decided(one, inventor, match, seat, stream)
        if "inventor" in one.bots:
            inventor.saw(terms.snapshot(match), seat, decision)
        decisions.append((seat, msgspec.to_builtins(decision)))
        fold(match, seat, decision)
    plan = {
        "ruleset": one.ruleset, "edition": PRINTED, "seats": one.seats,
        "options": dict(one.options), "overlay": one.overlay,
    }  # fmt: skip
    return written(plan, decisions)


if __name__ == "__main__":
    unknown = set(sys.argv[1:]) - set(MATCHES)
    if unknown or not sys.argv[1:]:
        sys.exit(
            f"usage: python -m tests.support.playthroughs.recording NAME...: {', '.join(MATCHES)}"
        )
    for named in sys.argv[1:]:
        script = FOLDER / MATCHES[named].ruleset / f"{named}.folds"
        script.write_text(recorded(named), encoding="utf-8")
