"""Models as SPIR-V: `python benchmarks/vulkan.py MODEL.tflite ...`.

Each is converted to a .spv, executed on Vulkan against LiteRT's reference kernels, and compared with the model
converter's module of the same .tosa.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.spirv_listing import Listed, listing
from support.spirv_tools import converted, validate

import tosa_converter as tc
from tosa_converter.engines import source_engine
from tosa_converter.engines.vulkan import Vulkan
from tosa_converter.errors import ConverterError
from tosa_converter.formats.spirv.constants import stored_array
from tosa_converter.formats.spirv.writer import write_spirv
from tosa_converter.proof.compare import compare_runs, random_inputs


def executed(source: tc.Model, path: Path, engine: Vulkan) -> str:
    """How the .spv on Vulkan compares with the source."""
    model = tc.load(path)
    pairs = zip(source.main.inputs, model.main.inputs, strict=True)
    arrays = random_inputs(source.main.inputs, {a.name: b.type.static for a, b in pairs}, 1)
    started = time.perf_counter()
    (comparison,) = compare_runs(source, source_engine(source), model, [engine], [arrays])
    seconds = time.perf_counter() - started
    parts = []
    for output in comparison.outputs:
        exact = f"{output.mismatches} of {output.elements} differ" if output.mismatches else "bit-exact"
        distance = f", max |d| {output.max_abs / (output.reference_max or 1):.1e} of max" if output.mismatches else ""
        parts.append(f"{'ok' if output.verdict else 'DIFFERS'} {output.type} {exact}{distance}, {output.rule}")
    return f"{'; '.join(parts)} ({seconds:.1f} s)"


def compared(model: tc.Model, path: Path, folder: Path) -> str:
    """How the listing compares with the model converter's."""
    module = write_spirv(model.main)
    ours = listing(path, {i: stored_array(value).tobytes() for i, value in enumerate(module.constants)})
    words, constants = converted(model, folder)
    (folder / "theirs.spv").write_bytes(words)
    theirs = listing(folder / "theirs.spv", constants)
    if ours == theirs:
        return f"{len(ours)} instructions, the same as the model converter's"
    return f"{len(ours)} instructions, the model converter has {len(theirs)}: {differences(ours, theirs)}"


def differences(ours: list[Listed], theirs: list[Listed]) -> str:
    """Instructions, values named by what makes them, that one side has more of."""
    left, right = Counter(map(_shape, ours)), Counter(map(_shape, theirs))
    only = [f"-{n} {name}" for name, n in Counter(name for name, *_ in (left - right).elements()).items()]
    only += [f"+{n} {name}" for name, n in Counter(name for name, *_ in (right - left).elements()).items()]
    return " ".join(only) or "the same instructions in another order"


def _shape(it: Listed) -> tuple[str, ...]:
    operands = ("value" if operand.startswith("value") else operand for operand in it.operands)
    return (it.name, it.type, *operands)


def main() -> int:
    """One paragraph per model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--no-run", action="store_true", help="only compare with the model converter")
    parser.add_argument("--no-listing", action="store_true", help="only run")
    options = parser.parse_args()
    engine = Vulkan()
    for path in options.models:
        print(path.stem, flush=True)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            try:
                source = tc.load(path)
                model = tc.convert(source)
                tc.save(model, folder / "m.spv")
                print(f"  spirv-val {validate(folder / 'm.spv') or 'accepts it'}")
                if not options.no_listing:
                    print(f"  {compared(model, folder / 'm.spv', folder)}", flush=True)
                if not options.no_run:
                    print(f"  {executed(source, folder / 'm.spv', engine)}", flush=True)
            except ConverterError as refusal:
                print(f"  {str(refusal).splitlines()[0]}")
    engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
