"""All that the Python API says of a model and makes of it, as hashes: files, reports, drawings and inputs.

Texts that people read are left out, as these change without a change of what they say: reasons, notes, messages.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from longer.conversions import short

import tosa_converter as tc
from support import golden
from tosa_converter.errors import ConverterError
from tosa_converter.formats import encode, parse
from tosa_converter.ir import Array, Graph
from tosa_converter.pictures.explorer import graphs_of

TEXTS = ("notes", "reason", "note", "refusal", "declined", "skipped")  # of reports
REFUSED = "refused"
OPTIONS: tuple[tuple[str, Mapping[str, Any]], ...] = (  # of conversions, with a part of an operator's name
    ("", {"io_types": "int8"}),
    ("", {"io_types": "uint8"}),
    ("variable", {"state": "io"}),
    ("lstm", {"state": "io"}),
    ("while", {"control_flow": "flatten"}),
    ("if", {"control_flow": "flatten"}),
    ("lstm", {"sequence": "loop"}),
    ("rnn", {"sequence": "loop"}),
    ("custom", {"allow_custom": True}),
)
_LARGEST = 60  # operators of a drawing


def products(source: tc.Model) -> dict[str, str]:
    """Returns a hash, or that there is none, by the name of what is made of a model."""
    conversion = tc.convert(source)
    return {name: attempt(make, source, conversion) for name, make in MAKERS.items()}


def attempt(make: Callable[[tc.Model, tc.Model], Any], source: tc.Model, conversion: tc.Model) -> str:
    """Returns a hash of what a function makes, or that it refuses the model."""
    try:
        product = make(source, conversion)
    except ConverterError:
        return REFUSED
    if isinstance(product, str):
        product = product.encode()
    return short(product if isinstance(product, bytes) else json.dumps(plain(product), default=str).encode())[:8]


def plain(figures: Any) -> Any:
    """Returns a report without texts, and how many there are in place of them."""
    if isinstance(figures, Mapping):
        return {
            str(key): len(value or ()) if key in TEXTS else plain(value)
            for key, value in figures.items()
            if key != "seconds"
        }
    if isinstance(figures, list | tuple):
        return [*map(plain, figures)]
    return figures


def written(model: tc.Model, ending: str) -> bytes:
    return b"".join(map(bytes, encode(model, ending)))


def read_again(model: tc.Model, ending: str) -> list[Any]:
    """The graph that a file is read as, with what it keeps of its source."""
    reread_model = parse(written(model, ending))
    return [
        golden.model_text(reread_model),
        *reread_model.borders.items(),
        *reread_model.states.items(),
        *reread_model.signatures.items(),
    ]


def saved(model: tc.Model) -> list[Any]:
    """Everything that is written for a SPIR-V module, and what it is read as."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.spv"
        tc.save(model, path)
        reread_model = tc.load(path)
        contents = [[file.name, short(file.read_bytes())] for file in sorted(Path(folder).iterdir())]
        return [contents, golden.model_text(reread_model), *reread_model.borders.items(), *reread_model.states.items()]


def other_forms(source: tc.Model) -> list[str]:
    """Conversions with options that few models have a use for."""

    def text(options: Mapping[str, Any]) -> str:
        try:
            return golden.model_text(tc.convert(source, **options))
        except ConverterError:
            return REFUSED

    names = {op.name for graph in source.graphs.values() for op in graph.walk()}
    if len(source.main.ops) > _LARGEST:
        return []
    return [text(options) for part, options in OPTIONS if any(part in name for name in names)]


def attempts(source: tc.Model) -> list[Any]:
    """The rules that were accepted or declined at each operator."""
    explanation = tc.explain(source)
    return [
        [operator.location, operator.name, operator.operands, operator.becomes]
        + [
            [tried.pass_name, tried.location, tried.operands, tried.accepted]
            + [name for name, _ in (*tried.declined, *tried.skipped)]
            for tried in operator.attempts
        ]
        for operator in explanation.operators
    ]


def drawing(source: tc.Model, conversion: tc.Model) -> str:
    count = sum(len(graph.ops) for model in (source, conversion) for graph in model.graphs.values())
    return tc.draw(source, conversion) if count <= _LARGEST else ""


def digest(arrays: Mapping[str, Array]) -> list[Any]:
    return [[name, str(array.dtype), array.shape, short(array.tobytes())] for name, array in arrays.items()]


def has_floats(model: tc.Model) -> bool:
    def values(graph: Graph) -> Any:
        return (*graph.inputs, *(result for op in graph.walk() for result in op.results))

    return any(value.type.dtype.is_float for graph in model.graphs.values() for value in values(graph))


def adversarial(model: tc.Model) -> list[Any]:
    """Inputs that depend on intermediate values of integers, which are the same on every machine."""
    return [] if has_floats(model) else [*map(digest, tc.adversarial_inputs(model, runs=12))]


def random(model: tc.Model) -> list[Any]:
    named = {model.main.inputs[0].name: (-2.0, 3.0)} if model.main.inputs else {}
    return [digest(tc.random_inputs(model, ranges=ranges, seed=5)) for ranges in ({}, {"": (0.0, 1.0)}, named)]


def coverage(source: tc.Model) -> dict[str, Any]:
    coverage_report = tc.check(source)
    assert coverage_report is not None
    return coverage_report.figures()


def report(conversion: tc.Model) -> list[Any]:
    assert isinstance(conversion, tc.Converted)
    conversion_report = conversion.report
    places = {place: [op.name for op in ops] for place, ops in conversion_report.source_map.items()}
    figures = [
        conversion_report.source_ops,
        conversion_report.tosa_ops,
        str(conversion_report.needs),
        sorted(note.location for note in conversion_report.notes),
        places,
    ]
    return [*figures, [(name, count) for name, _, count in conversion_report.passes]]


MAKERS: dict[str, Callable[[tc.Model, tc.Model], Any]] = {
    "tosa read": lambda _, conversion: read_again(conversion, ".tosa"),
    "mlir": lambda _, conversion: written(conversion, ".mlir"),
    "mlir read": lambda _, conversion: read_again(conversion, ".mlir"),
    "spirv": lambda _, conversion: saved(conversion),
    "vgf": lambda _, conversion: written(conversion, ".vgf"),
    "vgf read": lambda _, conversion: read_again(conversion, ".vgf"),
    "inspect": lambda source, conversion: [tc.inspect(source).figures(), tc.inspect(conversion).figures()],
    "check": lambda source, _: coverage(source),
    "explain": lambda source, _: attempts(source),
    "report": lambda _, conversion: report(conversion),
    "drawing": drawing,
    "nodes": lambda source, conversion: [graphs_of(source), graphs_of(conversion)],
    "optimized": lambda _, conversion: golden.model_text(tc.optimize(conversion)),
    "fp16": lambda source, _: golden.model_text(tc.convert(source, float_type="fp16")),
    "bf16": lambda source, _: golden.model_text(tc.convert(source, float_type="bf16")),
    "options": lambda source, _: other_forms(source),
    "random": lambda source, _: random(source),
    "adversarial": lambda _, conversion: adversarial(conversion),
}
