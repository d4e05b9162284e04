"""Prints tables of IREE's results on TOSA: for every row of the type tables, for real models, for every target.

`PYTHONPATH=tests python -m longer.iree operators`, `... models [NAME ...]`, `... targets [NAME ...]`, which runs
modules for Vulkan on the driver that VK_ICD_FILENAMES names; `... random FIRST LAST` runs models of random operators by
their seeds, in every type, against LiteRT. Exit status 1 where a result differs.
"""

import importlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from support.cases.sketch import Sketch
from support.commands import MODELS
from support.legalizing import as_signless, compare
from support.random_models import grow
from support.spirv_cases import CASES, Case
from support.tflite_models import run_litert
from support.vulkan_cases import judge

import tosa_converter as tc
from tosa_converter.engines import initial_states
from tosa_converter.engines.iree import Iree
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.formats.storage import cache_folder
from tosa_converter.formats.vmfb import HOST
from tosa_converter.ir import Array, Model
from tosa_converter.proof.compare import DIFFERS, SPREAD
from tosa_converter.proof.judgement import difference, largest
from tosa_converter.proof.zoo import manifest, path_of

PRESET, STEPS = "iree-cpu", 50
SHAPES = {"melspectrogram": {"serving_default_input:0": (1, 1280)}}  # where the file's own is too small to run
UNJUDGED = ("face_landmark_with_attention",)  # LiteRT lacks its operators
THREE = {"float": "digits_float32.tflite", "int8": "digits_int8.tflite", "streaming": "small/keywords.int8.tflite"}
ENDING = 20  # seconds for a model on a device
RISCV = "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c"
BACKEND = "--iree-hal-target-backends="
TARGETS = {
    "host": ("local-task", *HOST),
    "aarch64": ("", f"{BACKEND}llvm-cpu", "--iree-llvmcpu-target-triple=aarch64-linux-gnu"),
    "riscv64": ("", f"{BACKEND}llvm-cpu", "--iree-llvmcpu-target-triple=riscv64-linux-gnu", RISCV),
    "wasm32": ("", f"{BACKEND}llvm-cpu", "--iree-llvmcpu-target-triple=wasm32-unknown-emscripten"),
    "vmvx": ("local-task", f"{BACKEND}vmvx"),
    "vmvx-inline": ("", f"{BACKEND}vmvx-inline", "--iree-execution-model=inline-static"),
    **{name: ("", f"{BACKEND}cuda", f"--iree-cuda-target={name}") for name in ("sm_60", "sm_75", "sm_80", "sm_90")},
    **{name: ("", f"{BACKEND}rocm", f"--iree-rocm-target={name}") for name in ("gfx90a", "gfx942", "gfx1100")},
    "llvmpipe": ("vulkan", f"{BACKEND}vulkan-spirv", "--iree-vulkan-target=llvmpipe"),
    **{
        name: ("", f"{BACKEND}vulkan-spirv", f"--iree-vulkan-target={name}")
        for name in ("turing", "ampere", "ada", "rdna1", "rdna3", "valhall4", "adreno", "vp_android_baseline_2022")
    },
    "metal": ("", f"{BACKEND}metal-spirv"),
}  # the driver that runs it here, if any, and the flags
KEPT = Path(cache_folder("iree")) / "models.jsonl"


class Row(NamedTuple):
    """An operator on some types: the number of its graphs that run, and the errors of the others."""

    name: str
    good: int
    refused: Counter[str]
    differing: list[str]

    def text(self) -> str:
        parts = [f"{self.good} as expected"] if self.good else []
        parts += [f"{count} refused: {reason}" for reason, count in self.refused.items()]
        return f"| {self.name} | {'; '.join([*parts, *self.differing])} |"


def operators() -> Iterator[Row]:
    """Yields a row for every combination with an error, and one that sums up the rest."""
    engine, rows = Iree(), dict[str, Row]()
    for case in CASES:
        row = rows.setdefault(case.name.rpartition("_")[0], Row(case.name.rpartition("_")[0], 0, Counter(), []))
        rows[row.name] = _counted(row, case, engine)
    whole = [row for row in rows.values() if not row.refused and not row.differing]
    yield Row(f"{len(whole)} operators and types", sum(row.good for row in whole), Counter(), [])
    yield from (row for row in rows.values() if row not in whole)


