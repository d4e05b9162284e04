"""Texts in the forms of tosa-opt, and graphs as plain data, so that tests can compare what two readers build."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tosa_converter.formats import parse
from tosa_converter.formats.mlir.writer import write_mlir
from tosa_converter.ir import Graph, Model, Op, Value

CONTROL = """
func.func @main(%arg0: tensor<i1>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %0 = tosa.cond_if %arg0 (%arg3 = %arg1, %arg4 = %arg2) : tensor<i1> (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%arg3: tensor<2xf32>, %arg4: tensor<2xf32>):
    %3 = tosa.add %arg3, %arg4 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %3 : tensor<2xf32>
  } else {
  ^bb0(%arg3: tensor<2xf32>, %arg4: tensor<2xf32>):
    %3 = tosa.sub %arg3, %arg4 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %3 : tensor<2xf32>
  }
  %1 = tosa.cond_if %arg0 : tensor<i1> -> tensor<f32> {
    %3 = "tosa.const"() <{values = dense<1.5> : tensor<f32>}> : () -> tensor<f32>
    tosa.yield %3 : tensor<f32>
  } else {
    %3 = "tosa.const"() <{values = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    tosa.yield %3 : tensor<f32>
  }
  %2:2 = tosa.while_loop (%arg3 = %0, %arg4 = %1) : (tensor<2xf32>, tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
    %3 = "tosa.const"() <{values = dense<false> : tensor<i1>}> : () -> tensor<i1>
    tosa.yield %3 : tensor<i1>
  } do {
  ^bb0(%arg3: tensor<2xf32>, %arg4: tensor<f32>):
    %3 = tosa.abs %arg3 : (tensor<2xf32>) -> tensor<2xf32>
    tosa.yield %3, %arg4 : tensor<2xf32>, tensor<f32>
  }
  return %2#0, %2#1 : tensor<2xf32>, tensor<f32>
}
"""
VARIABLES = """
module {
  tosa.variable @v = dense<[7, -8]> : tensor<2xi8>
  tosa.variable @"we ird" : tensor<2x3xf32>
  func.func @main(%arg0: tensor<2xi8>) -> (tensor<2xi8>, tensor<2x3xf32>) {
    tosa.variable_write @v, %arg0 : tensor<2xi8>
    %0 = tosa.variable_read @v : tensor<2xi8>
    %1 = tosa.variable_read @"we ird" : tensor<2x3xf32>
    return %0, %1 : tensor<2xi8>, tensor<2x3xf32>
  }
}
"""
ATTRIBUTES = """
// A comment.
#zero = dense<0> : tensor<1xi8>
!block = tensor<2x3xi8>
module attributes {a.b = [1, "x", unit, #zero, {c = 3.5}], a.map = affine_map<(d0) -> (d0)>, a.last} {
  func.func @main(%arg0: !block {tosa.tensor_name = "in"}) -> (!block {tosa.tensor_name = "out"}) attributes {a = 1} {
    %0 = "tosa.const"() <{values = #zero}> {foo = "bar"} : () -> tensor<1xi8>
    %1 = "tosa.const"() <{values = dense_resource<big> : tensor<4xf32>}> : () -> tensor<4xf32>
    %2 = "tosa.const"() <{values = dense<[[1.0, 0x7FC00001]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    %12 = "tosa.const"() <{values = dense<[[-0.0], [1.5e-3]]> : tensor<2x1xf32>}> : () -> tensor<2x1xf32>
    %3 = "tosa.const"() <{values = dense<[1, -3, 0x1F]> : tensor<3xi48>}> : () -> tensor<3xi48>
    %4 = "tosa.const"() <{values = dense<[255, -128]> : tensor<2xi8>}> : () -> tensor<2xi8>
    %5 = "tosa.const"() <{values = dense<"0x0100FE0F"> : tensor<4xi4>}> : () -> tensor<4xi4>
    %6 = "tosa.const"() <{values = dense<1.003906250000909> : tensor<2xbf16>}> : () -> tensor<2xbf16>
    %7 = "tosa.const"() <{values = dense<[1000.0, 1.0625009]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %8 = "tosa.const"() <{values = dense<"0x2A"> : tensor<3xi8>}> : () -> tensor<3xi8>
    %9 = "tosa.const_shape"() <{values = dense<> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %10 = tosa.clamp %arg0 {min_val = -3 : i8, max_val = 4 : i8, nan_mode = #tosa.nan_mode<IGNORE>} : (!block) -> !block
    %11 = tosa.custom %10 {domain_name = "", implementation_attrs = "a\\FF", operator_name = "o"} : (!block) -> !block
    return %10 : !block
  }
}
{-#
  dialect_resources: { builtin: { big: "0x040000000000803F0000004000004040FFFFFFFF" } },
  external_resources: { foo: { bar: "0x04000000", b: true } }
#-}
"""
TEXTS = {"control": CONTROL, "variables": VARIABLES, "attributes": ATTRIBUTES}
BRANCHES = """
func.func @main(%c: tensor<i1>, %a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi32> {
  %k = "tosa.const"() <{values = dense<[10, 20]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = tosa.cond_if %c : tensor<i1> -> tensor<2xi32> {
    %1 = tosa.add %a, %k : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    tosa.yield %1 : tensor<2xi32>
  } else {
    tosa.yield %b : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}
"""
# Adds %step to %x until %x is %most or more; the inner branch reads a value from two regions around it.
LOOP = """
func.func @main(%start: tensor<i32>, %step: tensor<i32>, %most: tensor<i32>) -> tensor<i32> {
  %0 = tosa.while_loop (%x = %start) : (tensor<i32>) -> tensor<i32> {
    %1 = tosa.greater %most, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
    tosa.yield %1 : tensor<i1>
  } do {
  ^bb0(%x: tensor<i32>):
    %go = tosa.greater %x, %step : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = tosa.cond_if %go : tensor<i1> -> tensor<i32> {
      %3 = tosa.add %x, %step : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tosa.yield %3 : tensor<i32>
    } else {
      %4 = tosa.add %x, %x : (tensor<i32>, tensor<i32>) -> tensor<i32>
      tosa.yield %4 : tensor<i32>
    }
    tosa.yield %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}
"""
# A layer of unknown batch: sizes of -1 and unranked results follow once the batch is stated.
DIMS = """
func.func @main(%arg0: tensor<?x4xf32> {tosa.tensor_name = "x"}, %arg1: tensor<4x3xf32>) -> (tensor<?x3xf32>) {
  %s0 = tosa.const_shape {values = dense<[1, -1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s1 = tosa.const_shape {values = dense<[1, 4, 3]> : tensor<3xindex>} : () -> !tosa.shape<3>
  %s2 = tosa.const_shape {values = dense<[-1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %s3 = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
  %z = "tosa.const"() <{values = sparse<0, 0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %e = tosa.exp %arg0 : (tensor<?x4xf32>) -> tensor<*xf32>
  %a = tosa.reshape %e, %s0 : (tensor<*xf32>, !tosa.shape<3>) -> tensor<1x?x4xf32>
  %b = tosa.reshape %arg1, %s1 : (tensor<4x3xf32>, !tosa.shape<3>) -> tensor<1x4x3xf32>
  %m = tosa.matmul %a, %b, %z, %z : (tensor<1x?x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<*xf32>
  %r = tosa.reshape %m, %s2 : (tensor<*xf32>, !tosa.shape<2>) -> tensor<?x3xf32>
  %0 = tosa.slice %r, %s3, %s2 : (tensor<?x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""
OPEN_TEXTS = (BRANCHES, LOOP, DIMS)  # of what tosa-opt reads and its serializer doesn't write

tosa_opt = pytest.mark.skipif(shutil.which("tosa-opt") is None, reason="tosa-tools is not installed")


def printed(text: str, *options: str) -> str:
    """Returns a text as tosa-opt prints it."""
    command = ["tosa-opt", *options]
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True, timeout=120)
    return done.stdout


def serialized(text: str, folder: Path) -> Model:
    """Returns the model that tosa-opt's own parser and serializer write for a text."""
    path = folder / "serialized.tosa"
    options = f"--tosa-serialize=retain-graph-input-output-names tosa-flatbuffer-filename={path}"
    printed(text, options)
    return parse(path.read_bytes())


def read(text: str) -> Model:
    return parse(text.encode())


def plain(graph: Graph) -> list[Any]:
    """Returns operators with attributes, types and the sources of their operands; variables by name, in any order."""
    numbers: dict[Value, int] = {value: i for i, value in enumerate(graph.inputs)}
    rows = []
    for op in graph.ops:
        for value in op.results:
            numbers[value] = len(numbers)
        rows.append(_row(op, numbers))
    variables = sorted((row for row in rows if row[0] == "tosa.variable"), key=str)
    operators = [row for row in rows if row[0] != "tosa.variable"]
    borders = [[value.type for value in values] for values in (graph.inputs, graph.outputs)]
    return [*borders, [numbers[value] for value in graph.outputs], variables, operators]


def _row(op: Op, numbers: dict[Value, int]) -> tuple[Any, ...]:
    attributes = {key: _bits(value) for key, value in sorted(op.attributes.items()) if value is not None}
    operands = [numbers[value] for value in op.operands]
    return op.name, operands, [value.type for value in op.results], attributes, list(map(plain, op.regions))


def _bits(value: Any) -> Any:
    return (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def names(graph: Graph) -> Iterator[str]:
    """Yields the names of inputs and outputs."""
    yield from (value.name for value in (*graph.inputs, *graph.outputs))


def together(graphs: list[Graph]) -> str:
    """Returns the text of one function with the contents of all graphs."""
    whole = Graph("main")
    for i, graph in enumerate(graphs):
        for value in {*graph.inputs, *graph.outputs}:
            value.name = f"{value.name}_{i}"
        whole.inputs += graph.inputs
        whole.outputs += graph.outputs
        whole.ops += graph.ops
    return write_mlir(Model({"main": whole}))
