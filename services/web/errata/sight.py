"""The matches a caller may have re-projected, and the callers who may see the result.

| match | is taken |
|---|---|
| closed, and everything opened | for anyone who may watch it |
| running, or closed and kept | for an organizer without part in it who asks; it is recorded |
| one that the caller may not watch | never, and it is not counted either |

A verdict rests on secret decisions and reveals what seats hold. A caller may therefore see it only
if they may see the whole match. A run's result is for callers to whom every match of the run is
open; if one is not, only for the organizer who requested it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ledger.club.table import MatchTable
from ledger.games import ruleset
from ledger.kernel.ruleset import Ruleset
from ledger.log.format.published import behind_of
from ledger.log.stores.redis import RedisStore
from ledger.log.stores.redis.projections import Projections
from ledger.log.write.lifecycle import make_refusal
from replays.reproject.change import Basis, Change, RulesUnder, parse_change, with_errata
from replays.reproject.policies import Policies
from replays.reproject.rule_use import may_be_touched, read_index
from services.jobs.reprojection.batches import RunTerms, Stored
from services.jobs.reprojection.kept import Asked
from services.jobs.results import program
from services.matches.club import Caller
from services.web.app.identity import require_caller
from services.web.app.parts import all_tournaments, match_cache, match_list
from services.web.app.problems import Problem
from services.web.matches.listing import Listed
from services.web.matches.view import is_judge, look_as_judge, may_watch
from services.web.tournaments.api import find_whole_tournament

from .schemas import MATCHES_MAX, plain_text
from .texts import errata_in

ANYONE: Final = "anyone"
MEMBER: Final = "member"


class Chosen(NamedTuple):
    """The matches of a run, and the counts of those left out."""

    matches: tuple[Stored, ...]
    audience: str
    left_out: Mapping[str, int]
    entry: int  # the last of the tournament's book


# --- what is to be in force instead ---------------------------------------------------------------


def change_in(asked: Mapping[str, Any]) -> tuple[Ruleset, Change]:
    """Builds the change in a body, checked as far as possible without a match."""
    rules = ruleset(asked["ruleset"])
    said = {name: plain_text(value) for name, value in asked["readings"].items()}
    change = change_of(rules, asked["edition"], said, over_options=asked["over_options"])
    errata = errata_in(asked["errata"])
    behind_of(rules, errata)  # refuses those of another game
    change = with_errata(change, errata)
    if change == Change(over_options=change.over_options):
        raise Problem(422, errors={"edition": ["Name an edition, a reading or an erratum."]})
    tried = Basis(rules, {}, msgspec.msgpack.encode({}), [(1, rules.editions[-1])])
    RulesUnder(tried, change).stretches()  # refuses what no terms can be made of
    return rules, change


def change_of(
    rules: Ruleset,
    edition: str | None,
    said: Mapping[str, str] | None = None,
    *,
    over_options: bool = False,
) -> Change:
    """Returns a change by an edition, if one is named, and by values given by name."""
    if edition:
        rules.errata_of(edition)  # refuses one that the game does not have
    readings, content = parse_change(rules, said or {})
    return Change(
        edition=edition or None, readings=readings, content=content, over_options=over_options
    )


# --- which matches --------------------------------------------------------------------------------


def choose_matches(asked: Mapping[str, Any], who: Caller | None, *, look: bool) -> Chosen:
    """Returns the matches in a request that the caller may use.

    With `look` it records an organizer's look at matches that are not open; without, it leaves them
    out.
    """
    wanted, entry = _find_named_matches(asked)
    if asked["played"]:
        ruleset(asked["ruleset"]).errata_of(asked["played"])  # refuses one that there is not
    if asked["unopened"] and (who is None or not who.organizer):
        raise Problem(403, detail="Only an organizer may have running matches re-projected.")
    left_out = {"unopened": 0, "parked": 0}
    found: list[Stored] = []
    audience = ANYONE
    for one in _list_candidates(asked, wanted, who):
        if one.summary.state == "parked":
            left_out["parked"] += 1
        elif one.opened:
            found.append(_stored_of(one))
            audience = _narrower(audience, _audience(one.table, who))
        elif (
            who and look and asked["unopened"] and (stored := _look_at_match(one, who)) is not None
        ):
            found.append(stored)
            audience = who.person.id
        else:
            left_out["unopened"] += 1
    if len(found) > MATCHES_MAX:
        errors = {"matches": [f"These are {len(found)}; one run takes at most {MATCHES_MAX}."]}
        raise Problem(422, errors=errors)
    matches = tuple(sorted(found, key=lambda stored: stored.match))
    return Chosen(matches, audience, left_out, entry)


def _find_named_matches(asked: Mapping[str, Any]) -> tuple[frozenset[str] | None, int]:
    """Returns the named matches, if any, and the last entry of the tournament's book."""
    named = None if asked["matches"] is None else frozenset(asked["matches"])
    if not asked["tournament"]:
        return named, 0
    state = find_whole_tournament(asked["tournament"])
    there = frozenset(
        table.match for found in state.rounds for table in found.tables if table.match
    )
    *_, (entry, _, _, _) = all_tournaments().book(asked["tournament"]).entries()
    return there if named is None else there & named, entry


