"""The tool itself, on a game of a few lines: it tells tests that show a rule from others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.run.settings import ROOT
from tests.support.rulebook.mutants import mutants_of
from tests.support.rulebook.paragraphs import Game, code_of, said_of
from tests.support.rulebook.running import DidNotRun, copy_of, traced
from tests.support.rulebook.survival import fates, mutant_for
from tests.support.rulebook.table import UNSEEN, mutants_part, shown_by, statuses, table_of

RULES = '''
"""A game of nothing."""


class Limit:
    """`toy.limit`: at most three; `toy.least`: and one.

    `toy.loose`: nobody looks closely.
    """

    @staticmethod
    def holds(number):
        """Whether it is allowed."""
        return 1 <= number <= 3


class Idle:
    """`toy.idle`: nothing runs it. (It says `number` in passing.)"""

    def never(self):
        return 1


class Alone:
    """`toy.alone`: no test names it."""

    def of(self):
        return 2


class Whole:
    """It cites nothing of itself."""

    @staticmethod
    def part():
        """`toy.part`: a method says it. `toy.limit`: which a class says already."""
        return 3


def check(number):
    """`toy.loose`, `toy.limit`: the function that checks them."""
    return number + 5


def apart():
    """`toy.apart`: a function says it. It passes `toy.least` by."""
    return 4
'''

TESTS = """
import pytest
from ledger.games.toy.chapter import Alone, Idle, Limit, Whole, apart


@pytest.mark.rule("toy.limit", "toy.least")
def test_from_one_to_three():
    assert [number for number in range(9) if Limit.holds(number)] == [1, 2, 3]


@pytest.mark.rule("toy.loose")
@pytest.mark.parametrize("number", [1, 2])
def test_says_little(number):
    assert Limit.holds(number) in (True, False)


@pytest.mark.rule("toy.part", "toy.apart")
def test_parts():
    assert (Whole.part(), apart()) == (3, 4)


@pytest.mark.rule("toy.idle", "toy.unknown")
def test_claims_what_it_does_not_run():
    assert Idle


def test_is_no_proof_without_a_marker():
    assert (Alone().of(), Idle().never()) == (2, 1)
