"""Runs of a model, and inputs for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from os import PathLike

import numpy as np

from tosa_converter.api.loading import Source, as_model
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.engines import Engine, can_keep_values, engine_for, initial_states, run_and_keep, source_engine
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import by_tensor_name
from tosa_converter.execute.limits import SECONDS
from tosa_converter.execute.plan import Keep
from tosa_converter.ir import Array, Model, Signature, Value
from tosa_converter.known_dims import resolve_dims, with_known_dims
from tosa_converter.proof import input_sets, media
from tosa_converter.proof.adversarial import Adversary
from tosa_converter.proof.indices import index_limits
from tosa_converter.rules.gate import require_legal


def run(
    model: Model | Source,
    inputs: Mapping[str, Array] | Array,
    *,
    keep: Keep = (),
    signature: str = "",
    engine: Engine | str = "",
    limit: float = SECONDS,
) -> dict[str, Array]:
    """Runs a model's main graph, or that of a signature; returns arrays by output name.

    Args:
        model: a model, or what `load` takes. It must be legal, but may exceed the limits of any level.
        inputs: by the names of the graph's inputs, or those of a signature; or the array of a model's only input.
        keep: intermediate values to return besides the outputs, or their names, or "all".
        signature: the name of the signature to run, whose names the outputs then have.
        engine: which one by name: executor (this package's own, the default for TOSA), litert (LiteRT's reference
            kernels, the default for TFLite), litert-optimized, litert-xnnpack, tosa-reference-model, vulkan, executorch
            (the default for XNNGraphs and programs).
        limit: seconds that the executor accepts, by an estimate from the operators' shapes; math.inf for any.

    Returns:
        Arrays by the names of the outputs, then of the kept values.

    Raises:
        VerifyError: the graph is illegal, with every condition that is violated.
        UsageError: inputs that are missing or don't fit; more memory than there is, or more time than the limit; an
            engine that there isn't or that doesn't run such models or keep their values.
        UnpredictableError: a REQUIRE of the specification doesn't hold for these inputs.

    Example:
        >>> import tosa_converter as tc
        >>> inputs = tc.random_inputs("models/digits_int8.tflite")
        >>> tc.run(tc.convert("models/digits_int8.tflite"), inputs)["StatefulPartitionedCall_1:0"].shape
        (1, 10)
    """
    model = as_model(model, signature)
    chosen = engine_for(model, engine, limit) if isinstance(engine, str) else engine
    if signature:
        inputs = _by_caller_names(model.signatures[signature], inputs)
    arrays = {**initial_states(model), **by_tensor_name(model, _named_inputs(model, inputs))}
    model = resolve_dims(model, {name: array.shape for name, array in arrays.items()})
    outputs = run_and_keep(chosen, model, arrays, keep) if keep else chosen.run(model, arrays)
    if not signature:
        return outputs
    names = {value.name: name for name, value in model.signatures[signature].outputs.items()}
    return {names.get(name, name): array for name, array in outputs.items()}


def _by_caller_names(signature: Signature, inputs: Mapping[str, Array] | Array) -> Mapping[str, Array] | Array:
    """Returns inputs by the graph's names in place of the signature's; a single array as it is.

    The signature's names come first: one of them may be the graph's name of another input.
    """
    if not isinstance(inputs, Mapping):
        return inputs
    names = {name: value.name for name, value in signature.inputs.items()}
    return {names.get(name, name): array for name, array in inputs.items()}


def run_steps(
    model: Model | Source,
    steps: Sequence[Mapping[str, Array] | Array],
    *,
    engine: Engine | str = "",
    limit: float = SECONDS,
) -> list[dict[str, Array]]:
    """Runs a model's main graph several times, each time with the state of the run before.

    Args:
        model: a model, or what `load` takes.
        steps: for each run arrays by input name, or the array of a model's only input; states that are inputs may be
            left out.
        engine: see `run`.
        limit: see `run`, for each step.

    Returns:
        The outputs of each run, as `run` returns them.

    Raises:
        UsageError: no steps, an engine that keeps no variables, or as `run`.

    Example:
        >>> import tosa_converter as tc
        >>> inputs = tc.random_inputs("models/digits_int8.tflite")
        >>> len(tc.run_steps(tc.convert("models/digits_int8.tflite"), [inputs, inputs]))
        2
    """
    model = as_model(model)
    if not steps:
        raise UsageError("expected at least one step")
    chosen = engine_for(model, engine, limit) if isinstance(engine, str) else engine
    arrays = [by_tensor_name(model, _named_inputs(model, inputs)) for inputs in steps]
    model = resolve_dims(model, {name: array.shape for name, array in arrays[0].items()})
    return chosen.run_steps(model, arrays)


def _named_inputs(model: Model, inputs: Mapping[str, Array] | Array) -> Mapping[str, Array]:
    """Returns inputs by name; a single array is that of the only input.

    Raises:
        UsageError: a single array for several inputs, or something else than arrays.
    """
    if isinstance(inputs, Mapping):
        return inputs
    values = input_sets.given_inputs(model)
    names = ", ".join(value.name for value in values) or "none"
    if not isinstance(inputs, np.ndarray):
        raise UsageError(f"expected arrays by the names of the inputs ({names}), found {type(inputs).__name__}")
    if len(values) != 1:
        raise UsageError(f"expected arrays by the names of {len(values)} inputs ({names}), found a single array")
    return {values[0].name: inputs}


def random_inputs(
    model: Model | Source,
    *,
    seed: int = 0,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Array]:
    """Returns random inputs: the full range of small integers, standard normal floats, fair booleans.

    Inputs that operators use as indices stay in range.

    Args:
        model: of any opset.
        seed: seed of the first random set.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.
        ranges: the least and the greatest random number by an input's name, or by "" for all other inputs: uniform
            floats, the reals that quantized integers stand for, or other integers themselves.

    Raises:
        UsageError: shapes that don't fit the model or the memory, or a type that has no random values.
        VerifyError: the graph is illegal, so that its shapes may be any numbers.

    Example:
        >>> import tosa_converter as tc
        >>> {name: array.shape for name, array in tc.random_inputs("models/digits_int8.tflite").items()}
        {'serving_default_image:0': (1, 8, 8, 1)}
    """
    model = with_known_dims(as_model(model), input_shapes or {})
    require_legal(model)
    shapes = {value.name: shape for value, shape in model.default_shapes.items()}
    within = {**index_limits(model), **ranges_by_input(model, ranges)}
    return input_sets.random_inputs(
        model.main.inputs, shapes | resolve_input_shapes(model, input_shapes or {}), seed, within
    )


def ranges_by_input(model: Model, ranges: Mapping[str, tuple[float, float]] | None) -> dict[str, tuple[float, float]]:
    """Returns the user's ranges of random numbers by the names of the main graph's inputs; "" is for all others."""
    rest = {name: range for name, range in (ranges or {}).items() if not name}
    return by_tensor_name(model, {name: range for name, range in (ranges or {}).items() if name}) | rest


def adversarial_inputs(
    model: Model | Source,
    *,
    steps: int = 0,
    runs: int = 10,
    seed: int = 0,
    input_shapes: Mapping[str, Sequence[int]] | None = None,
) -> list[dict[str, Array]]:
    """Returns sets of inputs that cause saturation, rounding ties and limit values, from a source's own scales.

    The sets contain ends of ranges, zero points, special floats where their results are defined, and the first and last
    index. Others make the sums of layers lie next to a tie of the result, or are changed bit by bit until intermediate
    values reach the ends of their ranges.

    Args:
        model: of any opset, or what `load` takes.
        steps: how many runs in a row each set is for; arrays are [steps, ...] then. 0 is for a single run.
        runs: how many sets of random or adversarial inputs.
        seed: seed of the first random set.
        input_shapes: shapes of inputs with unknown dimensions, by name; the shapes in the file by default.

    Raises:
        UsageError: as `random_inputs`.
        ConverterError: the engine that is asked for intermediate values refuses the model or fails.

    Example:
        >>> import tosa_converter as tc
        >>> len(tc.adversarial_inputs(tc.convert("models/digits_int8.tflite"), runs=3))
        3
    """
    input_sets.require_runs(runs)
    model = with_known_dims(as_model(model), input_shapes or {})
    require_legal(model)
    shapes = {value.name: shape for value, shape in model.default_shapes.items()}
    shapes |= resolve_input_shapes(model, input_shapes or {})
    values = [Value(v.type._replace(shape=shapes.get(v.name, v.type.shape)), v.name) for v in model.main.inputs]
    further = adversarial_sets(model, {value.name: value.type.static for value in values}, seed, steps)
    return input_sets.input_sets(further, runs)


def adversarial_sets(
    model: Model, shapes: Mapping[str, tuple[int, ...]], seed: int, steps: int
) -> Callable[[int], dict[str, Array]]:
    """Returns a function that makes the i-th set of adversarial inputs; with steps, its arrays are [steps, ...]."""
    engine = source_engine(model)

    def observe(arrays: Mapping[str, Array], name: str) -> Array:
        """Returns a tensor's value in a run, by which the adversary moves it towards its limits."""
        return run_and_keep(engine, model, {**initial_states(model), **arrays}, [name])[name]

    adversary = Adversary(model, shapes, seed, observe if can_keep_values(engine) else None)

    def inputs_of(i: int) -> dict[str, Array]:
        """Returns the i-th set: one array for each input, or the arrays of all steps stacked."""
        if not steps:
            return adversary.inputs(i)
        # Every step of every set has a number of its own: with 10 steps, set 2 has 20 to 29.
        sets = [adversary.inputs(i * steps + step) for step in range(steps)]
        return {name: np.stack([arrays[name] for arrays in sets]) for name in sets[0]}

    return inputs_of


