"""The table of docs/results/xnnpack-out.md: XNNPACK's nodes and the TOSA operators they are written from."""

from collections.abc import Iterator

import tosa_converter as tc
from support.xnnpack_cases import cases
from tosa_converter.conversion import count_ops
from tosa_converter.schemas import xnn_ops


def nodes() -> Iterator[str]:
    """Yields the table's lines: for each node, the shortest graph of models/xnnpack in floats and in bytes."""
    texts: dict[tuple[str, bool], list[str]] = {}
    for group in ("fp32", "qint8", "networks"):
        for case in cases(group).values():
            try:
                tosa = tc.convert(tc.load(case.data))
                tosa.borders.clear()  # scales may need nodes of their own
                written = tc.to_xnn(tosa)
            except tc.ConverterError:
                continue
            text = " ".join(f"{n} {_short(op)}" if n > 1 else _short(op) for op, n in count_ops(tosa).items())
            for op in written.main:
                floats = op.results[0].type.dtype.is_float
                texts.setdefault((op.name, floats), []).append(text)
    for row in xnn_ops.OPERATORS:
        cells = (min(texts.get((row.opcode, floats), [""]), key=len) for floats in (True, False))
        yield f"| {row.table.__name__.removeprefix('XNN')} | {' | '.join(cells)} |"


def _short(name: str) -> str:
    return name.removeprefix("tosa.").upper()
