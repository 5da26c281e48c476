"""The site: the pages for people, module by module.

lobby_pages.py       the front page: a match to begin with, one's own matches, open tables, all
new_match_pages.py   a table against bots in two clicks, and the full form
match_pages.py       one match: its seats, its state, and the possible actions
table_pages.py       the table where a match is played
pages.py             the replay without script, and the bundle
export_pages.py      a replay as one file, an event as a picture, a fork to play on
audit_pages.py       audits of matches and of tournaments
dispute_pages.py     disputes, their dossiers, and the forms to file and to rule
edition_pages.py     the edition of a match, and another one by ruling or by consent
ruling_pages.py      rulings of all matches; the operations ledger of a match
errata_pages.py      the errata lab: matches under other rules; compare_pages.py: two compared
tournament_pages.py  tournaments, rounds, standings; tournament_acts.py: the host's actions
profile_pages.py     one's own name, devices, tokens and links; people_pages.py: the others
door.py              links that work once; signing in and out
"""

from __future__ import annotations

from typing import Final

from services.web.audits.pages import AUDIT_PAGES
from services.web.disputes.pages import DISPUTE_PAGES
from services.web.disputes.ruling_pages import RULING_PAGES
from services.web.editions.pages import EDITION_PAGES
from services.web.errata.comparison_pages import COMPARE_PAGES
from services.web.errata.pages import ERRATA_PAGES
from services.web.matches import lobby, pages  # noqa: F401 - their routes are of the same blueprint
from services.web.matches.creation import NEW_MATCHES
from services.web.people.pages import PEOPLE_PAGES
from services.web.people.profile import PROFILE
from services.web.people.sign_in import DOOR
from services.web.play.pages import TABLE_PAGES
from services.web.replays.exports import EXPORTS
from services.web.replays.pages import PAGES
from services.web.tournaments.acts import TOURNAMENT_ACTS
from services.web.tournaments.creation import TOURNAMENT_MAKING
from services.web.tournaments.pages import TOURNAMENT_PAGES

SITE: Final = (
    PAGES,
    NEW_MATCHES,
    TABLE_PAGES,
    EXPORTS,
    AUDIT_PAGES,
    DISPUTE_PAGES,
    RULING_PAGES,
    EDITION_PAGES,
    ERRATA_PAGES,
    COMPARE_PAGES,
    TOURNAMENT_PAGES,
    TOURNAMENT_MAKING,
    TOURNAMENT_ACTS,
    PROFILE,
    PEOPLE_PAGES,
    DOOR,
)
