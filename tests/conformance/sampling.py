"""Draws tests from Arm's conformance generator (tosa-tools, tosa_verif_build_tests) and writes them to a folder."""

import io
import math
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tosa_converter.schemas.tosa_ops import BY_OPCODE
from tosa_converter.schemas.tosa_target import EXTENSIONS, PROFILES

SPECIFICATION = "1.0.0"
KINDS = ("positive", "negative")
# Random shapes of rank 6 reach 64**6 elements, at which the generator's library crashes.
DIMENSIONS = "1,24"
LARGEST = 1 << 19


class Job(NamedTuple):
    """One operator's positive or negative tests; `count` per combination of types, `variants` per error or kernel size."""

    operator: str
    kind: str
    seed: int
    count: int
    variants: int


class Drawn(NamedTuple):
    """A test on disk."""

    folder: Path
    types: str


def operators(pattern: str = "") -> list[str]:
    """The rows of TOSA 1.0 that the generator has tests for and whose name contains `pattern`."""
    return sorted(name for name in _names_by_operator() if pattern.lower() in name.lower())


def draw(job: Job, folder: Path) -> Iterator[Drawn]:
    """Write the tests of a job below `folder`; the same job always gives the same tests.

    Tests that are there already are not written again; one whose random values turn out not to be in error is left out.
    """
    generator = _generator(folder, job.seed)
    tests = _tests(generator, job)
    random.Random(f"{job.seed} {job.operator} {job.kind}").shuffle(tests)
    types: Counter[str] = Counter()
    variants: Counter[str] = Counter()
    for test in tests:
        kinds, variant = _types(test), test.error or test.opName
        if types[kinds] >= job.count and variants[variant] >= job.variants:
            continue
        target = folder / test.opName / str(test)
        if _written(generator, test, target):
            types[kinds] += 1
            variants[variant] += 1
            yield Drawn(target, kinds)


def _written(generator: Any, test: Any, target: Path) -> bool:
    if not (target / "desc.json").is_file():
        with redirect_stdout(io.StringIO()):
            generator.serializeTest(test)
    return (target / "desc.json").is_file()


def _tests(generator: Any, job: Job) -> list[Any]:
    from generator.tosa_test_select import TosaTestSelect

    profiles = [f"tosa-{name.lower()}" for name in PROFILES]
    extensions = [f"tosa-{extension.name.lower()}" for extension in EXTENSIONS]
    found: dict[str, Any] = {}
    for name in _names_by_operator()[job.operator]:
        for arguments in generator.genOpTestList(name, [None], None, None, testType=job.kind):
            test = TosaTestSelect(arguments)
            if test.isSupported(profiles, extensions) and _elements(test) <= LARGEST:
                found.setdefault(str(test), test)
    return [found[name] for name in sorted(found)]


def _elements(test: Any) -> int:
    return sum(math.prod(shape) for shape in test.shapeList)


def _types(test: Any) -> str:
    types = test.dtype if isinstance(test.dtype, list | tuple) else [test.dtype]
    return ",".join(dict.fromkeys(getattr(dtype, "name", str(dtype)).lower() for dtype in types))


@cache
def _names_by_operator() -> dict[str, list[str]]:
    """The generator's names (conv2d has one per kernel size) of the operators that TOSA 1.0 has."""
    generator = _generator(Path("."), 0)
    names: dict[str, list[str]] = {}
    for name, entry in generator.TOSA_OP_LIST.items():
        row = BY_OPCODE.get("tosa." + entry["op"].name.lower())
        if row is not None:
            names.setdefault(row.name, []).append(name)
    return names


def _generator(folder: Path, seed: int) -> Any:
    import logging

    import conformance.model_files as files
    import schemavalidation.schemavalidation as validation
    from generator import tosa_verif_build_tests as command
    from generator.tosa_test_gen import TosaTestGen

    logging.getLogger("tosa_verif_build_tests").setLevel(logging.CRITICAL)
    # The generator validates its own JSON against its own schema, 40 ms each time: nine tenths of its running time.
    validation.TestDescSchemaValidator.validate_config = lambda *_arguments, **_options: None
    options = ["--tosa-version", SPECIFICATION, "--seed", str(seed), "--tensor-dim-range", DIMENSIONS]
    arguments = command.parseArgs([*options, "-o", str(folder)])
    arguments.generate_lib_path = files.find_tosa_file(files.TosaFileType.GENERATE_LIBRARY, None, False)
    return TosaTestGen(arguments, command._get_tosa_version(SPECIFICATION))
