"""Leaders: the abilities of each of the twelve cards, from level 1 to level 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .ability import Ability
from .builders import (
    BuildAtHalf,
    BuildComplex,
    CheapenComplex,
    GiveComplex,
    RelocateFree,
    SurveyAtOnce,
)
from .minds import (
    AdvanceAny,
    CancelSupport,
    DoResearch,
    DrawTwo,
    DropTechnology,
    LookAtDeck,
    LookAtHand,
    ShowAnother,
    TakeInactive,
)
from .power import (
    AddDefence,
    AddMartial,
    AddPolitical,
    AddPoliticalAndFree,
    BarOthers,
    RetainMore,
    SupportMore,
    TakeCostBack,
)
from .turns import ActAgain, AttackAgain, GainCaps, MoveFree, NameFirst, ResolveFirst, SaveUnit

_CARDS: Final[Mapping[str, tuple[type[Ability], type[Ability], type[Ability]]]] = {
    "LD01": (LookAtHand, CancelSupport, ShowAnother),
    "LD02": (GainCaps, GainCaps, GainCaps),
    "LD03": (CheapenComplex, BuildComplex, GiveComplex),
    "LD04": (LookAtDeck, DrawTwo, DropTechnology),
    "LD05": (MoveFree, AttackAgain, SaveUnit),
    "LD06": (NameFirst, ResolveFirst, ActAgain),
    "LD07": (AddMartial, AddMartial, AddMartial),
    "LD08": (SupportMore, TakeCostBack, BarOthers),
    "LD09": (AddPolitical, AddPolitical, AddPoliticalAndFree),
    "LD10": (SurveyAtOnce, RelocateFree, BuildAtHalf),
    "LD11": (TakeInactive, DoResearch, AdvanceAny),
    "LD12": (RetainMore, AddDefence, AddDefence),
}
ABILITIES: Final[Mapping[str, tuple[Ability, ...]]] = {
    leader: tuple(kind(leader, level) for level, kind in enumerate(kinds, start=1))
    for leader, kinds in _CARDS.items()
}
