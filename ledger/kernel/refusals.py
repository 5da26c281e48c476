"""Two kinds of failure: refusals and broken rules.

A `Refused` is an answer: the player asked for something the rules do not allow. It has a
stable code, the rule's id and the evidence, and nothing has changed when it is raised.

A `BrokenRule` is our own bug: a rule that runs away, refuses too late or leaves a question
without a possible answer. The match in memory is not to be trusted after it and is read
again from bytes.

    Exception
    ├── Refused
    └── BrokenRule
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# In order of precedence: the first that holds is the one a player is told.
KERNEL_REFUSALS: Mapping[str, str] = {
    "match_over": "The match is over: there is nothing left to decide.",
    "chance_pending": "Dice or cards must fall before a seat may decide.",
    "not_asked": "The open question does not ask this seat.",
    "wrong_answer": "The question asks this seat for another type of decision.",
    "not_allowed": "The rules do not allow this decision now.",
    "unknown_ruleset": "No ruleset has this name.",
    "unknown_edition": "The ruleset has no edition of this name.",
    "unknown_reading": "The ruleset has no reading or option of this name.",
    "bad_value": "A reading, option or content cell cannot have this value.",
    "bad_seats": "The ruleset does not allow this number of seats.",
    "unknown_decision": "The ruleset has no decision of this type.",
    "malformed_decision": "The decision lacks a field, has one too many, or one of a wrong type.",
    "overdrawn": "The account holds less than the transfer would take.",
}


class Refused(Exception):
    """The rules do not allow a player's request. This is expected, and nothing has changed."""

    def __init__(
        self,
        code: str,
        rule: str = "",
        message: str = "",
        evidence: Mapping[str, Any] | None = None,
    ) -> None:
        self.code = code
        self.rule = rule
        self.message = message or KERNEL_REFUSALS.get(code, code)
        self.evidence = dict(evidence or {})
        super().__init__(code, rule, message, evidence)

    def __str__(self) -> str:
        # Put together when it is asked for: rules try out much that they refuse and nobody reads.
        return self.sentence()

    def sentence(self) -> str:
        """Returns the refusal in one line: code, rule, message and evidence."""
        shown = ", ".join(f"{name}={value}" for name, value in self.evidence.items())
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{self.code}{rule}: {self.message}" + (f" ({shown})" if shown else "")

    def as_plain(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "rule": self.rule,
            "message": self.message,
            "evidence": self.evidence,
        }


class BrokenRule(Exception):
    """A ruleset broke the kernel's contract: our bug, never a player's doing."""
