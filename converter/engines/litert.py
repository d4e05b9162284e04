"""The engines `litert`, `litert-optimized` and `litert-xnnpack`: what says what a TFLite model computes."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tosa_converter.engines.engine import Arrays
from tosa_converter.engines.process import Worker
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats import encode
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Value, unique_names
from tosa_converter.rules.gate import require_legal

# What resolves operators to LiteRT's reference kernels, its optimized ones, and XNNPACK's in front of those.
RESOLVERS = {
    "litert": "BUILTIN_REF",
    "litert-optimized": "BUILTIN_WITHOUT_DEFAULT_DELEGATES",
    "litert-xnnpack": "BUILTIN",
}


_CUSTOM = frozenset({"tfl.custom"})
# Operators that a set of kernels lacks; the reference ones, some that the others have (register_ref.cc).
MISSING = {
    "BUILTIN_REF": _CUSTOM | {"tfl.ceil", "tfl.elu", "tfl.round", "tfl.segment_sum"},
    "BUILTIN_WITHOUT_DEFAULT_DELEGATES": _CUSTOM,
    "BUILTIN": frozenset(),
}


class LiteRT:
    """LiteRT with one set of its kernels, on the file that a model was read from; one from memory is written first.

    Some models make it abort, so it has a process of its own.
    """

    opsets = frozenset({"tfl"})

    def __init__(self, name: str = "litert") -> None:
        self.name = name
        self.resolver = RESOLVERS[name]
        self._worker = Worker("litert", "LiteRT", "verify")

    def run(self, model: Model, inputs: Arrays, *, content: bytes = b"") -> dict[str, Array]:
        """Run a TFLite model with the shapes of the given inputs, which fit the model's but for unknown dimensions.

        `content` stands for its file's.
        """
        names = unique_names(value.name for value in model.main.outputs)  # an output may be listed twice
        return dict(zip(names, self.observed(model, inputs, [], content=content)[0], strict=True))

    def observed(
        self, model: Model, inputs: Arrays, names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[Array], dict[str, Array]]:
        """The outputs of a run and its intermediate values of these names."""
        (outputs,), kept = self.observed_steps(model, [inputs], names, content=content)
        return outputs, kept

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Run a TFLite model step by step; the first step is the first run since it was loaded."""
        names = unique_names(value.name for value in model.main.outputs)
        outputs, _ = self.observed_steps(model, steps, [])
        return [dict(zip(names, arrays, strict=True)) for arrays in outputs]

    def observed_steps(
        self, model: Model, steps: Sequence[Arrays], names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        """The outputs of each step, and the intermediate values of these names in the last.

        XNNPACK keeps none: it gets a file that has them as outputs.
        """
        require_legal(model)
        if names and self.resolver == "BUILTIN" and not content:
            giving = _giving(model, names)
            outputs, _ = self.observed_steps(giving, steps, [])
            kept = dict(zip((value.name for value in giving.main.outputs), outputs[-1], strict=True))
            return [one[: len(model.main.outputs)] for one in outputs], {n: kept[n] for n in names if n in kept}
        arrays = [require_inputs(model.main, inputs) for inputs in steps]
        source = {"model_content": content} if content else _source(model)
        form = ((np.ndarray,) * len(model.main.outputs),) * len(steps), {str: np.ndarray}, (float,) * len(steps)
        request = source, self.resolver, arrays, list(names)
        outputs, kept, _ = self._worker.ask(model.source, *request, form=form)
        return outputs, kept

    def seconds(self, model: Model, inputs: Sequence[Array], runs: int) -> float:
        """What the quickest of some runs behind a first one takes; inputs are in order, of any shapes it takes."""
        require_legal(model)
        steps = [list(inputs)] * (runs + 1)  # the list is sent once
        form = object, object, (float,) * len(steps)
        request = _source(model), self.resolver, steps
        seconds: list[float] = self._worker.ask(model.source, *request, [], form=form)[2]
        return min(seconds[1:])

    def takes(self, model: Model) -> bool:
        """TFLite models whose operators it has; custom ones run in the XNNPACK delegate, if anywhere."""
        names = {op.name for graph in model.graphs.values() for op in graph.ops}
        return model.opset in self.opsets and not names & MISSING[self.resolver]


def content_of(model: Model) -> bytes:
    """A TFLite model as a file: the one it was read from, or written if there is none with this graph."""
    if model.source and not model.edited:
        return Path(model.source).read_bytes()
    return b"".join(map(bytes, encode(model, ".tflite")))


def _source(model: Model) -> dict[str, Any]:
    """How LiteRT is given a model: as its file by name, or by content where the name is not Unicode; else written."""
    path = model.source
    if not path or model.edited:
        return {"model_content": content_of(model)}
    if not Path(path).is_file():
        raise UsageError(f"{path}: LiteRT reads the file again, so it must be one")
    try:
        path.encode()
    except UnicodeEncodeError:
        return {"model_content": content_of(model)}
    return {"model_path": os.path.abspath(path)}  # the process stays where it was started


def _giving(model: Model, names: Sequence[str]) -> Model:
    """The model with more outputs: values of the main graph by their names, each once."""
    graph = model.main
    there = {*graph.inputs, *graph.outputs}
    more: list[Value] = []
    known: set[Value] = set()  # what XNNPACK doesn't compute in a run
    for op in graph.ops:
        if op.name in CONSTANTS or (op.operands and known.issuperset(op.operands)):
            known.update(op.results)
        else:
            more += [value for value in op.results if value.name in names and value not in there]
    graphs = model.graphs | {graph.name: Graph(graph.name, graph.inputs, [*graph.outputs, *more], graph.ops)}
    made = Model(graphs, {}, model.metadata, model.source, model.default_shapes)
    made.extras, made.edited = model.extras, True
    return made
