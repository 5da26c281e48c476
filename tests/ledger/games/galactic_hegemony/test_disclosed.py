"""A bundle proves dice and tiles: by domain, by policy, and at a real table.

And a match that is entered from what fell in another one is the same match to its last fact.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from ledger.games import ruleset
from ledger.games.galactic_hegemony.actions.choosing import Concede, EndActions
from ledger.kernel.audience import view_decision
from ledger.kernel.bots import greedy_bot
from ledger.kernel.chance import Stream
from ledger.kernel.records import CHANCE
from ledger.kernel.terms import facts_bytes
from ledger.log.format.bodies import AnswerBody
from ledger.log.read.history import History
from ledger.log.stores.files import FileStore
from ledger.log.stores.memory import MemoryStore
from ledger.log.write.founding import Plan, Surroundings
from ledger.log.write.journal import Journal
from replays.verify.verifier import Report, Verdict, verify
from services.cli import main
from services.cli.enter import fallen
from services.cli.support.words import format_decision
from tests.support.galactic_hegemony.positions import NAME
from tests.support.log.matches import ORGANIZER, bundled
from tests.support.replays.loose import Loose, loosened, relinked
from tests.support.replays.saying import report_of

ALL = ("decisions", "outcomes", "chance")
PARTS = ("decisions", "outcomes")


def around(seed: int) -> Surroundings:
    entropy = Stream.named(seed.to_bytes(8, "big"), "disclosed")
    ticks = itertools.count(1_700_000_000_000)
    return Surroundings(
        store=MemoryStore(), rules_of=ruleset, clock=lambda: next(ticks), entropy=entropy.take
    )


def played(discloses: tuple[Any, ...] = ALL, seed: int = 1, tiles: int = 5) -> Journal:
    """The greedy bot plays until some tiles have been turned up, with a rewind on the way."""
    one = Journal.create(around(seed), Plan(ruleset=NAME, seats=1, discloses=discloses))
    one.join(0, "player")
    one.start()
    first = one.history.tip.version
    one.decide(0, EndActions())
    one.rewind(first, ORGANIZER, "played again")
    stream = Stream(b"bot")
    while not (match := one.match()).ended and match.state.face_down.size() > 11 - tiles:
        one.decide(0, greedy_bot(match.terms, partial(match.view, 0), match.options(0), stream))
    if not one.match().ended:
        one.decide(0, Concede())
    return one


@cache
def closed(*discloses: Any) -> History:
    one = played(discloses)
    one.close()
    return one.history


def chance(report: Report) -> tuple[str, str]:
    (check,) = (check for check in report.checks if check.name == "chance")
    return check.status, check.detail


def counts(history: History) -> dict[str, int]:
    """The answers of chance in a log, undone ones included, by their domain."""
    return {
        domain: sum(tag in event.body for event in history.events)
        for domain, tag in (("dice", b"chance.rolled"), ("deck.tiles", b"chance.drawn"))
    }


@pytest.mark.parametrize(
    ("policies", "disclosed"),
    [
        (("chance",), {"dice", "deck.tiles"}),
        (("chance:dice",), {"dice"}),
        (("chance:deck.tiles",), {"deck.tiles"}),
        (("chance:dice", "chance:deck.tiles"), {"dice", "deck.tiles"}),
        ((), set()),
    ],
)
def test_a_verification_says_of_each_domain_whether_it_was_recomputed(policies, disclosed):
    history = closed(*PARTS, *policies)
    report = report_of(history)
    whole = disclosed == {"dice", "deck.tiles"}
    status, detail = chance(report)
    assert status == ("ok" if whole else "not disclosed")
    assert report.verdict == (Verdict.NOT_ANCHORED if whole else Verdict.PARTLY).value
    said = {
        f"{domain}: {count} {'recomputed' if domain in disclosed else 'not disclosed'}"
        for domain, count in counts(history).items()
    }
    assert set(detail.split(", ")) == said
    assert min(counts(history).values()) >= 5


def test_while_a_match_runs_no_domain_is_disclosed():
    history = played(tiles=1).history
    status, detail = chance(report_of(history))
    assert status == "not disclosed"
    assert set(detail.split(", ")) == {
        f"{domain}: {count} not disclosed" for domain, count in counts(history).items()
    }


# --- what was changed -----------------------------------------------------------------------------


def last_answer(loose: Loose, kind: str) -> int:
    """The place of the last answer of a kind."""
    return max(
        place
        for place, line in enumerate(loose.lines)
        if line.body.get("decision", {}).get("type") == kind
    )


def other_tile(decision: dict[str, Any], loose: Loose) -> None:
    seen = {
        line.body["decision"]["cards"][0]
        for line in loose.lines
        if line.body.get("decision", {}).get("type") == "chance.drawn"
    }
    decision["cards"] = [next(str(n) for n in range(2, 13) if str(n) not in seen)]


def other_die(decision: dict[str, Any], loose: Loose) -> None:
    decision["values"][0] = decision["values"][0] % 6 + 1


CHANGES: dict[str, Callable[[dict[str, Any], Loose], None]] = {
    "chance.drawn": other_tile,
    "chance.rolled": other_die,
}
DOMAINS = {"chance.drawn": "deck.tiles", "chance.rolled": "dice"}


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("policy", ["chance:dice", "chance:deck.tiles", "chance"])
def test_another_tile_or_die_contradicts_its_key_where_that_is_disclosed(kind: str, policy: str):
    """Without the key only the facts show it, which the match has committed to as well."""
    loose = loosened(bundled(closed(*PARTS, policy)))
    place = last_answer(loose, kind)
    CHANGES[kind](loose.lines[place].body["decision"], loose)
    report = verify(io.BytesIO(relinked(loose)), ruleset)
    assert report.verdict == Verdict.INVALID.value
    failed = {check.name: check.version for check in report.failed}
    assert ("chance" in failed) is (policy in ("chance", f"chance:{DOMAINS[kind]}"))
    assert failed.get("chance", place + 1) == place + 1
    assert failed["outcome"] == place + 1


# --- a real table ---------------------------------------------------------------------------------


def script(history: History, seats: int = 1) -> str:
    """The line of a match that goes on, as `hegemon enter` takes it."""
    lines = [f"match {NAME} seats={seats}", "players Ann"]
    for moment in history.replay():
        body = moment.body
        if not isinstance(body, AnswerBody):
            continue
        assert moment.decision is not None
        if moment.seat == CHANCE:
            lines.append(f"chance {body.question} {fallen(moment.decision)}")
        else:
            lines.append(f"{moment.seat} {format_decision(view_decision(moment.decision, 0, 0))}")
    return "\n".join(lines) + "\n"


def facts(history: History) -> list[bytes]:
    return [
        facts_bytes(moment.facts)
        for moment in history.replay()
        if isinstance(moment.body, AnswerBody)
    ]


@pytest.fixture
def copied(tmp_path: Path) -> tuple[History, History]:
    """A match of keys without a rewind, and one that was entered from what fell in it."""
    one = Journal.create(around(7), Plan(ruleset=NAME, seats=1))
    one.join(0, "player")
    one.start()
    stream = Stream(b"bot")
    while not (match := one.match()).ended:
        one.decide(0, greedy_bot(match.terms, partial(match.view, 0), match.options(0), stream))
    path = tmp_path / "table.play"
    path.write_text(script(one.history), encoding="utf-8")
    assert main(["--data", str(tmp_path / "data"), "enter", str(path)]) == 0
    store = FileStore(tmp_path / "data")
    (match_id,) = store.matches()
    return one.history, History.of(store, match_id, ruleset)


def test_a_match_entered_from_dice_and_tiles_has_the_facts_of_the_one_it_copies(copied):
    keys, table = copied
    assert (keys.created.chance, table.created.chance) == ("keys", "entered")
    assert len(facts(keys)) > 100
    assert facts(table) == facts(keys)
    here, there = keys.at(), table.at()
    assert here is not None
    assert there is not None
    assert here.state.face_down.size() < 11, "tiles were turned up"
    assert there.view(None) == here.view(None)
    assert there.result() == here.result()


def test_an_entered_match_is_taken_as_it_is_and_verifies(copied):
    _, table = copied
    status, detail = chance(report_of(table))
    assert (status, set(detail.split(", "))) == (
        "ok",
        {f"{domain}: {count} entered or copied" for domain, count in counts(table).items()},
    )


def test_a_tile_that_could_not_lie_there_is_illegal_in_an_entered_match_too(copied):
    _, table = copied
    loose = loosened(bundled(table))
    drawn = [
        place
        for place, line in enumerate(loose.lines)
        if line.body.get("decision", {}).get("type") == "chance.drawn"
    ]
    first, *_, last = (loose.lines[place].body["decision"] for place in drawn)
    last["cards"] = first["cards"]
    report = verify(io.BytesIO(relinked(loose)), ruleset)
    assert ("legality", drawn[-1] + 1) in [(one.name, one.version) for one in report.failed]
