"""StableHLO: special values, iotas, and refusals that drawn cases don't show."""

from typing import Any

import numpy as np
import pytest
from support.cases.case import Case, tensor
from support.cases.stablehlo import body, comparing, windows
from support.tflite_models import Subgraph, Tensor

import tosa_converter as tc
from tosa_converter.errors import ConverterError, UnsupportedError
from tosa_converter.ir import Array
from tosa_converter.schemas.tflite import BuiltinOperator as B


def ran(case: Case, *arrays: Array) -> Array:
    model = tc.convert(tc.load(case.file()))
    names = (value.name for value in model.main.inputs)
    (got,) = tc.run(model, dict(zip(names, arrays, strict=True))).values()
    return got


def test_powers_of_zero_and_negative_bases_equal_numpy() -> None:
    x = np.array([0, 0, 0, -8, -8, -8, -0.5, 4, 0], np.float32)
    y = np.array([2, 0, -1, 3, 2, 0.5, -3, 0.5, 0.5], np.float32)
    t = tensor("float32", (9,))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(ran(Case(B.STABLEHLO_POWER, (t, t), (t,)), x, y), np.power(x, y), rtol=1e-6)


def test_nan_propagates_as_in_numpy() -> None:
    x, y = np.array([np.nan, 1, np.nan, 2], np.float32), np.array([1, np.nan, np.nan, 1], np.float32)
    t, flags = tensor("float32", (4,)), tensor("bool", (4,))
    for builtin, compute in ((B.STABLEHLO_MAXIMUM, np.maximum), (B.STABLEHLO_MINIMUM, np.minimum)):
        np.testing.assert_array_equal(ran(Case(builtin, (t, t), (t,)), x, y), compute(x, y))
    for direction, compare in enumerate((np.equal, np.not_equal, np.greater_equal, np.greater, np.less_equal, np.less)):
        case = Case(B.STABLEHLO_COMPARE, (t, t), (flags,), {"comparison_direction": direction})
        np.testing.assert_array_equal(ran(case, x, y), compare(x, y))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "int64", "int8", "uint8", "int16"])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_iota_counts_along_its_axis(dtype: str, axis: int) -> None:
    result = tensor(dtype, (2, 3, 4))
    result.scale = None
    got = ran(Case(B.STABLEHLO_IOTA, (), (result,), {"iota_dimension": axis}))
    np.testing.assert_array_equal(got, np.indices((2, 3, 4))[axis])


@pytest.mark.parametrize("flow", ["keep", "flatten"])
def test_long_rows_are_sorted_by_a_network(flow: str) -> None:
    """Equal elements keep their order, and NaN comes last."""
    x = np.random.default_rng(4).integers(-9, 9, (5000, 2)).astype(np.float32)
    x[::11] = np.nan
    places = np.arange(10000, dtype=np.float32).reshape(5000, 2)
    comparator = comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=5)
    tensors = (Tensor((5000, 2)), Tensor((5000, 2)))
    options = {"dimension": 0, "is_stable": True, "comparator_subgraph_index": 1}
    data, _ = Case(B.STABLEHLO_SORT, tensors, tensors, options, called=(comparator,)).model()
    outputs = tc.run(tc.convert(data, control_flow=flow), {"t0": x, "t1": places}).values()
    order = np.argsort(x, axis=0, kind="stable")
    for ours, array in zip(outputs, (x, places), strict=True):
        np.testing.assert_array_equal(ours, np.take_along_axis(array, order, 0))


