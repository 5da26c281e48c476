"""The server's file cut at any byte: it holds a prefix, batch by batch, and goes on from there."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from ledger.log.stores.redis.connection import Connection
from tests.support.durability.cutting import (
    Known,
    boundaries,
    file_of,
    found_after,
    known_run,
    offsets,
)
from tests.support.durability.holding import Held, contradictions, held_by
from tests.support.servers import programs, running

SEED = 11
CUTS = 75


@pytest.fixture(scope="module", params=programs())
def known(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Known:
    return known_run(programs()[request.param], tmp_path_factory.mktemp("known"), SEED)


@pytest.fixture
def program(known: Known, request: pytest.FixtureRequest) -> Path:
    return programs()[request.node.callspec.params["known"]]


def test_the_file_cut_anywhere_leaves_a_prefix(known: Known, program: Path, tmp_path: Path):
    wrong = []
    for offset in offsets(known, CUTS, SEED):
        wrong += found_after(known, program, tmp_path / str(offset), offset)
    assert wrong == []


def test_the_places_are_of_each_kind(known: Known):
    edges = set(boundaries(file_of(known.folder).read_bytes()))
    lengths = {state.length for state in known.states}
    places = set(offsets(known, CUTS, SEED))
    assert lengths <= edges
    assert len(places) == CUTS
    assert len(places & lengths) > 10
    assert len((places & edges) - lengths) > 10
    assert len(places - edges) > 20


def test_what_a_server_held_after_each_step_hangs_together(known: Known):
    for state in known.states:
        assert contradictions(state.held) == []


def torn(held: Held) -> dict[str, Held]:
    """Returns copies with one part missing or changed, as a torn batch would leave it."""
    found: dict[str, Held] = {}
    for key, value in held.items():
        name = key.decode().rpartition(":")[2]
        less: Held = copy.deepcopy(held)
        if isinstance(value, list):
            less[key] = value[:-1]
        elif isinstance(value, dict):
            less[key] = dict(list(value.items())[:-1])
        else:
            less[key] = value.replace(b":", b"0:", 1)
        found[f"{name} cut"] = less
        found[f"{name} gone"] = {other: kept for other, kept in held.items() if other != key}
    return found


def test_each_part_that_is_missing_is_noticed(known: Known):
    """But for openings, of which no other key tells."""
    held = known.states[-1].held
    cases = torn(held)
    assert {"events cut", "head cut", "commands cut", "feed cut", "talk gone"} <= cases.keys()
    missed = {what for what, less in cases.items() if contradictions(less) == []}
    assert {what.rpartition(" ")[0] for what in missed} <= {"openings", "talk-openings"}


def test_a_file_that_lost_its_middle_is_noticed(known: Known, program: Path, tmp_path: Path):
    """Not a torn end: whole batches left out, as no crash does it."""
    cut = known.states[-4].length, known.states[-2].length
    data = file_of(known.folder).read_bytes()
    with running(program, tmp_path) as server:
        server.kill()
        file_of(tmp_path).write_bytes(data[: cut[0]] + data[cut[1] :])
        server.start()
        connection = Connection(server.url)
        assert held_by(connection) not in [state.held for state in known.states]
        connection.close()
