"""Every feature's routes: those of the API (`Routes`) and the pages (`Blueprint`)."""

from __future__ import annotations

from typing import Final

from flask import Blueprint

from services.web.audits.api import AUDITING, TOURNAMENT_AUDITS
from services.web.audits.pages import AUDIT_PAGES
from services.web.deals.api import DEALING, RECORDS
from services.web.disputes.api import DISPUTING
from services.web.disputes.pages import DISPUTE_PAGES
from services.web.disputes.ruling_pages import RULING_PAGES
from services.web.disputes.rulings import RULINGS
from services.web.editions.api import EDITIONS
from services.web.editions.pages import EDITION_PAGES
from services.web.errata.api import REPROJECTING
from services.web.errata.comparison import COMPARING
from services.web.errata.comparison_pages import COMPARE_PAGES
from services.web.errata.pages import ERRATA_PAGES
from services.web.games.api import RULESETS
from services.web.heads.api import ANCHORING, HEADS, PROVING
from services.web.live.stream import LIVE
from services.web.matches import lobby, pages  # noqa: F401 - their routes are of the same blueprint
from services.web.matches.api import MATCHES
from services.web.matches.bundle import BUNDLING
from services.web.matches.creation import NEW_MATCHES
from services.web.matches.forks import FORKING
from services.web.matches.operations import OPERATING
from services.web.people.api import ACCOUNT, PEOPLE
from services.web.people.pages import PEOPLE_PAGES
from services.web.people.profile import PROFILE
from services.web.people.sign_in import WELCOME
from services.web.play.api import PLAYING
from services.web.play.choices import CHOOSING
from services.web.play.pages import TABLE_PAGES
from services.web.reference.document import REFERENCE
from services.web.replays.api import REPLAYING
from services.web.replays.exports import EXPORTS
from services.web.replays.pages import PAGES
from services.web.seats.api import TENDING
from services.web.seats.talk import TALKING
from services.web.tournaments.acts import TOURNAMENT_ACTS
from services.web.tournaments.api import TOURNAMENTS
from services.web.tournaments.creation import TOURNAMENT_MAKING
from services.web.tournaments.pages import TOURNAMENT_PAGES
from services.web.tournaments.rounds import ROUNDS
from services.web.webhooks.api import WEBHOOKS

from .metrics import METRICS
from .readiness import READY
from .routes import Routes

# The document lists the API's routes in this order.
FEATURES: Final[tuple[Routes | Blueprint, ...]] = (
    ACCOUNT,
    PEOPLE,
    WEBHOOKS,
    MATCHES,
    FORKING,
    PLAYING,
    PROVING,
    REPLAYING,
    BUNDLING,
    AUDITING,
    TOURNAMENT_AUDITS,
    COMPARING,
    REPROJECTING,
    DEALING,
    DISPUTING,
    RULINGS,
    OPERATING,
    CHOOSING,
    TENDING,
    EDITIONS,
    TALKING,
    RULESETS,
    TOURNAMENTS,
    ROUNDS,
    RECORDS,
    ANCHORING,
    HEADS,
    REFERENCE,
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
    WELCOME,
    LIVE,
    READY,
    METRICS,
)
