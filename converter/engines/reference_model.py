"""The engine `tosa-reference-model`: Arm's TOSA reference model."""

import pickle
import subprocess
from collections.abc import Sequence

import numpy as np

from tosa_converter.engines.engine import Arrays, handing_on
from tosa_converter.engines.process import MISSING, command
from tosa_converter.errors import ConverterError, MissingExtra, UnpredictableError, UsageError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats import encode
from tosa_converter.ir import Array, Model
from tosa_converter.schemas.tosa_ops import VARIABLE


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
        arrays = [_bits(np.ascontiguousarray(array)) for array in require_inputs(model.main, inputs)]
        request = pickle.dumps((b"".join(map(bytes, encode(model, ".tosa"))), arrays))
        done = subprocess.run(command("reference_model"), input=request, capture_output=True, check=False)
        if done.returncode == MISSING:
            raise MissingExtra("the TOSA reference model", "verify")
        if done.returncode or not done.stdout:
            raise ConverterError(f"the TOSA reference model refuses the graph: {_last_lines(done.stderr)}")
        (status, outputs), _ = pickle.loads(done.stdout)
        if status == "TOSA_UNPREDICTABLE":
            raise UnpredictableError(f"the TOSA reference model calls the graph {status}: {_last_lines(done.stderr)}")
        if status != "TOSA_VALID":
            raise ConverterError(f"the TOSA reference model calls the graph {status}: {_last_lines(done.stderr)}")
        made = zip(model.main.outputs, outputs, strict=True)
        return {v.name: output.view(v.type.dtype.numpy) if output.dtype.kind == "V" else output for v, output in made}

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Run a TOSA model step by step; its variables begin anew in each.

        Raises:
            UsageError: more than one step of a model with variables.
        """
        if len(steps) > 1 and any(op.row is VARIABLE for op in model.main.walk()):
            raise UsageError(f"{self.name} keeps no variables from run to run: expected state as inputs and outputs")
        return handing_on(model, steps, self.run)


def _bits(array: Array) -> Array:
    """Elements that numpy itself doesn't have (bf16, fp8) as integers of the same bits."""
    return array if array.dtype.isbuiltin == 1 else array.view(f"u{array.dtype.itemsize}")


def _last_lines(stderr: bytes) -> str:
    lines = [line for line in stderr.decode(errors="replace").splitlines() if "fails" in line or "rror" in line]
    return "; ".join(lines[:3]) or "it printed no error"
