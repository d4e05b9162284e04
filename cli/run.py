"""`tflite-to-tosa run`: a model on inputs from files, or on random ones."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import tosa_converter as tc
from tosa_converter.cli import options, report
from tosa_converter.cli.arrays import require_output, save_outputs
from tosa_converter.cli.columns import counted
from tosa_converter.cli.input_files import InputFiles
from tosa_converter.cli.sources import source_file
from tosa_converter.conversion import resolve_input_shapes
from tosa_converter.engines import Engine, engine_for
from tosa_converter.engines.executor import Executor
from tosa_converter.engines.stepped import stack_steps
from tosa_converter.errors import UsageError
from tosa_converter.execute.inputs import main_inputs
from tosa_converter.execute.limits import SECONDS
from tosa_converter.ir import Array, Model
from tosa_converter.known_dims import with_known_dims
from tosa_converter.memory import require_memory
from tosa_converter.options import InputOptions
from tosa_converter.proof.input_sets import arrange_inputs
from tosa_converter.rules.gate import require_legal

FROM_FILES, RANDOM, ADVERSARIAL = "files", "random", "adversarial"
_STEP = 1024  # bytes that a step needs besides its arrays


@dataclass(frozen=True, slots=True)
class OutputSummary:
    """The figures of one output; `member` is its name in a .npz if that differs."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    min: float
    max: float
    mean: float
    member: str | None = None


@dataclass(frozen=True, slots=True)
class RunReport:
    """The report of one run, or of several in a row; without a seed the inputs came from files.

    Of a folder's files, or of several sets, which are runs of their own, outputs are [runs, ...].
    """

    file: str
    engine: str
    seconds: float
    steps: int
    seed: int | None
    outputs: tuple[OutputSummary, ...]
    inputs: str = RANDOM  # or FROM_FILES, ADVERSARIAL
    runs: int = 1

    def figures(self) -> dict[str, Any]:
        """Returns the report as plain data, for --json.

        An output has a `member`, its name in the saved .npz, only if that isn't its own name.
        """
        figures = asdict(self)
        for row in figures["outputs"]:
            if row["member"] is None:
                del row["member"]
        return figures


@options.takes(options.RUN)
def run(
    model: options.Model,
    output: options.Arrays = "",
    against: options.Against = "",
    limit: options.RunLimit = None,
    json: options.Json = False,
    **words: Any,
) -> int:
    """Run a model on inputs from files, or on random or adversarial inputs."""
    files = InputFiles.of(words)
    done = run_file(source_file(model), files, output, against, limit, **options.api_values(words))
    done = replace(done, file=model)
    report.present(done.figures, lambda: report.run_lines(done), json=json)
    return 0


def run_file(
    path: str,
    files: InputFiles,
    output: str,
    engine_name: str,
    limit: float | None,
    *,
    input_shapes: Mapping[str, tuple[int, ...]],
    signature: str,
    **inputs: Any,
) -> RunReport:
    """Runs a model and returns the report of its outputs.

    These are saved to `output` as .npy or .npz, unless it is "". `limit` is how many seconds the executor may estimate
    for the run; None is its default. `inputs` are the fields of `InputOptions`. Outputs of several sets are [sets,
    ...].
    """
    model = tc.selected(path, signature) if signature else tc.load(path)
    model = with_known_dims(model, input_shapes)
    require_legal(model)  # before inputs are made of its shapes
    engine = engine_for(model, engine_name, SECONDS if limit is None else limit)
    if limit is not None and engine.name != Executor.name:
        raise UsageError(
            f"--limit can't apply: {engine.name} runs the model, and only the executor estimates its time",
            "next: leave out --limit",
        )
    if output:
        require_output(output, len(model.main.outputs), files.files, main_inputs(model))
    shapes = resolve_input_shapes(model, input_shapes)
    chosen = InputOptions(**inputs)
    runs_of_sets, steps, kind = _sets(model, files, shapes, chosen)
    started = time.perf_counter()
    results = [_outputs(model, runs, engine, stepped=steps > 0) for runs in runs_of_sets]
    outputs = _stack_runs(results) if files.samples or chosen.runs > 1 else results[0]
    seconds = time.perf_counter() - started
    members = save_outputs(output, outputs) if output else list(outputs)
    rows = [
        _summary(name, array, None if member == name else member)
        for (name, array), member in zip(outputs.items(), members, strict=True)
    ]
    seed = None if kind == FROM_FILES else chosen.seed
    return RunReport(path, engine.name, seconds, steps or 1, seed, tuple(rows), kind, len(runs_of_sets))


