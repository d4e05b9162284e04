"""The engine `iree` and `.vmfb` files; `python -m longer.iree` tries every operator, and real models."""

import importlib.util
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import MODELS, command, unwrapped
from support.expressions import apply
from support.spirv_cases import CASES, CASES_BY_NAME, Case
from support.vulkan_cases import judge

import tosa_converter as tc
from tosa_converter.dtypes import DType
from tosa_converter.engines import iree as engine
from tosa_converter.engines.iree import Iree
from tosa_converter.errors import MissingExtra, UnsupportedError, UsageError
from tosa_converter.formats import vmfb
from tosa_converter.formats.mlir.iree import iree_mlir
from tosa_converter.ir import Graph, Model, Op, Value, plain_type
from tosa_converter.rewriting.builder import Builder
from tosa_converter.rewriting.control import cond_if, while_loop
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.operators import conv2d, conv3d, matmul, reduce_all, reduce_any, transpose_conv2d
from tosa_converter.schemas import tosa_ops as ops
from tosa_converter.schemas.presets import TILED

DIGITS = MODELS / "digits_int8.tflite"
SIGNATURES = MODELS / "signatures_int8.tflite"
SAMPLE = [case for i, case in enumerate(CASES) if i % 40 == 7 and "fp8" not in case.name]
# Operators with another spelling for IREE.
RESPELLED = [
    *("CONV2D_i8_i4_i32_i32_0", "TRANSPOSE_CONV2D_i8_i4_i32_i32_0", "CONV2D_i16_i8_i48_i48_0"),
    *("CONV3D_i16_i8_i48_i48_1", "DEPTHWISE_CONV2D_i16_i8_i48_i48_2", "TRANSPOSE_CONV2D_i16_i8_i48_i48_1"),
    *("MATMUL_i16_i48_0", "RESIZE_i16_i16_i48_1", "RESCALE_i48_i8_0", "RESCALE_i48_i32_1", "ARGMAX_i8_i32_0"),
]
I32 = plain_type(DType.I32, (3,))

present = all(importlib.util.find_spec(name) for name in ("iree", "iree.compiler", "iree.runtime"))
iree = pytest.mark.skipif(not present, reason="IREE is not installed: pip install '.[iree]'")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@iree
@pytest.mark.parametrize("case", [*SAMPLE, *map(CASES_BY_NAME.__getitem__, RESPELLED)], ids=lambda case: case.name)
def test_single_operators_equal_their_definitions(case: Case) -> None:
    assert judge(case, Iree(), excused=()) == ""


