"""The engines `litert`, `litert-optimized` and `litert-xnnpack`, which define what a TFLite model computes."""

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tosa_converter.engines.definitions import DEFINITIONS
from tosa_converter.engines.engine import Arrays, Engine, Judge, missing_packages
from tosa_converter.engines.pieces import Piece, Plan, make_plan
from tosa_converter.engines.process import Worker
from tosa_converter.errors import ConverterError, UsageError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats import encode, is_container, read_content
from tosa_converter.formats.storage import split_member
from tosa_converter.formats.tflite.extras import OperatorExtras
from tosa_converter.formats.tflite.kernels import NUMPY, OPTIMIZED, find_disagreement
from tosa_converter.ir import CONSTANTS, Array, Graph, Model, Op, Value, unique_names
from tosa_converter.rules.gate import require_legal
from tosa_converter.schemas.tfl_ops import BY_OPCODE

T = TypeVar("T")
# What resolves operators to LiteRT's reference kernels, its optimized ones, and XNNPACK's in front of those.
RESOLVERS = {
    "litert": "BUILTIN_REF",
    "litert-optimized": "BUILTIN_WITHOUT_DEFAULT_DELEGATES",
    "litert-xnnpack": "BUILTIN",
}


_LACKING = re.compile(r"Didn't find op for builtin opcode '(\w+)' version '(\d+)'")