def _sets(
    model: Model, files: InputFiles, shapes: Mapping[str, tuple[int, ...]], options: InputOptions
) -> tuple[list[list[dict[str, Array]]], int, str]:
    """Returns the inputs of a run by set and step, the number of steps (0 for a single run), and where they come from.

    That is FROM_FILES, ADVERSARIAL or RANDOM. Each set is a run of its own.
    """
    steps, runs, seed = options.steps, options.runs, options.seed
    sets = files.sets(model, shapes, steps)
    if sets:
        sets, count = arrange_inputs(model, sets, steps, stateful=True)
        steps = count if count > 1 else steps
        return [_runs(partial(_step_inputs, arrays), steps or 1) for arrays in sets], steps, FROM_FILES
    if options.adversarial:
        sets = tc.adversarial_inputs(model, steps=steps or 1, runs=runs, seed=seed, input_shapes=shapes)
        return [_runs(partial(_step_inputs, arrays), steps or 1) for arrays in sets], steps, ADVERSARIAL

    def random_step(number: int) -> dict[str, Array]:
        """Returns the random inputs of one step; each step of each set has its own seed."""
        return tc.random_inputs(model, seed=seed + number, input_shapes=shapes, ranges=options.ranges)

    count = steps or 1
    all_steps = _runs(random_step, runs * count)
    return [all_steps[i * count : (i + 1) * count] for i in range(runs)], steps, RANDOM


def _runs(of_step: Callable[[int], dict[str, Array]], steps: int) -> list[dict[str, Array]]:
    """Returns the inputs of every step; raises UsageError if they need more memory than there is."""
    first = of_step(0)
    require_memory(
        f"a run of {counted(steps, 'step')}", steps * (_STEP + sum(array.nbytes for array in first.values()))
    )
    return [first, *map(of_step, range(1, steps))]


def _step_inputs(arrays: Mapping[str, Array], step: int) -> dict[str, Array]:
    """Returns the inputs of one step from arrays [steps, ...]."""
    return {name: array[step] for name, array in arrays.items()}


def _outputs(model: Model, runs: Sequence[Mapping[str, Array]], engine: Engine, *, stepped: bool) -> dict[str, Array]:
    """Returns a model's outputs of its first run, or if `stepped` those of all runs in a row as arrays [steps, ...].

    The steps share states: each continues with those that the previous one computed.
    """
    if stepped:
        return _stack_runs(tc.run_steps(model, _without_states(model, runs), engine=engine))
    return tc.run(model, runs[0], engine=engine)


def _without_states(model: Model, runs: Sequence[Mapping[str, Array]]) -> list[Mapping[str, Array]]:
    """Returns the inputs of every step, without values of states behind the first step.

    A later step continues with the states that the previous step computed.
    """
    # Random inputs have an array for each state in every step. That of step 0 is the initial state; those of later
    # steps would replace the states that the model computed.
    states = {state.input for state in model.main_states}
    later = [{name: array for name, array in run.items() if name not in states} for run in runs[1:]]
    return [runs[0], *later]


def _stack_runs(runs: Sequence[Mapping[str, Array]]) -> dict[str, Array]:
    """Returns the outputs of several runs as arrays [runs, ...] by name."""
    return {name: stack_steps(name, [run[name] for run in runs]) for name in runs[0]}


def _summary(name: str, array: Array, member: str | None) -> OutputSummary:
    """Returns the least, largest and mean element of an output, zeros if it is empty.

    `member` is its name in the saved .npz.
    """
    values = array.astype(np.float64) if array.size else np.zeros(1)
    with np.errstate(all="ignore"):  # the mean of infinities may be NaN
        low, high, mean = float(values.min()), float(values.max()), float(values.mean())
    return OutputSummary(name, str(array.dtype), array.shape, low, high, mean, member)
