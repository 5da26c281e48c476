"""Sentences from templates: names of players, counts, lists, and things by the game's namings."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ledger.parts.text import counted, join_words, plural, sentences, spelled

DOOR: Any = SimpleNamespace(titles={"c1": "Dyson Sphere"})
plain = sentences({"card": lambda lookup, card: str(lookup.titles[card])})
FACT = {"seat": 1, "to": 0, "card": "c1", "amount": 2, "called": ("Ann", "Bob"), "dice": [3, 5, 6]}


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("{who} draws {card:card}.", "Bob draws Dyson Sphere."),
        ("{to:seat} pays {amount:# CAP}, {card}.", "Ann pays 2 CAPs, c1."),
        ("{dice:list}, {dice:# die}", "3, 5 and 6, 3 dies"),
    ],
)
def test_a_field_is_said_as_its_format_names(sentence: str, said: str):
    assert plain(sentence)(FACT, DOOR) == said


def test_a_hidden_field_has_the_other_sentence():
    draws = plain("{who} draws {card:card}.", unseen="{who} draws a card.")
    assert draws(FACT, DOOR) == "Bob draws Dyson Sphere."
    assert draws(FACT | {"card": {"hidden": 1}}, DOOR) == "Bob draws a card."


def test_counts_and_lists():
    assert [plural(word) for word in ("embassy", "complex", "day")] == [
        "embassies", "complexes", "days",
    ]  # fmt: skip
    assert (counted(1, "CAP"), counted(0, "CAP"), spelled(3, "gate")) == (
        "1 CAP", "0 CAPs", "three gates",
    )  # fmt: skip
    assert (join_words([]), join_words(["a"]), join_words(["a", "b"])) == (
        "nothing",
        "a",
        "a and b",
    )
