"""Texts before and after a rule, read by a person: `GOLDEN=write python -m pytest -k golden` writes them anew.

A text doesn't say where operators come from, nor in which order independent ones stand: operators are printed as a walk
from the outputs meets them. Constants of up to 16 elements are printed in decimal, larger ones as a hash.
"""

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tosa_converter.formats.mlir.writer import Function, write_mlir
from tosa_converter.ir import Array, Graph, Model, Op, TensorType, Value

SMALL = 16  # elements that are printed one by one
_LOCATION = re.compile(r' loc\("(?:[^"\\]|\\.)*"\)$')


def text(graph: Graph) -> str:
    """Returns the text of a graph."""
    return model_text(Model({"main": graph}))


def model_text(model: Model) -> str:
    """Returns the text of all graphs of a model."""
    return write_mlir(model, dialect=GoldenFunction)


class GoldenFunction(Function):
    """Prints operators in the order of a walk from the outputs, without locations."""

    def body(self, graph: Graph, indent: str) -> Iterator[str]:
        """Prints the operators of a graph."""
        yield from super().body(Graph(graph.name, graph.inputs, graph.outputs, ordered(graph)), indent)

    def op(self, op: Op, indent: str) -> Iterator[str]:
        """Prints an operator."""
        for line in super().op(op, indent):
            yield _LOCATION.sub("", line)

    def constant_text(self, values: Array, type: TensorType) -> str:
        """Prints the elements of a small constant in decimal, the hash of a larger one."""
        tensor = f"tensor<{''.join(f'{size}x' for size in values.shape)}{self.element(type.dtype)}>"
        if values.size > SMALL:
            return f"dense<sha256 {hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:16]}> : {tensor}"
        return f"dense<{str(values.tolist()).replace('True', 'true').replace('False', 'false')}> : {tensor}"


def ordered(graph: Graph) -> list[Op]:
    """Returns the operators as a walk from the outputs meets them, operands first; those that it doesn't meet last."""
    order: dict[Op, None] = {}
    own = set(graph.ops)
    sinks = [value.producer for value in graph.outputs] + [op for op in graph.ops if not op.results]
    for sink in (*sinks, *graph.ops):
        pending = [(sink, False)]
        while pending:
            op, is_complete = pending.pop()
            if op is None or op in order or op not in own:
                continue
            if is_complete:
                order[op] = None
            else:
                pending.append((op, True))
                pending += [(value.producer, False) for value in reversed(_reads(op))]
    return list(order)


def _reads(op: Op) -> list[Value]:
    """Returns what an operator reads, also inside of its graphs."""
    inner = [value for region in op.regions for each in region.walk() for value in each.operands]
    return [*op.operands, *inner]


def check(path: Path, before: str, after: str) -> None:
    """Asserts that the file has both texts; writes it instead if GOLDEN is `write`."""
    same(path, f"// before\n{before}// after\n{after}")


def same(path: Path, content: str) -> None:
    """Asserts that the file has this content; writes it instead if GOLDEN is `write`."""
    if os.environ.get("GOLDEN") == "write":
        path.write_text(content)
    assert content == path.read_text()
