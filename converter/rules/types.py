"""The rows of an operator's table of supported data types that fit its operands and attributes."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.schemas.tosa_ops import RESCALE, OpDef, Operand
from tosa_converter.schemas.tosa_target import EXTENSIONS, VERSION, VERSIONS

DTypes = tuple[DType | None, ...]

_BY_NAME = {dtype.value: dtype for dtype in DType}
ACCUMULATORS = {"INT32": DType.I32, "INT48": DType.I48, "FP16": DType.FP16, "FP32": DType.FP32}  # acc_type


_SINCE = {extension.name: extension.since for extension in EXTENSIONS} | VERSIONS


class Combination(NamedTuple):
    """One row of an operator's type table: the profile or extension it needs, and an element type for each variable."""

    requirement: str
    types: dict[str, DType]

    def dtype(self, operand: Operand) -> DType | None:
        """Returns an operand's element type in this combination of types, or None if any type is allowed."""
        if operand.type == "any":
            return None
        return self.types.get(operand.type) or _BY_NAME[operand.type]

    def __str__(self) -> str:
        """Returns the row as text: "in_t i8, out_t i32 (PRO-INT)"."""
        pairs = ", ".join(f"{variable} {dtype.value}" for variable, dtype in self.types.items())
        return f"{pairs} ({self.requirement})" if pairs else self.requirement


@cache
def oldest_version(requirement: str) -> tuple[int, int, int]:
    """Returns the oldest version of the specification that meets the requirement of a row of a type table.

    That is 1.1 for "PRO-FP&EXT-INT64", whose extension came with it, and 1.0 for "PRO-INT|PRO-FP&1.1", which leaves a
    choice.
    """
    options = [option.split("&") for option in requirement.split("|")]
    return min(max(_SINCE.get(name, VERSION) for name in names) for names in options)


def _has_accumulator(row: Combination, acc_type: str) -> bool:
    """Returns whether a row of a type table is for this value of the attribute acc_type."""
    return row.types["acc_t"] is ACCUMULATORS.get(acc_type)


def _is_of_mode(row: Combination, mode: str) -> bool:
    """Returns whether a row of RESIZE's type table is for this mode: BILINEAR of integers has a wider result."""
    in_t, out_t = row.types["in_t"], row.types["out_t"]
    return in_t.is_float or (in_t is not out_t) == (mode == "BILINEAR")


def _has_multiplier(row: Combination, scale32: bool) -> bool:
    """Returns whether a row of RESCALE's type table is for this scale32: multipliers of i32, or else i16."""
    return row.types["mul_t"] is (DType.I32 if scale32 else DType.I16)


def _is_of_type(row: Combination, dtype: DType) -> bool:
    """Returns whether a row of a variable operator's type table is for variables of this element type."""
    return row.types["in_t"] is dtype


# The attributes that choose among the rows of a type table; an operator has at most one of them.
SELECTORS: dict[str, Callable[[Combination, Any], bool]] = {
    "acc_type": _has_accumulator,
    "mode": _is_of_mode,
    "scale32": _has_multiplier,
    "type": _is_of_type,
}


@cache
def _selecting_attribute(row: OpDef) -> str | None:
    """Returns the name of the attribute that chooses among the rows of an operator's type table, or None."""
    return next((attr.name for attr in row.attributes if attr.name in SELECTORS), None)


@cache
def combinations(row: OpDef) -> tuple[Combination, ...]:
    """Returns the rows of an operator's type table.

    RESCALE's rows have a further variable, mul_t, for the type of the multiplier: i32 or i16, as scale32 says.
    """
    variables = row.type_variables.split()
    table = tuple(
        Combination(requirement, dict(zip(variables, map(_BY_NAME.__getitem__, types.split()), strict=True)))
        for requirement, types in row.types
    )
    if row is not RESCALE:
        return table
    multipliers = (DType.I32, DType.I16)
    return tuple(Combination(need, types | {"mul_t": mul_t}) for need, types in table for mul_t in multipliers)


def selection(row: OpDef, attributes: Mapping[str, Any]) -> Any:
    """Returns the value of the attribute that chooses among the rows of a type table, or None without one."""
    name = _selecting_attribute(row)
    return None if name is None else attributes.get(name)


@cache
def fitting_combinations(row: OpDef, inputs: DTypes, selected: Any, outputs: DTypes = ()) -> tuple[Combination, ...]:
    """Returns the rows of an operator's type table that fit these types; None stands for an unknown type.

    Args:
        row: the operator.
        inputs: element types, in the row's order; only the leading ones of a list of tensors matter.
        selected: the value of the attribute that chooses among the rows (`selection`), None for any.
        outputs: element types of the results, as far as known.
    """
    attribute = _selecting_attribute(row)
    chosen = combinations(row)
    if attribute is not None and selected is not None:
        chosen = tuple(line for line in chosen if SELECTORS[attribute](line, selected))
    return tuple(
        line
        for line in chosen
        if _fits(line, row.inputs, row.input, inputs) and _fits(line, row.outputs, row.output, outputs)
    )


def _fits(
    line: Combination, declared: tuple[Operand, ...], operand_at: Callable[[int], Operand], dtypes: DTypes
) -> bool:
    """Returns whether a row of a type table allows these element types; None among them fits any.

    `declared` are the operands (or results) of the operator's record. `operand_at` returns the one for an index: beyond
    the end, the last one, which is a list of tensors.
    """
    if not declared:
        return not dtypes
    return all(dtype is None or line.dtype(operand_at(index)) in (None, dtype) for index, dtype in enumerate(dtypes))


def accumulator(row: OpDef, dtype: DType) -> str:
    """Returns the widest acc_type that an operator has for an input of this element type."""
    widest = max(
        (line.types["acc_t"] for line in fitting_combinations(row, (dtype,), None)), key=lambda acc_t: acc_t.bits
    )
    return next(name for name, acc_t in ACCUMULATORS.items() if acc_t is widest)


def type_problem(row: OpDef, inputs: DTypes, selected: Any, outputs: DTypes) -> tuple[str, str]:
    """Returns (condition, finding) for an operator whose types fit no row of its type table, with the nearest rows.

    Those are the rows that fit all operands, else those that fit the first operand, else all rows.
    """
    nearest = (
        fitting_combinations(row, inputs, None) or fitting_combinations(row, inputs[:1], None) or combinations(row)
    )
    accepted = "; ".join(map(str, nearest))
    findings = [_name_types(row.inputs, row.input, inputs), _name_types(row.outputs, row.output, outputs)]
    if selected is not None:
        findings.append(f"{_selecting_attribute(row)} {getattr(selected, 'value', selected)}")
    return f"types must be one of: {accepted}", ", ".join(filter(None, findings))


def _name_types(declared: tuple[Operand, ...], operand_at: Callable[[int], Operand], dtypes: DTypes) -> str:
    """Returns element types with the names of their operands as text: "input i8, weight i4".

    If the operator's record declares no operands, all of them are counted as too many.
    """
    if not declared:
        return f"{len(dtypes)} operands or results too many" if dtypes else ""
    return ", ".join(
        f"{operand_at(index).name} {dtype.value}" for index, dtype in enumerate(dtypes) if dtype is not None
    )
