"""Rules of plug-ins: `Rule` objects, files, and entry points of installed packages.

Plug-ins are code, and run as such. Their exceptions become errors that name them, and their results are checked against
the operator that they replace.
"""

import functools
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from traceback import walk_tb
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from tosa_converter.dtypes import DType
from tosa_converter.errors import ConverterError, PluginError, UnsupportedError, UsageError, shortened
from tosa_converter.ir import Graph, Op, Value, placed
from tosa_converter.ir.edit import clone_ops
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.match import Match, operand_positions, root_of, signless
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import TensorRecord, Translation
from tosa_converter.rewriting.rule import Check, Rule
from tosa_converter.rules.graph import find_problems
from tosa_converter.schemas import tfl_ops, xnn_ops
from tosa_converter.schemas.opsets import opset_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "tosa_converter.rules"  # of entry points
RULES = "RULES"
_OURS = ("tosa_converter.", "contextlib")
_NO_BUILDER = (
    "a match has no builder: write results as expressions of the operands, such as 2 * match[0]; "
    "functions are in tosa_converter.rewriting.expr and tosa_converter.rewriting.operators"
)
RuleSource: TypeAlias = Rule | str | os.PathLike[str]

# ** where they come from **


def gathered(rules: Sequence[RuleSource]) -> tuple[Rule, ...]:
    """Returns the rules that a user names, in order, each with its origin.

    Args:
        rules: rules, files with `RULES`, or names of the entry points of installed packages.

    Raises:
        UsageError: a file or package that can't be imported or has no rules, or a rule of an unknown operator.
    """
    given = (rules,) if isinstance(rules, Rule | str | os.PathLike) else rules
    return tuple(chain.from_iterable(map(_rules, given)))


def _rules(rule: RuleSource) -> tuple[Rule, ...]:
    if not isinstance(rule, str | os.PathLike):
        return _checked((rule,), "rules")
    path = os.fspath(rule)
    return _of_file(path) if path.endswith(".py") else _named(path)


