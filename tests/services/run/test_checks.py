"""`./hegemon test`: its tiers, and what it says that it leaves out."""

import pytest

from services.run import checks
from tests.support.reach import ROOT, files_for


@pytest.mark.parametrize(("named", "said"), [("/nowhere/chromium", True), ("sh", False)])
def test_without_chromium_one_line_says_so_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    named: str,
    said: bool,
):
    monkeypatch.setenv("HEGEMON_CHROMIUM", named)
    assert checks.run_stages({}, {}) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "Chromium" in line]
    assert len(lines) == int(said)
    assert all("apt-get install chromium" in line for line in lines)


def test_a_change_reaches_the_tests_that_import_it_and_no_others():
    reached = files_for(["replays/drawing/png.py"])
    assert "tests/replays/document/test_card.py" in reached
    assert "tests/ledger/kernel/test_fold.py" not in reached
    assert "tests/test_architecture.py" in reached


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("ledger/kernel/fold.py", "tests/ledger/games/hegemonic/conflicts/test_outcome.py"),
        ("ledger/games/hegemonic/content/cards.toml", "tests/laws/test_options.py"),
        ("ledger/games/hegemonic/conflicts/outcome.py", "tests/laws/test_options.py"),
        ("ledger/log/stores/redis/ledger.lua", "tests/durability/test_model.py"),
        ("services/web/templates/front.html", "tests/browser"),
        ("tests/support/given.py", "tests/ledger/games/tictactoe/test_play.py"),
        ("tests/services/cli/conftest.py", "tests/services/cli/test_show.py"),
        ("docs/cli.md", "tests/services/cli/support/test_documented.py"),
    ],
)
def test_what_is_no_import_reaches_its_tests_too(changed: str, test: str):
    assert test in files_for([changed])


def test_a_change_of_one_game_reaches_no_test_of_another():
    reached = files_for(["ledger/games/hegemonic/conflicts/outcome.py"])
    assert "tests/ledger/games/tictactoe/test_play.py" not in reached
    assert len(reached) < len(list((ROOT / "tests").rglob("test_*.py"))) * 2 / 3


def test_the_quick_tier_starts_nothing_but_its_smoke_tests():
    chosen = checks.quick_stages(ROOT)["pytest, quick"]
    assert checks.QUICK in chosen
    assert {"server", "process", "browser", "long", "alone", "full"} <= set(
        checks.QUICK.replace("(", " ").replace(")", " ").split()
    )