def _counted(row: Row, case: Case, engine: Iree) -> Row:
    try:
        wrong = judge(case, engine, excused=())
    except UnsupportedError as refusal:
        row.refused[_reason(refusal)] += 1
        return row
    except ConverterError as failure:
        wrong = str(failure)
    return (
        row._replace(differing=[*row.differing, f"{case.name}: {wrong}"]) if wrong else row._replace(good=row.good + 1)
    )


def _reason(refusal: UnsupportedError) -> str:
    """Returns the first line of the compiler's error, without the place."""
    return re.sub(r"^(here/\w+|\w+:\d+ \w+ '.*?'): ", "", (*refusal.lines[1:], refusal.lines[0])[0]).partition(
        ", did you mean"
    )[0]


class Outcome(NamedTuple):
    """The result of a model in IREE; `refusal` says why there are no figures."""

    name: str
    module: str  # the name of its file, which tells one text from another
    steps: int
    rule: str
    wrong: int
    elements: int
    worst: float  # as a part of the largest element
    seconds: float  # CPU seconds of the compiler
    size: int
    refusal: str = ""

    @property
    def good(self) -> bool:
        """Returns whether the conversion counts as equivalent."""
        return not self.refusal and self.rule != DIFFERS

    def text(self) -> str:
        figures = f"{self.seconds:.1f} s, {self.size / 1024:.0f} KB"
        if self.refusal:
            return f"| {self.name} | refused: {self.refusal} | |"
        verdict = f"{self.wrong} of {self.elements} differ, {self.worst:.1g} of the largest: {self.rule}"
        return f"| {self.name} | {verdict} | {figures} |"


def models(paths: Sequence[Path]) -> Iterator[Outcome]:
    """Yields the result of each model; an earlier result for the same module is reused."""
    earlier = {outcome.module: outcome for outcome in _earlier_outcomes()}
    engine = Iree()
    for path in paths:
        try:
            source = tc.load(path)
            shapes = SHAPES.get(path.stem)
            model = tc.convert(source, target=PRESET, input_shapes=shapes)
            module = engine.module_path(model)
            outcome = earlier.get(module.name)
            if outcome is None:
                outcome = _outcome(path.stem, source, model, engine)
                with KEPT.open("a") as file:
                    file.write(json.dumps(outcome) + "\n")
        except ConverterError as error:
            outcome = Outcome(path.stem, "", 0, "", 0, 0, 0.0, 0.0, 0, " ".join(error.lines[:2]))
        yield outcome._replace(name=path.stem)


