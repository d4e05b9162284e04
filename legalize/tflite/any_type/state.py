"""What lasts from run to run, as `legalize.tflite.state` has it read and stored, in variables of TOSA.

EXT-VARIABLE has them of i8, fp16 and fp32 (2.17). Integers of 16 and 32 bits are kept in as many of i8 as they have
bytes, the lowest first; booleans in one; bf16 in one of fp32, which holds it exactly.
"""

from collections.abc import Sequence

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.ir import Array, Op, TensorType
from tosa_converter.legalize.operands import narrowed
from tosa_converter.rewriting.builder import current
from tosa_converter.rewriting.expr import Expr, scalar
from tosa_converter.rewriting.rewrite import FOREIGN, SIGNLESS, Decline, Match, Rewrite
from tosa_converter.schemas import tosa_ops as ops

HELD = {DType.I16: 2, DType.I32: 4}  # bytes of what is kept in pieces
KINDS = {
    DType.I8: DType.I8,
    DType.BOOL: DType.I8,
    DType.FP16: DType.FP16,
    DType.FP32: DType.FP32,
    DType.BF16: DType.FP32,
}


def alias(match: Match) -> Expr:
    """A value under another name: nothing is to be computed."""
    if "shape" in match.op.attributes:
        _require_fit(match)
    return match[0]


def read(match: Match) -> Expr:
    """VARIABLE and VARIABLE_READ, of every piece."""
    type = _type(match.op.result.type)
    names = _declare(match, type)
    pieces = [_read(name, type) for name in names]
    if match.op.attributes["unset"]:
        match.note(f"nothing says what state {match.op.attributes['name']!r} begins with: zeros")
    if type.dtype in HELD:
        _tell(match, type, len(names))
        return _joined(pieces, type.dtype)
    return pieces[0].cast(type.dtype)


def store(match: Match) -> Sequence[Expr]:
    """VARIABLE_WRITE, of every piece."""
    _require_fit(match)
    value = match[0]
    names = _names(match, value.type)
    if not match.op.attributes["declared"]:
        _declare(match, value.type)
    for name, piece in zip(names, _pieces(value), strict=True):
        current().graph.ops.append(
            Op(ops.VARIABLE_WRITE, [piece.value], (), {"name": name}, location=current().location)
        )
    return ()


def _require_fit(match: Match) -> None:
    """What the next run gets is of the shape that this one got."""
    was, now = match.op.attributes["shape"], match[0].type
    if len(was) != now.rank or any(size not in (None, new) for size, new in zip(was, now.shape, strict=True)):
        text = TensorType(now.dtype, was)
        raise Decline(f"state that is {text} in one run and {now} in the next: TOSA's variables have one shape (2.17)")


def _type(type: TensorType) -> TensorType:
    dtype = SIGNLESS.get(type.dtype, type.dtype)
    if dtype in FOREIGN or (dtype not in KINDS and dtype not in HELD):
        raise Decline(f"state of {type}: TOSA's variables are i8, fp16 and fp32 (2.17), which can't hold it")
    return TensorType(dtype, type.static)


def _names(match: Match, type: TensorType) -> list[str]:
    name = match.op.attributes["name"]
    return [f"{name}.byte{i}" for i in range(HELD[type.dtype])] if type.dtype in HELD else [name]


def _declare(match: Match, type: TensorType) -> list[str]:
    """VARIABLE, with what it begins with."""
    names = _names(match, type)
    for name, initial in zip(names, _initial(match.op.attributes["initial"], type, len(names)), strict=True):
        attributes = {"name": name, "var_shape": type.static, "type": KINDS.get(type.dtype, DType.I8)}
        attributes |= {} if initial is None else {"initial_value": initial}
        current().graph.ops.append(Op(ops.VARIABLE, (), (), attributes, location=current().location))
    return names


def _initial(elements: Array | None, type: TensorType, pieces: int) -> Sequence[Array | None]:
    if elements is None:
        return [None] * pieces
    if type.dtype in HELD:
        whole = np.ascontiguousarray(narrowed(elements) if elements.dtype == np.int64 else elements)
        parts = whole.view(np.int8).reshape(*type.static, pieces)
        return [parts[..., i].copy() for i in range(pieces)]
    kind = KINDS[type.dtype].numpy
    return [elements.view(kind) if elements.dtype == np.uint8 else elements.astype(kind)]


def _read(name: str, type: TensorType) -> Expr:
    result = TensorType(KINDS.get(type.dtype, DType.I8), type.shape)
    op = Op(ops.VARIABLE_READ, (), [result], {"name": name}, location=current().location)
    current().graph.ops.append(op)
    return Expr(op.result)


def _joined(pieces: Sequence[Expr], dtype: DType) -> Expr:
    """An integer of its bytes."""
    whole = pieces[-1].cast(DType.I32)
    for piece in reversed(pieces[:-1]):
        low = piece.cast(DType.I32)
        low = low & 255
        whole = whole << 8
        whole = whole | low
    return whole.cast(dtype)


def _pieces(value: Expr) -> list[Expr]:
    """What is kept of a value."""
    dtype = value.type.dtype
    if dtype not in HELD:
        return [value.cast(KINDS[dtype])]
    whole = value.cast(DType.I32)
    shifts = [scalar(8 * i, whole) for i in range(HELD[dtype])]
    parts = [whole >> shift if i else whole for i, shift in enumerate(shifts)]
    return [part.cast(DType.I8) for part in parts]


def _tell(match: Match, type: TensorType, pieces: int) -> None:
    name = match.op.attributes["name"]
    match.note(f"state {name!r} of {type} is kept in {pieces} variables of i8: TOSA has none of {type.dtype.value}")


REWRITES = (
    Rewrite("tfl.pseudo_alias", "", alias),
    Rewrite("tfl.pseudo_read", "", read),
    Rewrite("tfl.pseudo_store", "", store),
)
