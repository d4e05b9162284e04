"""Runs TFLite models in LiteRT, which aborts on some of them, in a process of its own.

A request is (how LiteRT is given the file, the resolver, the inputs' arrays in order), the answer the arrays of the
outputs.
"""

import sys
from typing import Any

from tosa_converter.worker import MISSING, Answer, serve


def main() -> int:
    """Answer requests."""
    try:
        from ai_edge_litert import interpreter as litert
    except ImportError:
        return MISSING

    def answer(source: dict[str, Any], resolver: str, arrays: list[Any]) -> Answer:
        try:
            interpreter = litert.Interpreter(
                **source,
                experimental_op_resolver_type=getattr(litert.OpResolverType, resolver),
                # LiteRT 2.3.0 may overwrite a value that SQUEEZE or the like shares memory with and others still read;
                # it advises against keeping them apart under delegates.
                experimental_preserve_all_tensors=resolver != "BUILTIN",
            )
        except (RuntimeError, ValueError) as error:
            return [], ("refuses", str(error))
        try:
            return _run(interpreter, arrays), None
        except (RuntimeError, ValueError) as error:
            return [], ("fails on", str(error))

    return serve(answer)


def _run(interpreter: Any, arrays: list[Any]) -> list[Any]:
    details = interpreter.get_input_details()
    for detail, array in zip(details, arrays, strict=True):
        interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    for detail, array in zip(details, arrays, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


if __name__ == "__main__":
    sys.exit(main())
