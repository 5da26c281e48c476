"""`./hegemon test` says what it leaves out."""

import pytest

from services.run import checks


@pytest.mark.parametrize(("named", "said"), [("/nowhere/chromium", True), ("sh", False)])
def test_without_chromium_one_line_says_so_and_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path,
    named: str,
    said: bool,
):
    monkeypatch.setenv("HEGEMON_CHROMIUM", named)
    monkeypatch.setattr(checks, "stages", lambda _: {})
    assert checks.run_stages(tmp_path, {}) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "Chromium" in line]
    assert len(lines) == int(said)
    assert all("apt-get install chromium" in line for line in lines)
