"""Unranked tensors, sparse constants and arguments that are no tensors in MLIR text."""

import numpy as np
import pytest
from support.mlir_texts import read

import tosa_converter as tc
from tosa_converter.errors import FormatError, UnsupportedError


def function(arguments: str, body: str, result: str = "tensor<*xf32>") -> str:
    return f"func.func @main({arguments}) -> {result} {{\n{body}\n}}"


RANKED = {  # arguments, operators whose result is %0, and the result's type as it follows
    ("%a: tensor<4xf32>", "%0 = tosa.log %a : (tensor<4xf32>) -> tensor<*xf32>"): "fp32[4]",
    (
        "%a: tensor<4xf32>, %b: tensor<1xf32>",
        "%0 = tosa.add %a, %b : (tensor<4xf32>, tensor<1xf32>) -> tensor<*xf32>",
    ): "fp32[4]",
    (
        "%a: tensor<?x5xf32>, %b: tensor<3x1xf32>",
        "%0 = tosa.add %a, %b : (tensor<?x5xf32>, tensor<3x1xf32>) -> tensor<*xf32>",
    ): "fp32[3x5]",
    (
        "%a: tensor<?x5xf32>, %b: tensor<1x1xf32>",
        "%0 = tosa.add %a, %b : (tensor<?x5xf32>, tensor<1x1xf32>) -> tensor<*xf32>",
    ): "fp32[?x5]",
    (
        "%a: tensor<*xf32>, %b: tensor<2x3xf32>",
        "%0 = tosa.add %a, %b : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>",
    ): "fp32[?x?]",
    (
        "%a: tensor<2x3xf32>",
        "%0 = tosa.reduce_sum %a {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<*xf32>",
    ): "fp32[2x1]",
    (
        "%a: tensor<*xf32>",
        "%0 = tosa.transpose %a {perms = array<i32: 1, 0, 2>} : (tensor<*xf32>) -> tensor<*xf32>",
    ): "fp32[?x?x?]",
    (
        "%a: tensor<1x?x4xf32>, %b: tensor<1x4x7xf32>, %z: tensor<1xf32>",
        "%0 = tosa.matmul %a, %b, %z, %z : (tensor<1x?x4xf32>, tensor<1x4x7xf32>, tensor<1xf32>, tensor<1xf32>) "
        "-> tensor<*xf32>",
    ): "fp32[1x?x7]",
    (
        "%a: tensor<?x6xf32>",
        "%s = tosa.const_shape {values = dense<[-1, 2, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>\n"
        "%0 = tosa.reshape %a, %s : (tensor<?x6xf32>, !tosa.shape<3>) -> tensor<*xf32>",
    ): "fp32[?x2x3]",
}


def test_ranks_and_sizes_follow_by_the_shape_rules() -> None:
    for (arguments, body), expected in RANKED.items():
        model = read(function(arguments, f"{body}\nreturn %0 : tensor<*xf32>"))
        assert str(model.main.outputs[0].type) == expected, body


def test_a_function_may_state_the_rank_that_an_operator_leaves_out() -> None:
    body = "%0 = tosa.log %a : (tensor<*xf32>) -> tensor<2x3xf32>\nreturn %0 : tensor<2x3xf32>"
    model = read(function("%a: tensor<*xf32>", body, "tensor<2x3xf32>"))
    assert str(model.main.inputs[0].type) == "fp32[?x?]"


