"""Hostile MLIR text ends in one error with its place, in time and memory proportional to the text."""

import contextlib
import time
import tracemalloc

import numpy as np
import pytest
from support.mlir_texts import read

import tosa_converter as tc
from tosa_converter.errors import ConverterError, FormatError, UnsupportedError
from tosa_converter.formats.elements import SPLATS
from tosa_converter.formats.mlir import element_bytes
from tosa_converter.formats.mlir.reader import read_mlir


def function(body: str, results: str = "") -> str:
    return f"func.func @main(%x: tensor<2xi8>) {results}{{\n{body}\n}}"


def const(value: str) -> str:
    return function(f'%0 = "tosa.const"() <{{values = {value}}}> : () -> tensor<2xi8>\nreturn')


ABS = "tosa.abs %x : (tensor<2xi8>) -> tensor<2xi8>"
REVERSE = "%0 = tosa.reverse %x {{{}}} : (tensor<2xi8>) -> tensor<2xi8>"
DENSE = {  # the value of a constant of tensor<2xi8>, the column and the error
    "dense<[1, 2, 3]> : tensor<2xi8>": "38: expected lists nested as i8[2] has its elements, found '['",
    "dense<[[1], [2]]> : tensor<2xi8>": "38: expected lists nested as i8[2] has its elements, found '['",
    "dense<[1, 2.5]> : tensor<2xi8>": "42: expected integers, commas between them, found '2.5'",
    "dense<[1, 256]> : tensor<2xi8>": "38: expected integers of i8, found 256",
    "dense<[1,]> : tensor<2xi8>": "42: expected integers, commas between them, found '>'",
    "dense<[1 2, 3]> : tensor<2xi8>": "39: expected integers, commas between them, found '1'",
    "dense<[1.0, 2.0]> : tensor<2xi8>": "39: expected integers, commas between them, found '1.0'",
    "dense<x> : tensor<2xi8>": "38: expected integers, commas between them, found 'x'",
    'dense<"0x0"> : tensor<2xi8>': "38: expected pairs of hexadecimal digits, found '\"0x0\"'",
    'dense<"0x010203"> : tensor<2xi8>': "38: expected 2 bytes for i8[2], found 3",
    'dense<"0102"> : tensor<2xi8>': "38: expected a string of hexadecimal digits behind 0x, found '\"0102\"'",
    "dense<> : tensor<2xi8>": "38: expected 2 elements for i8[2], found 0",
    "dense<1> : tensor<3xi8>": "32: expected elements of the result's type, i8[2], found i8[3]",
    "dense<1> : tensor<?xi8>": "43: expected known dimensions, found 'tensor<?xi8>'",
    "dense<1> : tensor<2xsi8>": "43: type 'si8' is not part of TOSA 1.0 or 1.1",
    "dense<1> : tensor<*xi8>": "43: expected known dimensions, found 'tensor<*xi8>'",
    "dense<1> : memref<2xi8>": "43: type 'memref' is not part of TOSA 1.0 or 1.1",
    "dense<[1, 2]> : tensor<2xf32>": "39: expected floats or their bits in hexadecimal, commas between them, found '1'",
    "dense<[1.0, 0x1FFFFFFFF]> : tensor<2xf32>": "38: expected at most 32 bits for fp32, found more",
    "dense<1> : tensor<0x999999999999999999x999999999999999999xi8>": "38: expected a shape that fits the memory",
    "dense<1> : tensor<999999999999999999x999999999999999999xi8>": "38: expected a shape that fits the memory",
    "dense<1> : tensor<1000000x1000000xi8>": "38: constants that repeat elements, of more than ",
    "dense_resource<a> : tensor<2xi8>": "46: expected a section with resource 'a', found none",
    "dense_resource<__elided__> : tensor<2xi8>": "'__elided__', found elements left out of the text",
    "#a": "32: expected an attribute that the text defines before, found '#a'",
    "1.0 : f32": "32: expected tosa.const: values as dense<...>, found '1.0'",
}
REFUSED = [
    ("//", "line 1, column 3: expected a function with a body, found the end of the text"),
    ("module {", "line 1, column 9: expected a module, a function, a variable or an alias, found the end of the text"),
    ("module @a, {", "line 1, column 10: expected '{', found ','"),
    ("module { memref.global }", "line 1, column 10: memref.global is not an operator of TOSA 1.0 or 1.1"),
    ("module { 3 }", "line 1, column 10: expected a module, a function, a variable or an alias, found '3'"),
    ("module @a attributes {a = } {", "line 1, column 27: expected an attribute, found '}'"),
    ("module @a attributes {a = foo<(} {", "line 1, column 32: expected ')', found '}'"),
    ("func.func @main(%a: none) { return }", "line 1, column 21: type 'none' is not part of TOSA 1.0"),
    (
        "func.func @main(%a: tensor<2xindex>) { return }",
        "line 1, column 21: expected !tosa.shape<...> for a shape, found 'tensor<2xindex>'",
    ),
    (
        f"func.func @main(%a: tensor<{'1x' * 33}i8>) {{ return }}",
        "line 1, column 21: expected at most 32 dimensions, found 33",
    ),
    (
        'func.func @"\\4z"() { return }',
        "line 1, column 11: expected escapes of two hexadecimal digits, n, t, quotes or a backslash, found",
    ),
    ('func.func @"\\FF"() { return }', "line 1, column 11: expected UTF-8, found '@\"\\\\FF\"'"),
    ("func.func @main()", "line 1, column 18: expected a function with a body, found the end of the text"),
    ("func.func @main() -> tensor<2xi8> { return }", "line 1, column 37: expected results i8[2], found none"),
    (
        '"func.func"() ({ "func.return"() : () -> () }) : () -> ()',
        "line 1, column 1: expected a function with sym_name and function_type, found '\"func.func\"'",
    ),
    (
        '"func.func"() <{sym_name = "f", function_type = (tensor<2xi8>) -> ()}> ({ return }) : () -> ()',
        "line 1, column 49: expected arguments i8[2], found none",
    ),
    (function("return %x"), "line 3, column 1: expected ':', found '}'"),
    (
        function("return %x : tensor<3xi8>"),
        "line 2, column 8: expected i8[3], as the types behind it say, found %x of i8[2]",
    ),
    (function("return %x : tensor<2xi8>"), "line 2, column 1: expected results none, found i8[2]"),
    (
        function("return %y : tensor<2xi8>"),
        "line 2, column 8: expected a value that is made before it is used, found '%y'",
    ),
    (
        function("return %x#1 : tensor<2xi8>"),
        "line 2, column 8: expected a value that is made before it is used, found '%x#1'",
    ),
    (function("return") * 2, "line 3, column 2: expected a function of another name, found @main twice"),
    (function(""), "line 3, column 1: expected an operator or a terminator, found '}'"),
    (function(f"%x = {ABS}"), "line 2, column 1: expected a value of another name, found '%x'"),
    (function(f"%0:2 = {ABS}"), "line 2, column 8: expected 2 results, found tosa.abs with 1"),
    (function(f"%0:-1, %1:2 = {ABS}"), "line 2, column 15: expected 1 results, found tosa.abs with 1"),
    (
        function("%0 = tosa.abs %x, %x : (tensor<2xi8>) -> tensor<2xi8>"),
        "line 2, column 6: expected types of 2 operands, found 1",
    ),
    (
        function("%0 = tosa.abs %x : (tensor<2xi8>) -> tensor<2xi8"),
        "line 2, column 38: expected the type of a tensor with '<' and '>' in one line, found 'tensor'",
    ),
    (
        function('%0 = "stablehlo.add"(%x) : () -> ()'),
        "line 2, column 6: stablehlo.add is not an operator of TOSA 1.0 or 1.1",
    ),
    (
        function('%0 = "tosa.matmul_t_block_scaled"(%x) : () -> ()'),
        "line 2, column 6: tosa.matmul_t_block_scaled is deprecated in the draft of TOSA 1.1, which removes it",
    ),
    (function("%0 = arith.addf %x"), "line 2, column 6: arith.addf is not an operator of TOSA 1.0 or 1.1"),
    (function(REVERSE.format("")), "line 2, column 6: expected tosa.reverse with attribute 'axis', found none"),
    (
        function(REVERSE.format("axis = 1.5 : f32")),
        "line 2, column 30: expected tosa.reverse: axis as an integer of i32, found '1.5'",
    ),
    (
        function(REVERSE.format("axis = 99999999999")),
        "line 2, column 30: expected tosa.reverse: axis as an integer of i32, found '99999999999'",
    ),
    (
        function("%0 = tosa.transpose %x {perms = 3} : (tensor<2xi8>) -> tensor<2xi8>"),
        "line 2, column 33: expected tosa.transpose: perms as a list of integers, found '3'",
    ),
    (
        function("%0 = tosa.max_pool2d %x {nan_mode = A, kernel = array<i64>} : (tensor<2xi8>) -> tensor<2xi8>"),
        "line 2, column 6: expected tosa.max_pool2d with attribute 'stride', found none",
    ),
    (
        function("%0 = tosa.clamp %x {min_val = 1 : i32, max_val = 1 : i8} : (tensor<2xi8>) -> tensor<2xi8>"),
        "line 2, column 31: expected tosa.clamp: min_val as a number of i8, found '1'",
    ),
    (
        function('%0 = "tosa.cond_if"(%x) : (tensor<2xi8>) -> ()'),
        "line 2, column 6: expected tosa.cond_if with 2 regions, found 0",
    ),
    (
        function("tosa.while_loop : () -> () { tosa.yield } { tosa.yield }"),
        "line 2, column 43: expected 'do', found '{'",
    ),
    (
        function("tosa.while_loop (%a = %x) : () -> () { tosa.yield } do { tosa.yield }"),
        "line 2, column 1: expected types of 1 operands, found 0",
    ),
    (
        function("tosa.while_loop : () -> () { tosa.yield %y : tensor<2xi8> } do { tosa.yield }"),
        "line 2, column 41: expected a value that is made before it is used, found '%y'",
    ),
    (
        function("tosa.variable @v : tensor<2xi8>"),
        "line 2, column 1: expected tosa.variable in the module, found it in a function",
    ),
    (
        function("%0 = tosa.variable_read @v : tensor<2xi8>\nreturn"),
        "line 2, column 6: expected variable @v in the module, found none",
    ),
    ("tosa.variable @v : tensor<?xi8>", "line 1, column 1: variable @v has unknown dimensions"),
    ("tosa.variable @v = 3", "line 1, column 20: expected elements, found '3'"),
    (
        "tosa.variable @v : tensor<2xi8>\ntosa.variable @v : tensor<2xi8>",
        "line 2, column 1: expected a variable of another name, found @v twice",
    ),
    (
        function(f"%0 = {ABS} loc(#a)\nreturn"),
        "line 2, column 55: expected a location that the text defines, found '#a'",
    ),
    (function(f"%0 = {ABS} loc(3)\nreturn"), "line 2, column 55: expected a location, found '3'"),
    (
        "#a = loc(#b)\n#b = loc(#a)\n" + function(f"%0 = {ABS} loc(#a)\nreturn"),
        "line 1, column 10: locations nest deeper than 66",
    ),
    ("module {" * 100, "line 1, column 537: regions or lists nest deeper than 66"),
    ("module attributes {a = " + "[" * 100_000, "line 1, column 90: regions or lists nest deeper than 66"),
    (function('"tosa.while_loop"() ({' * 1000), "line 2, column 1452: regions or lists nest deeper than 66"),
    *((const(value), message) for value, message in DENSE.items()),
]


