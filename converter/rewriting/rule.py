"""A rule: the operator that it starts from, its types and conditions, and the formula that replaces it."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple, TypeAlias

from tosa_converter.ir import Value
from tosa_converter.rewriting.expr import Expr, as_expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.pattern import Pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import TensorRecord, Translation

Result: TypeAlias = Expr | Value | TensorRecord
Build = Callable[[Match], Result | Sequence[Result]]


class Check(NamedTuple):
    """A condition of a rule, in words, and a function that returns why an operator doesn't meet it, or None."""

    condition: str
    reason: Callable[[Match], str | None]

    def __call__(self, match: Match) -> str | None:
        """Returns why the operator doesn't meet this condition of a rule, or None."""
        return self.reason(match)


def condition(words: str) -> Callable[[Callable[[Match], str | None]], Check]:
    """Decorates a function that returns why an operator doesn't meet a condition, or None: it becomes a `Check`.

    `words` name the condition in the list of rules.
    """
    return lambda reason: Check(words, reason)


class Rule(NamedTuple):
    """A rule: replaces an operator by the expressions that `build` returns, if the types and all checks allow it.

    * `root` is an operator's name as in the reference, or `custom.` and the code of a custom operator.
    * `types` are the element types that the operand `of` may have, separated by spaces. Types of several operands are
      joined by `*`. An empty text accepts all types.
    * `build` gets a `Match` and returns the results as expressions.
    * `checks` are the conditions that the operator must meet.
    * `pattern` names the operators that compute the operands; a rule with a pattern starts from each of its root's
      operators.
    * `label` is the rule's name where the build function's isn't unique, `family` the module that lists the rule.
    * `origin` is the plug-in that a rule comes from. The loader sets it.
    """

    root: str
    types: str
    build: Build
    checks: tuple[Check, ...] = ()
    of: tuple[Key, ...] = (0,)
    origin: str = ""
    label: str = ""
    family: str = ""
    pattern: Pattern | None = None

    @property
    def roots(self) -> tuple[str, ...]:
        """The operators that the rule starts from."""
        return (self.root,) if self.pattern is None else self.pattern.operators

    @property
    def types_by_pattern(self) -> bool:
        """Whether `types` is about values that the pattern names, which are known only after `bind`."""
        return self.pattern is not None and any(isinstance(key, str) for key in self.of)

    @property
    def name(self) -> str:
        """The rule's name: the module that lists it, then the label, the build function's name or the operator's.

        If the build function was returned by another function, the operator's name stands for its name.
        """
        module = self.family or str(getattr(self.build, "__module__", ""))
        # Of a plug-in's module the last name is enough; the converter's own are in folders.
        place = module.split(".")[-1 if self.origin else -2 :]
        is_nested = "<locals>" in getattr(self.build, "__qualname__", "<locals>")
        function = self.root.partition(".")[2] if is_nested else self.build.__name__
        return ".".join([*place, self.label or function])

    def apply(self, match: Match) -> Sequence[Translation]:
        """Returns the values that replace the results of an operator whose types the rule accepts.

        Raises:
            Decline: a check or the build function declined, or the operator has another number of results.
        """
        results = self.build_results(match)
        if len(results) != len(match.op.results):
            raise Decline(f"expected {len(results)} results, found {len(match.op.results)}")
        return results

    def bind(self, match: Match) -> bool:
        """Binds the pattern's names to values, and returns whether the operator matches; True without a pattern."""
        values = {} if self.pattern is None else self.pattern.bind(match.op)
        match.bindings = values or {}
        return values is not None

    def build_results(self, match: Match) -> Sequence[Translation]:
        """Returns the values that the build function returns, after the rule's checks.

        Raises:
            Decline: the operands have other types, or a check or the build function declined.
        """
        if self.pattern is not None and not self.takes(match):
            raise Decline(type_mismatch([self], match))
        for check in self.checks:
            reason = check.reason(match)
            if reason is not None:
                raise Decline(reason)
        built = self.build(match)
        results = (built,) if isinstance(built, Expr | Value | TensorRecord) else tuple(built)
        return [result if isinstance(result, TensorRecord) else as_expr(result).value for result in results]

    def operand_dtypes(self, match: Match) -> str:
        """Returns the element types of the operands that `of` names, in the form of `types`; "none" if absent."""
        sources = [match.source(key).type.dtype.value if match.has(key) else "none" for key in self.of]
        return "*".join(sources)

    def takes(self, match: Match) -> bool:
        """Returns whether the rule accepts the operands' types."""
        return not self.types or self.operand_dtypes(match) in self.types.split()


def type_mismatch(rules: Sequence[Rule], match: Match) -> str:
    """Returns why rules don't accept the types of an operator's operands; all of them look at the same operands."""
    expected = dict.fromkeys(word for rule in rules for word in rule.types.split())
    keys = ", ".join(map(str, rules[0].of))
    return f"operand {keys}: expected {' or '.join(expected)}, found {rules[0].operand_dtypes(match)}"


def rule(pattern: Pattern, types: str = "", *checks: Check, of: tuple[Key, ...] = (0,)) -> Callable[[Build], Rule]:
    """Decorates a build function, which returns what replaces an operator: it becomes the rule of a pattern.

    Args:
        pattern: the operator, and the operators that compute its operands.
        types: the accepted element types of `of`, as in `Rule`.
        checks: the conditions that the operator must meet.
        of: the operands that `types` are about.

    Example:
        >>> from tosa_converter.schemas import tosa_ops as ops
        >>> from tosa_converter.rewriting.pattern import pattern
        >>> @rule(pattern(ops.NEGATE, pattern(ops.NEGATE, "x")))
        ... def double_negation(match):
        ...     return match["x"]
        >>> print(double_negation.pattern)
        NEGATE(NEGATE(x))
    """
    return lambda build: Rule(pattern.operators[0], types, build, checks, of, pattern=pattern)


class Family(NamedTuple):
    """The rules of one module, which is imported when an operator needs them.

    Attributes:
        module: the name of the module.
        roots: the operators that its rules start from.
        numerics: the numerics of the conversions in which they are tried; empty for all.
    """

    module: str
    roots: frozenset[str]
    numerics: str = ""

    def load(self) -> tuple[Rule, ...]:
        """Imports the family's module, and returns its rules in order, each with the module as its `family`."""
        rules: tuple[Rule, ...] = import_module(self.module).RULES
        return tuple(rule._replace(family=self.module) for rule in rules)
