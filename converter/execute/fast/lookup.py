"""Lookups: TABLE (2.5.17), and chains of pointwise operators that depend on one int8 tensor only.

Such a chain is a function of 256 values. Its kernels compute the table once, from all 256; where a REQUIRE doesn't hold
for one of them, the chain stays as it is.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.definition.base import Kernel, require
from tosa_converter.execute.fast.base import PlanContext, prepare_once
from tosa_converter.ir import Array, Op, Value
from tosa_converter.rules.shapes.elementwise import TABLE_SIZES

_WORTH_SPREADING = 1 << 16  # elements from which on a table of all 65,536 results is faster, with the time to fill it
_BYTES = np.arange(256, dtype=np.uint8).view(np.int8)


def table(op: Op, plan_context: PlanContext) -> Kernel | None:
    """Returns a function that computes TABLE (2.5.17): int8 looks entries up, int16 interpolates.

    None for a table of wrong length, for which the definition raises the error.
    """
    if op.operands[1].type.static[0] != TABLE_SIZES[op.operands[0].type.dtype]:  # an error only if the operator runs
        return None
    if op.operands[0].type.dtype is DType.I8:
        # The table counts from -128 on; a lookup by bytes, from 0.
        by_byte = prepare_once(op, plan_context, (1,), lambda entries: bind_lookup(np.roll(entries, 128)))
        return lambda *inputs: by_byte(inputs)(inputs[0])
    function = prepare_once(op, plan_context, (1,), lambda entries: _bind_interpolation(op, plan_context, entries))
    return lambda *inputs: function(inputs)(inputs[0])


def bind_lookup(entries: Array) -> Callable[[Array], Array]:
    """Returns a function that replaces each int8 or int16 value by entries[its bits as an unsigned number].

    From int8 to int8 it uses bytes.translate, which is fastest.
    """
    if entries.dtype != np.int8:
        # Unsigned bits of 8 or 16 always index within 256 or 65,536 entries, so "wrap" never wraps. For 65,536
        # elements "raise" took 1.2 times as long.
        unsigned: np.dtype[Any] = np.dtype(f"u{1 if entries.size == 256 else 2}")
        return lambda x: entries.take(x.view(unsigned), mode="wrap")
    translation = entries.tobytes()
    return lambda x: np.frombuffer(x.tobytes().translate(translation), np.int8).reshape(x.shape)


def _bind_interpolation(op: Op, plan_context: PlanContext, entries: Array) -> Callable[[Array], Array]:
    """Returns a function that computes TABLE of int16 (apply_lookup_s of 1.12.5) for these 513 entries.

    For large results it looks up a table of all 65,536 results, which it computes once; otherwise it interpolates.
    """
    # int32 holds every result: |base| <= 2**15 * 128 = 2**22, and |slope| * fraction < 2**16 * 127 < 2**23.
    wide = entries.astype(np.int32)
    base, slope = wide[:-1] << 7, np.diff(wide)
    # Neighbours such as -20000 and 20000 differ by 40000, which the REQUIRE on slopes (int16) forbids. A table of all
    # results would raise for inputs that never occur, so steep tables interpolate.
    steep = plan_context.check and bool(slope.min() < -32768 or slope.max() > 32767)

    def interpolate(x: Array) -> Array:
        """Interpolates between neighbouring entries: `base` + `slope` * fraction, in units of 1/128 of an entry.

        With checks and `steep` entries, a slope beyond int16 that these elements use raises UnpredictableError.
        """
        # -100 lies between entry 255, for -128, and entry 256, for 0: its low 7 bits are 28 = -100 - -128.
        index = (x.astype(np.int32) + 32768) >> 7
        slopes = slope[index]
        if steep:
            fits = slopes.min() >= -32768 and slopes.max() <= 32767
            require(op, "slope >= minimum<int16_t> && slope <= maximum<int16_t>", fits)
        return np.asarray(base[index] + slopes * (x & 0x7F), np.int32)

    if steep or op.result.type.elements < _WORTH_SPREADING:
        return interpolate
    return bind_lookup(interpolate(np.arange(1 << 16, dtype=np.uint16).view(np.int16)))


class Member(NamedTuple):
    """One or several pointwise operators as a function of `operands`.

    The first `data_count` operands broadcast to the result's shape; the others are parameters such as a shift.
    """

    op: Op
    function: Callable[..., Any]
    operands: tuple[Value, ...]
    data_count: int


class _Table(NamedTuple):
    """The value of an operator as a table of 256 results, one for each value of the int8 tensor that it depends on.

    Attributes:
        source: the int8 value that it depends on.
        entries: the results, by the bytes of `source`.
        replaces_several: whether it replaces several operators; the kernel of one operator decides itself.
    """

    source: Value
    entries: Array
    replaces_several: bool


def replace_by_tables(members: Sequence[Member], constant: Callable[[Value], Array | None]) -> list[Member]:
    """Returns the operators of a group (`members`), with table lookups in place of several where possible.

    That is possible for a chain of pointwise operators that depends on one int8 tensor only. Members whose results no
    other member reads any more are left out. `constant` returns a value's elements if they are known.
    """
    tables: dict[Value, _Table] = {}
    for member in members:
        table = _as_table(member, tables, constant)
        if table is not None:
            tables[member.op.result] = table
    needed, fewer = {members[-1].op.result} if members else set(), []
    for member in reversed(members):
        if member.op.result in needed:
            table = tables.get(member.op.result)
            if table is not None and table.replaces_several:
                member = Member(member.op, bind_lookup(table.entries), (table.source,), 1)
            needed.update(member.operands)
            fewer.append(member)
    return fewer[::-1]


def _as_table(member: Member, tables: dict[Value, _Table], constant: Callable[[Value], Array | None]) -> _Table | None:
    """Returns a member's 256 results if it depends on one int8 value and constants only; otherwise None.

    The results are those for all int8 values of that source: `tables` has the results of earlier members for them. The
    first `data_count` operands of a member are data, which are broadcast; others are parameters.
    """
    if member.op.attributes.get("per_channel"):
        return None
    sources, arguments, replaces_several = set(), [], False
    for i, value in enumerate(member.operands):
        elements = constant(value)
        if elements is not None:
            # With more elements each position of the tensor has a function of its own; a table is one for all.
            if i < member.data_count and elements.size > 1:
                return None
            arguments.append(elements.reshape(-1) if i < member.data_count else elements)
            continue
        table = tables.get(value)
        if i >= member.data_count or (table is None and value.type.dtype is not DType.I8):
            return None
        sources.add(value if table is None else table.source)
        arguments.append(_BYTES if table is None else table.entries)
        replaces_several |= table is not None
    if len(sources) != 1:
        return None
    with suppress(UnpredictableError):
        entries = np.asarray(member.function(*arguments))
        return _Table(sources.pop(), entries, replaces_several) if entries.shape == _BYTES.shape else None
    return None
