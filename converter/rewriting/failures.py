"""What is told of operators that no rule accepted: all of them at once, each with every reason."""

from collections import Counter
from collections.abc import Mapping, Sequence

from tosa_converter.errors import FormatError, UnsupportedError, listed, shortened
from tosa_converter.ir import Model, Op, Value
from tosa_converter.rewriting.match import CUSTOM, signless
from tosa_converter.rewriting.reasons import LoweringResult
from tosa_converter.rewriting.report import Options


class Failures:
    """Operators that no rewrite accepted. What fails only because its operands did is not the user's problem.

    Where all fates are wanted, operators behind a failure are tried on stand-ins of the types that the file says, with
    `shapes` where those have unknown dimensions.
    """

    def __init__(
        self, fates: list[LoweringResult] | None = None, shapes: Mapping[Value, tuple[int, ...]] | None = None
    ) -> None:
        self.fates = fates
        self.shapes = shapes or {}
        self.failures: list[tuple[str, str, str]] = []  # place, operator, why
        self.malformed: list[str] = []
        self.broken: set[Value] = set()

    def depends_on_failure(self, op: Op) -> bool:
        """Whether an operand was to come from an operator that failed."""
        return bool(self.broken) and not self.broken.isdisjoint(op.operands)

    def broken_results(self, op: Op) -> Sequence[Value]:
        """Stand-ins for results that can't be had."""
        if self.fates is not None:
            sizes = [tuple(1 if size is None else size for size in value.type.shape) for value in op.results]
            return [
                Value(signless(value.type, self.shapes.get(value) or shape), value.name)
                for value, shape in zip(op.results, sizes, strict=True)
            ]
        self.broken.update(op.results)
        return [Value(value.type, value.name) for value in op.results]

    def failed(self, op: Op, reasons: Sequence[str]) -> Sequence[Value]:
        """Note a failure, so that all are found before the conversion stops."""
        why = "; ".join(reasons).replace("\n", "; ") if reasons else _refusal(op)
        types, name = operand_types(op), op.attributes.get("custom_code") or op.name
        self.failures.append((f"{op.location}: {name}({types})", name, shortened(why)))
        if self.fates is not None:
            self.fates.append(LoweringResult(op.location, name, types, reason=shortened(why)))
        return self.broken_results(op)

    def around(self, op: Op) -> Sequence[Value]:
        """Note an operator whose graphs hold failures, which have been noted."""
        if self.fates is not None:
            reason = "an operator of its graphs can't be converted"
            self.fates.append(LoweringResult(op.location, op.name, operand_types(op), reason=reason))
        return self.broken_results(op)

    @property
    def clean(self) -> bool:
        """Whether nothing failed so far."""
        return not self.failures and not self.malformed

    @property
    def count(self) -> int:
        """How many operators failed so far."""
        return len(self.failures) + len(self.malformed)

    def foreign(self, value: Value, what: str) -> None:
        """Note a tensor of a type that TOSA doesn't have."""
        reason = f"TOSA has no type {value.type.dtype.value}"
        self.failures.append((f"{what} {value.name!r}", what, reason))
        if self.fates is None:
            self.broken.add(value)
        else:
            self.fates.append(LoweringResult(f"{what} {value.name!r}", what, str(value.type), reason=reason))

    def refused(self, op: Op, problem: str) -> Sequence[Value]:
        """Note operands that don't fit together."""
        self.malformed.append(f"{op.location}: {problem}")
        if self.fates is not None:
            self.fates.append(LoweringResult(op.location, op.name, operand_types(op), reason=problem))
        return self.broken_results(op)

    def stop(self, model: Model, options: Options) -> None:
        """Raise what was noted: what the file itself breaks, else what can't be converted, summed up by operator."""
        if self.malformed:
            if options.input_shapes or model.default_shapes:  # the file isn't to blame
                raise UnsupportedError("with these input shapes:", *listed(self.malformed), places=self.malformed)
            raise FormatError(*listed(self.malformed), file=model.source)
        if not self.failures:
            return
        places = [f"{place}: {why}" for place, _, why in self.failures]
        if len(places) == 1:
            raise UnsupportedError(*places, places=places)
        counts = Counter((name, shortened(why, 160)) for _, name, why in self.failures)
        summary = [f"{n:6d} {name}: {why}" for (name, why), n in counts.most_common()]
        raise UnsupportedError(f"{len(places)} operators can't be converted:", *listed(summary), places=places)


def _refusal(op: Op) -> str:
    from tosa_converter.schemas import tfl_refusals, xnn_ops

    if op.name == CUSTOM:
        code = op.attributes.get("custom_code")
        return f"the custom operator {code!r} is not known: --plugin adds it, --allow-custom keeps it"
    return (tfl_refusals.REFUSALS | xnn_ops.REFUSALS).get(op.name, "no rewrite starts from this operator")


def operand_types(op: Op) -> str:
    """The types of an operator's operands, for messages."""
    return shortened(", ".join(str(value.type) for value in op.operands))