@iree
@pytest.mark.parametrize(
    "name",
    [
        *("digits_int8", "digits_float32", "small/detector.uint8_io", "small/keywords.float32", "small/rnn.float32"),
        *("small/detector.int16x8", "small/torch_mobilenet_v2_small.int16x8"),
    ],
)
def test_conversions_equal_litert(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    (report,) = tc.compare(source, tc.convert(source), runs=3, against="litert,iree")
    assert (report.engine, report.verdict) == ("iree", True), report.outputs
    if "float" not in name:
        assert [output.mismatches for output in report.outputs] == [0] * len(report.outputs)


@iree
@pytest.mark.parametrize("state", ["variables", "io"])
def test_state_is_kept_between_steps(state: str) -> None:
    source = tc.load(MODELS / "small" / "keywords.int8.tflite")
    (report,) = tc.compare(source, tc.convert(source, state=state), steps=20, against="litert,iree")
    assert [output.mismatches for output in report.outputs] == [0]


def looped(values: Sequence[Expr]) -> Sequence[Expr]:
    """Returns a loop that runs while the first value is below a limit; the third value depends on its size."""

    def body(state: Sequence[Expr]) -> Sequence[Expr]:
        count, _, x = state
        doubled = x + x
        (chosen,) = cond_if(reduce_any(doubled > 1000, 0), lambda: [x - doubled], lambda: [doubled + x])
        return count + 1, x + count, chosen

    return while_loop(values, lambda state: reduce_all(state[0] < 7, 0), body)


def loops() -> Model:
    """Returns two consecutive loops with branches in them."""
    inputs = [Value(I32, name) for name in ("count", "last", "x")]
    with Builder(Graph("main", inputs)) as builder:
        values = looped([*map(Expr, inputs)])
        builder.graph.outputs = [result.value for result in looped([Expr(inputs[0]), *values[1:]])]
    for value, name in zip(builder.graph.outputs, "abc", strict=True):
        value.name = name
    return Model({"main": builder.graph})


@iree
def test_loops_with_branches_and_values_that_no_round_reads() -> None:
    model = loops()
    for start in (-3, 0, 7):
        inputs = {name: np.array([start, 2, 3], np.int32) for name in ("count", "last", "x")}
        outputs, expected = (tc.run(model, inputs, engine=name) for name in ("iree", ""))
        assert {name: array.tolist() for name, array in outputs.items()} == {
            name: array.tolist() for name, array in expected.items()
        }


def test_spellings_for_iree() -> None:
    text = iree_mlir(loops())
    assert "tosa.while_loop" not in text
    assert (text.count("cf.cond_br"), text.count("tosa.cond_if")) == (4, 0)
    text = iree_mlir(Model({"main": CASES_BY_NAME["TRANSPOSE_CONV2D_i16_i8_i48_i48_0"].graph}))
    assert "i48" not in text
    assert "tosa.const" in text
    assert "tosa.transpose_conv2d" not in text


def sums_of_48_bits() -> Model:
    """Returns every convolution of i16 with windows that differ in all directions, and matrix products."""
    image, volume = (Value(plain_type(DType.I16, shape), name) for shape, name in IMAGES)
    rng, build = np.random.default_rng(5), Builder(Graph("main", [image, volume]))
    outputs: dict[str, Value] = {}

    def constants(*shape: int, bias: int) -> tuple[Value, Value]:
        weight = build.const(rng.integers(-128, 128, shape), DType.I8)
        return weight, build.const(rng.integers(-(1 << 40), 1 << 40, bias), DType.I48)

    for i, (kernel, stride, dilation, pad) in enumerate(WINDOWS):
        spans: dict[str, Any] = {"stride": stride, "dilation": dilation, "pad": pad}
        outputs[f"conv{i}"] = apply(build, conv2d, image, *constants(4, *kernel, 3, bias=4), **spans)
        depthwise = constants(*kernel, 3, 2, bias=6)
        outputs[f"depthwise{i}"] = apply(build, conv2d, image, *depthwise, **spans, depthwise=True)
    for i, (kernel, stride, out_pad) in enumerate(TRANSPOSED):
        weights = constants(4, *kernel, 3, bias=4)
        outputs[f"transposed{i}"] = apply(build, transpose_conv2d, image, *weights, stride=stride, out_pad=out_pad)
    weights = constants(2, 2, 3, 1, 3, bias=2)
    spans = {"pad": (1, 0, 2, 1, 0, 0), "stride": (1, 2, 1), "dilation": (2, 1, 1)}
    outputs["conv3d"] = apply(build, conv3d, volume, *weights, **spans)
    rows = build.reshape(image, (2, 14, 9))
    outputs["matmul"] = apply(build, matmul, rows, build.reshape(image, (2, 9, 14)), dtype=DType.I48)
    return build.model(**outputs)


IMAGES = (((2, 7, 6, 3), "image"), ((1, 4, 5, 6, 3), "volume"))
# Kernel, stride, dilation, and the padding at top, bottom, left and right.
WINDOWS = (
    ((1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    ((2, 3), (1, 1), (1, 1), (1, 0, 0, 2)),
    ((3, 2), (2, 1), (1, 1), (0, 2, 1, 0)),
    ((2, 2), (1, 2), (2, 3), (2, 1, 3, 0)),
)
TRANSPOSED = (
    ((1, 1), (1, 1), (0, 0, 0, 0)),
    ((2, 3), (1, 2), (0, 0, 0, 0)),
    ((3, 2), (2, 3), (1, -1, 2, 0)),
    ((4, 3), (2, 1), (-2, 1, 0, -1)),
)


@iree
def test_sums_of_48_bits_over_every_kind_of_window() -> None:
    """The definitions judge: the reference model returns no elements of 48 bits."""
    model = sums_of_48_bits()
    feed = tc.random_inputs(model, seed=6)
    outputs, expected = (tc.run(model, feed, engine=name) for name in ("iree", ""))
    assert [name for name, array in expected.items() if not np.array_equal(outputs[name], array)] == []


def test_sums_of_48_bits_with_zero_points_at_run_time_are_refused() -> None:
    (op,) = [op for op in CASES_BY_NAME["CONV2D_i16_i8_i48_i48_0"].graph.ops if op.row is ops.CONV2D]
    zero_point = Value(plain_type(DType.I8, (1,)), "zero_point")
    changed = Op(op.row, (*op.inputs[:4], zero_point), [op.result.type], op.attributes, location="here")
    with pytest.raises(UnsupportedError, match=r"here: tosa\.conv2d of i48 is for IREE with constant"):
        iree_mlir(Model({"main": Graph("main", [zero_point], [changed.result], [changed])}))


@iree
def test_signatures_are_functions(tmp_path: Path) -> None:
    from iree import runtime

    model = tc.convert(SIGNATURES)
    tc.save(model, tmp_path / "m.vmfb")
    context = runtime.SystemContext(config=runtime.Config("local-sync"))
    context.add_vm_module(runtime.VmModule.mmap(context.instance, str(tmp_path / "m.vmfb")))
    for name in model.signatures:
        selected = tc.selected(model, name)
        inputs = tc.random_inputs(selected)
        outputs = context.modules.module[selected.main.name](*inputs.values())
        results = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        expected = tc.run(selected, inputs)
        assert [array.to_host().tolist() for array in results] == [array.tolist() for array in expected.values()]


@iree
def test_a_model_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tc.convert(DIGITS)
    inputs = tc.random_inputs(model)
    expected = tc.run(model, inputs)
    first = tc.run(model, inputs, engine="iree")
    monkeypatch.delattr(engine, "compile_text")
    for outputs in (first, tc.run(model, inputs, engine="iree")):
        assert {name: array.tolist() for name, array in outputs.items()} == {
            name: array.tolist() for name, array in expected.items()
        }


@iree
def test_refusals_name_the_operator() -> None:
    case = CASES_BY_NAME["MAX_POOL2D_fp8e4m3_0"]
    with pytest.raises(UnsupportedError) as refusal:
        Iree().run(Model({"main": case.graph}), case.inputs)
    assert refusal.value.lines == (
        "IREE refuses the model:",
        "here/MAX_POOL2D: failed to legalize operation 'tosa.max_pool2d'",
    )


@iree
def test_the_compiler_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vmfb, "SECONDS", 0.01)
    with pytest.raises(UnsupportedError) as error:
        tc.run(tc.convert(DIGITS), tc.random_inputs(tc.load(DIGITS)), engine="iree")
    assert error.value.lines == (f"IREE's compiler took more than 0.01 s for {DIGITS}",)


@iree
def test_crashes_of_the_compiler_are_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crashing = tmp_path / "iree-compile"
    crashing.write_text(
        "#!/bin/sh\necho 'loc(\"main:3 ADD\"): error: what it said' >&2\necho trace >&2\nkill -SEGV $$\n"
    )
    crashing.chmod(0o755)
    monkeypatch.setenv("IREE_TOOL_PATH", str(tmp_path))
    with pytest.raises(UnsupportedError) as error:
        tc.save(tc.convert(DIGITS), tmp_path / "m.vmfb")
    assert error.value.lines == (f"IREE's compiler ended with SIGSEGV on {DIGITS}", "main:3 ADD: what it said")
    assert not (tmp_path / "m.vmfb").exists()


@iree
@pytest.mark.parametrize(("options", "device"), [((), "local-task"), (("--target", "iree-cpu"), "local-task")])
@pytest.mark.parametrize("path", [DIGITS, MODELS / "small" / "keywords.int8.tflite"], ids=["digits", "keywords"])
def test_the_printed_command_runs_the_module(
    path: Path, options: tuple[str, ...], device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(path, "-o", tmp_path / "a model.vmfb", *options) == 0
    (printed,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  run  ")]
    program, *words = shlex.split(printed.split(maxsplit=1)[1])
    assert (program, words[1]) == ("iree-run-module", f"--device={device}")
    line = [sys.executable, "-m", "iree._runtime.scripts.iree_run_module", *words]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=True)
    model = tc.convert(path, target="iree-cpu" if options else None)
    zeros = {value.name: np.zeros(value.type.static, value.type.dtype.numpy) for value in model.main.inputs}
    outputs = tc.run(model, zeros)
    shown = [line.partition("=")[2] for line in done.stdout.splitlines() if "=" in line]
    assert [re.findall(r"-?\d+", text) for text in shown] == [
        [str(number) for number in array.reshape(-1).tolist()] for array in outputs.values()
    ]


@iree
def test_flags_are_passed_to_the_compiler(tmp_path: Path) -> None:
    model = tc.convert(DIGITS)
    tc.save(model, tmp_path / "m.vmfb", flags=["--iree-hal-target-backends=vmvx"])
    assert (tmp_path / "m.vmfb").stat().st_size > 1000
    with pytest.raises(UnsupportedError, match="nonsense"):
        tc.save(model, tmp_path / "n.vmfb", flags=["--nonsense"])
    with pytest.raises(UnsupportedError, match="IREE refuses"):
        tc.save(model, tmp_path / "n.vmfb", flags=["--version"])
    assert [path.name for path in tmp_path.iterdir()] == ["m.vmfb"]


def test_flags_need_an_output_ending_in_vmfb(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"expected an output ending in \.vmfb"):
        tc.save(tc.convert(DIGITS), tmp_path / "m.tosa", flags=["--x"])


def test_the_default_target_is_this_machine() -> None:
    other = ["--iree-hal-target-device=cuda"]
    assert vmfb.add_target(other) == other
    assert vmfb.add_target(["--iree-opt-level=O3"]) == [*vmfb.HOST, "--iree-opt-level=O3"]


NAMED = "--iree-vulkan-target=adreno"


@pytest.mark.parametrize(
    ("flags", "allowed"),
    [
        (["--iree-hal-target-device=vulkan"], False),
        (["--iree-hal-target-device=vulkan", "--iree-opt-level=O3"], False),
        (["--iree-hal-target-device=vulkan", "--iree-vulkan-targets=adreno"], False),
        (["--iree-hal-target-device=vulkan", NAMED], True),
        ([NAMED, "--iree-hal-target-device=vulkan", "--iree-opt-level=O3"], True),
        (["--iree-hal-target-backends=vulkan-spirv", NAMED], True),
        (["--iree-hal-target-backends=llvm-cpu"], True),
    ],
)
def test_vulkan_needs_a_flag_that_names_the_device(flags: list[str], allowed: bool) -> None:
    if allowed:
        assert vmfb.add_target(flags) == flags
        return
    with pytest.raises(UsageError, match="expected --iree-vulkan-target=DEVICE"):
        vmfb.add_target(flags)


def test_tiles_give_way_where_they_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[list[str]] = []

    def refused(_text: str, flags: list[str], about: str) -> bytes:
        tried.append(flags)
        if TILED in flags or about == "bad":
            raise UnsupportedError(f"too large: {about}")
        return b"module"

    monkeypatch.setattr(vmfb, "_run_compiler", refused)
    assert vmfb.compile_text("", (), "good") == b"module"
    assert tried == [list(vmfb.HOST), [flag for flag in vmfb.HOST if flag != TILED]]
    for flags, times in ((), 2), (["--iree-hal-target-device=cuda"], 1):
        tried.clear()
        with pytest.raises(UnsupportedError, match="too large: bad"):
            vmfb.compile_text("", flags, "bad")
        assert len(tried) == times


@iree
@pytest.mark.parametrize("batches", [1, 2])
def test_products_with_zero_points_on_both_sides(batches: int) -> None:
    x, y = (Value(plain_type(DType.I8, (batches, *shape)), name) for name, shape in (("x", (5, 17)), ("y", (17, 9))))
    graph = Graph("main", [x, y])
    build = Builder(graph)
    zeros = build.zero_point(-3, DType.I8), build.zero_point(5, DType.I8)
    model = build.model(out=build.emit(ops.MATMUL, x, y, *zeros, dtype=DType.I32))
    inputs = tc.random_inputs(model)
    expected = (inputs["x"].astype(np.int32) + 3) @ (inputs["y"].astype(np.int32) - 5)
    np.testing.assert_array_equal(Iree().run(model, inputs)["out"], expected)


@iree
@pytest.mark.parametrize("batches", [1, 2])
def test_a_row_scaled_before_a_product_equals_the_definition(batches: int) -> None:
    shapes = {"x": (batches, 3, 4), "row": (1, 1, 4), "y": (batches, 4, 5)}
    x, row, y = (Value(plain_type(DType.FP32, shape), name) for name, shape in shapes.items())
    build = Builder(Graph("main", [x, row, y]))
    model = build.model(out=apply(build, matmul, build.mul(x, row), y))
    inputs = tc.random_inputs(model)
    expected = (inputs["x"] * inputs["row"]) @ inputs["y"]
    np.testing.assert_allclose(Iree().run(model, inputs)["out"], expected, rtol=1e-5, atol=1e-6)


@iree
@pytest.mark.parametrize("name", ["digits_int8", "digits_float32", "small/detector.int8", "small/keywords.int8"])
def test_windows_as_slices_equal_litert(name: str) -> None:
    source = tc.load(MODELS / f"{name}.tflite")
    (report,) = tc.compare(source, tc.convert(source, target="iree-cpu"), runs=3, against="litert,iree")
    assert report.verdict, report.outputs
    if "float" not in name:
        assert [output.mismatches for output in report.outputs] == [0] * len(report.outputs)


def test_missing_iree_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iree.compiler", None)
    with pytest.raises(MissingExtra, match=r"'\.\[iree\]'"):
        tc.save(tc.convert(DIGITS), tmp_path / "m.vmfb")
    assert list(tmp_path.iterdir()) == []


def test_text_for_iree_is_in_its_dialect(tmp_path: Path) -> None:
    """The preset asks for it, or an option of `save`; texts for other targets are TOSA."""
    loops, texts = MODELS / "loop_scan_float32.tflite", {}
    for target in ("iree-cpu", "pro-int,pro-fp,ext-controlflow"):
        written = tmp_path / "loops.mlir"
        assert command(str(loops), "-o", str(written), "--target", target) == 0
        texts[target] = "cf.cond_br" in written.read_text(), "tosa.while_loop" in written.read_text()
    assert texts == {"iree-cpu": (True, False), "pro-int,pro-fp,ext-controlflow": (False, True)}
    tc.save(tc.convert(loops), tmp_path / "saved.mlir", dialect="iree")
    assert "cf.cond_br" in (tmp_path / "saved.mlir").read_text()


@pytest.mark.parametrize(("name", "dialect"), [("m.tosa", "iree"), ("m.mlir", "other")])
def test_an_unknown_dialect_is_refused(tmp_path: Path, name: str, dialect: str) -> None:
    with pytest.raises(UsageError, match="dialect"):
        tc.save(tc.convert(DIGITS), tmp_path / name, dialect=dialect)
    assert not list(tmp_path.iterdir())


def test_vulkan_without_a_device_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "m.vmfb"
    assert command(str(DIGITS), "-o", str(written), "--target", "iree-vulkan") == 2
    assert "expected --iree-vulkan-target=DEVICE" in unwrapped(capsys.readouterr().err)
    assert not written.exists()
