"""The engine `tosa-reference-model`: Arm's TOSA reference model."""

import contextlib
import os
import tempfile
from collections.abc import Sequence
from subprocess import PIPE
from typing import IO, cast

import numpy as np

from tosa_converter.engines.engine import Arrays, Engine, decode_output, missing_packages, run_with_state
from tosa_converter.engines.messages import MessageError, fits, read_message, write_message
from tosa_converter.engines.process import MISSING, Answer, command
from tosa_converter.errors import ConverterError, MissingExtra, UnpredictableError, UsageError
from tosa_converter.execute.inputs import require_inputs
from tosa_converter.formats import encode
from tosa_converter.ir import Array, Model
from tosa_converter.processes import child
from tosa_converter.schemas.tosa_ops import VARIABLE

_PRINTED = 1 << 16  # bytes of what it printed that are looked at


class ReferenceModel(Engine):
    """Arm's TOSA reference model, in a process of its own because an illegal graph takes its process down."""

    name = "tosa-reference-model"
    opsets = frozenset({"tosa"})

    def missing(self) -> list[str]:
        """Returns how to install Arm's tosa-tools, if they are missing."""
        return missing_packages("verify", {"tosa-tools": "tosa_reference_model"})

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs a TOSA model once at level 8K; returns its outputs by name.

        Raises:
            UnpredictableError: the reference model calls the graph unpredictable on these inputs.
            ConverterError: it refuses the graph, or its answer is malformed.
        """
        arrays = [_as_plain_dtype(np.ascontiguousarray(array)) for array in require_inputs(model.main, inputs)]
        status, outputs, errors = run_tosa_file(b"".join(map(bytes, encode(model, ".tosa"))), arrays)
        if not fits(outputs, (np.ndarray,) * len(model.main.outputs)) and status == "TOSA_VALID":
            raise ConverterError("the TOSA reference model's answer has another number of outputs")
        if status == "TOSA_UNPREDICTABLE":
            raise UnpredictableError(f"the TOSA reference model calls the graph {status}: {errors}")
        if status != "TOSA_VALID":
            raise ConverterError(f"the TOSA reference model calls the graph {status}: {errors}")
        pairs = zip(model.main.outputs, outputs, strict=True)
        return {
            v.name: decode_output(v.type, output, self.name) if output.dtype.kind == "V" else output
            for v, output in pairs
        }

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs a TOSA model once for each step; states that are inputs and outputs are passed on.

        Raises:
            UsageError: more than one step of a model with variables.
        """
        if len(steps) > 1 and any(op.row is VARIABLE for op in model.main.walk()):
            raise UsageError(f"{self.name} keeps no variables from run to run: expected state as inputs and outputs")
        return run_with_state(model, steps, self.run)


def run_tosa_file(graph: bytes, arrays: Sequence[Array]) -> tuple[str, list[Array], str]:
    """Runs a .tosa file in the reference model, in a process of its own; returns status, outputs and error text.

    The status is a name such as TOSA_VALID.

    Raises:
        MissingExtra: it is not installed.
        ConverterError: its process has ended.
    """
    with tempfile.TemporaryFile() as stream:
        try:
            with child(command("reference_model"), stdin=PIPE, stdout=PIPE, stderr=stream) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                with contextlib.suppress(BrokenPipeError):
                    write_message(process.stdin, (graph, list(arrays)))
                try:
                    answer = read_message(process.stdout)
                except EOFError:
                    if process.wait() == MISSING:
                        raise MissingExtra("the TOSA reference model", "verify") from None
                    raise
        except EOFError:
            raise ConverterError(f"the TOSA reference model refuses the graph: {_error_lines(stream)}") from None
        except MessageError as error:
            raise ConverterError(f"the TOSA reference model's answer is malformed: {error}") from None
        errors = _error_lines(stream)
    if not fits(answer, ((str, [np.ndarray]), type(None))):
        raise ConverterError("the TOSA reference model's answer is malformed")
    (status, outputs), _ = cast("Answer", answer)
    return status, outputs, errors


def _as_plain_dtype(array: Array) -> Array:
    """Returns elements of types that numpy itself doesn't have (bf16, fp8) as unsigned integers with the same bits."""
    return array if array.dtype.isbuiltin == 1 else array.view(f"u{array.dtype.itemsize}")


def _error_lines(stream: IO[bytes]) -> str:
    """Returns up to 3 lines about errors from the end of what a process printed, joined by semicolons."""
    stream.seek(max(0, stream.seek(0, os.SEEK_END) - _PRINTED))
    printed = stream.read(_PRINTED).decode(errors="replace")
    lines = [line for line in printed.splitlines() if "fails" in line or "rror" in line]
    return "; ".join(lines[:3]) or "it printed no error"