@pytest.mark.parametrize(
    ("arguments", "body", "message"),
    [
        (
            "%a: tensor<*xf32>",
            "return %a : tensor<*xf32>",
            "line 1, column 17: no operator tells the rank of argument %a",
        ),
        (
            "%a: tensor<*xf32>",
            "%0 = tosa.log %a : (tensor<*xf32>) -> tensor<*xf32>\nreturn %0 : tensor<*xf32>",
            "line 2, column 6: tosa.log doesn't tell the rank of its unranked tensors",
        ),
    ],
)
def test_a_rank_that_nothing_tells_is_refused(arguments: str, body: str, message: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        read(function(arguments, body))
    assert message in str(caught.value)


def constant(elements: str, type: str) -> str:
    return function(
        "", f'%0 = "tosa.const"() {{values = {elements} : {type}}} : () -> {type}\nreturn %0 : {type}', type
    )


# Each of these texts is accepted, or refused, by tosa-opt of tosa-tools 2026.8.0.
SPARSE = {
    ("[[0, 0], [1, 2]], [1.5, -2.0]", "tensor<2x3xf32>"): [[1.5, 0, 0], [0, 0, -2]],
    ("[[0], [4]], 7", "tensor<5xi8>"): [7, 0, 0, 0, 7],
    ("[0, 2], [1.0, 2.0]", "tensor<4xf32>"): [1, 0, 2, 0],
    ("2, 1.0", "tensor<4xf32>"): [0, 0, 1, 0],
    ("0, 1.0", "tensor<2x2xf32>"): [[1, 0], [0, 0]],
    ("1, [4]", "tensor<2xi32>"): [0, 4],
    ("[[1]], [true]", "tensor<3xi1>"): [False, True, False],
    ("", "tensor<2xi32>"): [0, 0],
    ("[], []", "tensor<2xi32>"): [0, 0],
}
REFUSED = {
    ("[[0, 2]], [1]", "tensor<2x2xi32>"): "expected indices within i32[2x2], found [0, 2]",
    ("[[-1, 0]], [1]", "tensor<2x2xi32>"): "expected indices within i32[2x2], found [-1, 0]",
    ("[1, 1], [3]", "tensor<2x2xi32>"): "expected lists nested as i64[1x2]",
    ("[[0], [1]], [3]", "tensor<2xi32>"): "expected lists nested as i32[2]",
    ("[[0], [1]]", "tensor<2xi32>"): "expected indices and elements with a comma between them",
    ("[[0]], [1], [2]", "tensor<2xi32>"): "expected indices and elements with a comma between them",
    ("0, 1.5", "tensor<2xi32>"): "expected integers",
    ("0, 1", "tensor<?xi32>"): "expected known dimensions",
    ("0, 1", "tensor<1000000x1000000xi32>"): "constants that repeat elements",
}


def test_sparse_constants_have_zeros_where_no_index_is() -> None:
    for (elements, type), expected in SPARSE.items():
        (result,) = tc.run(read(constant(f"sparse<{elements}>", type)), {}).values()
        assert result.tolist() == expected, elements


def test_sparse_constants_that_tosa_opt_refuses_are_refused_with_the_reason() -> None:
    for (elements, type), message in REFUSED.items():
        with pytest.raises((FormatError, UnsupportedError)) as caught:
            read(constant(f"sparse<{elements}>", type))
        assert message in str(caught.value), elements


def test_arguments_that_are_no_tensors_are_left_out_with_a_note() -> None:
    body = "return %b : tensor<1xf32>"
    model = read(function("%a: index, %b: tensor<1xf32>", body, "tensor<1xf32>"))
    assert [value.name for value in model.main.inputs] == ["b"]
    assert model.notes == [("line 1, column 17", "argument %a is left out: expected a tensor, found index")]
    with pytest.raises(FormatError, match="expected a value that is made before it is used, found '%a'"):
        read(function("%a: index", "return %a : tensor<1xf32>", "tensor<1xf32>"))


def test_integers_of_64_bits_are_read_whole() -> None:
    values = [9223372036854775807, -9223372036854775808, 1]
    body = f"%0 = tosa.const_shape {{values = dense<{values}> : tensor<3xindex>}} : () -> !tosa.shape<3>"
    text = f"{body}\nreturn %0 : !tosa.shape<3>"
    model = read(function("", text, "!tosa.shape<3>"))
    constant = model.main.outputs[0].constant
    assert constant is not None
    assert np.array_equal(constant, np.array(values))
    with pytest.raises(FormatError, match="expected integers of 64 bits, found 9223372036854775808"):
        read(function("", text.replace("807,", "808,"), "!tosa.shape<3>"))


def test_bounds_of_clamp_may_be_booleans_and_unsigned() -> None:
    for type, low, high in (("i1", "false", "true"), ("ui8", "0 : ui8", "255 : ui8")):
        clamp = f"%0 = tosa.clamp %a {{min_val = {low}, max_val = {high}}} : (tensor<4x{type}>) -> tensor<4x{type}>"
        model = read(function(f"%a: tensor<4x{type}>", f"{clamp}\nreturn %0 : tensor<4x{type}>", f"tensor<4x{type}>"))
        attributes = model.main.ops[-1].attributes
        assert (attributes["min_val"], attributes["max_val"]) == ((False, True) if type == "i1" else (0, 255))
