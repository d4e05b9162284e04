"""Runs face_landmark_with_attention piece by piece: LiteRT's operators in LiteRT, MediaPipe's operators in numpy.

`python -m longer.attention_mesh MODEL [RUNS]` compares each output of the conversion, in our executor and in Arm's
reference model on the first inputs, with that chain: the largest difference as a part of the largest value.
"""

import sys
from collections.abc import Mapping
from itertools import groupby

import numpy as np
from support import mediapipe_operators as published

import tosa_converter as tc
from tosa_converter.engines import ENGINES
from tosa_converter.formats import flexbuffer
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value
from tosa_converter.ir.edit import clone_op


def computed(op: Op, values: Mapping[Value, Array]) -> Array:
    """Returns the results of one of MediaPipe's operators."""
    x, *matrices = (values[value] for value in op.operands)
    code, raw = op.attributes["custom_code"], op.attributes["custom_options"]
    options = flexbuffer.decode(raw) if raw else {}
    if code == "Landmarks2TransformMatrix":
        return published.matrix(x, options)
    if code == "TransformTensorBilinear":
        return published.image(x, matrices[0], (options["output_height"], options["output_width"]))
    return published.landmarks(x, matrices[0], x.shape[-1])


def piece(model: Model, ops: list[Op], later: set[Value]) -> tuple[Model, list[Value], list[Value]]:
    """Returns the operators as a model of their own, its inputs, and the values that later operators read."""
    own = {value for op in ops for value in op.results}
    used = dict.fromkeys(value for op in ops for value in op.operands if value not in own)
    inputs = [value for value in used if value.constant is None]
    copies = {value: Value(value.type, value.name) for value in inputs}
    graph = Graph("main", list(copies.values()))
    new = Model({"main": graph}, opset="tfl")
    for op in (*(value.producer for value in used if value.producer and value.constant is not None), *ops):
        copy = clone_op(op, [None if value is None else copies[value] for value in op.inputs])
        copies.update(zip(op.results, copy.results, strict=True))
        graph.ops.append(copy)
        if op in model.extras:
            new.extras[copy] = model.extras[op]
    read_later = [value for value in own if value in later]
    graph.outputs = [copies[value] for value in read_later]
    return new, inputs, read_later


def chain(model: Model, values: dict[Value, Array]) -> list[Array]:
    """Returns the outputs of the model; `values` holds its inputs and receives every value between pieces."""
    ops = [op for op in model.main.ops if op.name not in CONSTANTS]
    pieces = [(custom, list(group)) for custom, group in groupby(ops, lambda op: op.name == "tfl.custom")]
    for i, (custom, group) in enumerate(pieces):
        if custom:
            values.update((op.result, computed(op, values)) for op in group)
            continue
        later = {value for _, later_ops in pieces[i + 1 :] for op in later_ops for value in op.operands}
        part, inputs, read_later = piece(model, group, later | set(model.main.outputs))
        fed = {value.name: values[old] for value, old in zip(part.main.inputs, inputs, strict=True)}
        values.update(zip(read_later, ENGINES["litert"].run(part, fed).values(), strict=True))
    return [values[value] for value in model.main.outputs]


def main(path: str, runs: int = 3) -> int:
    """Compares and prints; returns status 1 if an output is off by more than 1e-5."""
    model, worst = tc.load(path), 0.0
    ours = tc.convert(model)
    for seed in range(runs):
        (image,) = model.main.inputs
        x = np.random.default_rng(seed).random(image.type.static, np.float32)
        expected = chain(model, {image: x})
        for engine in ("executor", *["tosa-reference-model"] * (seed == 0)):
            got = tc.run(ours, {ours.main.inputs[0].name: x}, engine=engine).values()
            parts = [np.abs(a - b).max() / np.abs(b).max() for a, b in zip(got, expected, strict=True)]
            print(f"{engine}, input {seed}:", *(f"{part:.1e}" for part in parts), flush=True)
            worst = max(worst, *parts)
    return int(worst > 1e-5)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3])))