def test_refusals_state_place_and_reason() -> None:
    for text, message in REFUSED:
        with pytest.raises((FormatError, UnsupportedError)) as caught:
            read_mlir(text.encode("latin-1"))
        assert message in str(caught.value), text


def test_unknown_dimensions_are_read_and_refused_by_a_conversion() -> None:
    model = read("func.func @main(%a: tensor<?x3xi8>) -> tensor<?x3xi8> { return %a : tensor<?x3xi8> }")
    with pytest.raises(UnsupportedError, match=r"inputs have unknown dimensions: 'a' int8\[\?,3\]"):
        tc.convert(model)
    (result,) = tc.run(model, {"a": np.zeros((1, 3), np.int8)}).values()
    assert result.shape == (1, 3)


# ** much text, little time and memory **

SIZE = 400_000  # characters; quadratic time would be hours


def numbers(values: str, count: int, type: str) -> str:
    return f'%0 = "tosa.const"() <{{values = dense<{values}> : tensor<{count}x{type}>}}> : () -> tensor<{count}x{type}>'


LONG = {
    "hexadecimal": function(numbers(f'"0x{"0A" * (SIZE // 2)}"', SIZE // 2, "i8") + "\nreturn"),
    "integers": function(numbers(f"[{'1, ' * (SIZE // 3)}1]", SIZE // 3 + 1, "i48") + "\nreturn"),
    "floats": function(numbers(f"[{'1.5, 0x7FC00000, ' * (SIZE // 17)}1.5]", SIZE // 17 * 2 + 1, "f32") + "\nreturn"),
    "booleans": function(numbers(f"[{'true, ' * (SIZE // 6)}false]", SIZE // 6 + 1, "i1") + "\nreturn"),
    "a bad integer": function(numbers(f"[{'1, ' * (SIZE // 3)}x]", SIZE // 3 + 1, "i8")),
    "brackets": function(numbers("[" * SIZE, 1, "i8")),
    "operators": function(
        "\n".join(f"%{i} = tosa.abs %x : (tensor<2xi8>) -> tensor<2xi8> loc(#a)" for i in range(SIZE // 60))
        + "\nreturn"
    )
    + '#a = loc("a")',
    "outputs": function(
        f"return {', '.join(['%x'] * (SIZE // 30))} : {', '.join(['tensor<2xi8>'] * (SIZE // 30))}",
        f"-> ({', '.join(['tensor<2xi8>'] * (SIZE // 30))}) ",
    ),
    "functions": "\n".join(f"func.func @f{i}() {{ return }}" for i in range(SIZE // 30)),
    "variables": "\n".join(f"tosa.variable @v{i} : tensor<1xi8>" for i in range(SIZE // 30)) + function("return"),
    "aliases": "\n".join(["#a0 = 1 : i32", *(f"#a{i} = #a{i - 1}" for i in range(1, SIZE // 20))]),
    "locations": function(f"%0 = {ABS} loc(#a99)\nreturn")
    + "\n".join(f"#a{i} = loc(fused[#a{i - 1}, #a{i - 1}])" for i in range(SIZE // 30)),
    "parts of a location": function(f"%0 = {ABS} loc(fused[{'#a, ' * (SIZE // 4)}#a])\nreturn")
    + f'#a = loc("{"x" * 999}")',
    "angles": "module {" + "tensor<" * (SIZE // 7),
    "quotes": 'module @"' + "a" * SIZE,
    "escapes": 'module @"' + r"\41" * (SIZE // 3) + '" {}',
    "comments": "// x\n" * (SIZE // 5),
    "spaces": " " * SIZE,
    "an array": function(f"%0 = tosa.transpose %x {{perms = array<i32: {'1, ' * (SIZE // 3)}1>}} : () -> ()"),
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_take_time_and_memory_in_proportion(name: str) -> None:
    tracemalloc.start()
    started = time.monotonic()
    with contextlib.suppress(ConverterError):
        read_mlir(LONG[name].encode())
    taken, (_, peak) = time.monotonic() - started, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken < 30
    assert peak < 120 * SIZE


def test_repeated_elements_take_no_memory() -> None:
    text = function(numbers("7", 100_000_000, "i8") + "\nreturn")
    tracemalloc.start()
    values = read(text).main.ops[0].attributes["values"]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert values.shape == (100_000_000,)
    assert values[5] == 7
    assert peak < 1 << 20


@pytest.mark.parametrize("elements", ["dense<7> : tensor<1000000xi8>", "#a", "dense_resource<r> : tensor<1000000xi8>"])
def test_elements_are_not_repeated_without_end(elements: str) -> None:
    line = '"tosa.const"() <{{values = {}}}> : () -> tensor<1000000xi8>'
    body = "\n".join(f"%{i} = {line.format(elements)}" for i in range(200))
    resource = f'{{-# dialect_resources: {{builtin: {{r: "0x04000000{"01" * 1_000_000}"}}}} #-}}'
    text = "#a = dense<7> : tensor<1000000xi8>\n" + function(f"{body}\nreturn") + resource * ("resource" in elements)
    with pytest.raises(UnsupportedError, match="constants that repeat elements, of more than"):
        read(text)


@pytest.mark.parametrize("form", ["dense<7> : {}", 'dense<"0x07"> : {}'])
@pytest.mark.parametrize("beyond", [0, 1])
def test_repeated_elements_have_an_exact_budget(form: str, beyond: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is 128 MiB, less here, and 16 bytes for each byte of the text."""
    assert SPLATS == 1 << 27
    monkeypatch.setattr(element_bytes, "SPLATS", 500_000)
    text = function(
        f'%0 = "tosa.const"() <{{values = {form}}}> : () -> {{}}\nreturn'.replace("{}", "tensor<9999999xi8>")
    )
    size = 500_000 + 16 * len(text)
    text = text.replace("9999999", f"{size + beyond:07}")
    if beyond:
        with pytest.raises(UnsupportedError, match="constants that repeat elements, of more than 500000 bytes besides"):
            read(text)
    else:
        assert read(text).main.ops[0].attributes["values"].shape == (size,)
