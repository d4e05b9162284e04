"""Engines that run a model: our executor, and independent ones that are optional packages."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tosa_converter.engines.chain import CHAIN, Chain
from tosa_converter.engines.engine import Arrays, Engine, initial_states
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.executorch import ExecuTorch
from tosa_converter.engines.iree import Iree
from tosa_converter.engines.litert import RESOLVERS, LiteRT
from tosa_converter.engines.reference_model import ReferenceModel
from tosa_converter.engines.vulkan import Vulkan
from tosa_converter.errors import UsageError, did_you_mean
from tosa_converter.execute.limits import SECONDS
from tosa_converter.ir import CONSTANTS, Array, Model, Value, unique_names

if TYPE_CHECKING:
    from tosa_converter.execute.plan import Keep

__all__ = [
    "CHAIN",
    "ENGINES",
    "Arrays",
    "Engine",
    "initial_states",
    "chain_engine",
    "engine_for",
    "engine_named",
    "engines_for",
    "can_keep_values",
    "run_and_keep",
    "source_engine",
]

_ALL: tuple[Engine, ...] = (Executor(), *map(LiteRT, RESOLVERS), ReferenceModel(), Vulkan(), Iree(), ExecuTorch())
ENGINES = {engine.name: engine for engine in _ALL}


def engine_named(name: str, limit: float = SECONDS) -> Engine:
    """Returns the engine with this name; `limit`, in estimated seconds of a run, applies to the executor only.

    Raises:
        UsageError: there is none.
    """
    if name not in ENGINES:
        raise UsageError(f"no engine is called {name!r}; there are {', '.join(ENGINES)}{did_you_mean(name, ENGINES)}")
    return Executor(limit) if name == Executor.name else ENGINES[name]


def engine_for(model: Model, name: str = "", limit: float = SECONDS) -> Engine:
    """Returns the engine with this name, or without a name the first engine that runs the model.

    For a partial conversion, the name is that of the engine for its TOSA pieces.

    Raises:
        UsageError: there is none, or it runs other models.
    """
    if model.opset == CHAIN and name:
        return chain_engine(engine_named(name, limit))
    engine = engine_named(name, limit) if name else source_engine(model, limit)
    if model.opset not in engine.opsets:
        opsets = ", ".join(sorted(engine.opsets))
        fitting = ", ".join(row.name for row in ENGINES.values() if model.opset in row.opsets)
        raise UsageError(
            f"{engine.name} runs {opsets} models, {model.source or 'this'} is {model.opset}",
            f"next: run it in {fitting}, or convert it first",
        )
    return engine


def chain_engine(engine: Engine) -> Engine:
    """Returns an engine for a chain (a model split into TOSA and source pieces); `engine` runs its TOSA pieces.

    Each other piece runs in the default engine of its opset.

    Raises:
        UsageError: it runs no TOSA.
    """
    if "tosa" not in engine.opsets:
        raise UsageError(f"expected an engine for the TOSA pieces of a chain, found {engine.name}")
    return Chain(engine, source_engine)


def engines_for(
    source: Model, names: Iterable[str], limit: float = SECONDS, opset: str = "tosa", *, same: bool = False
) -> tuple[list[Engine], list[Engine]]:
    """Returns two lists of engines, chosen by `names`: those that run a source, and those that run its conversion.

    For a conversion to TOSA (`opset`), the source runs in the first named engine that takes it, else in
    `source_engine`. For one to TFLite it runs in all named engines that take it, and the conversion in LiteRT's
    reference kernels unless others are named.

    Args:
        source: the source.
        names: of engines; those that run neither side are passed over.
        limit: in estimated seconds of a run, for the executor only.
        opset: of the conversion: "tosa" or "tfl".
        same: whether a source that is TOSA and its conversion may run in the same engine.

    Raises:
        UsageError: a name that no engine has, or nothing that runs the conversion.
    """
    chosen = [engine_named(name, limit) for name in dict.fromkeys(name.strip() for name in names) if name]
    source_engines = [engine for engine in chosen if opset not in engine.opsets and engine.takes(source)]
    source_engines = (source_engines[:1] if opset == "tosa" else source_engines) or [source_engine(source, limit)]
    conversion_engines = [engine for engine in chosen if opset in engine.opsets]
    if opset == source.opset == "tosa" and not same:
        conversion_engines = [engine for engine in conversion_engines if engine.name != source_engines[0].name]
    if not conversion_engines and opset == "tosa":
        name = source_engines[0].name
        raise UsageError(
            f"expected an engine that {name} can be compared with, found none",
            "next: add --against tosa-reference-model",
        )
    return source_engines, conversion_engines or [ENGINES["litert"]]


def run_and_keep(engine: Engine, model: Model, inputs: Arrays, keep: "Keep") -> dict[str, Array]:
    """Returns the outputs of a run, and the intermediate values that `keep` names ("all": every one), by name.

    Raises:
        UsageError: the engine keeps none, or `keep` names a value that the graph doesn't have.
    """
    if isinstance(engine, Executor):
        return engine.run(model, inputs, keep=keep)
    if not isinstance(engine, LiteRT):
        raise UsageError(f"{engine.name} can't return intermediate values: use executor or litert")
    values = [value for op in model.main if op.name not in CONSTANTS for value in op.results]
    items = values if keep == "all" else keep
    names = [item.name if isinstance(item, Value) else item for item in items]
    unknown = [name for name in names if name not in {value.name for value in values}]
    if unknown:
        raise UsageError(f"`keep` asks for value {unknown[0]!r}, which graph {model.main.name!r} doesn't have")
    outputs, intermediate = engine.run_observed(model, inputs, names)
    return dict(zip(unique_names(value.name for value in model.main.outputs), outputs, strict=True)) | intermediate


def can_keep_values(engine: Engine) -> bool:
    """Returns whether an engine can return a run's intermediate values: the executor, LiteRT's reference kernels."""
    return isinstance(engine, Executor) or (isinstance(engine, LiteRT) and engine.resolver == RESOLVERS[LiteRT().name])


def source_engine(model: Model, limit: float = SECONDS) -> Engine:
    """Returns the first engine that takes a model; its results count as what the model computes.

    The TOSA pieces of a partial conversion run in the executor.

    Raises:
        UsageError: no engine does.
    """
    if model.opset == CHAIN:
        return chain_engine(Executor(limit))
    for name, candidate in ENGINES.items():
        if candidate.takes(model):
            return engine_named(name, limit)
    raise UsageError(f"{model.source}: no engine runs {model.opset} operators; there are {', '.join(ENGINES)}")
