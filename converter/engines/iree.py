"""The engine `iree`: graphs compiled by IREE for this machine's processor, and run by its runtime.

A model is compiled once: modules are kept in a private cache folder by a hash of the text, of the flags, of the
compiler's version and of the processor.
"""

import hashlib
import importlib.metadata
import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, decode_output, missing_packages, run_with_state
from tosa_converter.engines.module_cache import ModuleCache
from tosa_converter.engines.process import Worker
from tosa_converter.errors import MissingExtra
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats.mlir.iree import iree_mlir
from tosa_converter.formats.table import VMFB_ENDING
from tosa_converter.formats.vmfb import EXTRA, HOST, compile_text, without_unsafe_tiles
from tosa_converter.ir import Array, Model
from tosa_converter.rules.gate import require_legal

DRIVER = "local-sync"  # of IREE's runtime: the processor, in the thread that asks


class Iree(Engine):
    """Compiles TOSA models with IREE for this machine's processor, and runs them in a process of its own."""

    name = "iree"
    opsets = frozenset({"tosa"})

    def __init__(self) -> None:
        """Prepares the IREE engine: a worker process, which starts at the first run, and a cache of modules."""
        self._worker = Worker("iree", "IREE", EXTRA)
        self._modules = ModuleCache("iree", VMFB_ENDING)

    def missing(self) -> list[str]:
        """Returns how to install IREE's compiler and runtime, as far as they are missing."""
        packages = {"iree-base-compiler": "iree.compiler", "iree-base-runtime": "iree.runtime"}
        return missing_packages(EXTRA, packages)

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs a TOSA model once; returns its outputs by name.

        Raises:
            UnsupportedError: IREE's compiler refuses it.
        """
        return self._run_module(model, [inputs])[0]

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a TOSA model once for each step; variables, and states as inputs and outputs, last between steps."""
        return run_with_state(model, steps, self.run) if model.main_states else self._run_module(model, steps)

    def _run_module(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a model's compiled module in the worker once for each step; returns the outputs of each step by name.

        The module's variables keep their values from one step to the next.
        """
        require_legal(model)
        arrays = [require_inputs(model.main, inputs) for inputs in steps]
        outputs = model.main.outputs
        request = str(self.module(model)), DRIVER, model.main.name, arrays
        expected_types = ((np.ndarray,) * len(outputs),) * len(steps)
        runs = self._worker.ask(model.source, *request, form=expected_types)
        return [
            {v.name: decode_output(v.type, array, self.name) for v, array in zip(outputs, run, strict=True)}
            for run in runs
        ]

    def module(self, model: Model) -> Path:
        """Returns the path of the model's compiled module (.vmfb); compiles it if the cache doesn't have it."""
        text = iree_mlir(model)
        name = _cache_name(text)
        return self._modules.find(name) or self._modules.add(name, compile_text(text, (), model.source))

    def module_path(self, model: Model) -> Path:
        """Returns the path that the model's compiled module has in the cache, whether it exists or not."""
        return self._modules.path(_cache_name(iree_mlir(model)))


def _cache_name(text: str) -> str:
    """Returns a module's name in the cache: a hash of its MLIR text, compiler flags and version, and processor."""
    # A zero byte between the parts keeps "a", "bc" apart from "ab", "c"; none of them has one inside.
    content = "\0".join((text, *without_unsafe_tiles(text, HOST), _compiler_version(), _describe_processor()))
    return hashlib.sha256(content.encode("utf-8", "surrogateescape")).hexdigest()


def _compiler_version() -> str:
    """Returns the version of IREE's compiler; raises MissingExtra if it isn't installed."""
    try:
        return importlib.metadata.version("iree-base-compiler")
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtra("IREE's compiler", EXTRA) from None


def _describe_processor() -> str:
    """Returns the processor's model and features, for a key: a cache folder may be shared by different machines."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8", "replace").splitlines() if info.exists() else []
    return platform.machine() + "".join(sorted({line for line in lines if line.startswith(("model name", "flags"))}))
