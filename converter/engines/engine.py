"""The protocol of engines: run a model on arrays by input name, and return arrays by output name."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from tosa_converter.errors import ConverterError, UsageError, install_hint
from tosa_converter.ir import Array, Model, TensorType

Arrays = Mapping[str, Array]


def missing_packages(extra: str, packages: Mapping[str, str]) -> list[str]:
    """Returns a line about the Python packages of an optional dependency that aren't installed; [] if all are.

    Args:
        extra: the optional dependency that installs them.
        packages: a module of each package, by the package's name.
    """
    lacking = [package for package, module in packages.items() if not _installed(module)]
    if not lacking:
        return []
    return [f"Python package{'s' if len(lacking) > 1 else ''} {', '.join(lacking)}: {install_hint(extra)}"]


def _installed(module: str) -> bool:
    """Returns whether a module can be imported."""
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that the module is in
        return False


class Engine(Protocol):
    """The protocol of an engine, which runs models of some operator sets.

    An engine derived from this class takes all models of its opsets, and runs steps one by one.
    """

    name: str
    opsets: frozenset[str]  # of the models it takes

    def missing(self) -> list[str]:
        """Returns what this machine lacks to run the engine, each with how to install it; empty if nothing."""

    def takes(self, model: Model) -> bool:
        """Returns whether the engine runs this model; by default, whether it runs the model's operator set."""
        return model.opset in self.opsets

    def run(self, model: Model, inputs: Arrays) -> dict[str, Array]:
        """Runs the model's main graph once; returns its outputs by name.

        Raises:
            MissingExtra: the package behind it is not installed.
            ConverterError: the engine refuses the model or fails on it.
        """

    def run_steps(self, model: Model, steps: Sequence[Arrays]) -> list[dict[str, Array]]:
        """Runs the model once for each step and returns each run's outputs; state lasts from one run to the next.

        Args:
            model: a state that is an input may be left out of a step: it takes the state output of the run before, or
                in the first run its initial value.
            steps: the inputs of each run.

        Raises:
            MissingExtra, ConverterError: as for `run`.
            UsageError: the engine keeps nothing from run to run, and the model has variables.
        """
        return run_with_state(model, steps, self.run)


@dataclass(frozen=True, slots=True)
class Judge:
    """The kernels that compute an operator of the source model in place of the engine's own, which compute it wrongly.

    Args:
        operator: its name, or nothing for a whole model.
        place: its location in the file.
        kernels: the name of an engine of LiteRT, or numpy.
        reason: why the engine's own kernels can't judge it.
        options: that the operator gets besides its own.
    """

    operator: str
    place: str
    kernels: str
    reason: str
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def subject(self) -> str:
        """The words that name the operator with its location, or the whole model."""
        return f"{self.operator} at {self.place}" if self.operator else "the whole model"


@runtime_checkable
class Judging(Protocol):
    """The protocol of an engine that runs some operators with other kernels than its own."""

    def find_judges(self, model: Model) -> Sequence[Judge]:
        """Returns the operators of a model that run with other kernels than the engine's own, each with the reason."""


def other_judges(engine: Engine, model: Model) -> tuple[Judge, ...]:
    """Returns the operators that an engine runs with other kernels than its own; () for engines that never do."""
    return tuple(engine.find_judges(model)) if isinstance(engine, Judging) else ()


def run_with_state(
    model: Model, steps: Sequence[Arrays], run: Callable[[Model, Arrays], dict[str, Array]]
) -> list[dict[str, Array]]:
    """Calls `run` for each step and returns the outputs; each state input gets the state output of the run before.

    Raises:
        UsageError: a state has no initial value, and the first step gives none.
    """
    states = model.main_states
    state_arrays = initial_states(model)
    uninitialized = [s.input for s in states if s.input not in state_arrays and steps and s.input not in steps[0]]
    if uninitialized:
        raise UsageError(
            f"input {uninitialized[0]!r} is state without an initial value, as TOSA files don't hold it",
            f"next: pass it with the other inputs, as in --input {uninitialized[0]}=FILE.npy",
        )
    runs: list[dict[str, Array]] = []
    for arrays in steps:
        runs.append(run(model, {**state_arrays, **arrays}))
        state_arrays = {state.input: runs[-1][state.output] for state in states}
    return runs


def decode_output(type: TensorType, array: Array | None, engine: str) -> Array:
    """Returns an output that came from another process as an array of `type`; its bytes are reinterpreted.

    Raises:
        ConverterError: it has another number of bytes.
    """
    dtype = type.dtype.numpy
    if array is None or array.nbytes != type.elements * dtype.itemsize:
        size = "none" if array is None else f"{array.nbytes} bytes"
        raise ConverterError(f"{engine}: expected an output of {type}, found {size}")
    return np.frombuffer(array.tobytes(), dtype).reshape(type.static)


def initial_states(model: Model) -> dict[str, Array]:
    """Returns the initial elements of the model's states by input name; states without any are left out."""
    return {state.input: state.initial for state in model.main_states if state.initial is not None}
