"""TFLite models and XNNPACK graphs into TOSA, with proof; docs/how-to/python.md shows all of it in use.

import tosa_converter as tc

model = tc.load("model.tflite")
tosa = tc.convert(model)
print(tosa.report.needs, tosa.main)
tc.save(tosa, "model.tosa")
tc.save(tc.to_tflite(tosa), "back.tflite")
outputs = tc.run(tosa, {"x": array})
report = tc.compare(model, tosa)
"""

from tosa_converter.graph_text import print_with

TYPE_CHECKING = False  # typing itself takes longer to import than all of this

if TYPE_CHECKING:
    from typing import Any

    from tosa_converter.api.accuracy import accuracy
    from tosa_converter.api.comparing import compare, compare_layers, diff
    from tosa_converter.api.converting import (
        convert,
        optimize,
        to_tflite,
        to_xnn,
        with_borders,
        with_bounds,
    )
    from tosa_converter.api.generating import generate
    from tosa_converter.api.inspecting import check, cross_check, draw, explain, extract, inspect
    from tosa_converter.api.loading import Source as Source
    from tosa_converter.api.loading import load, selected
    from tosa_converter.api.partial import convert_partially
    from tosa_converter.api.running import adversarial_inputs, audio_input, image_input, random_inputs, run, run_steps
    from tosa_converter.api.sessions import Session
    from tosa_converter.api.verifying import verify, write_report
    from tosa_converter.conversion import Converted, Report
    from tosa_converter.coverage import Coverage
    from tosa_converter.dtypes import DType
    from tosa_converter.errors import (
        ConverterError,
        FormatError,
        MissingExtra,
        PluginError,
        UnpredictableError,
        UnsupportedError,
        UsageError,
        VerifyError,
    )
    from tosa_converter.explanation import Explanation
    from tosa_converter.formats import save
    from tosa_converter.formats.containers.listing import MemberInspection
    from tosa_converter.formats.tflite.cross_check import CrossCheck
    from tosa_converter.inspection import Inspection
    from tosa_converter.ir import Graph, Model, Op, Quant, TensorType, Value
    from tosa_converter.proof.compare import Comparison
    from tosa_converter.proof.diff import Diff
    from tosa_converter.proof.generation import Generation
    from tosa_converter.proof.operators import OperatorComparison
    from tosa_converter.proof.report import Verification
    from tosa_converter.proof.results import ModelReport
    from tosa_converter.proof.saved_runs import RunArrays
    from tosa_converter.proof.top1 import Top1
    from tosa_converter.rewriting.builder import Builder
    from tosa_converter.rewriting.expr import Expr
    from tosa_converter.rewriting.match import Match
    from tosa_converter.rewriting.reasons import Decline
    from tosa_converter.rewriting.rule import Check, Rule, condition
    from tosa_converter.rules.target import Target
    from tosa_converter.zoo import Zoo

    __version__: str

__all__ = [
    "load",
    "convert",
    "save",
    "optimize",
    "to_tflite",
    "to_xnn",
    "check",
    "explain",
    "inspect",
    "members",
    "cross_check",
    "random_inputs",
    "adversarial_inputs",
    "image_input",
    "audio_input",
    "run",
    "run_steps",
    "generate",
    "compare",
    "compare_layers",
    "diff",
    "accuracy",
    "verify",
    "write_report",
    "draw",
    "with_borders",
    "with_bounds",
    "selected",
    "convert_partially",
    "extract",
    "Model",
    "Graph",
    "Op",
    "Value",
    "TensorType",
    "Quant",
    "DType",
    "Builder",
    "Expr",
    "Rule",
    "Match",
    "Check",
    "condition",
    "Decline",
    "Target",
    "Converted",
    "Report",
    "Inspection",
    "CrossCheck",
    "Session",
    "Generation",
    "MemberInspection",
    "Coverage",
    "Explanation",
    "Comparison",
    "Top1",
    "RunArrays",
    "OperatorComparison",
    "Verification",
    "Diff",
    "Zoo",
    "ModelReport",
    "ConverterError",
    "FormatError",
    "MissingExtra",
    "PluginError",
    "UnpredictableError",
    "UnsupportedError",
    "UsageError",
    "VerifyError",
]

# The modules of the names above; those of the rest are in `errors`.
_MODULES = {
    "api.loading": "load selected Source",
    "api.converting": "convert optimize to_tflite to_xnn with_borders with_bounds",
    "api.partial": "convert_partially",
    "api.inspecting": "check explain inspect members cross_check extract draw",
    "api.running": "run run_steps random_inputs adversarial_inputs image_input audio_input",
    "api.sessions": "Session",
    "api.generating": "generate",
    "api.accuracy": "accuracy",
    "api.comparing": "compare compare_layers diff",
    "api.verifying": "verify write_report",
    "formats": "save",
    "ir": "Model Graph Op Value TensorType Quant",
    "dtypes": "DType",
    "rewriting.builder": "Builder",
    "rewriting.expr": "Expr",
    "rewriting.match": "Match",
    "rewriting.reasons": "Decline",
    "rewriting.rule": "Rule Check condition",
    "rules.target": "Target",
    "conversion": "Converted Report",
    "inspection": "Inspection",
    "formats.containers.listing": "MemberInspection",
    "formats.tflite.cross_check": "CrossCheck",
    "coverage": "Coverage",
    "explanation": "Explanation",
    "proof.compare": "Comparison",
    "proof.generation": "Generation",
    "proof.operators": "OperatorComparison",
    "proof.report": "Verification",
    "proof.diff": "Diff",
    "zoo": "Zoo",
    "proof.results": "ModelReport",
    "proof.saved_runs": "RunArrays",
    "proof.top1": "Top1",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> "Any":
    """Returns the version, or a public name of another module, which is imported when it is first asked for."""
    from importlib import import_module

    if name == "__version__":
        value: Any = import_module("importlib.metadata").version("tosa-converter")
    elif name in __all__ or name in _PLACES:
        value = getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def _readable_text(graph: "Graph | Model") -> str:
    """Returns a graph or model as MLIR text for people, which `str` of it shows."""
    from tosa_converter.formats.mlir.writer import readable_text

    return readable_text(graph)


print_with(_readable_text)


def __dir__() -> list[str]:
    """Returns the public names, for `dir` and completion; most are imported only on first use."""
    return sorted(__all__)
