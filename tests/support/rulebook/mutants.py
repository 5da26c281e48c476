"""Mutants: a rule with one small change. The tests that show the rule must see it.

A change is text for text at one place of a file, so that a mutant differs in nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

OTHERWISE: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
AT_THE_BORDER: Final[Mapping[type[ast.cmpop], str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">",
}  # fmt: skip
COUNTED: Final[Mapping[type[ast.operator], str]] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "//", ast.FloorDiv: "*", ast.Mod: "//",
}  # fmt: skip
CALLED: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change of a file."""

    line: int
    start: int  # where what is changed begins in the file, in bytes
    end: int
    before: str
    after: str
    method: str = ""

    def __str__(self) -> str:
        """For people, on one line."""
        return f"{' '.join(self.before.split())} → {self.after}"

    def of(self, source: str) -> str:
        """The file with this change."""
        packed = source.encode()
        assert packed[self.start : self.end] == self.before.encode(), "this is another file"
        return (packed[: self.start] + self.after.encode() + packed[self.end :]).decode()


def mutants_of(source: str, lines: Mapping[int, str]) -> list[Mutant]:
    """Every mutant that begins on one of these lines, in order; the lines name their methods.

    Where nothing on them can be changed as a rule is (a comparison, a figure, something left
    out), what they return is left out.
    """
    tree = ast.parse(source)
    starts = _line_starts(source)
    packed = source.encode()

    def cut(node: ast.AST, after: str) -> Mutant:
        start = starts[node.lineno] + node.col_offset
        end = starts[node.end_lineno] + node.end_col_offset
        before = packed[start:end].decode()
        return Mutant(node.lineno, start, end, before, after, lines.get(node.lineno, ""))

    found = {
        (mutant.start, mutant.end, mutant.after): mutant
        for changes in (_changes, _returns)
        for node, after in _within(tree, lines, changes)
        for mutant in [cut(node, after)]
        if changes is _changes or not ast.unparse(node).startswith(("yield", "return None"))
    }
    kinds = [one for one in found.values() if one.after != NO_VALUE]
    return sorted(kinds or found.values(), key=lambda one: (one.start, one.end, one.after))


NO_VALUE: Final = "return None"


def _line_starts(source: str) -> list[int]:
    starts, place = [0, 0], 0  # lines count from 1
    for line in source.encode().splitlines(keepends=True):
        place += len(line)
        starts.append(place)
    return starts


def _within(
    tree: ast.AST,
    lines: Collection[int],
    changes: Callable[[ast.AST], Iterator[tuple[ast.AST, str]]],
) -> Iterator[tuple[ast.AST, str]]:
    """The changes of a tree on these lines; not in what states a bug of ours, nor in texts."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.Assert | ast.JoinedStr | ast.arguments):
            continue
        if isinstance(tree, ast.AnnAssign) and child is tree.annotation:
            continue
        place = child.target if isinstance(child, ast.comprehension) else child
        if getattr(place, "lineno", None) in lines:
            yield from changes(child)
        yield from _within(child, lines, changes)


def _returns(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    if isinstance(node, ast.Return) and node.value is not None:
        yield node, NO_VALUE


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    for kind in (_compared, _counted, _decided, _done):
        yield from kind(node)


def _compared(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.Compare(ops=[op], left=left, comparators=[right]):
            for table in (OTHERWISE, AT_THE_BORDER):
                if type(op) in table:
                    yield node, f"{_part(left)} {table[type(op)]} {_part(right)}"
        case ast.Compare(ops=[first, second], left=left, comparators=[middle, right]):
            ops = [AT_THE_BORDER.get(type(op), "==") for op in (first, second)]
            yield node, f"{_part(left)} {ops[0]} {_part(middle)} {_sign(second)} {_part(right)}"
            yield node, f"{_part(left)} {_sign(first)} {_part(middle)} {ops[1]} {_part(right)}"


def _counted(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.BinOp(op=op, left=left, right=right) if type(op) in COUNTED:
            yield node, f"({_part(left)} {COUNTED[type(op)]} {_part(right)})"
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield node, f"({ast.unparse(operand)})"
        case ast.Constant(value=bool() as value):
            yield node, str(not value)
        case ast.Constant(value=int() as value):
            yield node, str(value + 1)
        case ast.Call(func=ast.Name(id=name) as func) if name in CALLED:
            yield func, CALLED[name]


def _decided(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.BoolOp(op=op, values=values):
            other = " or " if isinstance(op, ast.And) else " and "
            yield node, f"({other.join(_part(one) for one in values)})"
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, f"not ({ast.unparse(test)})"
        case ast.comprehension(ifs=[only]):
            yield only, "True"


def _done(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    match node:
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield node, "yield from ()"
        case ast.Raise() | ast.Assign() | ast.AugAssign():
            yield from _left_out(node)
        case ast.Expr(value=ast.Call()):
            yield node, "pass"


def _left_out(node: ast.Raise | ast.Assign | ast.AugAssign) -> Iterator[tuple[ast.AST, str]]:
    """A refusal, or a change of the table. A name that is only given would be missed by anybody."""
    targets = getattr(node, "targets", [getattr(node, "target", None)])
    if isinstance(node, ast.Raise) or all(isinstance(one, ast.Attribute) for one in targets):
        yield node, "pass"


def _part(node: ast.AST) -> str:
    simple = isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript)
    return ast.unparse(node) if simple else f"({ast.unparse(node)})"


def _sign(op: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]