SMALL, X = tensor("float32", ()), tensor("float32", (2, 3))
SORT = {"dimension": 1, "comparator_subgraph_index": 1}
SORTS = (
    ("a sum", comparing(B.STABLEHLO_ADD, 0, 1), "LESS or GREATER, found tfl.stablehlo_add"),
    ("two operands", comparing(B.STABLEHLO_COMPARE, 0, 2, comparison_direction=5), "found arguments 0 and 2"),
    ("equality", comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=4), "LESS or GREATER, found .*_LE"),
    ("bits", comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=5, compare_type=2), "sign bits of zeros"),
    ("nothing", Subgraph([SMALL] * 4, [], [0, 1, 2, 3], [0]), "one comparison of its arguments, found 0 operators"),
    ("a constant", comparing(B.STABLEHLO_COMPARE, 0, 5, comparison_direction=5), "found other operands"),
)
REFUSED: dict[str, tuple[Case, str]] = {
    "a custom call": (Case(B.STABLEHLO_CUSTOM_CALL, (X,), (X,), {"call_target_name": "mine"}), "isn't in the file"),
    "operands of two shapes": (
        Case(B.STABLEHLO_ADD, (X, tensor("float32", (1, 3))), (X,)),
        "expected operands of one shape, found",
    ),
    "another width of the result": (
        Case(
            B.STABLEHLO_DOT_GENERAL,
            (X, X),
            (tensor("int32", (2, 2)),),
            {"lhs_contracting_dimensions": (1,), "rhs_contracting_dimensions": (1,)},
        ),
        "expected a result of fp32, found i32",
    ),
    "a slice from two numbers as one index": (
        Case(
            B.STABLEHLO_DYNAMIC_SLICE,
            (X, tensor("int32", ()), tensor("int32", (2,))),
            (tensor("float32", (1, 2)),),
            {"slice_sizes": (1, 2)},
        ),
        r"expected 2 indices of one element, found \['i32\[\]', 'i32\[2\]'\]",
    ),
    "a sort of two shapes": (
        Case(
            B.STABLEHLO_SORT,
            (X, tensor("float32", (2, 4))),
            (X, tensor("float32", (2, 4))),
            SORT,
            called=(comparing(B.STABLEHLO_COMPARE, 0, 1, comparison_direction=5),),
        ),
        "expected operands of one shape with elements",
    ),
    **{
        f"a sort by {comparison}": (Case(B.STABLEHLO_SORT, (X, X), (X, X), SORT, called=(comparator,)), words)
        for comparison, comparator, words in SORTS
    },
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_state_the_reason(name: str) -> None:
    case, words = REFUSED[name]
    with pytest.raises(UnsupportedError, match=words):
        tc.convert(tc.load(case.file()))


@pytest.mark.parametrize(
    "options",
    [
        {"dimensions": (5,), "body_subgraph_index": 1},
        {"dimensions": (-1,), "body_subgraph_index": 1},
        {"dimensions": (0,), "body_subgraph_index": 9},
    ],
)
def test_malformed_reductions_are_refused(options: dict[str, Any]) -> None:
    start = Tensor((), data=np.float32(0))
    case = Case(B.STABLEHLO_REDUCE, (X, start), (X,), options, called=(body(B.STABLEHLO_ADD),))
    with pytest.raises(ConverterError):
        tc.convert(tc.load(case.file()))


@pytest.mark.parametrize("builtin", [B.STABLEHLO_DYNAMIC_SLICE, B.STABLEHLO_DYNAMIC_UPDATE_SLICE])
@pytest.mark.parametrize("size", [(2, 3), (1, 4), (3, 1), (1, 9)])
def test_a_slice_is_no_larger_than_its_operand(size: tuple[int, int], builtin: B) -> None:
    """One element too many along one of two axes is refused."""
    part, index = tensor("float32", size), tensor("int32", ())
    if builtin is B.STABLEHLO_DYNAMIC_SLICE:
        case = Case(builtin, (X, index, index), (part,), {"slice_sizes": size})
    else:
        case = Case(builtin, (X, part, index, index), (X,))
    if size == (2, 3):
        tc.convert(case.file())
    else:
        with pytest.raises(UnsupportedError, match=r"expected a block of at most|with room for"):
            tc.convert(case.file())


@pytest.mark.parametrize("interior", [(0, 0), (1, 0), (0, -1), (-1, 0), (0, -2)], ids=str)
def test_padding_between_elements_is_at_least_0(interior: tuple[int, int]) -> None:
    """StableHLO's pad (C3) wants 0 <= interior_padding; edges may be negative."""
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    options = {"edge_padding_low": (0, -1), "edge_padding_high": (1, 0), "interior_padding": interior}
    operands = tensor("float32", x.shape), Tensor((), data=np.float32(7))
    case = Case(B.STABLEHLO_PAD, operands, (tensor("float32", (3 + interior[0], 2)),), options)
    if min(interior) < 0:
        with pytest.raises(UnsupportedError, match="expected 2 low, high and interior paddings, the last of at least"):
            ran(case, x)
    else:
        rows = [[1, 2], *[[7, 7]] * interior[0], [4, 5], [7, 7]]
        np.testing.assert_array_equal(ran(case, x), np.array(rows, np.float32))


def test_a_scalar_is_padded_by_nothing() -> None:
    no_axes = {"edge_padding_low": (), "edge_padding_high": (), "interior_padding": ()}
    case = Case(
        B.STABLEHLO_PAD, (tensor("float32", ()), Tensor((), data=np.float32(7))), (tensor("float32", ()),), no_axes
    )
    np.testing.assert_array_equal(ran(case, np.array(3, np.float32)), np.float32(3))


@pytest.mark.parametrize(
    ("dtype", "stands_for_reals"), [("int8", True), ("uint8", True), ("int16", True), ("int32", False)]
)
@pytest.mark.parametrize("builtin", [B.STABLEHLO_PAD, B.STABLEHLO_CONCATENATE])
def test_integers_of_up_to_16_bits_with_a_scale_are_declined(builtin: B, dtype: str, *, stands_for_reals: bool) -> None:
    """A scale of 32-bit integers is that of sums, which no operator reads; without a scale, all types are moved."""
    options: dict[str, Any] = {"edge_padding_low": (1,), "edge_padding_high": (0,), "interior_padding": (0,)}
    for scale in (None, 0.5):
        x = Tensor((2,), dtype, scale=scale)
        other = Tensor((), dtype, 9) if builtin is B.STABLEHLO_PAD else Tensor((1,), dtype, [9])
        operands, expected = ((x, other), [9, 3, 4]) if builtin is B.STABLEHLO_PAD else ((other, x), [9, 3, 4])
        case = Case(
            builtin, operands, (Tensor((3,), dtype, scale=scale),), options if builtin is B.STABLEHLO_PAD else {}
        )
        if scale and stands_for_reals:
            with pytest.raises(UnsupportedError, match="is quantized"):
                ran(case)
        else:
            np.testing.assert_array_equal(ran(case, np.array([3, 4], dtype)), expected)


@pytest.mark.parametrize("output", [0, 5])
def test_a_comparator_must_return_its_comparison(output: int) -> None:
    """A comparator that returns an argument or a constant is refused."""
    comparator = comparing(B.STABLEHLO_COMPARE, 0, 1, "bool", comparison_direction=5)
    comparator = comparator._replace(outputs=[output])
    operands = (tensor("bool", (2, 3)), tensor("bool", (2, 3)))
    with pytest.raises(UnsupportedError, match="one comparison of its arguments, found 1 operators"):
        tc.convert(Case(B.STABLEHLO_SORT, operands, operands, SORT, called=(comparator,)).file())


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize(
    ("groups", "stride", "dilation", "padding"), [(1, 1, 1, (0, 0)), (2, 2, 1, (1, 2)), (1, 1, 2, (2, 0))]
)
def test_convolutions_of_one_dimension_equal_the_definition(
    batch: int, groups: int, stride: int, dilation: int, padding: tuple[int, int]
) -> None:
    """Channels are last on both sides; the definition judges."""
    rng = np.random.default_rng(batch)
    x = rng.integers(-4, 5, (batch, 9, 4)).astype(np.float32)
    weight = rng.integers(-4, 5, (6, 3, 4 // groups)).astype(np.float32)
    padded = np.pad(x, [(0, 0), padding, (0, 0)])
    count = (padded.shape[1] - 2 * dilation - 1) // stride + 1
    expected = np.zeros((batch, count, 6), np.float32)
    for i, output in np.ndindex(count, 6):
        window = padded[:, i * stride : i * stride + 2 * dilation + 1 : dilation]
        first = output // (6 // groups) * (4 // groups)
        expected[:, i, output] = (window[..., first : first + 4 // groups] * weight[output]).sum((1, 2))
    options = {
        "window_strides": (stride,), "padding": padding, "rhs_dilation": (dilation,), "lhs_dilation": (1,),
        "window_reversal": (False,), "feature_group_count": groups, "batch_group_count": 1,
        "input_batch_dimension": 0, "input_feature_dimension": 2, "input_spatial_dimensions": (1,),
        "kernel_output_feature_dimension": 0, "kernel_input_feature_dimension": 2, "kernel_spatial_dimensions": (1,),
        "output_batch_dimension": 0, "output_feature_dimension": 2, "output_spatial_dimensions": (1,),
    }  # fmt: skip
    operands = tensor("float32", x.shape), tensor("float32", weight.shape)
    convolution = Case(B.STABLEHLO_CONVOLUTION, operands, (tensor("float32", expected.shape),), options)
    np.testing.assert_array_equal(ran(convolution, x, weight), expected)


# ** limits of options: whole tables, by numpy or by the definition **


def test_every_slice_inside_of_an_axis_is_taken() -> None:
    x = np.arange(3, dtype=np.float32)
    for start, stop, stride in np.ndindex(5, 6, 4):
        bounds = start - 1, stop - 1, stride - 1
        options = dict(zip(("start_indices", "limit_indices", "strides"), zip(bounds, strict=True), strict=True))
        is_taken = 0 <= bounds[0] < bounds[1] <= 3 and bounds[2] >= 1
        expected = x[slice(*bounds)] if is_taken else x[:1]
        case = Case(B.STABLEHLO_SLICE, (tensor("float32", (3,)),), (tensor("float32", expected.shape),), options)
        if is_taken:
            np.testing.assert_array_equal(ran(case, x), expected)
        else:
            words = rf"inside axis 0 of fp32\[3\], found \[{bounds[0]}, {bounds[1]}\) with stride {bounds[2]}"
            with pytest.raises(UnsupportedError, match=words):
                ran(case, x)


@pytest.mark.parametrize("rows", range(5))
@pytest.mark.parametrize("columns", range(6))
def test_gathered_blocks_have_elements_and_fit(rows: int, columns: int) -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    options = {
        "offset_dims": (0, 1), "collapsed_slice_dims": (), "start_index_map": (0, 1), "index_vector_dim": 0,
        "slice_sizes": (rows, columns),
    }  # fmt: skip
    operands = tensor("float32", (3, 4)), tensor("int32", (2,))
    case = Case(B.STABLEHLO_GATHER, operands, (tensor("float32", (max(rows, 1), max(columns, 1))),), options)
    start = np.array([1, 9], np.int32)  # clamped
    if 1 <= rows <= 3 and 1 <= columns <= 4:
        top = min(1, 3 - rows)
        np.testing.assert_array_equal(ran(case, x, start), x[top : top + rows, 4 - columns :])
    else:
        with pytest.raises(UnsupportedError, match=rf"slice sizes that fit .* sizes \[{rows}, {columns}\]"):
            ran(case, x, start)


@pytest.mark.parametrize(
    ("batch", "contracting", "is_taken"),
    [
        ((), (2,), True),
        ((0,), (2,), True),
        ((0,), (2, 1), True),
        ((), (3,), False),
        ((), (-1,), False),
        ((0,), (2, 3), False),
        ((0,), (-1, 2), False),
        ((0,), (2, 2), False),
        ((2,), (2,), False),
        ((3,), (2,), False),
    ],
)
def test_dimensions_of_products_are_distinct_and_exist(
    batch: tuple[int, ...], contracting: tuple[int, ...], is_taken: bool
) -> None:
    x = np.arange(8, dtype=np.float32).reshape(2, 2, 2)
    options = {f"{side}_batching_dimensions": batch for side in ("lhs", "rhs")}
    options |= {f"{side}_contracting_dimensions": contracting for side in ("lhs", "rhs")}
    keys = ["b" if i in batch else f"c{i}" if i in contracting else None for i in range(3)]
    letters = ["abc"[i] if keys[i] else "ABC"[i] for i in range(3)]
    other = ["abc"[i] if keys[i] else "XYZ"[i] for i in range(3)]
    free = [letter for side in (letters, other) for letter in side if letter not in "abc"]
    result = "".join([*(letters[i] for i in batch if 0 <= i < 3), *free])
    expected = np.einsum(f"{''.join(letters)},{''.join(other)}->{result}", x, x + 1)
    t = tensor("float32", (2, 2, 2))
    case = Case(B.STABLEHLO_DOT_GENERAL, (t, t), (tensor("float32", expected.shape),), options)
    if is_taken:
        np.testing.assert_array_equal(ran(case, x, x + 1), expected)
    else:
        with pytest.raises(UnsupportedError, match=r"expected distinct dimensions of fp32\[2x2x2\]"):
            ran(case, x, x + 1)


@pytest.mark.parametrize("batch_groups", [0, 1, 2])
@pytest.mark.parametrize(
    ("groups", "depth", "outputs"), [(1, 4, 6), (2, 2, 6), (2, 2, 5), (2, 4, 6), (4, 1, 4), (0, 4, 6), (-1, 4, 6)]
)
def test_channels_of_convolutions_divide_into_groups(groups: int, depth: int, outputs: int, batch_groups: int) -> None:
    options = {
        "input_batch_dimension": 0, "input_feature_dimension": 2, "input_spatial_dimensions": (1,),
        "kernel_output_feature_dimension": 0, "kernel_input_feature_dimension": 2, "kernel_spatial_dimensions": (1,),
        "output_batch_dimension": 0, "output_feature_dimension": 2, "output_spatial_dimensions": (1,),
        "feature_group_count": groups, "batch_group_count": batch_groups,
    }  # fmt: skip
    rng = np.random.default_rng(depth)
    x = rng.integers(-4, 5, (2, 5, 4)).astype(np.float32)
    weight = rng.integers(-4, 5, (outputs, 1, depth)).astype(np.float32)
    operands = tensor("float32", x.shape), tensor("float32", weight.shape)
    case = Case(B.STABLEHLO_CONVOLUTION, operands, (tensor("float32", (2, 5, outputs)),), options)
    if batch_groups == 1 and groups >= 1 and groups * depth == 4 and outputs % groups == 0:
        parts = zip(np.split(x, groups, 2), np.split(weight[:, 0], groups), strict=True)
        np.testing.assert_array_equal(ran(case, x, weight), np.concatenate([a @ b.T for a, b in parts], 2))
    else:
        with pytest.raises(UnsupportedError, match="expected channels that divide into groups and 1 group of batches"):
            ran(case, x, weight)


FIELDS = {"window_strides": (2, 1), "base_dilations": (1, 2), "window_dilations": (1, 2), "padding": (1, 0, 0, 2)}
ABSENT = {"window_strides": (1, 1), "base_dilations": (1, 1), "window_dilations": (1, 1), "padding": (0, 0, 0, 0)}


@pytest.mark.parametrize("stated", [(), *((name,) for name in FIELDS), tuple(FIELDS)], ids=str)
def test_windows_of_reductions_have_defaults(stated: tuple[str, ...]) -> None:
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    options: dict[str, Any] = {"window_dimensions": (2, 2), **{name: FIELDS[name] for name in stated}}
    expected = windows(x, np.asarray(np.float32(0)), np.add, ABSENT | options)
    operands = tensor("float32", x.shape), Tensor((), data=np.float32(0))
    case = Case(
        B.STABLEHLO_REDUCE_WINDOW, operands, (tensor("float32", expected.shape),),
        options | {"body_subgraph_index": 1}, (body(B.STABLEHLO_ADD),),
    )  # fmt: skip
    np.testing.assert_array_equal(ran(case, x), expected)


def test_a_scalar_has_one_window() -> None:
    x, start = tensor("float32", ()), Tensor((), data=np.float32(5))
    sizes = [Tensor((0,), "int64", np.zeros(0, np.int64)) for _ in range(3)]
    case = Case(B.REDUCE_WINDOW, (x, start, *sizes), (tensor("float32", ()),), {"reduce_function": 1})  # a sum
    np.testing.assert_array_equal(ran(case, np.array(3, np.float32)), np.float32(8))
