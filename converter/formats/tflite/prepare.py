"""What LiteRT's kernels demand of an operator before they run (Prepare): numbers, element types, quantization.

Asked once per operator while a file is read; `prepare_shapes.py` asks about shapes. Rules meet what passes both.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from tosa_converter.dtypes import DType
from tosa_converter.formats.tflite.prepare_quantization import CHECKS, OUT_TYPES, bias_of, type_choice
from tosa_converter.ir import Op
from tosa_converter.schemas import tfl_ops

# Their kernels write the first result and take any number of them.
UNCOUNTED_RESULTS = ("tfl.concatenation", "tfl.mirror_pad", "tfl.sign")


class OperandDemand(NamedTuple):
    """What LiteRT's kernel demands of one operand or result, decoded from a word of the operator's row."""

    name: str
    dtypes: frozenset[DType] | None  # None for any
    bound: bool  # the type that the first such operand has
    rank: int | None
    optional: bool
    sets: str  # the type that the kernel gives the result, whatever the file says


class KernelSignature(NamedTuple):
    """What LiteRT's kernel demands of an operator's operands and results: of each one, and how many."""

    operands: tuple[OperandDemand, ...]
    results: tuple[OperandDemand, ...]
    least: int  # operands
    most: float  # operands; infinite for any number
    result_count: int | None  # None for any


@cache
def kernel_signature(opcode: str) -> KernelSignature | None:
    """Returns what LiteRT's kernel demands of an operator's operands and results; None if its row states nothing.

    The row's `types` are words for the operands, ">", and words for the results (`_parse_demand`). In its names, ?
    marks an optional operand, and * any number of operands or results.
    """
    row = tfl_ops.BY_OPCODE.get(opcode)
    if row is None or not row.types:
        return None
    operands, results = (part.split() for part in row.types.split(">"))
    names, result_names = row.operands.split(), row.results.split()
    return KernelSignature(
        _parse_demands(operands, names),
        _parse_demands(results, result_names),
        least=sum(name[-1] not in "?*" for name in names),
        most=math.inf if "*" in row.operands else len(names),
        result_count=None if "*" in row.results else len(result_names),
    )


def _parse_demands(words: Sequence[str], names: Sequence[str]) -> tuple[OperandDemand, ...]:
    """Returns the demands on operands or results, one for each name; the last word counts for all further names."""
    return tuple(_parse_demand(words[min(i, len(words) - 1)], name) for i, name in enumerate(names))


def _parse_demand(word: str, name: str) -> OperandDemand:
    """Returns the demand on an operand or result from its word in a row, such as `T(fp32|i8):4`.

    That is: fp32 or i8, the same for all with T, of rank 4; `=i32` is the type that the kernel gives a result.
    """
    types, _, rank = word.partition(":")
    sets, types = (types[1:], "*") if types[0] == "=" else ("", types)
    choice = types.removeprefix("T").strip("()")
    dtypes = frozenset(map(DType, choice.split("|"))) if choice not in ("", "*") else None
    if dtypes is not None and types[0] == "T" and DType.FP32 in dtypes:
        dtypes |= {DType.FP16, DType.BF16}  # more than LiteRT has kernels for: TOSA has arithmetic for all three
    return OperandDemand(name.strip("?*"), dtypes, types[0] == "T", int(rank) if rank else None, name[-1] == "?", sets)


def import_problem(op: Op) -> str | None:
    """Returns why LiteRT would refuse an operator, or None if it takes it or its kernel's demands aren't known.

    It checks the numbers of operands and results, element types, and quantization.
    """
    demands = kernel_signature(op.name)
    if demands is None:
        return None
    problem = _count_problem(op, demands) or _type_problem(op, demands)
    for check in CHECKS.get(op.name, ()) if problem is None else ():
        problem = problem or check(op)
    return problem


def _count_problem(op: Op, demands: KernelSignature) -> str | None:
    """Returns why an operator has a wrong number of operands or results for LiteRT's kernel, or None.

    The largest number may be infinite. A kernel that takes any number of results needs at least one.
    """
    operands, results = len(op.inputs), len(op.results)
    if not demands.least <= operands <= demands.most:
        most = demands.most
        upto = "" if most == demands.least else " or more" if math.isinf(most) else f" to {most}"
        return f"expected {demands.least}{upto} operands, found {operands}"
    if results != demands.result_count and (demands.result_count is not None or not results):
        return f"expected {demands.result_count or 1} results, found {results}"
    return None


def _type_problem(op: Op, demands: KernelSignature) -> str | None:
    """Returns why an operand or result of an operator has an element type that LiteRT's kernel doesn't take, or None.

    Operands and results that are `bound` (T) must have the type of the first bound operand. If an option states a
    result's type (`sets`), the option is checked, not the result.
    """
    bound: DType | None = None
    kinds = demands.operands
    for i, value in enumerate(op.inputs):
        kind = kinds[i] if i < len(kinds) else kinds[-1]
        if value is None:
            if kind.optional:
                continue
            return f"operand {i} ({kind.name}) is missing"
        dtype = value.type.dtype
        if kind.bound and bound is None:
            bound = dtype
        if kind.bound and dtype is not bound:
            return f"operand {i} ({kind.name}): expected {type_choice(bound)}, found {dtype.value}"
        if kind.dtypes is not None and dtype not in kind.dtypes:
            return f"operand {i} ({kind.name}): expected {type_choice(*kind.dtypes)}, found {dtype.value}"
    for i, value in enumerate(op.results):
        kind = demands.results[min(i, len(demands.results) - 1)]
        stated = op.attributes.get(kind.sets)
        if stated is not None and stated not in OUT_TYPES:
            return f"{kind.sets}: expected {' or '.join(type.name for type in OUT_TYPES)}, found {stated.name}"
        if kind.dtypes is not None and not kind.sets and value.type.dtype not in kind.dtypes:
            return f"result {i} ({kind.name}): expected {type_choice(*kind.dtypes)}, found {value.type.dtype.value}"
        if kind.bound and value.type.dtype is not bound:
            return f"result {i} ({kind.name}): expected {type_choice(bound)}, found {value.type.dtype.value}"
    return None


def import_note(op: Op) -> str | None:
    """Sets result types as LiteRT does; returns a note if LiteRT reads the operator differently from the file, or None.

    A convolution whose bias is missing gets a note about that; its kernels set no types.
    """
    # DEPTHWISE_CONV_2D with two operands is valid, but one whose third operand is absent needs the note.
    has_absent_bias = op.name == "tfl.depthwise_conv_2d" and len(op.inputs) == 3
    if (has_absent_bias or op.name == "tfl.conv_2d") and bias_of(op) is None:
        return "LiteRT's reference kernel demands a bias; none counts as zeros, as XNNPACK has it"
    return _set_result_types(op)


def _set_result_types(op: Op) -> str | None:
    """Sets results to the element types that LiteRT's kernel gives them.

    Returns a note about the last result that this changes, or None.
    """
    demands = kernel_signature(op.name)
    if demands is None or not demands.results or not demands.results[0].sets:
        return None
    kinds = demands.results
    dtypes = [_kernel_result_type(op, demands, kinds[min(i, len(kinds) - 1)].sets) for i in range(len(op.results))]
    changed = [(value, dtype) for value, dtype in zip(op.results, dtypes, strict=True) if value.type.dtype is not dtype]
    note = None
    for value, dtype in changed:
        note = f"the file says {value.type.dtype.value}, the result is {dtype.value} as LiteRT's kernel makes it"
        value.type = value.type._replace(dtype=dtype)
    return note


def _kernel_result_type(op: Op, demands: KernelSignature, kind: str) -> DType:
    """Returns the element type that LiteRT's kernel gives a result.

    `kind` is "T" for the type of the operands marked with T, the name of an option that states the type, or a type.
    """
    if kind == "T":
        first = next(i for i, demand in enumerate(demands.operands) if demand.bound)
        return op.operands[first].type.dtype
    return OUT_TYPES[op.attributes[kind]] if kind in op.attributes else DType(kind)