def _list_candidates(
    asked: Mapping[str, Any], wanted: frozenset[str] | None, who: Caller | None
) -> Iterator[Listed]:
    seen = set()
    for one in match_list().listed():
        line = one.summary
        named = wanted is None or line.match in wanted
        if not named or line.game != asked["ruleset"] or not may_watch(one.table, who):
            continue
        seen.add(line.match)
        since, until = asked["since"] or 0, asked["until"]
        in_time = since <= line.made_at and (until is None or line.made_at < until)
        begun = one.started and (not asked["played"] or one.edition == asked["played"])
        if in_time and begun:
            yield one
    missing = sorted(frozenset(asked["matches"] or ()) - seen)
    if missing:
        raise make_refusal("no_such_match", {"match": missing[0][:80]})


def _stored_of(one: Listed) -> Stored:
    return Stored(match=one.summary.match, version=one.tip.version, head=one.tip.head.hex())


def _audience(table: MatchTable, who: Caller | None) -> str:
    """Returns the audience of an opened match."""
    if table.lets_watch(member=False, seated=False):
        return ANYONE
    if who is None or table.lets_watch(member=True, seated=False):
        return MEMBER
    return who.person.id


def _narrower(one: str, other: str) -> str:
    order = (ANYONE, MEMBER)
    return max((one, other), key=lambda word: order.index(word) if word in order else len(order))


def _look_at_match(one: Listed, who: Caller) -> Stored | None:
    """Returns a match that is not open for an organizer without part in it; else None."""
    with match_cache().opened(one.summary.match) as opened:
        if not is_judge(opened, who):
            return None
        look_as_judge(opened, who, opened.good)
        event = opened.history.events[opened.good - 1]
        return Stored(match=opened.match, version=event.version, head=event.head.hex())


def parse_request(asked: Mapping[str, Any]) -> tuple[Asked, Chosen]:
    who = require_caller()
    rules, change = change_in(asked)
    chosen = choose_matches(asked, who, look=True)
    if not chosen.matches:
        raise Problem(
            422, errors={"matches": ["There is no such match, or it cannot be re-projected."]}
        )
    terms = RunTerms(
        change=change,
        policies=msgspec.convert(asked["policies"], Policies),
        full=asked["full"],
        limit_s=float(asked["match_seconds"]),
    )
    found = Asked(
        terms=terms,
        ruleset=rules.name,
        source=rules.source,
        matches=chosen.matches,
        tournament=asked["tournament"],
        entry=chosen.entry,
        audience=chosen.audience,
        program=program(),
    )
    return found, chosen


# --- how many it could matter to ------------------------------------------------------------------


def count_touched_matches(
    rules: Ruleset, changes: Sequence[Change], matches: Sequence[Stored]
) -> list[tuple[int, int]]:
    """Counts for each change the matches it could matter to, and those that cannot be judged.

    Reading an index is slow, so each is read once for all changes.
    """
    store = match_cache().store
    names = (one.match for one in matches)
    uses = Projections(store.cache).uses(names) if isinstance(store, RedisStore) else {}
    touched, unknown = [0] * len(changes), [0] * len(changes)
    for one in matches:
        packed = uses.get(one.match)
        index = None if packed is None else read_index(zlib.decompress(packed))
        known = index is not None and index.head.hex() == one.head
        for place, change in enumerate(changes):
            may_be = may_be_touched(index, rules, change) if index and known else None
            unknown[place] += may_be is None
            touched[place] += bool(may_be)
    return list(zip(touched, unknown, strict=True))


# --- who may see what came out --------------------------------------------------------------------


def check_audience(asked: Asked, who: Caller | None) -> None:
    """Refuses a caller outside the audience. To a person the run then does not exist."""
    if asked.audience == ANYONE or (asked.audience == MEMBER and who is not None):
        return
    if who is None:
        raise Problem(401, headers={"WWW-Authenticate": 'Bearer realm="hegemon"'})
    if asked.audience != who.person.id:
        raise Problem(404, detail="There is no such run.")
