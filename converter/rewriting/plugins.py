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
from tosa_converter.ir import Graph, Op, Value, name_with_location
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

# ** loading **


def load_rules(rules: Sequence[RuleSource]) -> tuple[Rule, ...]:
    """Returns the rules that a user names, in order, each with its origin.

    Args:
        rules: rules, files with `RULES`, or names of the entry points of installed packages.

    Raises:
        UsageError: a file or package can't be imported or has no rules, or a rule names an unknown operator.
    """
    sources = (rules,) if isinstance(rules, Rule | str | os.PathLike) else rules
    return tuple(chain.from_iterable(map(_load_source, sources)))


def _load_source(rule: RuleSource) -> tuple[Rule, ...]:
    """Returns the rules of one source: a rule, a .py file, or the name of an installed package's entry point."""
    if not isinstance(rule, str | os.PathLike):
        return _check_rules((rule,), "rules")
    path = os.fspath(rule)
    return _load_file(path) if path.endswith(".py") else _load_installed(path)


def _load_file(path: str) -> tuple[Rule, ...]:
    """Returns the rules of a Python file, which is compiled here: an import would leave bytecode beside it."""
    module = ModuleType(f"tosa_converter_plugins.{os.path.basename(path)[:-3]}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look up their module there
    origin = f"plugin {path}"
    with _raise_as(UsageError, f"{origin} can't be imported"):
        with open(path, "rb") as file:
            code = compile(file.read(), path, "exec")
        exec(code, module.__dict__)
    return _check_rules(getattr(module, RULES, None), origin)


def _load_installed(name: str) -> tuple[Rule, ...]:
    """Returns the rules of an installed package by the name of its entry point.

    Raises:
        UsageError: no installed package has this entry point, or it can't be imported or has no rules.
    """
    from importlib.metadata import entry_points

    plugins = entry_points(group=GROUP)
    if name not in plugins.names:
        names = ", ".join(sorted(plugins.names)) or "none"
        raise UsageError(f"plugin {name}: expected a .py file or the name of an installed plug-in; there are {names}")
    return _load_entry_point(plugins[name])


@functools.cache
def installed_rules() -> tuple[Rule, ...]:
    """Returns the rules of all installed packages; searches once.

    Raises:
        UsageError: a package can't be imported or has no rules, or a rule names an unknown operator.
    """
    from importlib.metadata import entry_points

    return tuple(chain.from_iterable(map(_load_entry_point, entry_points(group=GROUP))))


def _load_entry_point(entry: "EntryPoint") -> tuple[Rule, ...]:
    """Returns the rules that an installed package's entry point names."""
    origin = f"plugin {entry.name} ({entry.value})"
    with _raise_as(UsageError, f"{origin} can't be imported"):
        rules = entry.load()
    return _check_rules(rules, origin)


def _check_rules(rules: Any, origin: str) -> tuple[Rule, ...]:
    """Returns the rules of a plug-in with its name as origin, after checks of their fields.

    Raises:
        UsageError: `rules` is no list or tuple of rules, or a field is invalid.
    """
    if not isinstance(rules, list | tuple) or isinstance(rules, Rule):
        raise UsageError(
            f"{origin}: expected {RULES}, a tuple of Rule, found {type(rules).__name__}",
            "next: docs/how-to/custom-operators.md shows a plug-in",
        )
    return tuple(_check_rule(rule, origin) for rule in rules)


def _check_rule(rule: Any, origin: str) -> Rule:
    """Returns a plug-in's rule with its origin, after checks of its fields.

    Its class becomes `ForeignRule`, which checks what it emits.

    Raises:
        UsageError: a field is invalid.
    """
    problem = _find_fault(rule)
    if problem:
        raise UsageError(f"{origin}: {problem}")
    return ForeignRule(*rule)._replace(origin=rule.origin or origin)


def _find_fault(rule: Any) -> str:
    """Returns what is wrong with the fields of a plug-in's rule, or an empty text."""
    if not isinstance(rule, Rule):
        return f"expected a Rule, found {type(rule).__name__}"
    keys = _operand_names(rule.root)
    if keys is None:
        return f"root of a rule: expected tfl.NAME, xnn.NAME, aten.NAME or custom.CODE, found {rule.root!r}"
    if [type(rule.types), type(rule.checks), type(rule.of)] != [str, tuple, tuple] or not callable(rule.build):
        fields = "a text of types, a function, a tuple of checks and a tuple of operands"
        return f"the rule of {rule.root}: expected {fields}"
    keys += [] if rule.pattern is None else rule.pattern.names
    words = rule.types.split()
    if not all(word.count("*") + 1 == len(rule.of) and _TYPES.issuperset(word.split("*")) for word in words):
        return f"the rule of {rule.root}: expected types of {len(rule.of)} operands, found {rule.types!r}"
    if not all((isinstance(key, int) and key >= 0) or key in keys for key in rule.of):
        names = f"{', '.join(keys)} or their positions" if keys else "their positions"
        return f"the rule of {rule.root}: expected operands by {names}, found {rule.of}"
    wrong_types = [type(check).__name__ for check in rule.checks if not isinstance(check, Check)]
    expected = "expected functions decorated by `condition` as checks"
    return f"the rule of {rule.root}: {expected}, found {wrong_types[0]}" if wrong_types else ""


_TYPES = frozenset({"none", *(dtype.value for dtype in DType)})


def _operand_names(opcode: Any) -> list[str] | None:
    """Returns the names of an operator's operands, which a plug-in's rule may use; None for an unknown operator.

    Operands of XNNPACK's nodes and of custom operators, which are named custom.CODE, have no names: [].
    """
    if opcode in tfl_ops.BY_OPCODE and opcode != "tfl.custom":
        return list(operand_positions(opcode))
    is_node = any(opcode == row.opcode for row in xnn_ops.OPERATORS)
    return [] if is_node or (isinstance(opcode, str) and opset_of(opcode) == "custom") else None


# ** checking results **


class ForeignRule(Rule):
    """A plug-in's rule: its exceptions become errors with its name, and its results are checked."""

    __slots__ = ()

    def apply(self, match: Match) -> Sequence[Translation]:
        """Returns the values by which a plug-in's rule replaces an operator's results, after checks of all it emitted.

        Raises:
            Decline, UnsupportedError: the rule doesn't apply.
            PluginError: the rule raised an exception, or its results can't replace the operator's.
        """
        ops = current().graph.ops
        before = list(ops)
        fault = f"{self.origin}: the rule {self.name} of {name_with_location(root_of(match.op), match.op.location)}"
        with _raise_as(PluginError, fault, Decline, UnsupportedError):
            results = self.build_results(match)
            problem = _find_wrong_result(results, match) or _find_wrong_operator(before, ops, results, match)
        if problem:
            raise PluginError(f"{fault}: {problem}")
        return results


def _find_wrong_result(results: Sequence[Translation], match: Match) -> str:
    """Returns what is wrong with the number or types of a rule's results, or an empty text.

    If the user sets input shapes, results may have other sizes than the file declares.
    """
    declared = match.op.results
    wrong_types = [type(value).__name__ for value in results if not isinstance(value, Translation)]
    if wrong_types or len(results) != len(declared):
        return f"expected values for {len(declared)} results, found {', '.join(wrong_types) or len(results)}"
    reshaped = bool(match.options.input_shapes)
    for old, new in zip(declared, results, strict=True):
        expected = signless(old.type, old.type.shape)
        shapes = list(zip(expected.shape, new.type.shape, strict=False))
        fits_shape = expected.rank == new.type.rank and (reshaped or all(a in (None, b) for a, b in shapes))
        if new.type.dtype is not expected.dtype or not (fits_shape or expected.shape == ()):  # () also means unknown
            return f"expected a result {expected}, found {new.type}"
    return ""


def _find_wrong_operator(before: Sequence[Op], ops: Sequence[Op], results: Sequence[Translation], match: Match) -> str:
    """Returns what is wrong with the operators that a plug-in's rule appended, or with its results, or "".

    The operators are verified in a copy, a graph of their own whose inputs are the values that they read.
    """
    new_ops = ops[len(before) :]
    # The operators in front must be the same objects in the same order: a rule that removed or moved one would break
    # what was translated before.
    if ops[: len(before)] != before or not all(isinstance(op, Op) for op in new_ops):
        return "a rule may only append operators, and this one changed the graph otherwise"
    defined = {*current().graph.inputs, *(value for op in before for value in op.results), *match.translated_operands}
    twin = Graph("new")
    twins: dict[Value, Value] = {}
    for op in new_ops:
        for value in op.operands:
            if value not in defined and value.constant is None:
                return f"{op.name} reads {value!r}, which is not a value of this graph"
            if value not in twins:
                twins[value] = _add_stand_in(value, twin)
        twin.ops += clone_ops([op], twins)
        defined.update(op.results)
    parts = [part for value in results for part in _tosa_values(value)]
    foreign = [value for value in parts if value not in defined and value.constant is None]
    if foreign:
        return f"the result {foreign[0]!r} is not a value of this graph"
    illegal = [str(problem) for problem in find_problems(twin, level=None)]
    return f"it appended an illegal operator: {illegal[0]}" if illegal else ""


def _add_stand_in(value: Value, graph: Graph) -> Value:
    """Adds to a graph a stand-in for an outer value that an operator to verify reads, and returns it.

    For a constant that is a copy of its operator, for any other value an input of the same type.
    """
    if value.constant is None or value.producer is None:
        graph.inputs.append(Value(value.type, value.name))
        return graph.inputs[-1]
    graph.ops += clone_ops([value.producer], {})
    return graph.ops[-1].result


def _tosa_values(translation: Translation) -> tuple[Value, ...]:
    """Returns the TOSA values that hold a source value: one, or those of a record such as real and imaginary part."""
    return translation.parts if isinstance(translation, TensorRecord) else (translation,)


@contextmanager
def _raise_as(error: type[ConverterError], fault: str, *passing: type[Exception]) -> Iterator[None]:
    """Context that turns every exception of a plug-in into this error, except those of the types `passing`."""
    try:
        yield
    except passing:
        raise
    except (Exception, SystemExit) as raised:
        raise error(f"{fault}: {shortened(_describe_exception(raised))}") from None


def _describe_exception(raised: BaseException) -> str:
    """Returns an exception as one line, with the innermost line of the plug-in's own file in its traceback.

    If the plug-in used the former `match.builder`, advice replaces the exception's text.
    """
    frames = list(walk_tb(raised.__traceback__))
    foreign = (frame for frame, _ in frames if not str(frame.f_globals.get("__name__")).startswith(_OURS))
    plugin_file = next((frame.f_code.co_filename for frame in foreign), None)
    lines = [line for frame, line in frames if frame.f_code.co_filename == plugin_file]
    where = f" ({os.path.basename(plugin_file)}:{lines[-1]})" if plugin_file is not None else ""
    text = _NO_BUILDER if _asks_for_builder(raised) else " ".join(str(raised).split())
    return f"{type(raised).__name__}{where}{f': {text}' if text else ''}"


def _asks_for_builder(raised: BaseException) -> bool:
    """Returns whether a plug-in failed because it uses `match.builder`, which no longer exists."""
    return isinstance(raised, AttributeError) and raised.name == "builder" and isinstance(raised.obj, Match)
