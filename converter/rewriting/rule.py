"""A rule: the operator that it starts from, its types and conditions, and the formula that replaces it."""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple, TypeAlias

from tosa_converter.ir import (
    Value,
)
from tosa_converter.rewriting.expr import Expr, as_expr
from tosa_converter.rewriting.match import Key, Match
from tosa_converter.rewriting.pattern import Pattern
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.records import TensorRecord, Translation

Result: TypeAlias = Expr | Value | TensorRecord
Build = Callable[[Match], Result | Sequence[Result]]


class Check(NamedTuple):
    """A condition of a rewrite: in words, and what finds the reason why an operator doesn't meet it, or None."""

    condition: str
    reason: Callable[[Match], str | None]

    def __call__(self, match: Match) -> str | None:
        """The reason against the rewrite."""
        return self.reason(match)


def condition(words: str) -> Callable[[Callable[[Match], str | None]], Check]:
    """Makes a check of the function that finds the reason against it."""
    return lambda reason: Check(words, reason)


class Rule(NamedTuple):
    """Before: an operator `root`. Conditions: the types, and no check against it. After: what `build` emits.

    The root is an operator's name as in the reference, or `custom.` and the code of a custom operator; with a
    `pattern`, further operators make its operands, and any operator that the pattern names may be the root. `types` are
    the element types of the operand that `of` names, a word for each; of several operands, their types with
    `*` between them. None stated: any. `origin` is where a rule of somebody else's comes from; whoever loads it sets
    it. `label` is its name where the build function's doesn't tell it from others, `family` the module that lists it.
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
        """The operators that it starts from."""
        return (self.root,) if self.pattern is None else self.pattern.operators

    @property
    def types_by_pattern(self) -> bool:
        """Whether the types are those of values that the pattern names, which only `bind` finds."""
        return self.pattern is not None and any(isinstance(key, str) for key in self.of)

    @property
    def name(self) -> str:
        """The module that lists it, then the label, the build function's name, or the operator's if that has none."""
        module = self.family or str(getattr(self.build, "__module__", ""))
        place = module.split(".")[-1 if self.origin else -2 :]
        made_by_factory = "<locals>" in getattr(self.build, "__qualname__", "<locals>")
        function = self.root.partition(".")[2] if made_by_factory else self.build.__name__
        return ".".join([*place, self.label or function])

    def apply(self, match: Match) -> Sequence[Translation]:
        """The values that replace the results of an operator whose types it takes.

        Raises:
            Decline: a check or the build function gave a reason.
        """
        results = self.built(match)
        if len(results) != len(match.op.results):
            raise Decline(f"expected {len(results)} results, found {len(match.op.results)}")
        return results

    def bind(self, match: Match) -> bool:
        """Names the values of the pattern in a match, none without one; returns whether the operator is of the rule."""
        values = {} if self.pattern is None else self.pattern.bind(match.op)
        match.bindings = values or {}
        return values is not None

    def built(self, match: Match) -> Sequence[Translation]:
        """What the build function makes, if no check is against it."""
        if self.pattern is not None and not self.takes(match):
            raise Decline(f"operand {', '.join(map(str, self.of))}: expected {self.types}, found {self.found(match)}")
        for check in self.checks:
            reason = check.reason(match)
            if reason is not None:
                raise Decline(reason)
        built = self.build(match)
        results = (built,) if isinstance(built, Expr | Value | TensorRecord) else tuple(built)
        return [result if isinstance(result, TensorRecord) else as_expr(result).value for result in results]

    def found(self, match: Match) -> str:
        """The types of the operands that `of` names, as `types` has them; of one that is absent, none."""
        sources = [match.source(key).type.dtype.value if match.has(key) else "none" for key in self.of]
        return "*".join(sources)

    def takes(self, match: Match) -> bool:
        """Whether the operands are of types that are stated."""
        return not self.types or self.found(match) in self.types.split()


def rule(pattern: Pattern, types: str = "", *checks: Check, of: tuple[Key, ...] = (0,)) -> Callable[[Build], Rule]:
    """Makes a rule of a pattern and of the function below, which gets a `Match` and returns what replaces the operator.

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
    """The rewrites of one module, which is imported when an operator that one of them starts from is met.

    With `numerics`, only where these are asked for.
    """

    module: str
    roots: frozenset[str]
    numerics: str = ""

    def load(self) -> tuple[Rule, ...]:
        """All of them, in order."""
        rewrites: tuple[Rule, ...] = import_module(self.module).RULES
        return tuple(rewrite._replace(family=self.module) for rewrite in rewrites)
