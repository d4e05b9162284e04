"""Runs TFLite models in LiteRT, which aborts on some of them, in a process of its own.

A request is (how LiteRT is given the file, the resolver, for each run the inputs' arrays in order, names of other
tensors); a file without runs is only read. The answer: the arrays of each run's outputs, by name and of the last run
those of tensors whose name is the only one of its kind, and the seconds of each run.
"""

import sys
from collections import Counter
from contextlib import suppress
from time import perf_counter
from typing import Any

import numpy as np

from tosa_converter.engines.process import MISSING, Answer, serve


def main() -> int:
    """Runs the LiteRT worker: answers requests until its input ends; returns the exit status."""
    import ml_dtypes  # noqa: F401  # with which numpy has arrays of bf16, and LiteRT gives them

    try:
        from ai_edge_litert import interpreter as litert
    except ImportError:
        return MISSING

    def answer(source: dict[str, Any], resolver: str, steps: list[list[Any]], names: list[str]) -> Answer:
        """Loads a model and runs its steps; returns (outputs, intermediate tensors, seconds) and None, or [] and why.

        `source` are the arguments that load the model; `resolver` names LiteRT's set of kernels, BUILTIN for those with
        XNNPACK; `names` are the intermediate tensors to return.
        """
        try:
            interpreter = litert.Interpreter(
                **source,
                experimental_op_resolver_type=getattr(litert.OpResolverType, resolver),
                # This gives every tensor memory of its own: otherwise LiteRT 2.3.0 may overwrite a value that is still
                # read, because SQUEEZE or the like shares its memory. LiteRT advises against it with delegates.
                experimental_preserve_all_tensors=resolver != "BUILTIN",
            )
        except (RuntimeError, ValueError) as error:
            return [], ("refuses", str(error))
        try:
            return _run(interpreter, steps, names), None
        except (RuntimeError, ValueError) as error:
            return [], ("fails on", str(error))

    return serve(answer)


def _run(
    interpreter: Any, steps: list[list[Any]], names: list[str]
) -> tuple[list[list[Any]], dict[str, Any], list[float]]:
    """Runs an interpreter on each step's inputs; returns outputs, the last step's tensors in `names`, and seconds."""
    if not steps:
        return [], {}, []
    details = list({detail["index"]: detail for detail in interpreter.get_input_details()}.values())  # once each
    # Shapes are set once, by the first step: allocating tensors anew would set variables back.
    for detail, array in zip(details, steps[0], strict=True):
        interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    outputs, seconds = [], []
    for arrays in steps:
        for detail, array in zip(details, arrays, strict=True):
            interpreter.set_tensor(detail["index"], array)
        start = perf_counter()
        interpreter.invoke()
        seconds.append(perf_counter() - start)
        outputs.append([_tensor_elements(interpreter, detail) for detail in interpreter.get_output_details()])
    return outputs, _intermediate_tensors(interpreter, names), seconds


def _intermediate_tensors(interpreter: Any, names: list[str]) -> dict[str, Any]:
    """Returns the tensors with these names that a run has computed, except strings."""
    tensors = {}
    for name, detail in _unique_details(interpreter, names).items():
        with suppress(ValueError):  # a tensor that no operator of the run has made
            array = _tensor_elements(interpreter, detail)
            if not array.dtype.hasobject:  # strings, which nobody compares
                tensors[name] = array
    return tensors


def _tensor_elements(interpreter: Any, detail: dict[str, Any]) -> Any:
    """Returns a tensor's elements; an empty one is made here, because LiteRT fails on a WHERE without results."""
    if 0 in detail["shape"] and detail["dtype"] is not np.bytes_:
        return np.zeros(detail["shape"], detail["dtype"])
    return np.asarray(interpreter.get_tensor(detail["index"]))


def _unique_details(interpreter: Any, names: list[str]) -> dict[str, dict[str, Any]]:
    """Returns LiteRT's description of each tensor in `names`, by name; names of several tensors are left out."""
    if not names:
        return {}
    details = interpreter.get_tensor_details()
    counts = Counter(detail["name"] for detail in details)
    return {detail["name"]: detail for detail in details if counts[detail["name"]] == 1 and detail["name"] in names}


if __name__ == "__main__":
    sys.exit(main())
