"""The engine `executorch`: what says what an ExecuTorch program computes, and XNNPACK behind it what a graph does."""

import os
from collections.abc import Sequence

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, missing_packages
from tosa_converter.engines.process import Worker
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats import encode, read_content
from tosa_converter.formats.xnnpack.plan import DATA_FILES
from tosa_converter.ir import Array, Model, unique_names
from tosa_converter.rules.gate import require_legal
from tosa_converter.schemas import executorch, xnnpack


class ExecuTorch(Engine):
    """Runs ExecuTorch programs, and XNNPACK graphs with a program made around them, in ExecuTorch's runtime.

    Some mistakes make its kernels end their process, so it has a process of its own.
    """

    name = "executorch"
    opsets = frozenset({"xnn"})

    def __init__(self) -> None:
        """Prepares the ExecuTorch engine, whose worker process starts at the first run."""
        self._worker = Worker("executorch", "ExecuTorch", "executorch")

    def missing(self) -> list[str]:
        """Returns how to install the packages executorch and torch, as far as they are missing."""
        return missing_packages("executorch", {"executorch": "executorch", "torch": "torch"})

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs a model once; returns its outputs by name.

        Raises:
            UsageError: ExecuTorch runs portable kernels of a program's file only, and the model has none or was edited.
        """
        return self.run_steps(model, [inputs])[0]

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a model once for each step; a program's mutable buffers last from one step to the next."""
        require_legal(model)
        arrays = [require_inputs(model.main, inputs) for inputs in steps]
        names = unique_names(value.name for value in model.main.outputs)
        expected_types = ((np.ndarray,) * len(names),) * len(steps)
        runs: list[list[Array]] = self._worker.ask(
            model.source, program_of(model), data_file_of(model), arrays, form=expected_types
        )
        return [dict(zip(names, outputs, strict=True)) for outputs in runs]


def data_file_of(model: Model) -> str:
    """Returns the path of the file of data (.ptd) that a program uses, or "".

    Raises:
        UsageError: it uses several, which ExecuTorch's Python runtime doesn't take.
    """
    paths = model.metadata.get(DATA_FILES, "").splitlines()
    if len(paths) > 1:
        raise UsageError(f"{model.source}: ExecuTorch's Python runtime takes one file of data, found {len(paths)}")
    return os.path.abspath(paths[0]) if paths else ""


def program_of(model: Model) -> bytes:
    """Returns an ExecuTorch program (.pte) as bytes: the model's own file, or a program around its XNNPACK graph.

    Raises:
        UsageError: the model has portable kernels, which run from a program's file only, and no such file.
    """
    from tosa_converter.formats.xnnpack.wrapper import wrap_in_program

    data = bytes(read_content(model.source)) if model.source and not model.edited else b""
    if data[4:8] == executorch.IDENTIFIER and "delegate" not in model.metadata:
        return data
    if any(op.opset != "xnn" for op in model.main):
        raise UsageError(f"{model.source or 'the model'}: ExecuTorch runs portable kernels of programs in files alone")
    # Only a file in ExecuTorch's schema is taken as it is: PyTorch's schema has another order.
    if data[4:8] not in (xnnpack.HEADER_IDENTIFIER, *xnnpack.IDENTIFIERS):
        data = b"".join(map(bytes, encode(model, ".xnn")))
    return wrap_in_program(
        data, *([value.type for value in values] for values in (model.main.inputs, model.main.outputs))
    )
