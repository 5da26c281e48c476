"""Leaders: the abilities of each of the twelve cards, from level 1 to level 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from . import builders, minds, power, turns
from .activation import Ability

_CARDS: Final[Mapping[str, tuple[type[Ability], type[Ability], type[Ability]]]] = {
    "LD01": (minds.LookAtHand, minds.CancelSupport, minds.ShowAnother),
    "LD02": (turns.GainCaps, turns.GainCaps, turns.GainCaps),
    "LD03": (builders.CheapenComplex, builders.BuildComplex, builders.GiveComplex),
    "LD04": (minds.LookAtDeck, minds.DrawTwo, minds.DropTechnology),
    "LD05": (turns.MoveFree, turns.AttackAgain, turns.SaveUnit),
    "LD06": (turns.NameFirst, turns.ResolveFirst, turns.ActAgain),
    "LD07": (power.AddMartial, power.AddMartial, power.AddMartial),
    "LD08": (power.SupportMore, power.TakeCostBack, power.BarOthers),
    "LD09": (power.AddPolitical, power.AddPolitical, power.AddPoliticalAndFree),
    "LD10": (builders.SurveyAtOnce, builders.RelocateFree, builders.BuildAtHalf),
    "LD11": (minds.TakeInactive, minds.DoResearch, minds.AdvanceAny),
    "LD12": (power.RetainMore, power.AddDefence, power.AddDefence),
}
ABILITIES: Final[Mapping[str, tuple[Ability, ...]]] = {
    leader: tuple(kind(leader, level) for level, kind in enumerate(kinds, start=1))
    for leader, kinds in _CARDS.items()
}
