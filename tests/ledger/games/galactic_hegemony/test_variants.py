"""Variants, and a club's own cards: what can be chosen, and what cannot."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.games.galactic_hegemony.actions.choosing import EndActions
from ledger.kernel.refusals import Refused
from tests.support.galactic_hegemony.positions import NAME, house, laid_out, through
from tests.support.given import match_of, terms_of


def refusal_of(**terms: Any) -> Refused:
    with pytest.raises(Refused) as refusal:
        terms_of(NAME, **terms)
    return refusal.value


@pytest.mark.rule("variant.fewer-turns")
@pytest.mark.parametrize("turns", [1, 3, 9])
def test_a_game_with_fewer_turns_starts_with_a_lower_token(turns: int):
    sentence = through(laid_out(options={"turns": turns}), 6)
    assert sentence.state.token == turns
    for turn in range(1, turns + 1):
        sentence.asks(0, key=f"turn/{turn}/act/1").when(0, EndActions())
        through(sentence, turn)
    assert sentence.match.ended
    assert (sentence.state.outcome, sentence.state.turn) == ("time", turns)


@pytest.mark.rule("variant.fewer-turns")
@pytest.mark.parametrize("turns", [0, 11, -1])
def test_turns_are_one_to_ten(turns: int):
    refused = refusal_of(options={"turns": turns})
    assert (refused.code, refused.rule) == ("bad_value", "variant.fewer-turns")


@pytest.mark.rule("variant.fewer-turns")
def test_a_house_may_ask_for_more_turns_than_one():
    assert terms_of(NAME, options={"turns": 5}, overlay=house(time_turns=5)).options == {"turns": 5}
    refused = refusal_of(options={"turns": 4}, overlay=house(time_turns=5))
    assert refused.evidence == {"turns": 4, "least": 5}


@pytest.mark.rule("variant.play-to-win-count")
def test_in_play_to_win_the_token_starts_at_0_and_goes_up():
    sentence = through(laid_out(options={"play-to-win": True}), 7)
    assert sentence.state.token == 0
    through(sentence.when(0, EndActions()), 8)
    assert (sentence.state.turn, sentence.state.token) == (2, 1)


@pytest.mark.rule("variant.four-saboteurs")
def test_four_saboteurs_where_the_peasants_are_revolting():
    board = laid_out(options={"saboteurs": 4}).state
    assert [one.number for one in board.active()] == [1, 2, 3, 4]
    assert refusal_of(options={"saboteurs": 5}).rule == "variant.four-saboteurs"


@pytest.mark.rule("variant.combine")
def test_variants_combine_but_fewer_turns_with_play_to_win():
    both = {"turns": 8, "play-to-win": True}
    refused = refusal_of(options=both)
    assert (refused.code, refused.rule, refused.evidence) == ("bad_value", "variant.combine", both)
    every = {"random-home": True, "saboteurs": 4, "hex-layout": "flat-top"}
    for more in ({"turns": 8}, {"play-to-win": True}):
        through(laid_out(options={**every, **more}), 9).asks(0)


@pytest.mark.rule("variant.combine")
def test_a_house_cannot_combine_them_by_an_overlay_either():
    refused = refusal_of(options={"turns": 8}, overlay=house(play_to_win=True))
    assert refused.rule == "variant.combine"


# --- a club's own cards ---------------------------------------------------------------------------


def test_a_club_s_own_cards_are_laid_over_the_printed_ones():
    overlay = {"planets": {"2": {"name": "Home Farm", "at_1": 5, "modifier": -3}}}
    planets = match_of(NAME, overlay=overlay).state.table("planets")
    assert (planets["2"].name, planets["2"].at_1, planets["1"].at_1) == ("Home Farm", 5, 3)


BAD: dict[str, dict[str, Any]] = {
    "a planet too few": {"planets": {"7": None}},
    "a planet too many": {"planets": {"13": {"name": "Extra", "at_1": 1, "modifier": 0}}},
    "a planet that takes": {"planets": {"2": {"at_1": -1}}},
    "no limit for a size": {"limits": {"12": None}},
    "a limit below the start": {"limits": {"1": {"limit": 3}}},
    "a price that pays": {"prices": {"move": {"cost": -1}}},
    "a price of nothing known": {"prices": {"bribe": {"cost": 1}}},
    "a table that ends": {"morale": {"plus1": {"most": 12}}},
    "a table that ends early": {"morale": {"zero": {"most": None}}},
    "two kinds lost at once": {"infrastructure": {"factory": {"lost": 1}}},
    "a kind too many": {
        "infrastructure": {"gate": {"square": "G", "tokens": 1, "start": 0, "lost": 4}},
    },
    "more spacecraft than there are": {"supply": {"spacecraft": {"start": 5}}},
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_what_fits_the_types_and_not_the_game_is_refused(what: str):
    refused = refusal_of(overlay=BAD[what])
    assert refused.code == "bad_value"
    assert refused.evidence["table"] in BAD[what]
