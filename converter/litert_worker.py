"""Runs TFLite models in LiteRT, which aborts on some of them, in a process of its own.

A request is (how LiteRT is given the file, the file's name, the resolver, the inputs' arrays in order). The answer are
the arrays of the outputs.
"""

import sys
from typing import Any

from tosa_converter.worker import MISSING, serve


def main() -> int:
    """Answer requests."""
    try:
        from ai_edge_litert import interpreter as litert
    except ImportError:
        return MISSING

    def answer(source: dict[str, Any], name: str, resolver: str, arrays: list[Any]) -> tuple[list[Any], str]:
        try:
            interpreter = litert.Interpreter(
                **source,
                experimental_op_resolver_type=getattr(litert.OpResolverType, resolver),
                # LiteRT 2.3.0 may overwrite a value that SQUEEZE or the like shares memory with and others still read;
                # it advises against keeping them apart under delegates.
                experimental_preserve_all_tensors=resolver == "BUILTIN_REF",
            )
        except (RuntimeError, ValueError) as error:
            return [], f"refuses {name}: {error}"
        try:
            return _run(interpreter, arrays), ""
        except (RuntimeError, ValueError) as error:
            return [], f"fails on {name}: {error}"

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