def _of_file(path: str) -> tuple[Rule, ...]:
    """A file is compiled here, not imported, which would leave bytecode beside it."""
    module = ModuleType(f"tosa_converter_plugins.{os.path.basename(path)[:-3]}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # where dataclasses look their own up
    origin = f"plugin {path}"
    with _blamed(UsageError, f"{origin} can't be imported"):
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec")
        exec(code, module.__dict__)
    return _checked(getattr(module, RULES, None), origin)


def _named(name: str) -> tuple[Rule, ...]:
    from importlib.metadata import entry_points

    found = entry_points(group=GROUP)
    if name not in found.names:
        there = ", ".join(sorted(found.names)) or "none"
        raise UsageError(f"plugin {name}: expected a .py file or an installed one's name; there are {there}")
    return _of_package(found[name])


@functools.cache
def installed() -> tuple[Rule, ...]:
    """Returns the rules of all installed packages; searches once.

    Raises:
        UsageError: as `gathered`.
    """
    from importlib.metadata import entry_points

    return tuple(chain.from_iterable(map(_of_package, entry_points(group=GROUP))))


def _of_package(entry: "EntryPoint") -> tuple[Rule, ...]:
    origin = f"plugin {entry.name} ({entry.value})"
    with _blamed(UsageError, f"{origin} can't be imported"):
        rules = entry.load()
    return _checked(rules, origin)


def _checked(rules: Any, origin: str) -> tuple[Rule, ...]:
    if not isinstance(rules, list | tuple) or isinstance(rules, Rule):
        raise UsageError(f"{origin}: expected {RULES}, a tuple of Rule, found {type(rules).__name__}")
    return tuple(_usable(rule, origin) for rule in rules)


def _usable(rule: Any, origin: str) -> Rule:
    """Returns a rule whose fields are valid.

    Raises:
        UsageError: they aren't.
    """
    problem = _malformed(rule)
    if problem:
        raise UsageError(f"{origin}: {problem}")
    return ForeignRule(*rule)._replace(origin=rule.origin or origin)


def _malformed(rule: Any) -> str:
    if not isinstance(rule, Rule):
        return f"expected a Rule, found {type(rule).__name__}"
    keys = _operands(rule.root)
    if keys is None:
        return f"root of a rule: expected tfl.NAME, xnn.NAME, aten.NAME or custom.CODE, found {rule.root!r}"
    if [type(rule.types), type(rule.checks), type(rule.of)] != [str, tuple, tuple] or not callable(rule.build):
        return f"the rule of {rule.root}: expected types, a function, a tuple of checks, one of operands"
    keys += [] if rule.pattern is None else rule.pattern.names
    words = rule.types.split()
    if not all(word.count("*") + 1 == len(rule.of) and _TYPES.issuperset(word.split("*")) for word in words):
        return f"the rule of {rule.root}: expected types of {len(rule.of)} operands, found {rule.types!r}"
    if not all((isinstance(key, int) and key >= 0) or key in keys for key in rule.of):
        return f"the rule of {rule.root}: expected operands of {', '.join(keys) or 'their number'}, found {rule.of}"
    others = [type(check).__name__ for check in rule.checks if not isinstance(check, Check)]
    return f"the rule of {rule.root}: expected checks made by `condition`, found {others[0]}" if others else ""


_TYPES = frozenset({"none", *(dtype.value for dtype in DType)})


def _operands(root: Any) -> list[str] | None:
    """The names of an operator's operands; None if there is no such operator."""
    if root in tfl_ops.BY_OPCODE and root != "tfl.custom":
        return list(operand_positions(root))
    known = any(root == row.opcode for row in xnn_ops.OPERATORS)
    return [] if known or (isinstance(root, str) and opset_of(root) == "custom") else None


# ** what they make **


class ForeignRule(Rule):
    """A plug-in's rule: its exceptions become errors that name it, and its results are checked."""

    __slots__ = ()

    def apply(self, match: Match) -> Sequence[Translation]:
        """Returns what the rule makes of an operator.

        Raises:
            Decline, UnsupportedError: it doesn't apply.
            PluginError: it raised, or what it made can't stand for the operator.
        """
        ops = current().graph.ops
        before = list(ops)
        fault = f"{self.origin}: the rule {self.name} of {placed(root_of(match.op), match.op.location)}"
        with _blamed(PluginError, fault, Decline, UnsupportedError):
            results = self.built(match)
            problem = _wrong_results(results, match) or _wrong_graph(before, ops, results, match)
        if problem:
            raise PluginError(f"{fault}: {problem}")
        return results


def _wrong_results(results: Sequence[Translation], match: Match) -> str:
    """What of the results isn't as the operator's are."""
    declared = match.op.results
    others = [type(value).__name__ for value in results if not isinstance(value, Translation)]
    if others or len(results) != len(declared):
        return f"expected values for {len(declared)} results, found {', '.join(others) or len(results)}"
    reshaped = bool(match.options.input_shapes)  # then the file's shapes are no longer those
    for old, new in zip(declared, results, strict=True):
        expected = signless(old.type, old.type.shape)
        shapes = list(zip(expected.shape, new.type.shape, strict=False))
        sized = expected.rank == new.type.rank and (reshaped or all(a in (None, b) for a, b in shapes))
        if new.type.dtype is not expected.dtype or not (sized or expected.shape == ()):  # of unknown shapes too
            return f"expected a result {expected}, found {new.type}"
    return ""


def _wrong_graph(before: Sequence[Op], ops: Sequence[Op], results: Sequence[Translation], match: Match) -> str:
    """What of the operators isn't legal, or of the values isn't of this graph."""
    made = ops[len(before) :]
    if ops[: len(before)] != before or not all(isinstance(op, Op) for op in made):
        return "it may append operators, and change none"
    known = {*current().graph.inputs, *(value for op in before for value in op.results), *match.translated}
    twin = Graph("made")
    twins: dict[Value, Value] = {}
    for op in made:
        for value in op.operands:
            if value not in known and value.constant is None:
                return f"{op.name} reads {value!r}, which isn't of this graph"
            if value not in twins:
                twins[value] = _stand_in(value, twin)
        twin.ops += clone_ops([op], twins)
        known.update(op.results)
    parts = [part for value in results for part in _parts(value)]
    foreign = [value for value in parts if value not in known and value.constant is None]
    if foreign:
        return f"the result {foreign[0]!r} isn't of this graph"
    illegal = [str(problem) for problem in find_problems(twin, level=None)]
    return f"made an illegal graph: {illegal[0]}" if illegal else ""


def _stand_in(value: Value, graph: Graph) -> Value:
    """Returns what stands for a value of another graph: a constant like it, or an input that is added."""
    if value.constant is None or value.producer is None:
        graph.inputs.append(Value(value.type, value.name))
        return graph.inputs[-1]
    graph.ops += clone_ops([value.producer], {})
    return graph.ops[-1].result


def _parts(translation: Translation) -> tuple[Value, ...]:
    return translation.parts if isinstance(translation, TensorRecord) else (translation,)


@contextmanager
def _blamed(error: type[ConverterError], fault: str, *passing: type[Exception]) -> Iterator[None]:
    """Whatever is raised becomes that error, but for what a rule may raise."""
    try:
        yield
    except passing:
        raise
    except (Exception, SystemExit) as raised:
        raise error(f"{fault}: {shortened(_told(raised))}") from None


def _told(raised: BaseException) -> str:
    """An exception in a line, with the innermost place of the first module on the way that isn't ours."""
    frames = list(walk_tb(raised.__traceback__))
    others = (frame for frame, _ in frames if not str(frame.f_globals.get("__name__")).startswith(_OURS))
    theirs = next((frame.f_code.co_filename for frame in others), None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == theirs]
    where = f" ({os.path.basename(theirs)}:{lines[-1]})" if theirs is not None else ""
    text = _NO_BUILDER if _asks_for_builder(raised) else " ".join(str(raised).split())
    return f"{type(raised).__name__}{where}{f': {text}' if text else ''}"


def _asks_for_builder(raised: BaseException) -> bool:
    """Returns whether a plug-in was written for `match.builder`, which operands had before they were expressions."""
    return isinstance(raised, AttributeError) and raised.name == "builder" and isinstance(raised.obj, Match)
