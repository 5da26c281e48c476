"""Names of matches on a server, and the address of a server as it is shown."""

from __future__ import annotations

import pytest

from ledger.log.stores.redis.connection import Connection
from ledger.log.stores.redis.keys import log_keys, match_key

BAD = ("", "A", "-a", "a/b", "a/", "/talk", "a/talk/talk", "a:b", "a b", "a\n", "é", "x" * 65)


@pytest.mark.parametrize("name", BAD)
def test_what_no_match_can_be_called_has_no_keys(name: str) -> None:
    with pytest.raises(ValueError, match="a match cannot have the id"):
        log_keys(name)
    with pytest.raises(ValueError, match="a match cannot have the id"):
        match_key(name, "kept")


def test_a_match_and_its_talk_lie_in_one_shard() -> None:
    for name in ("a", "7-up", "x" * 64):
        log, talk = log_keys(name), log_keys(f"{name}/talk")
        assert log.feed == talk.feed
        assert len({*log, *talk}) == 2 * len(log) - 3  # parked, matches and feed are the match's


SHOWN = {
    "redis://host:6379/0": "redis://host:6379/0",
    "redis://:secret@host:6379/0": "redis://host:6379/0",
    "rediss://user:secret@[::1]:6379": "rediss://[::1]:6379",
    "redis://host?password=secret": "redis://host",
    "redis://host?password=sec@ret": "redis://host",
    "redis://:sec/ret@host": "redis://...",
    "redis://:sec?ret@host": "redis://...",
    "redis://:sec#ret@host": "redis://...",
    "redis://:sec@ret@host": "redis://...",
    "redis://:secret": "redis://...",
    "unix:///tmp/a@b.sock?password=secret": "unix:///tmp/a@b.sock",
    "unix://user:secret@/tmp/a.sock": "unix:///tmp/a.sock",
    "unix://:sec/ret@/tmp/a.sock": "unix://...",
}


@pytest.mark.parametrize(("url", "shown"), SHOWN.items())
def test_an_address_is_shown_without_its_password(url: str, shown: str) -> None:
    assert Connection(url).address == shown
