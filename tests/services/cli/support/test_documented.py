"""docs/cli.md and the command line say the same."""

from __future__ import annotations

import re
import tomllib

import click
import pytest

from services.cli.commands import SECTIONS, cli
from services.cli.support import exits
from services.run import __version__
from services.run.settings import ROOT
from tests.support.cli.calls import Hegemon

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
CHAPTERS = {
    found[1]: found[2]
    for found in re.finditer(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
}
NAMES = sorted(cli.commands)


def options(command: click.Command) -> set[str]:
    return {
        name
        for one in command.params
        if isinstance(one, click.Option)
        for name in one.opts
        if not one.hidden
    }


def test_every_command_has_its_chapter_and_every_chapter_its_command() -> None:
    assert sorted(CHAPTERS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_option_stands_in_its_chapter_and_no_other(name: str) -> None:
    documented = set(re.findall(r"^\| `(--[a-z-]+)", CHAPTERS[name], re.MULTILINE))
    assert documented == options(cli.commands[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_usage_line_is_the_one_that_the_command_gives(name: str) -> None:
    command = cli.commands[name]
    context = click.Context(command, info_name=name)
    usage = " ".join(["hegemon", name, *command.collect_usage_pieces(context)])
    assert usage in CHAPTERS[name].splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_every_chapter_has_an_example_and_its_exit_codes(name: str) -> None:
    assert re.search(rf"^\$ hegemon {name}\b", CHAPTERS[name], re.MULTILINE)
    assert "\nExit codes: " in CHAPTERS[name]


def test_the_options_before_the_command_are_documented() -> None:
    before = PAGE.partition("\n## `")[0]
    assert set(re.findall(r"^\| `(--[a-z-]+)", before, re.MULTILINE)) == options(cli)


def test_the_table_of_exit_codes_is_the_one_in_the_source() -> None:
    table = [line for line in (exits.__doc__ or "").splitlines() if line.startswith("|")]
    assert "\n".join(table) in PAGE


def test_the_help_names_every_command_once_and_by_section(hegemon: Hegemon) -> None:
    text = hegemon.done("--help").out
    for title, commands in SECTIONS.items():
        assert f"\n{title}:\n" in text
        for one in commands:
            assert len(re.findall(rf"^  {one.name} ", text, re.MULTILINE)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_every_help_begins_with_a_sentence_that_fits_on_a_line(hegemon: Hegemon, name: str) -> None:
    text = hegemon.done(name, "--help").out
    assert text.startswith(f"Usage: hegemon {name} ")
    first = cli.commands[name].get_short_help_str(70)
    assert first.endswith(".")
    assert not first.endswith("...")
    for one in cli.commands[name].params:
        assert not isinstance(one, click.Option) or one.help


def test_the_version_is_told(hegemon: Hegemon) -> None:
    assert hegemon.done("--version").out == f"hegemon, version {__version__}\n"
    assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+", __version__)


def test_the_version_stands_once_and_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["hatch"]["version"]["path"] == "services/run/__init__.py"
    assert f"\n## [{__version__}] - " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