class LiteRT(Engine):
    """Runs TFLite models in LiteRT with one set of its kernels: reference, optimized or XNNPACK's.

    It runs the file that a model was read from; a model from memory is written to a file's bytes first. Operators that
    these kernels lack or compute wrongly run with other kernels: see `find_judges`. Some models make LiteRT abort, so
    it has a process of its own.
    """

    opsets = frozenset({"tfl"})

    def __init__(self, name: str = "litert") -> None:
        """Prepares an engine that runs models in LiteRT, in a worker process that starts at the first run.

        `name`, a key of RESOLVERS, selects the kernels.
        """
        self.name = name
        self.resolver = RESOLVERS[name]
        self._worker = Worker("litert", "LiteRT", "verify")
        self._lacks: set[tuple[str, int]] = set()  # (operator, version) of the kernels that LiteRT turned out to lack
        # The latest plan, with the model, its operators and the number of lacking kernels for which it was made.
        self._plan: tuple[Model, list[Op], int, Plan] | None = None

    def run(self, model: Model, inputs: Arrays, *, content: bytes = b"") -> dict[str, Array]:
        """Runs a TFLite model once; returns its outputs by name. Unknown dimensions take the sizes of the inputs.

        `content`: the bytes of a file to run in place of the model's own; b"" for the model's own.
        """
        names = unique_names(value.name for value in model.main.outputs)  # an output may be listed twice
        return dict(zip(names, self.run_observed(model, inputs, [], content=content)[0], strict=True))

    def run_observed(
        self, model: Model, inputs: Arrays, names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[Array], dict[str, Array]]:
        """Runs the model once; returns its outputs in order, and by name the intermediate tensors `names`.

        `content`: the bytes of a file to run in place of the model's own; b"" for the model's own.
        """
        (outputs,), intermediate = self.run_observed_steps(model, [inputs], names, content=content)
        return outputs, intermediate

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a TFLite model once for each step, with its variables; the first step is the first run after loading."""
        names = unique_names(value.name for value in model.main.outputs)
        outputs, _ = self.run_observed_steps(model, steps, [])
        return [dict(zip(names, arrays, strict=True)) for arrays in outputs]

    def run_observed_steps(
        self, model: Model, steps: Sequence[Arrays], names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        """Runs the model once for each step; returns outputs by step, and the last step's tensors in `names`, by name.

        XNNPACK (BUILTIN) doesn't return intermediate tensors, so it gets a file in which they are outputs. `content` is
        a file to run in place of the model's own, as bytes; b"" for the model's own.
        """
        require_legal(model)
        if names and self.resolver == "BUILTIN" and not content:
            extended = _with_observed_outputs(model, names)
            outputs, _ = self.run_observed_steps(extended, steps, [])
            tensors = dict(zip((value.name for value in extended.main.outputs), outputs[-1], strict=True))
            count = len(model.main.outputs)
            return [results[:count] for results in outputs], {n: tensors[n] for n in names if n in tensors}
        arrays = [require_inputs(model.main, inputs) for inputs in steps]
        if content:
            count = len(model.main.outputs)
            outputs, tensors, _ = self._ask(model, {"model_content": content}, self.name, arrays, names, count)
            return outputs, tensors
        return self._use_plan(model, lambda plan: self._run(model, plan, arrays, names))

    def find_judges(self, model: Model) -> tuple[Judge, ...]:
        """Returns the operators that run with other kernels than this engine's own, each with kernels and reason.

        One entry without an operator says that the whole model runs with other kernels.

        Raises:
            MissingExtra, ConverterError: as for `run`.
        """
        return self._use_plan(model, lambda plan: self._load_pieces(model, plan)).judges

    def _load_pieces(self, model: Model, plan: Plan) -> Plan:
        """Loads all pieces of a plan in LiteRT, without running them, and returns the plan.

        LiteRT raises for a kernel that it lacks.
        """
        for piece in plan.pieces:
            if piece.kernels != NUMPY:
                self._ask(model, _piece_arguments(model, piece), piece.kernels, [], [], 0)  # without steps
        return plan

    def _use_plan(self, model: Model, use: Callable[[Plan], T]) -> T:
        """Returns `use(plan)` for the plan that splits the model into pieces with kernels for each.

        If `use` fails because LiteRT's reference kernels (BUILTIN_REF) lack one, that kernel is noted in `_lacks`, and
        `use` is called again with a new plan that avoids it.
        """
        # A round that doesn't return adds a kernel to `_lacks`, or raises. So a model with operators of 10 kinds takes
        # 11 rounds at most.
        while True:
            plan = self._latest_plan(model)
            try:
                return use(plan)
            except ConverterError as error:
                lacking = {(name, int(version)) for name, version in _LACKING.findall("\n".join(error.lines))}
                if self.resolver != "BUILTIN_REF" or not lacking - self._lacks:
                    raise
                self._lacks |= lacking

    def _latest_plan(self, model: Model) -> Plan:
        """Returns the plan that splits a model into pieces; made anew if the model or the missing kernels changed."""
        if self._plan is None or self._plan[:3] != (model, model.main.ops, len(self._lacks)):
            plan = make_plan(model, self.name, self._judge_of(model))
            self._plan = (model, list(model.main.ops), len(self._lacks), plan)
        return self._plan[3]

    def _judge_of(self, model: Model) -> Callable[[Op], Judge | None]:
        """Returns a function that tells for an operator which other kernels compute it, or None for the engine's own.

        Others do where this engine's kernels are known to be wrong, or LiteRT said that it lacks them.
        """

        def judge(op: Op) -> Judge | None:
            """Returns the other kernels that compute an operator, with the reason; None for the engine's own.

            A kernel that LiteRT lacks is known by the operator's name and its version in the file.
            """
            disagreement = find_disagreement(op)
            if disagreement is not None and self.name in disagreement.wrong:
                return Judge(
                    op.name, op.location, disagreement.kernels, disagreement.reason, disagreement.unaffected_options
                )
            version = model.extras.get(op, OperatorExtras()).version
            name = BY_OPCODE[op.name].builtin.name if op.name in BY_OPCODE else ""
            if (name, version) not in self._lacks:
                return None
            reason = f"LiteRT has no reference kernel of {name}, version {version}"
            return Judge(op.name, op.location, OPTIMIZED, reason)

        return judge

    def _run(
        self, model: Model, plan: Plan, steps: Sequence[Sequence[Array]], names: Sequence[str]
    ) -> tuple[list[list[Array]], dict[str, Array]]:
        """Runs all steps, piece by piece; returns outputs by step, and the last step's intermediate values by name.

        A name that several values have is left out.
        """
        graph = model.main
        values = [dict(zip(graph.inputs, arrays, strict=True)) for arrays in steps]
        observed: dict[str, Array] = {}
        for piece in plan.pieces:
            if piece.kernels == NUMPY:
                observed |= _compute_in_numpy(piece, values, names)
                continue
            arrays = [[step[value] for value in piece.inputs] for step in values]
            outputs, tensors, _ = self._ask(
                model, _piece_arguments(model, piece), piece.kernels, arrays, names, len(piece.outputs)
            )
            for step, results in zip(values, outputs, strict=True):
                step.update(zip(piece.outputs, results, strict=True))
            observed |= tensors
        # Values that pass between pieces are observed here. Names that two values have, in different pieces, are left
        # out, as the worker does within a piece.
        if len(plan.pieces) > 1:
            count = Counter(value.name for value in (*graph.inputs, *(y for op in graph.ops for y in op.results)))
            observed |= {value.name: array for value, array in values[-1].items() if value.name in names}
            observed = {name: array for name, array in observed.items() if count[name] == 1}
        constants = {value: value.constant for value in graph.outputs if value.constant is not None}
        return [
            [step[value] if value in step else constants[value] for value in graph.outputs] for step in values
        ], observed

    def _ask(
        self,
        model: Model,
        source: Mapping[str, Any],
        kernels: str,
        steps: Sequence[Sequence[Array]],
        names: Sequence[str],
        outputs: int,
    ) -> tuple[list[list[Array]], dict[str, Array], list[float]]:
        """Runs a file in the worker; returns each step's outputs, intermediate values of the last step, and seconds.

        `source` are the arguments that load the file, `kernels` a key of RESOLVERS, `names` the intermediate values,
        and `outputs` how many outputs each step has.
        """
        form = ((np.ndarray,) * outputs,) * len(steps), {str: np.ndarray}, (float,) * len(steps)
        request = source, RESOLVERS[kernels], list(steps), list(names)
        answer: tuple[list[list[Array]], dict[str, Array], list[float]]
        answer = self._worker.ask(model.source, *request, form=form)
        return answer

    def run_own_kernels(self, model: Model, steps: Sequence[Sequence[Array]]) -> list[list[Array]]:
        """Runs each step with the engine's own kernels only; returns outputs. Inputs are in order, of any shape.

        Raises:
            MissingExtra, ConverterError: as for `run`; also where it lacks a kernel.
        """
        require_legal(model)
        return self._ask(model, _model_arguments(model), self.name, steps, [], len(model.main.outputs))[0]

    def seconds(self, model: Model, inputs: Sequence[Array], runs: int) -> float:
        """Returns the seconds of the fastest of `runs` runs with the engine's own kernels, after one run to warm up."""
        require_legal(model)
        steps = [list(inputs)] * (runs + 1)  # `write_message` sends an array once
        return min(self._ask(model, _model_arguments(model), self.name, steps, [], len(model.main.outputs))[2][1:])

    def missing(self) -> list[str]:
        """Returns how to install LiteRT's package, if it is missing."""
        return missing_packages("verify", {"ai-edge-litert": "ai_edge_litert"})

    def takes(self, model: Model) -> bool:
        """Returns whether the engine runs a TFLite model; custom operators run in XNNPACK only (BUILTIN)."""
        names = {op.name for graph in model.graphs.values() for op in graph.ops}
        return model.opset in self.opsets and (self.resolver == "BUILTIN" or "tfl.custom" not in names)


