"""Chains of pointwise operators that depend on one int8 tensor only: functions of 256 values, looked up.

The kernels themselves make the tables, once. Where a REQUIRE fails for one of the 256 the chain stays as it is.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from tosa_converter.dtypes import DType
from tosa_converter.errors import UnpredictableError
from tosa_converter.execute.kernels.rescale import lookup
from tosa_converter.ir import Array, Op, Value

_BYTES = np.arange(256, dtype=np.uint8).view(np.int8)


class Member(NamedTuple):
    """A pointwise operator, or several, as a function of some values; the first `data` of them follow its shape."""

    op: Op
    function: Callable[..., Any]
    operands: tuple[Value, ...]
    data: int


class _Table(NamedTuple):
    source: Value
    entries: Array  # by the bytes of the source
    pays: bool  # for more than one operator; kernels know by themselves when to look up


def tabulated(members: Sequence[Member], constant: Callable[[Value], Array | None]) -> list[Member]:
    """The same last result from fewer members, in order."""
    tables: dict[Value, _Table] = {}
    for member in members:
        table = _table(member, tables, constant)
        if table is not None:
            tables[member.op.result] = table
    needed, kept = {members[-1].op.result} if members else set(), []
    for member in reversed(members):
        if member.op.result in needed:
            table = tables.get(member.op.result)
            if table is not None and table.pays:
                member = Member(member.op, lookup(table.entries), (table.source,), 1)
            needed.update(member.operands)
            kept.append(member)
    return kept[::-1]


def _table(member: Member, tables: dict[Value, _Table], constant: Callable[[Value], Array | None]) -> _Table | None:
    """The member as a function of one int8 value, if it is one."""
    if member.op.attributes.get("per_channel"):
        return None
    sources, arguments, pays = set(), [], False
    for i, value in enumerate(member.operands):
        known = constant(value)
        if known is not None:
            if i < member.data and known.size > 1:
                return None
            arguments.append(known.reshape(-1) if i < member.data else known)
            continue
        table = tables.get(value)
        if i >= member.data or (table is None and value.type.dtype is not DType.I8):
            return None
        sources.add(value if table is None else table.source)
        arguments.append(_BYTES if table is None else table.entries)
        pays |= table is not None
    if len(sources) != 1:
        return None
    with suppress(UnpredictableError):
        entries = np.asarray(member.function(*arguments))
        return _Table(sources.pop(), entries, pays) if entries.shape == _BYTES.shape else None
    return None
