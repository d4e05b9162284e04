"""Sessions: a program whose state goes on from call to call, over all of its signatures."""

from __future__ import annotations

from collections.abc import Mapping

from tosa_converter.api.loading import Source, as_model
from tosa_converter.engines import Engine, engine_for, initial_states
from tosa_converter.engines.executor import Executor
from tosa_converter.errors import UsageError, did_you_mean, list_names
from tosa_converter.execute.inputs import by_tensor_name
from tosa_converter.execute.limits import SECONDS
from tosa_converter.execute.plan import Context, Executable
from tosa_converter.ir import Array, Model, Signature, State
from tosa_converter.ir.state_pairs import find_state_pairs, zero_state
from tosa_converter.rewriting.signatures import select_signature
from tosa_converter.rules.gate import require_legal
from tosa_converter.schemas.tfl_ops import STATE
from tosa_converter.schemas.tosa_ops import VARIABLE


class Session:
    """A program that keeps its state from call to call, such as a language model with its cache.

    Signatures share what they call by one name: what `prefill` leaves in `kv_cache_k_0`, `decode` begins with. State
    begins with zeros, or with the initial values that the model states.

    Example:
        >>> import numpy as np
        >>> import tosa_converter as tc
        >>> session = tc.Session(tc.convert("models/language/llama.float32.tflite"))
        >>> outputs = session.run({"tokens": np.int32([[17]]), "input_pos": np.int32([0])}, signature="decode")
        >>> outputs["logits"].shape
        (1, 1, 128)
        >>> float(abs(session.state["kv_cache_k_0"]).max()) > 0
        True
    """

    def __init__(self, model: Model | Source, *, engine: Engine | str = "", limit: float = SECONDS) -> None:
        """Prepares a session; nothing runs before the first call.

        Args:
            model: a model, or what `load` takes: a source, its conversion, or a file of it.
            engine: see `run`.
            limit: see `run`, for each call.

        Raises:
            ConverterError: as `load`; or the engine doesn't run such models, or keeps no variables between calls.
        """
        whole = as_model(model)
        self._parts = {name: select_signature(whole, name) for name in whole.signatures} or {"": whole}
        self._engines = {
            name: engine_for(part, engine, limit) if isinstance(engine, str) else engine
            for name, part in self._parts.items()
        }
        for name, part in self._parts.items():
            _require_kept(part, self._engines[name])
        self._limit, self._context = limit, Context()
        self._executables: dict[str, Executable] = {}
        self.state: dict[str, Array] = {}
        """What the next call begins with, by the signature's name of the input; set or remove elements to change it."""

    @property
    def signatures(self) -> tuple[str, ...]:
        """The names of the signatures; "" is that of a program without any."""
        return tuple(self._parts)

    def reset(self) -> None:
        """Forgets all state: the next call is as the first."""
        self.state.clear()
        self._context = Context()

    def run(self, inputs: Mapping[str, Array], *, signature: str = "") -> dict[str, Array]:
        """Runs one signature with the state of the calls before; returns its outputs by the signature's names.

        The new state is kept for the next call. State that was never set begins with the model's initial values, or
        zeros.

        Args:
            inputs: arrays by the signature's names of its inputs. Those of state may be left out; else they replace it.
            signature: its name; the only one by default.

        Raises:
            UsageError: no such signature, or inputs that don't fit it.
        """
        name = self.resolve(signature)
        part = self._parts[name]
        callers = _caller_names(part, self._signature_of(name))
        states = part_states(part)
        carried = {s.input: self.state[callers[s.input]] for s in states if callers[s.input] in self.state}
        begin = {value.name: _zeros(part, value.name) for value in part.main.inputs if value.name in _inputs_of(states)}
        arrays = {**begin, **initial_states(part), **carried, **by_tensor_name(part, self._tensor_names(name, inputs))}
        outputs = self._outputs(name, part, arrays)
        self.state |= {callers[s.input]: outputs[s.output] for s in states}
        names = {value.name: callers[value.name] for value in part.main.outputs}
        return {names[value]: outputs[value] for value in names}

    def resolve(self, signature: str) -> str:
        """Returns the name of a signature, which may be left out where there is one.

        Raises:
            UsageError: there is none of that name, or none is named of several.
        """
        if not signature and len(self._parts) == 1:
            return next(iter(self._parts))
        if signature not in self._parts:
            names = list_names(map(repr, self._parts)) + did_you_mean(signature, self._parts)
            raise UsageError(f"signature: expected one of {names}, found {signature!r}")
        return signature

    def part(self, signature: str) -> Model:
        """Returns the model of one signature, whose graph is its main graph."""
        return self._parts[self.resolve(signature)]

    def caller_names(self, signature: str) -> dict[str, str]:
        """Returns a mapping from the graph's names of inputs and outputs to the signature's names."""
        return _caller_names(self.part(signature), self._signature_of(self.resolve(signature)))

    def _signature_of(self, name: str) -> Signature | None:
        """Returns a signature with the values of its own part; None for a model without signatures."""
        return self._parts[name].signatures.get(name)

    def _tensor_names(self, name: str, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """Returns inputs by the graph's names in place of the signature's.

        The signature's names come first: one of them may be the graph's name of another input.
        """
        signature = self._signature_of(name)
        own = {} if signature is None else {key: value.name for key, value in signature.inputs.items()}
        return {own.get(key, key): array for key, array in inputs.items()}

    def _outputs(self, name: str, part: Model, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """Runs a part once and returns its outputs.

        In the executor, variables keep their values from run to run, and all parts share them.
        """
        engine = self._engines[name]
        if not isinstance(engine, Executor) or part.opset != "tosa":
            outputs = engine.run(part, arrays)
        else:
            if name not in self._executables:
                require_legal(part)
                self._executables[name] = Executable(part.main, limit=self._limit)
            outputs = self._executables[name].run(arrays, context=self._context)
        # Engines rename an output that has an input's name, as in a .vgf; the order is that of the graph's outputs.
        return {value.name: array for value, array in zip(part.main.outputs, outputs.values(), strict=True)}


def _require_kept(part: Model, engine: Engine) -> None:
    """Raises UsageError if a model has variables that the engine doesn't keep between calls.

    Only the executor keeps variables in a session, and only those of TOSA models.
    """
    has_variables = any(op.row is VARIABLE or op.name in STATE for op in part.main.walk())
    if has_variables and not (isinstance(engine, Executor) and part.opset == "tosa"):
        raise UsageError(
            f"{part.source or 'the model'} has variables, which {engine.name} keeps within a run of steps only",
            "next: use run_steps, or convert it and run that in the executor",
        )


def part_states(part: Model) -> tuple[State, ...]:
    """Returns all states of a model's main graph that are inputs and outputs.

    A conversion made some of them; others are state pairs of the source.
    """
    return (*part.main_states, *find_state_pairs(part).get(part.main.name, ()))


def _inputs_of(states: tuple[State, ...]) -> set[str]:
    """Returns the names of the inputs that are state."""
    return {state.input for state in states}


def _zeros(part: Model, name: str) -> Array:
    """Returns zeros for the state of an input. The elements of quantized state stand for 0.0.

    The quantization is that of the input, or of the source's input that it replaces.
    """
    value = next(value for value in part.main.inputs if value.name == name)
    border = part.border(value)
    quant = value.type.quant or (border.type.quant if border is not None else None)
    return zero_state(value.type._replace(quant=quant))


def _caller_names(part: Model, signature: Signature | None) -> dict[str, str]:
    """Returns the caller's names of a main graph's inputs and outputs by the graph's own."""
    names = {value.name: value.name for value in (*part.main.inputs, *part.main.outputs)}
    if signature is None:
        return names
    return names | {value.name: name for ends in (signature.inputs, signature.outputs) for name, value in ends.items()}
