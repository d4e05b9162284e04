"""TFLite models and XNNPACK graphs into TOSA, with proof.

import tosa_converter as tc

model = tc.load("model.tflite")
tosa = tc.convert(model)
tc.save(tosa, "model.tosa")
outputs = tc.run(tosa, {"x": array})
report = tc.compare(model, tosa)
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing itself takes longer to import than all of this

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from typing import IO, Any, TypeAlias

    from tosa_converter.errors import (
        ConverterError,
        FormatError,
        MissingExtra,
        UnpredictableError,
        UnsupportedError,
        UsageError,
        VerifyError,
    )
    from tosa_converter.formats import save
    from tosa_converter.ir import Array, Model
    from tosa_converter.proof.compare import Comparison
    from tosa_converter.rules.target import Target

    Source: TypeAlias = str | PathLike[str] | bytes | bytearray | memoryview | IO[bytes]

    __version__: str

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
_PLACES = {"save": "formats", "Model": "ir", "Target": "rules.target"}


def __getattr__(name: str) -> Any:
    """The version, or a name of `__all__` that isn't defined here."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("tosa-converter")
    elif name in __all__:
        from importlib import import_module

        value = getattr(import_module(f"{__name__}.{_PLACES.get(name, 'errors')}"), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def load(source: Source) -> Model:
    """Read a model of any supported format (.tflite, .tosa, .spv, .vgf, XNNGraph), told by its content.

    Args:
        source: a path, whose file is mapped into memory so that weights are views of it; or the bytes themselves, or a
            file that is open for reading bytes.

    Raises:
        UsageError: there is no such file, or the source is something else.
        FormatError: the content is malformed or of no known format.
    """
    from tosa_converter import formats
    from tosa_converter.errors import UsageError

    if isinstance(source, str) or hasattr(source, "__fspath__"):
        return formats.load(source)
    content = source.read() if hasattr(source, "read") else source
    if not isinstance(content, bytes | bytearray | memoryview):
        raise UsageError(f"expected a path, bytes or a file of bytes, found {type(content).__name__}")
    return formats.parse(bytes(content))


def _loaded(model: Model | Source) -> Model:
    from tosa_converter.ir import Model

    return model if isinstance(model, Model) else load(model)


def convert(
    model: Model | Source,
    *,
    target: Target | str | None = None,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    numerics: str = "",
) -> Model:
    """Legalize a model to TOSA 1.0.

    Args:
        model: what `load` made of a source file, or what it takes.
        target: profiles, extensions and level that the result must keep to, or their names as `Target.parse` reads
            them; what the model needs when not given.
        input_shapes: for inputs with unknown dimensions; else the shapes that the file gives.
        numerics: reference (LiteRT's reference kernels, the default for TFLite), xnnpack (its default for XNNPACK
            graphs) or compact (the short form that hardware compilers look for).

    Raises:
        UsageError: arguments that don't fit the model.
        FormatError: as `load`.
        UnsupportedError: operators that can't be converted, all of them with their places.
    """
    from tosa_converter.conversion import convert_model, default_numerics
    from tosa_converter.legalize.pipelines import PIPELINES
    from tosa_converter.rewriting.rewrite import Options
    from tosa_converter.rules.target import Target

    model = _loaded(model)
    target = Target.parse(target) if isinstance(target, str) else target
    shapes = {name: tuple(shape) for name, shape in (input_shapes or {}).items()}
    options = Options(numerics or default_numerics(model), target, shapes)
    return convert_model(model, PIPELINES, options)[0]


def run(model: Model, inputs: Mapping[str, Array], *, limit: float = 10.0) -> dict[str, Array]:
    """Run a model's main graph: arrays by input name to arrays by output name.

    TOSA models run in this package's executor, TFLite models in LiteRT's reference kernels.

    Args:
        model: of either kind; it needs to keep to no level, but to be legal otherwise.
        inputs: by the names of the graph's inputs, or those of a signature.
        limit: seconds that the executor accepts, by an estimate from the operators' shapes; math.inf for any.

    Raises:
        VerifyError: the graph is illegal, with every condition that is violated.
        UsageError: inputs that are missing or don't fit; more memory than there is, or more time than the limit.
        UnpredictableError: a REQUIRE of the specification doesn't hold for these inputs.
    """
    from tosa_converter.engines import source_engine
    from tosa_converter.execute.inputs import by_tensor_name

    return source_engine(model, limit).run(model, by_tensor_name(model, inputs))


def compare(
    source: Model | Source,
    model: Model,
    *,
    inputs: Sequence[Mapping[str, Array]] = (),
    runs: int = 1,
    seed: int = 0,
    against: str | Sequence[str] = ("executor",),
) -> list[Comparison]:
    """Run a source and its conversion on the same inputs and compare every output.

    Integers must be equal. Floats must be within 1e-5 of the reference's largest value; where the source amplifies
    rounding beyond that, a second look on at least 10 sets of inputs decides, by how far LiteRT's own kernels differ:
    `rule` and `second_look` of each output tell which and why.

    Args:
        source: the model as it was read, or what `load` takes.
        model: its conversion.
        inputs: sets of arrays by the source's input names; random ones when none are given.
        runs: how many random sets.
        seed: of the first one.
        against: engines that run the conversion: executor, tosa-reference-model, vulkan; in a string, between commas.

    Raises:
        UsageError: a model that isn't the source's conversion, no runs, or an engine that there isn't.
        ConverterError: an engine refuses its model or fails.
    """
    from tosa_converter.engines import engine_named, source_engine
    from tosa_converter.legalize.tflite.quantized.undefined import substituted
    from tosa_converter.proof.compare import compare_runs, random_sets

    source = _loaded(source)
    _check_conversion(source, model, runs)
    names = against.split(",") if isinstance(against, str) else against
    engines = [engine_named(name.strip()) for name in names]
    further = None if inputs else random_sets(source, model, seed)
    sets = [further(i) for i in range(runs)] if further else inputs
    judge = source_engine(source)
    return compare_runs(source, judge, model, engines, sets, further=further, substituted=substituted)


def _check_conversion(source: Model, model: Model, runs: int) -> None:
    from tosa_converter.errors import UsageError

    counts = [(len(side.main.inputs), len(side.main.outputs)) for side in (source, model)]
    if model.opset != "tosa":
        raise UsageError(f"expected a source and its conversion to TOSA, found models of {source.opset}, {model.opset}")
    if counts[0] != counts[1]:
        raise UsageError(f"expected a source and its conversion, found inputs and outputs {counts[0]}, {counts[1]}")
    if runs < 1:
        raise UsageError(f"expected at least one run, found {runs}")
