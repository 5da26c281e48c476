"""docs/check-dice.mjs, written from docs/format.md alone, makes the same fall as the project."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ledger.kernel.chance import (
    Dealt,
    Deck,
    Draw,
    Drawn,
    Roll,
    Rolled,
    Spread,
    Stream,
    Uncover,
    Wish,
)
from replays.verify.dice import RECOMPUTED, Fall, plain
from tests.support.cli.calls import Hegemon

ROOT = Path(__file__).resolve().parents[3]
VALUES = 10_000
PLAY = (
    "play", "galactic_hegemony", "--seats", 1, "--bots", "greedy", "--seed", 3, "--out", "m.hgm",
)  # fmt: skip
CARDS = ["gold", "gold", "gold", "iron", "iron", "étoile", "A♠", "A♠", "", "10", "9"]

if shutil.which("node") is None:
    pytest.skip(
        "node is not on the PATH: install Node 20 or later (nodejs.org) to run docs/check-dice.mjs",
        allow_module_level=True,
    )


def checked(list_: Path, *bundles: object) -> tuple[int, list[str]]:
    ran = subprocess.run(
        ["node", "docs/check-dice.mjs", str(list_), *map(str, bundles)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=100,
        check=False,
    )
    assert not ran.stderr, ran.stderr
    return ran.returncode, ran.stdout.splitlines()


# --- ten thousand values --------------------------------------------------------------------------


def falls(seed: bytes) -> Iterator[Fall]:
    """Dice of all sizes, draws and spreads, in several epochs, without end."""
    stream = Stream.named(seed, "falls")
    version = 0

    def fallen(wish: Wish, epoch: int) -> Fall:
        nonlocal version
        version += 1
        key = stream.take(32)
        address = stream.choose(["begin", "r3/p4/s2/a1/fight/A", "straße/é", "", "x" * 200])
        answer = wish.answer(key, epoch, address)
        assert isinstance(answer, Rolled | Drawn | Dealt)
        return Fall("many", version, epoch, address, wish, answer, key, RECOMPUTED)

    while True:
        epoch = stream.choose([0, 0, 7, 40, 1 << 40])
        sides = stream.choose([1, 2, 3, 6, 10, 12, 20, 100, 1 << 16, (1 << 31) + 1, 1 << 32])
        yield fallen(Roll(sides, 1 + stream.below(12)), epoch)
        deck = Deck.of("ores", CARDS, stream.below(3))
        deck.take(stream.choose([(), ("gold",), ("gold", "10")]), stream.choose([0, epoch]))
        yield fallen(Draw(deck, 1 + stream.below(deck.size())), epoch)
        spread = Spread.of("tiles", CARDS, [f"{place},1" for place in range(len(CARDS))])
        if stream.below(2):
            spread.turn_up("4,1", "gold", stream.choose([0, epoch]))
        for place in list(spread.covered):
            yield fallen(Uncover(spread, place), epoch)


def values(line: dict[str, Any]) -> int:
    return len(line.get("values") or line.get("cards") or [line.get("card")])


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dice") / "many.ndjson"
    found = 0
    with path.open("w", encoding="utf-8") as file:
        for fall in falls(b"ten thousand"):
            line = plain(fall)
            found += values(line)
            file.write(json.dumps(line) + "\n")
            if found >= VALUES:
                return path
    raise AssertionError("there is always another")


def test_ten_thousand_dice_draws_and_tiles_agree(many: Path):
    code, said = checked(many)
    assert (code, len(said)) == (0, 1)
    count = int(said[0].split()[0])
    assert count >= VALUES
    assert said[0].endswith("0 without a key, 0 lines disagree")
    lines = [json.loads(line) for line in many.read_text("utf-8").splitlines()]
    kinds = [
        sum(values(one) for one in lines if kind in one) for kind in ("sides", "count", "place")
    ]
    assert min(kinds) > 2_000


def test_each_kind_of_wrong_value_is_found(many: Path, tmp_path: Path):
    lines = [json.loads(line) for line in many.read_text("utf-8").splitlines()[:40]]
    wrong = []
    for kind in ("values", "cards", "card"):
        place = next(n for n, one in enumerate(lines) if kind in one and one.get("sides", 2) > 1)
        one = lines[place]
        one[kind] = "other" if kind == "card" else [*one[kind][:-1], "other"]
        wrong.append(one)
    path = tmp_path / "wrong.ndjson"
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    code, said = checked(path)
    assert (code, len(said)) == (1, 4)
    assert [json.loads(line.removeprefix("disagrees: ")) for line in said[:3]] == sorted(
        wrong, key=lines.index
    )


# --- bundles --------------------------------------------------------------------------------------


@pytest.fixture
def listed(hegemon: Hegemon) -> Path:
    """A match with tiles, and the list of what fell in it."""
    hegemon.done(*PLAY)
    path = Path("fallen.ndjson").absolute()
    path.write_text(hegemon.done("dice", "m.hgm", "--list").out, encoding="utf-8")
    return path


def test_every_die_and_tile_of_a_match_is_recomputed_from_its_bundle(listed: Path):
    code, said = checked(listed, Path("m.hgm").absolute())
    assert code == 0, said
    lines = [json.loads(line) for line in listed.read_text("utf-8").splitlines()]
    assert {one["domain"] for one in lines} == {"dice", "deck.tiles"}
    count = sum(map(values, lines))
    assert said == [f"{count} values recomputed, 0 without a key, 0 lines disagree"]


@pytest.mark.parametrize(
    "change",
    [
        {"epoch": 5},
        {"address": "elsewhere"},
        {"key": "00" * 32},
        {"key": None},
        {"version": 9_999},
        None,
    ],
)
def test_a_list_that_says_other_things_than_the_bundle_is_found(listed: Path, change: Any):
    first, *others = listed.read_text("utf-8").splitlines()
    changed = [] if change is None else [json.dumps(json.loads(first) | change)]
    listed.write_text("\n".join([*changed, *others]) + "\n", encoding="utf-8")
    code, said = checked(listed, Path("m.hgm").absolute())
    assert code == 1
    assert any(line.startswith("disagrees: ") for line in said[:-1])


def test_after_a_rewind_the_epoch_is_the_bundle_s(hegemon: Hegemon):
    """The list has the dice before the rewind, those undone by it, and those after it."""
    match = hegemon.done("new", "galactic_hegemony", "--seats", 1).out.strip()
    version = hegemon.done("show", match, "--json").json["version"]
    hegemon.done("decide", match, 0, "end-actions")
    hegemon.done("rewind", match, version, "--reason", "again")
    hegemon.done("decide", match, 0, "end-actions")
    hegemon.done("decide", match, 0, "concede")
    hegemon.done("close", match)
    hegemon.done("export", match, "--out", "m.hgm")
    path = Path("fallen.ndjson").absolute()
    path.write_text(hegemon.done("dice", "m.hgm", "--list").out, encoding="utf-8")
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len({one["epoch"] for one in lines}) == 2
    assert checked(path, Path("m.hgm").absolute())[0] == 0


def test_what_was_entered_or_copied_has_no_key_in_the_bundle_either(hegemon: Hegemon):
    hegemon.done(*PLAY)
    match = hegemon.done("fork", "m.hgm", "--at", 60).out.strip()
    hegemon.done("decide", match, 0, "end-actions")
    hegemon.done("decide", match, 0, "concede")
    hegemon.done("close", match)
    hegemon.done("export", match, "--out", "fork.hgm")
    path = Path("fallen.ndjson").absolute()
    path.write_text(hegemon.done("dice", "fork.hgm", "--list").out, encoding="utf-8")
    assert {json.loads(line)["how"] for line in path.read_text("utf-8").splitlines()} == {
        "recomputed", "entered or copied",
    }  # fmt: skip
    code, said = checked(path, Path("fork.hgm").absolute())
    assert code == 0, said
    recomputed, keyless, _ = (int(part.split()[0]) for part in said[0].split(", "))
    assert recomputed > 5
    assert keyless > 20
