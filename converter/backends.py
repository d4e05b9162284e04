"""Engines that run a model: our executor, and independent ones that are optional packages.

Each takes arrays by input name and gives arrays by output name.
"""

import pickle
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from tosa_converter import files
from tosa_converter.backend_vulkan import Vulkan
from tosa_converter.errors import ConverterError, MissingExtra, UnpredictableError, UsageError
from tosa_converter.gate import require_legal
from tosa_converter.inputs import require_inputs
from tosa_converter.ir import Array, Model, unique_names
from tosa_converter.limits import SECONDS
from tosa_converter.worker import MISSING, Worker, command

Arrays = Mapping[str, Array]


class Backend(Protocol):
    """One engine."""

    name: str
    opsets: frozenset[str]  # of the models it takes

    def takes(self, model: Model) -> bool:
        """Whether the engine has what the model's operators need."""

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """The outputs of the main graph.

        Raises:
            MissingExtra: the package behind it is not installed.
            ConverterError: the engine refuses the model or fails on it.
        """


class Executor:
    """The executor of this package, under a limit of estimated seconds; see `limits`."""

    name = "executor"
    opsets = frozenset({"tosa"})

    def __init__(self, limit: float = SECONDS) -> None:
        self.limit = limit

    def takes(self, model: Model) -> bool:
        """TOSA models."""
        return model.opset in self.opsets

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Run a TOSA model."""
        from tosa_converter.execute import run

        return run(model.main, inputs, limit=self.limit)


# What resolves operators to LiteRT's reference kernels, its optimized ones, and XNNPACK's in front of those.
RESOLVERS = {
    "litert": "BUILTIN_REF",
    "litert-optimized": "BUILTIN_WITHOUT_DEFAULT_DELEGATES",
    "litert-xnnpack": "BUILTIN",
}


class LiteRT:
    """LiteRT with one set of its kernels, on the file that the model was read from.

    Some models make it abort, so it has a process of its own.
    """

    opsets = frozenset({"tfl"})

    def __init__(self, name: str = "litert") -> None:
        self.name = name
        self.resolver = RESOLVERS[name]
        self._worker = Worker("litert_worker.py", "LiteRT", "verify")

    def run(self, model: Model, inputs: Arrays, *, content: bytes = b"") -> dict[str, Array]:
        """Run a TFLite model with the shapes of the given inputs, which fit the model's but for unknown dimensions.

        `content` stands for its file's.
        """
        names = unique_names(value.name for value in model.main.outputs)  # an output may be listed twice
        return dict(zip(names, self.observed(model, inputs, [], content=content)[0], strict=True))

    def observed(
        self, model: Model, inputs: Arrays, names: Sequence[str], *, content: bytes = b""
    ) -> tuple[list[Array], dict[str, Array]]:
        """The outputs of a run and its intermediate values of these names, which only the reference kernels keep."""
        require_legal(model)
        arrays = require_inputs(model.main, inputs)
        if not Path(model.source).is_file():
            raise UsageError(f"{model.source or 'a model from memory'}: LiteRT reads the file again, so it must be one")
        source = {"model_content": content} if content else _source(model.source)
        found: tuple[list[Array], dict[str, Array]] = self._worker.ask(
            model.source, source, self.resolver, arrays, list(names)
        )
        return found

    def takes(self, model: Model) -> bool:
        """TFLite models; custom operators run in the XNNPACK delegate, if anywhere."""
        custom = any(op.name == "tfl.custom" for graph in model.graphs.values() for op in graph.ops)
        return model.opset in self.opsets and (self.name == "litert-xnnpack" or not custom)


def _source(path: str) -> dict[str, Any]:
    """How LiteRT is given a file: by name, or by content where the name is not Unicode."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return {"model_content": Path(path).read_bytes()}
    return {"model_path": path}


class ReferenceModel:
    """Arm's TOSA reference model, in a process of its own because an illegal graph takes its process down."""

    name = "tosa-reference-model"
    opsets = frozenset({"tosa"})

    def takes(self, model: Model) -> bool:
        """TOSA models."""
        return model.opset in self.opsets

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Run a TOSA model at level 8K.

        Raises:
            UnpredictableError: the reference model calls the graph unpredictable on these inputs.
        """
        arrays = [np.ascontiguousarray(array) for array in require_inputs(model.main, inputs)]
        request = pickle.dumps((b"".join(map(bytes, files.encode(model, ".tosa"))), arrays))
        done = subprocess.run(command("reference_worker.py"), input=request, capture_output=True, check=False)
        if done.returncode == MISSING:
            raise MissingExtra("the TOSA reference model", "verify")
        if done.returncode or not done.stdout:
            raise ConverterError(f"the TOSA reference model refuses the graph: {_last_lines(done.stderr)}")
        (status, outputs), _ = pickle.loads(done.stdout)
        if status == "TOSA_UNPREDICTABLE":
            raise UnpredictableError(f"the TOSA reference model calls the graph {status}: {_last_lines(done.stderr)}")
        if status != "TOSA_VALID":
            raise ConverterError(f"the TOSA reference model calls the graph {status}: {_last_lines(done.stderr)}")
        return {value.name: output for value, output in zip(model.main.outputs, outputs, strict=True)}


def _last_lines(stderr: bytes) -> str:
    lines = [line for line in stderr.decode(errors="replace").splitlines() if "fails" in line or "rror" in line]
    return "; ".join(lines[:3]) or "it says nothing"


_ENGINES: tuple[Backend, ...] = (Executor(), *map(LiteRT, RESOLVERS), ReferenceModel(), Vulkan())
BACKENDS = {engine.name: engine for engine in _ENGINES}


def backend(name: str, limit: float = SECONDS) -> Backend:
    """The engine of that name; `limit` is the executor's, the others have none.

    Raises:
        UsageError: there is none.
    """
    if name not in BACKENDS:
        raise UsageError(f"no backend is called {name!r}; there are {', '.join(BACKENDS)}")
    return Executor(limit) if name == Executor.name else BACKENDS[name]


def source_backend(model: Model, limit: float = SECONDS) -> Backend:
    """What says what a model computes: the first engine that takes its opset.

    Raises:
        UsageError: no engine does.
    """
    for name, candidate in BACKENDS.items():
        if candidate.takes(model):
            return backend(name, limit)
    raise UsageError(f"{model.source}: no engine runs {model.opset} operators; there are {', '.join(BACKENDS)}")
