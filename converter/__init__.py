"""TFLite models and XNNPACK graphs into TOSA, with proof.

import tosa_converter as tc

model = tc.load("model.tflite")
tosa = tc.convert(model)
tc.save(tosa, "model.tosa")
outputs = tc.run(tosa, {"x": array})
report = tc.compare(model, tosa)
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tosa_converter.comparison import Comparison
    from tosa_converter.errors import (
        ConverterError,
        FormatError,
        MissingExtra,
        UnpredictableError,
        UnsupportedError,
        UsageError,
        VerifyError,
    )
    from tosa_converter.files import load, save
    from tosa_converter.ir import Array, Model
    from tosa_converter.target import Target

__all__ = [
    "load",
    "convert",
    "save",
    "run",
    "compare",
    "Model",
    "Target",
    "ConverterError",
    "FormatError",
    "MissingExtra",
    "UnpredictableError",
    "UnsupportedError",
    "UsageError",
    "VerifyError",
]


# What other modules make public; they are imported when it is first asked for, so that the command starts fast.
_PLACES = {"load": "files", "save": "files", "Model": "ir", "Target": "target"}


def __getattr__(name: str) -> Any:
    """A name of `__all__` that isn't defined here."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def convert(
    model: "Model",
    *,
    target: "Target | None" = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    numerics: str = "",
) -> "Model":
    """Legalize a model to TOSA 1.0.

    Args:
        model: what `load` made of a source file.
        target: profiles, extensions and level that the result must keep to; what it needs when not given.
        input_shapes: for inputs with unknown dimensions; else the shapes that the file gives.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (its default for XNNPACK
            graphs) or compact (the short form that hardware compilers look for).

    Raises:
        UsageError: arguments that don't fit the model.
        UnsupportedError: operators that can't be converted, all of them with their places.
    """
    from tosa_converter.conversion import convert_model, default_numerics
    from tosa_converter.legalize.pipelines import PIPELINES
    from tosa_converter.rewrite import Options

    shapes = {name: tuple(shape) for name, shape in (input_shapes or {}).items()}
    options = Options(numerics or default_numerics(model), target, shapes)
    return convert_model(model, PIPELINES, options)[0]


def run(model: "Model", inputs: "Mapping[str, Array]") -> "dict[str, Array]":
    """Run a model's main graph: arrays by input name to arrays by output name.

    TOSA models run in this package's executor, TFLite models in LiteRT's reference kernels.

    Raises:
        UsageError: inputs that are missing or don't fit.
        UnpredictableError: a REQUIRE of the specification doesn't hold for these inputs.
    """
    from tosa_converter.backends import source_backend

    return source_backend(model).run(model, inputs)


def compare(
    source: "Model | str",
    model: "Model",
    *,
    inputs: "Sequence[Mapping[str, Array]]" = (),
    runs: int = 1,
    seed: int = 0,
    against: Sequence[str] = ("executor",),
) -> "list[Comparison]":
    """Run a source and its conversion on the same inputs and compare every output.

    Args:
        source: the model as it was read, or its path.
        model: its conversion.
        inputs: sets of arrays by the source's input names; random ones when none are given.
        runs: how many random sets.
        seed: of the first one.
        against: engines that run the conversion: executor, tosa-reference-model.
    """
    from tosa_converter.backends import backend, source_backend
    from tosa_converter.comparison import compare_runs, random_inputs
    from tosa_converter.files import load
    from tosa_converter.legalize.undefined import substituted

    source = load(source) if isinstance(source, str) else source
    shapes = {a.name: b.type.static for a, b in zip(source.main.inputs, model.main.inputs, strict=True)}
    sets = list(inputs) or [random_inputs(source.main.inputs, shapes, seed + i) for i in range(runs)]
    engines = [backend(name) for name in against]
    return compare_runs(source, source_backend(source), model, engines, sets, substituted=substituted)
