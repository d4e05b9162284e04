"""Random TFLite models of many operators that LiteRT runs: a seed gives a model and its inputs."""

from collections.abc import Sequence

from support.cases.sketch import DTYPES, Layer, Refused, Sketch
from support.cases.table import ROWS

LAYERS: dict[str, tuple[Layer, ...]] = {
    dtype: tuple(
        layer for row in ROWS.values() for layer in row.layers for _ in range(layer.weight) if dtype in layer.dtypes
    )
    for dtype in DTYPES
}


def grow(sketch: Sketch, count: int, layers: Sequence[Layer] = ()) -> Sketch:
    """Extends a network by that many operators, with the table's layers unless others are given.

    A layer that doesn't fit leaves no trace.
    """
    layers = layers or LAYERS[sketch.dtype]
    while len(sketch.operators) < count:
        sizes = len(sketch.tensors), len(sketch.operators), len(sketch.live)
        try:
            sketch.among(*layers).append(sketch, sketch.pick())
        except Refused:
            del sketch.tensors[sizes[0] :], sketch.operators[sizes[1] :], sketch.live[sizes[2] :]
    return sketch
