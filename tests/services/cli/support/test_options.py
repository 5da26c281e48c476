"""Options of the whole command line: before a command's name and after it."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from services.cli.commands import CHECKOUT_ONLY, cli
from tests.support.cli.calls import Hegemon


def test_the_data_folder_is_named_before_the_command_or_after_it(hegemon: Hegemon, tmp_path: Path):
    other = ("--data", tmp_path / "other")
    before = hegemon.done(*other, "new", "tictactoe").out.strip()
    after = hegemon.done("new", *other, "tictactoe").out.strip()
    shown = hegemon.done("matches", *other).out
    assert shown == hegemon.done(*other, "matches").out
    assert before in shown
    assert after in shown
    assert hegemon.done("matches").out == ""


def test_what_is_named_after_the_command_counts(hegemon: Hegemon, tmp_path: Path):
    match = hegemon.done("new", "tictactoe", "--data", tmp_path / "one").out.strip()
    words = ("--data", tmp_path / "two", "show", match, "--data", tmp_path / "one")
    assert match in hegemon.done(*words).out
    assert "no_such_match" in hegemon.refused("show", match, "--data", tmp_path / "two")


@pytest.mark.parametrize("words", [("--time-limit", 5, "{}"), ("{}", "--time-limit", 5), ("{}",)])
def test_a_time_limit_holds_for_the_command(
    hegemon: Hegemon, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
):
    set_to: list[float] = []
    monkeypatch.setattr(signal, "setitimer", lambda _, seconds, *__: set_to.append(seconds))
    hegemon.done(*(str(word).format("rules") for word in words))
    assert set_to == [5.0 if 5 in words else 600.0, 0]
    set_to.clear()
    hegemon(*(str(word).format("backup") for word in words), "nowhere")
    assert set_to == []


def test_a_time_limit_after_the_command_is_checked(hegemon: Hegemon):
    assert "--time-limit" in hegemon.refused("matches", "--time-limit", "0", code=2)


def test_every_command_that_has_a_data_folder_takes_the_options():
    for name, command in cli.commands.items():
        taken = {word for option in command.params for word in option.opts}
        wanted = {"--data", "--time-limit", "--unsafe"}
        assert taken & wanted == (set() if name in CHECKOUT_ONLY else wanted), name