def image_input(model: Model | Source, path: str | PathLike[str], *, name: str = "", scale: str = "") -> Array:
    """Reads a PNG, JPEG, BMP, GIF, PPM, TIFF or WebP as an input of a model, with Pillow (extra `media`).

    It is resized to the input's height and width, in its channels (1, 3 or 4, last or in front).

    Args:
        model: of any opset, or what `load` takes.
        path: of the file.
        name: of the input; not needed if there is one.
        scale: raw (0 to 255), 0..1, -1..1 or MEAN,STD; through the scale and zero point of a quantized input. Unless
            given, the whole range of integers of 8 and 16 bits, raw for others, 0..1 for floats.

    Returns:
        The array, in the type and shape of the input.

    Raises:
        MissingExtra: Pillow is not installed.
        UsageError: a file that isn't such an image, is damaged or too large, or an input that holds none.
    """
    return media.image_input(str(path), media.input_of(as_model(model), name), scale)


def audio_input(
    model: Model | Source, path: str | PathLike[str], *, name: str = "", scale: str = "", windows: int = 0
) -> Array:
    """Reads a WAV file of PCM as an input of a model, mixed to one channel at the file's own rate.

    Args:
        model: of any opset, or what `load` takes.
        path: of the file.
        name: of the input; not needed if there is one.
        scale: raw (the file's integers), 0..1, -1..1 or MEAN,STD; through the scale and zero point of a quantized
            input. Unless given, the whole range of integers of 8 and 16 bits, raw for others, -1..1 for floats.
        windows: how many; as many as the file fills if 0. Behind its end is silence.

    Returns:
        The array, [windows, *shape] in the type of the input.

    Raises:
        UsageError: a file that isn't such a sound, is damaged or too large, or an input that holds no samples.
    """
    return media.audio_input(str(path), media.input_of(as_model(model), name), scale, windows)
