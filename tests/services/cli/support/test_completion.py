"""Completion in bash, by the script that Hegemon prints, through `./hegemon`."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from services.run.settings import ROOT
from tests.support.starting import surroundings

BASH = shutil.which("bash")
ASK = """
eval "$(_HEGEMON_COMPLETE=bash_source ./hegemon)"
complete -p hegemon >&2
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_hegemon_completion ./hegemon
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words: str) -> list[str]:
    """Returns the words that bash offers for the last of these."""
    assert BASH is not None
    ran = subprocess.run(
        [BASH, "-c", ASK, "bash", "./hegemon", *words],
        cwd=ROOT,
        env=surroundings(),
        text=True,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert ran.stderr == "complete -o nosort -F _hegemon_completion hegemon\n"
    return ran.stdout.split()


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("mat",), ["matches"]),
        (("verify", "--j"), ["--json"]),
        (("bench", "fold-t"), ["fold-tictactoe"]),
        (("no-such-command", "--j"), []),
        (("--data", "somewhere", "mat"), ["matches"]),
    ],
)
def test_bash_completes(words: tuple[str, ...], offered: list[str]) -> None:
    assert completed(*words) == offered
