"""Engines that run a model: our executor, and independent ones that are optional packages."""

from tosa_converter.engines.engine import Arrays, Engine
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.litert import RESOLVERS, LiteRT
from tosa_converter.engines.reference_model import ReferenceModel
from tosa_converter.engines.vulkan import Vulkan
from tosa_converter.errors import UsageError
from tosa_converter.execute.limits import SECONDS
from tosa_converter.ir import Model

__all__ = ["ENGINES", "Arrays", "Engine", "engine_named", "source_engine"]

_ALL: tuple[Engine, ...] = (Executor(), *map(LiteRT, RESOLVERS), ReferenceModel(), Vulkan())
ENGINES = {engine.name: engine for engine in _ALL}


def engine_named(name: str, limit: float = SECONDS) -> Engine:
    """The engine of that name; `limit` is the executor's, the others have none.

    Raises:
        UsageError: there is none.
    """
    if name not in ENGINES:
        raise UsageError(f"no engine is called {name!r}; there are {', '.join(ENGINES)}")
    return Executor(limit) if name == Executor.name else ENGINES[name]


def source_engine(model: Model, limit: float = SECONDS) -> Engine:
    """What says what a model computes: the first engine that takes its opset.

    Raises:
        UsageError: no engine does.
    """
    for name, candidate in ENGINES.items():
        if candidate.takes(model):
            return engine_named(name, limit)
    raise UsageError(f"{model.source}: no engine runs {model.opset} operators; there are {', '.join(ENGINES)}")