"""


@pytest.fixture(scope="module")
def toy() -> Iterator[Game]:
    """The toy in a checkout of its own."""
    with copy_of(Game(ROOT, "tictactoe")) as copy:
        one = Game(copy.root, "toy")
        one.rules.mkdir()
        (one.rules / "__init__.py").write_text("")
        (one.rules / "chapter.py").write_text(RULES)
        one.tests.mkdir()
        (one.tests / "test_chapter.py").write_text(TESTS)
        yield one


def test_a_rule_is_shown_only_by_a_marked_test_that_runs_its_class(toy: Game):
    shown = {rule: bool(tests) for rule, tests in shown_by(toy, traced(toy)).items()}
    assert shown == {
        "toy.limit": True, "toy.least": True, "toy.loose": True,
        "toy.idle": False, "toy.alone": False, "toy.unknown": False,
        "toy.part": True, "toy.apart": True,
    }  # fmt: skip
    text = table_of(toy, shown)
    assert statuses(text) == shown
    row = next(line for line in text.splitlines() if line.startswith("| `toy.least`"))
    assert row == (
        "| `toy.least` | shown | and one | `chapter.py:Limit` "
        "| `test_chapter.py::test_from_one_to_three` |"
    )


def test_a_rule_is_in_classes_and_functions_and_else_in_methods(toy: Game):
    cited = {rule: [str(place) for place in places] for rule, places in toy.cited().items()}
    assert cited["toy.part"] == ["chapter.py:Whole"]
    assert cited["toy.apart"] == ["chapter.py:apart"]
    assert cited["toy.limit"] == ["chapter.py:Limit", "chapter.py:check"]
    assert cited["toy.loose"] == ["chapter.py:Limit", "chapter.py:check"]
    assert cited["toy.least"] == ["chapter.py:Limit"]


def test_a_changed_rule_is_seen_by_a_strict_test_and_survives_a_loose_one(toy: Game):
    met = {fate.rule: fate for fate in fates(toy, ["toy.limit", "toy.loose"], 1)}
    assert (met["toy.limit"].survived, met["toy.loose"].survived) == (False, True)
    assert not met["toy.loose"].unseen, "the test of another rule sees it"
    text = mutants_part(list(met.values()), list(met), toy, 1, 2.0)
    assert "1 of 2 changes were seen" in text
    assert "| `toy.loose` | `chapter.py:Limit.holds` |" in text
    assert UNSEEN not in text


def test_the_seed_says_which_change_it_is_and_nothing_that_does_not_run_is_changed(toy: Game):
    ran = traced(toy)
    for rule in ("toy.limit", "toy.least", "toy.loose"):
        found = {str(mutant_for(toy, rule, seed, ran)) for seed in range(40)}
        assert len(found) > 3
        assert mutant_for(toy, rule, 7, ran) == mutant_for(toy, rule, 7, ran)
    assert mutant_for(toy, "toy.idle", 1, ran) is None


def test_tests_that_fail_as_they_are_show_nothing(toy: Game):
    path = toy.tests / "test_chapter.py"
    path.write_text(TESTS.replace("== [1, 2, 3]", "== [1, 2]"))
    with pytest.raises(DidNotRun, match="do not pass"):
        traced(toy)
    path.write_text(TESTS)


def test_a_test_that_any_change_of_the_file_makes_fail_is_found_out(toy: Game):
    path = toy.tests / "test_chapter.py"
    closed = "Path(chapter.__file__).read_text()[-2:] == '4\\n'"
    path.write_text(
        "from pathlib import Path\nfrom ledger.games.toy import chapter\n"
        + TESTS.replace("assert [number", f"assert {closed}\n    assert [number", 1)
    )
    with pytest.raises(DidNotRun, match="a remark makes tests of toy fail"):
        list(fates(toy, ["toy.limit"], 1))
    path.write_text(TESTS)


def test_rules_are_cited_in_sentences_and_other_words_in_backticks_are_none(toy: Game):
    assert set(toy.cited()) == {
        "toy.limit", "toy.least", "toy.loose", "toy.idle", "toy.alone", "toy.part", "toy.apart",
    }  # fmt: skip
    assert toy.cited()["toy.limit"][0].says == "at most three"
    doc = "`a.b`: planets make (`a.c`) what\nis printed; nothing else (`a.d`)."
    assert [said_of(rule, doc) for rule in ("a.b", "a.c", "a.d")] == [
        "planets make what is printed; nothing else", "planets make", "nothing else",
    ]  # fmt: skip
    assert said_of("a.b", "`a.b` under erratum e1: ties win.") == "under erratum e1: ties win"


# --- the changes ----------------------------------------------------------------------------------

SOURCE = '''
class Rule:
    def of(self, board, a, b):
        """A docstring with 1 < 2."""
        assert a < 9, "a bug of ours"
        if {test}:
            raise Refused("x", f"{{a}} < {{b}}")
        {line}
'''


def changes(line: str = "pass", test: str = "board") -> set[str]:
    source = SOURCE.format(line=line, test=test)
    found = mutants_of(source, dict.fromkeys(range(1, 20), "of"))
    for mutant in found:
        compile(mutant.of(source), "mutant", "exec")
        assert mutant.of(source) != source
    return {str(mutant) for mutant in found}


ALWAYS = {"board → not (board)", 'raise Refused("x", f"{a} < {b}") → pass'}


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("return a < b", {"a < b → a >= b", "a < b → a <= b"}),
        ("return a == b", {"a == b → a != b"}),
        ("return a in b", {"a in b → a not in b"}),
        ("return a and b", {"a and b → (a or b)"}),
        ("return a + 1", {"a + 1 → (a - 1)", "1 → 2"}),
        ("return -a", {"-a → (a)"}),
        ("return not a", {"not a → (a)"}),
        ("return f(True)", {"True → False"}),
        ("return max(a, b)", {"max → min"}),
        ("return [x for x in a if x]", {"x → True"}),
        ("yield Fact(a)", {"yield Fact(a) → yield from ()"}),
        ("yield from pay(a)", {"yield from pay(a) → yield from ()"}),
        ("board.a = b", {"board.a = b → pass"}),
        ("board.a += b", {"board.a += b → pass"}),
        ("board.take(a)", {"board.take(a) → pass"}),
        ("a = b", set()),
        ("limit: int = board.x[0]", {"0 → 1"}),
        ("é = 'ä'; yield Fact(1)", {"1 → 2", "yield Fact(1) → yield from ()"}),
    ],
)
def test_a_rule_is_changed_in_one_place(line: str, made: set[str]):
    assert changes(line) == ALWAYS | made


def test_what_is_asked_in_a_chain_is_changed_at_either_end():
    found = changes(test="1 <= a <= b") - ALWAYS
    assert {"1 <= a <= b → 1 < a <= b", "1 <= a <= b → 1 <= a < b", "1 → 2"} <= found


def test_where_nothing_else_can_be_changed_what_is_returned_is_left_out():
    source = "class Rule:\n    def of(self):\n        return self.a\n"
    assert [str(one) for one in mutants_of(source, {3: "of"})] == ["return self.a → return None"]
    assert mutants_of(source, {2: "of"}) == []


def test_the_lines_of_a_class_are_those_that_run_with_its_methods(toy: Game):
    place = toy.cited()["toy.limit"][0]
    first = RULES[: RULES.index("return 1 <=")].count("\n") + 1
    assert code_of(toy.source_of(place)) == {first: "holds"}
