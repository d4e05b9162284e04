"""State that lasts from run to run, as `legalize.tflite.state` has it read and stored, in variables of TOSA.

EXT-VARIABLE has variables of i8, fp16 and fp32 (2.17). Integers of 16 and 32 bits are stored as bytes, each in a
variable of i8, the lowest first; booleans in one of i8; bf16 in one of fp32, which holds it exactly.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import SIGNLESS, DType
from tosa_converter.ir import Array, Op, TensorType
from tosa_converter.legalize.limits import narrowed
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import FOREIGN, Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tosa_ops as ops

BYTES = {DType.I16: 2, DType.I32: 4}  # for integers stored byte by byte, how many variables of i8
VARIABLE_TYPES = {  # for other types, that of the variable
    DType.I8: DType.I8,
    DType.BOOL: DType.I8,
    DType.FP16: DType.FP16,
    DType.FP32: DType.FP32,
    DType.BF16: DType.FP32,
}


def alias(match: Match) -> Expr:
    """Lowers pseudo_alias, a second name for a value, to its operand.

    It has the attribute `shape` if the value is a state, which must keep its shape.
    """
    if "shape" in match.op.attributes:
        _require_same_shape(match)
    return match[0]


def read(match: Match) -> Expr:
    """Lowers a read of a model's state to VARIABLE and VARIABLE_READ; 16- and 32-bit integers are read byte by byte.

    State without an initial value (`unset`) begins with zeros, and a note says so.
    """
    type = _signless_state_type(match.op.result.type)
    names = _declare(match, type)
    variables = [_read_variable(name, type) for name in names]
    if match.op.attributes["unset"]:
        match.note(f"state {match.op.attributes['name']!r} has no initial value in the model: it starts with zeros")
    if type.dtype in BYTES:
        _note_bytes(match, type, len(names))
        return _join_bytes(variables, type.dtype)
    return variables[0].cast(type.dtype)


def store(match: Match) -> Sequence[Expr]:
    """Lowers a write of a model's state to VARIABLE_WRITE; 16- and 32-bit integers are stored byte by byte.

    It declares the variables, too, unless a read of the state has done so (`declared`).
    """
    _require_same_shape(match)
    names = _variable_names(match, match[0].type)
    if not match.op.attributes["declared"]:
        _declare(match, match[0].type)
    location = current().location
    for name, part in zip(names, _variable_values(match[0]), strict=True):
        current().graph.ops.append(Op(ops.VARIABLE_WRITE, [part.value], (), {"name": name}, location=location))
    return ()


def _require_same_shape(match: Match) -> None:
    """Declines state that changes its shape from one run to the next."""
    shape, type = match.op.attributes["shape"], match[0].type
    if len(shape) != type.rank or any(old not in (None, new) for old, new in zip(shape, type.shape, strict=True)):
        stated = TensorType(type.dtype, shape)
        raise Decline(
            f"expected state that keeps its shape {stated}, found {type} after a "
            "run: a TOSA variable has one shape (2.17)"
        )


def _signless_state_type(type: TensorType) -> TensorType:
    """Returns the type of a state without sign; declines types that variables of TOSA can't hold.

    One variable holds a state of a type in VARIABLE_TYPES, and several of i8 hold one in BYTES.
    """
    dtype = SIGNLESS.get(type.dtype, type.dtype)
    if dtype in FOREIGN or (dtype not in VARIABLE_TYPES and dtype not in BYTES):
        raise Decline(f"expected state that variables of i8, fp16 or fp32 can hold (TOSA 2.17), found {type}")
    return TensorType(dtype, type.static)


def _variable_names(match: Match, type: TensorType) -> list[str]:
    """Returns the names of the variables that store a state: one, or one for each byte of wide integers."""
    name = match.op.attributes["name"]
    return [f"{name}.byte{i}" for i in range(BYTES[type.dtype])] if type.dtype in BYTES else [name]


def _declare(match: Match, type: TensorType) -> list[str]:
    """Emits a VARIABLE with its initial value for each variable of a state, and returns their names."""
    names, builder = _variable_names(match, type), current()
    for name, initial in zip(names, _initial_values(match.op.attributes["initial"], type, len(names)), strict=True):
        attributes = {"name": name, "var_shape": type.static, "type": VARIABLE_TYPES.get(type.dtype, DType.I8)}
        attributes |= {} if initial is None else {"initial_value": initial}
        builder.graph.ops.append(Op(ops.VARIABLE, (), (), attributes, location=builder.location))
    return names


def _initial_values(elements: Array | None, type: TensorType, count: int) -> Sequence[Array | None]:
    """Returns the initial value of each of a state's `count` variables: Nones if the state has none.

    Integers stored byte by byte are split, the lowest byte first.
    """
    if elements is None:
        return [None] * count
    if type.dtype in BYTES:
        integers = np.ascontiguousarray(narrowed(elements) if elements.dtype == np.int64 else elements)
        parts = integers.view(np.int8).reshape(*type.static, count)
        return [parts[..., i].copy() for i in range(count)]
    variable_dtype = VARIABLE_TYPES[type.dtype].numpy
    # uint8 keeps its bits: 200 becomes the i8 -56.
    return [elements.view(variable_dtype) if elements.dtype == np.uint8 else elements.astype(variable_dtype)]


def _read_variable(name: str, type: TensorType) -> Expr:
    """Emits a VARIABLE_READ of the variable `name` that stores a state of `type`, and returns its result."""
    result = TensorType(VARIABLE_TYPES.get(type.dtype, DType.I8), type.shape)
    op = Op(ops.VARIABLE_READ, (), [result], {"name": name}, location=current().location)
    current().graph.ops.append(op)
    return Expr(op.result)


def _join_bytes(parts: Sequence[Expr], dtype: DType) -> Expr:
    """Returns i16 or i32 integers joined from the i8 variables that store their bytes, the lowest first."""
    # 0x34 and 0x82 are 0xFFFFFF82 << 8 | 0x34 = 0xFFFF8234: the highest byte brings the sign, and the others lose
    # theirs by the mask.
    joined = parts[-1].cast(DType.I32)
    for part in reversed(parts[:-1]):
        low_byte = part.cast(DType.I32) & 255
        joined = joined << 8 | low_byte
    return joined.cast(dtype)


def _variable_values(value: Expr) -> list[Expr]:
    """Returns what each variable of a state stores for `value`: the value itself, or its bytes, the lowest first."""
    dtype = value.dtype
    if dtype not in BYTES:
        return [value.cast(VARIABLE_TYPES[dtype])]
    word = value.cast(DType.I32)
    shifted = [word >> 8 * i if i else word for i in range(BYTES[dtype])]
    return [part.cast(DType.I8) for part in shifted]  # CAST keeps the lowest byte


def _note_bytes(match: Match, type: TensorType, count: int) -> None:
    """Notes that a state is stored byte by byte."""
    name = match.op.attributes["name"]
    match.note(
        f"state {name!r} of {type} is stored in {count} variables of i8: TOSA has no variables of {type.dtype.value}"
    )


RULES = (
    Rule("tfl.pseudo_alias", "", alias),
    Rule("tfl.pseudo_read", "", read),
    Rule("tfl.pseudo_store", "", store),
)