def _earlier_outcomes() -> list[Outcome]:
    return [Outcome(*json.loads(line)) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def _outcome(name: str, source: Model, model: Model, engine: Iree) -> Outcome:
    """Compiles a model and compares it with LiteRT's reference kernels, or our executor if those don't run it."""
    path = engine.module_path(model)
    path.unlink(missing_ok=True)
    started = os.times().children_user
    size = engine.module(model).stat().st_size
    seconds = os.times().children_user - started
    oracle, reference = (model, "") if name in UNJUDGED else (source, "litert,")
    steps = STEPS * model.stateful
    (report,) = tc.compare(oracle, model, runs=1 if steps else 2, steps=steps, against=f"{reference}iree")
    worst = max(output.max_abs / (output.reference_max or 1) for output in report.outputs)
    wrong, elements = (
        sum(counts) for counts in zip(*((o.mismatches, o.elements) for o in report.outputs), strict=True)
    )
    rules = {output.rule for output in report.outputs}
    rule = next(rule for rule in (DIFFERS, SPREAD, *sorted(rules, reverse=True)) if rule in rules)
    return Outcome(name, path.name, steps, rule, wrong, elements, worst, seconds, size)


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yields a table in Markdown; models that are equal in every element share a row."""
    version = importlib.metadata.version("iree-base-compiler")
    setting = f"{time.strftime('%Y-%m-%d')}, IREE {version}, `--target {PRESET}`, {STEPS} steps where a model has state"
    yield f"`PYTHONPATH=tests python -m longer.iree models`, {setting}."
    yield ""
    yield "| model | against LiteRT's reference kernels | compiler's CPU time, size |"
    yield "| --- | --- | --- |"
    yield from (outcome.text() for outcome in outcomes if outcome.wrong or outcome.refusal)
    equal = [outcome for outcome in outcomes if not (outcome.wrong or outcome.refusal)]
    names = (f"{outcome.name} ({outcome.seconds:.1f} s, {outcome.size / 1024:.0f} KB)" for outcome in equal)
    elements = sum(outcome.elements for outcome in equal)
    yield f"| {', '.join(names)} | each of {elements:,} elements equal | |"


def targets(chosen: Sequence[str]) -> Iterator[str]:
    """Yields a table in Markdown: three models compiled for each target, and their runs on this machine."""
    models = {kind: tc.convert(MODELS / name, target=PRESET) for kind, name in THREE.items()}
    yield f"| flags | {' | '.join(models)} |"
    yield f"| --- |{' --- |' * len(models)}"
    for name, (device, *flags) in TARGETS.items():
        if not chosen or name in chosen:
            cells = [_on_target(model, device, flags) for model in models.values()]
            yield f"| {' '.join(flags).replace('--iree-', '')} | {' | '.join(cells)} |"


def _on_target(model: Model, device: str, flags: Sequence[str]) -> str:
    with tempfile.TemporaryDirectory(prefix="tosa-") as folder:
        path = Path(folder) / "model.vmfb"
        try:
            tc.save(model, path, flags=flags)
        except UnsupportedError as refusal:
            return (
                f"refused: {refusal.lines[1].rpartition(chr(39) + ': ')[2] if refusal.lines[1:] else refusal.lines[0]}"
            )
        inputs = {**tc.random_inputs(model), **initial_states(model)}
        try:
            outputs = _executed(path, model, device, inputs) if device else None
        except subprocess.TimeoutExpired:
            return f"compiled; did not end within {ENDING} s"
        except subprocess.CalledProcessError as error:
            return f"compiled; fails: {error.stderr.strip().splitlines()[0]}"
        if outputs is None:
            return "compiled, not run"
        pairs = zip(outputs, tc.run(model, inputs).values(), strict=True)
        off = max(
            float(difference(expected, array).max(initial=0.0)) / (largest(expected) or 1.0)
            for array, expected in pairs
        )
        return f"run, differs by {off:.1g} of the largest" if off else "run, equal"


def _executed(path: Path, model: Model, device: str, inputs: Mapping[str, Array]) -> list[Array]:
    """Returns the outputs of iree-run-module in a process of its own, which ends even if the driver crashes."""
    (libraries,) = importlib.import_module("iree._runtime_libs").__path__
    words = [os.path.join(libraries, "iree-run-module")]
    words += [f"--module={path}", f"--device={device}", f"--function={model.main.name}"]
    for i, array in enumerate(inputs.values()):
        np.save(path.with_name(f"in{i}.npy"), array)
        words.append(f"--input=@{path.with_name(f'in{i}.npy')}")
    outputs = [path.with_name(f"out{i}.npy") for i in range(len(model.main.outputs))]
    words += [f"--output=@{output}" for output in outputs]
    subprocess.run(words, capture_output=True, text=True, timeout=ENDING, check=True)
    return [np.load(output) for output in outputs]


def random(first: int, last: int) -> Iterator[tuple[str, bool]]:
    """Yields IREE's results on random models, and whether each is correct."""
    engine = Iree()
    for seed, dtype in product(range(first, last), ("int8", "uint8", "float32")):
        data, arrays = grow(Sketch(seed, dtype), 5 + seed % 26).finish()
        expected = run_litert(data, arrays, apart=True)
        model = tc.convert(data, target=PRESET)
        fed = {value.name: as_signless(array) for value, array in zip(model.main.inputs, arrays, strict=True)}
        try:
            compare(list(engine.run(model, fed).values()), expected, 1e-5 if dtype == "float32" else 0.0)
        except (AssertionError, ConverterError) as found:
            yield f"{dtype} {seed}: {' '.join(str(found).split())[:200]}", False
        else:
            yield f"{dtype} {seed}: as it should be", True


def main() -> int:
    action, *names = sys.argv[1:] or ["operators"]
    if action == "random":
        outcomes = []
        for line, good in random(*map(int, names)):
            outcomes.append(good)
            if not good:
                print(line, flush=True)
        print(f"{sum(outcomes)} of {len(outcomes)} as expected")
        return int(not all(outcomes))
    if action == "targets":
        for line in targets(names):
            print(line, flush=True)
        return 0
    if action == "operators":
        rows = []
        for row in operators():
            print(row.text(), flush=True)
            rows.append(row)
        return int(any(row.differing for row in rows))
    every = [*sorted((MODELS / "small").glob("*.tflite")), *map(path_of, manifest())]
    measured = []
    for outcome in models([path for path in every if not names or path.stem in names]):
        print(outcome.text(), file=sys.stderr, flush=True)
        measured.append(outcome)
    print("\n".join(table(measured)))
    return int(not all(outcome.good for outcome in measured))


if __name__ == "__main__":
    sys.exit(main())
