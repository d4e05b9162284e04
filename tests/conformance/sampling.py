"""Draws tests from Arm's conformance generator (tosa-tools, tosa_verif_build_tests) and writes them to a folder."""

import copy
import io
import logging
import math
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tosa_converter.schemas.tosa_ops import BY_OPCODE
from tosa_converter.schemas.tosa_target import EXTENSIONS, PROFILES, VERSION

SPECIFICATION = "1.0.0"
KINDS = ("positive", "negative")
# Sizes of dimensions: large ones for data sets that need many elements, small ones for high ranks.
LARGE, SMALL = "1,64", "1,16"
# Random shapes of rank 6 reach 64**6 elements, at which the generator's library crashes.
LARGEST = 1 << 18
# The reference model takes about 10 ns for a product.
MOST_PRODUCTS = 1 << 24
# Random shapes of these hardly ever reach the 1000 products that the generator wants.
SHAPES = {name: [[1, 32, 32], [2, 16, 32], [1, 64, 16], [3, 8, 64], [1, 1, 2048]] for name in ("FFT2D", "RFFT2D")}


@dataclass(frozen=True, slots=True)
class Job:
    """The positive or negative tests of one operator: `count` per combination of types, `variants` per error or kernel.

    `fast` is Executable's: whether what has a quick form runs in that.
    """

    operator: str
    kind: str
    seed: int
    count: int
    variants: int
    fast: bool = True


class Drawn(NamedTuple):
    """A test on disk; `error` is the generator's name of its error, "" for a legal graph."""

    folder: Path
    types: str
    error: str


def operators(pattern: str = "") -> list[str]:
    """Returns the rows of TOSA 1.0 that the generator has tests for and whose name contains `pattern`."""
    return sorted(name for name in _names_by_operator() if pattern.lower() in name.lower())


def draw(job: Job, folder: Path) -> Iterator[Drawn]:
    """Writes the tests of a job below `folder`; the same job always gives the same tests.

    Tests that are there already are not written again; one whose random values turn out not to be in error is left out.
    """
    generators = [_generator(folder, job.seed, dimensions) for dimensions in _dimensions(job)]
    tests_by_name = {str(test): (generator, test) for generator in generators for test in _tests(generator, job)}
    order = sorted(tests_by_name)
    random.Random(f"{job.seed} {job.operator} {job.kind}").shuffle(order)
    types: Counter[str] = Counter()
    variants: Counter[str] = Counter()
    for generator, test in map(tests_by_name.__getitem__, order):
        kinds, variant = _types(test), test.error or test.opName
        if types[kinds] >= job.count and variants[variant] >= job.variants:
            continue
        target = folder / test.opName / str(test)
        if _written(generator, test, target):
            types[kinds] += 1
            variants[variant] += 1
            yield Drawn(target, kinds, test.error or "")


def _written(generator: Any, test: Any, target: Path) -> bool:
    if not (target / "desc.json").is_file():
        with redirect_stdout(io.StringIO()), suppress(IndexError, ValueError):  # it fails on its own illegal shapes
            generator.serializeTest(test)
    return (target / "desc.json").is_file()


def _tests(generator: Any, job: Job) -> Iterator[Any]:
    from generator.tosa_test_select import TosaTestSelect

    profiles = [f"tosa-{name.lower()}" for name in PROFILES]
    extensions = [f"tosa-{extension.name.lower()}" for extension in EXTENSIONS if extension.since == VERSION]
    shapes = [None, *SHAPES.get(job.operator, ())] if job.kind == "positive" else [None]
    for name in _names_by_operator()[job.operator]:
        for arguments in generator.genOpTestList(name, shapes, None, None, testType=job.kind):
            test = TosaTestSelect(arguments)
            if test.isSupported(profiles, extensions) and _is_small(test):
                yield test


def _dimensions(job: Job) -> tuple[str, ...]:
    if job.kind == "negative":
        return (SMALL,)
    operands = BY_OPCODE["tosa." + job.operator.lower()].inputs
    return (LARGE,) if operands and all(operand.rank[1] <= 5 for operand in operands) else (LARGE, SMALL)


def _is_small(test: Any) -> bool:
    if sum(math.prod(map(int, shape)) for shape in test.shapeList) > LARGEST:
        return False
    arguments = test.argsDict
    return test.error is not None or arguments.get("dot_products", 0) * arguments.get("ks", 0) <= MOST_PRODUCTS


def _types(test: Any) -> str:
    types = test.dtype if isinstance(test.dtype, list | tuple) else [test.dtype]
    return ",".join(dict.fromkeys(getattr(dtype, "name", str(dtype)).lower() for dtype in types))


@cache
def _names_by_operator() -> dict[str, list[str]]:
    """Returns the generator's names of each operator of TOSA 1.0; conv2d has one per kernel size."""
    generator = _generator(Path("."), 0, SMALL)
    names: dict[str, list[str]] = {}
    for name, entry in generator.TOSA_OP_LIST.items():
        row = BY_OPCODE.get("tosa." + entry["op"].name.lower())
        if row is not None and row.since == VERSION:
            names.setdefault(row.name, []).append(name)
    return names


def _generator(folder: Path, seed: int, dimensions: str) -> Any:
    import conformance.model_files as files
    from generator import tosa_verif_build_tests as command

    options = ["--tosa-version", SPECIFICATION, "--seed", str(seed), "--tensor-dim-range", dimensions]
    arguments = command.parseArgs([*options, "-o", str(folder)])
    arguments.generate_lib_path = files.find_tosa_file(files.TosaFileType.GENERATE_LIBRARY, None, False)
    return _fresh_class()(arguments, command._get_tosa_version(SPECIFICATION))


def _fresh_class() -> Any:
    """Returns the generator's class with its own table of operators, from which listing tests removes data sets."""
    from generator.tosa_test_gen import TosaTestGen

    return type("Fresh", (TosaTestGen,), {"TOSA_OP_LIST": copy.deepcopy(_table())})


@cache
def _table() -> Any:
    import schemavalidation.schemavalidation as validation
    from generator.tosa_test_gen import TosaTestGen

    logging.getLogger("tosa_verif_build_tests").setLevel(logging.CRITICAL)
    # The generator validates its own JSON against its own schema, 40 ms each time: nine tenths of its running time.
    validation.TestDescSchemaValidator.validate_config = lambda *_arguments, **_options: None
    return copy.deepcopy(TosaTestGen.TOSA_OP_LIST)