def _compute_in_numpy(piece: Piece, values: Sequence[dict[Value, Array]], names: Sequence[str]) -> dict[str, Array]:
    """Computes a piece of operators that LiteRT lacks, by numpy definitions, on the values of each step.

    The results are added to `values`; those of the last step that are in `names` are returned.
    """
    for step in values:
        for op in piece.ops:
            operands = [step[value] if value.constant is None else value.constant for value in op.operands]
            step.update(zip(op.results, DEFINITIONS[op.name](op, operands), strict=True))
    return {value.name: values[-1][value] for op in piece.ops for value in op.results if value.name in names}


def _piece_arguments(model: Model, piece: Piece) -> Mapping[str, Any]:
    """Returns the keyword arguments that load a piece in LiteRT: its own file's bytes, or those for the whole model."""
    return {"model_content": piece.content} if piece.content else _model_arguments(model)


def content_of(model: Model) -> bytes:
    """Returns a TFLite model as the bytes of a file: the one that it was read from; if edited, one written anew."""
    if model.source and not model.edited:
        return bytes(read_content(model.source))
    return b"".join(map(bytes, encode(model, ".tflite")))


def _model_arguments(model: Model) -> dict[str, Any]:
    """Returns the keyword arguments that load a model in LiteRT: the path of its file, or its bytes.

    It needs bytes if it was edited, lies in a container, or has a path that isn't UTF-8.

    Raises:
        UsageError: the file isn't a regular one.
    """
    path = model.source
    if not path or model.edited:
        return {"model_content": content_of(model)}
    file, member = split_member(path)
    if not Path(file).is_file():
        raise UsageError(
            f"{path}: expected a regular file, because LiteRT opens it again", "next: give - to read standard input"
        )
    if member or is_container(file):
        return {"model_content": content_of(model)}
    try:
        path.encode()
    except UnicodeEncodeError:
        return {"model_content": content_of(model)}
    return {"model_path": os.path.abspath(path)}  # the process stays where it was started


def _with_observed_outputs(model: Model, names: Sequence[str]) -> Model:
    """Returns a copy of the model in which the intermediate values of these names are outputs too.

    Constants are left out, and so are results that XNNPACK computes from constants before a run. The copy has no
    signatures.
    """
    graph = model.main
    inputs_and_outputs = {*graph.inputs, *graph.outputs}
    further_outputs: list[Value] = []
    folded: set[Value] = set()  # what XNNPACK doesn't compute in a run
    for op in graph.ops:
        if op.name in CONSTANTS or (op.operands and folded.issuperset(op.operands)):
            folded.update(op.results)
        else:
            further_outputs += [
                value for value in op.results if value.name in names and value not in inputs_and_outputs
            ]
    graphs = model.graphs | {graph.name: Graph(graph.name, graph.inputs, [*graph.outputs, *further_outputs], graph.ops)}
    extended = model.with_graphs(graphs)
    extended.signatures, extended.extras, extended.edited = {}, model.extras, True
    return extended
