"""The rows of TOSA's operators equal the tables of arguments and precision in the specification's chapter 2."""

from tosa_converter.schemas import tosa_ops
from tosa_converter.schemas.tosa_ops import Clause, OpDef, Operand
from tosa_converter.schemas.tosa_target import VERSION

# Operator: name, type and rank of each input -> of each output; what its floats may be off by. `0..` is 0 to MAX_RANK,
# `0..-1` 0 to MAX_RANK - 1; a list of any number of tensors has no rank.
DOCUMENT = """
ARGMAX: input in_t 1.. -> output out_t 0..-1
AVG_POOL2D: input in_out_t 4, input_zp in_out_t 1, output_zp in_out_t 1 -> output in_out_t 4
CONV2D: input in_t 4, weight weight_t 4, bias out_t 1, input_zp in_t 1, weight_zp weight_t 1 -> output out_t 4
CONV3D: input in_t 5, weight weight_t 5, bias out_t 1, input_zp in_t 1, weight_zp weight_t 1 -> output out_t 5
DEPTHWISE_CONV2D: input in_t 4, weight weight_t 4, bias out_t 1, input_zp in_t 1, \
weight_zp weight_t 1 -> output out_t 4
FFT2D: input_real in_out_t 3, input_imag in_out_t 3 -> output_real in_out_t 3, output_imag in_out_t 3
MATMUL: A in_t 3, B in_t 3, A_zp in_t 1, B_zp in_t 1 -> output out_t 3
MAX_POOL2D: input in_out_t 4 -> output in_out_t 4
RFFT2D: input_real in_out_t 3 -> output_real in_out_t 3, output_imag in_out_t 3
TRANSPOSE_CONV2D: input in_t 4, weight weight_t 4, bias out_t 1, input_zp in_t 1, \
weight_zp weight_t 1 -> output out_t 4
CLAMP: input in_out_t 0.. -> output in_out_t 0..
ERF: input in_out_t 0.. -> output in_out_t 0..; ulp 5
SIGMOID: input in_out_t 0.. -> output in_out_t 0..; bound
TANH: input in_out_t 0.. -> output in_out_t 0..; bound
ADD: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..; ulp 0.5
ARITHMETIC_RIGHT_SHIFT: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
BITWISE_AND: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
BITWISE_OR: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
BITWISE_XOR: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
INTDIV: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
LOGICAL_AND: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
LOGICAL_LEFT_SHIFT: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
LOGICAL_RIGHT_SHIFT: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
LOGICAL_OR: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
LOGICAL_XOR: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
MAXIMUM: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
MINIMUM: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..
MUL: input1 in_t 0.., input2 in_t 0.., shift i8 1 -> output out_t 0..; ulp 0.5
POW: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..; bound
SUB: input1 in_out_t 0.., input2 in_out_t 0.. -> output in_out_t 0..; ulp 0.5
TABLE: input1 in_t 0.., table table_t 1 -> output out_t 0..
ABS: input1 in_out_t 0.. -> output in_out_t 0..
BITWISE_NOT: input1 in_out_t 0.. -> output in_out_t 0..
CEIL: input1 in_out_t 0.. -> output in_out_t 0..; ulp 0.5
CLZ: input1 in_out_t 0.. -> output in_out_t 0..
COS: input1 in_out_t 0.. -> output in_out_t 0..; bound
EXP: input1 in_out_t 0.. -> output in_out_t 0..; bound
FLOOR: input1 in_out_t 0.. -> output in_out_t 0..; ulp 0.5
LOG: input1 in_out_t 0.. -> output in_out_t 0..; ulp 5
LOGICAL_NOT: input1 in_out_t 0.. -> output in_out_t 0..
NEGATE: input1 in_out_t 0.., input1_zp in_out_t 1, output_zp in_out_t 1 -> output in_out_t 0..
RECIPROCAL: input1 in_out_t 0.. -> output in_out_t 0..; ulp 1
RSQRT: input1 in_out_t 0.. -> output in_out_t 0..; ulp 2
SIN: input1 in_out_t 0.. -> output in_out_t 0..; bound
SELECT: input1 bool 0.., input2 in_out_t 0.., input3 in_out_t 0.. -> output in_out_t 0..
EQUAL: input1 in_t 0.., input2 in_t 0.. -> output out_t 0..
GREATER: input1 in_t 0.., input2 in_t 0.. -> output out_t 0..
GREATER_EQUAL: input1 in_t 0.., input2 in_t 0.. -> output out_t 0..
REDUCE_ALL: input in_out_t 1.. -> output in_out_t 1..
REDUCE_ANY: input in_out_t 1.. -> output in_out_t 1..
REDUCE_MAX: input in_out_t 1.. -> output in_out_t 1..
REDUCE_MIN: input in_out_t 1.. -> output in_out_t 1..
REDUCE_PRODUCT: input in_out_t 1.. -> output in_out_t 1..; bound
REDUCE_SUM: input in_out_t 1.. -> output in_out_t 1..
CONCAT: input1 list of in_out_t 1.. -> output in_out_t 1..
PAD: input1 in_out_t 1.., padding shape 1, pad_const in_out_t 1 -> output in_out_t 1..
RESHAPE: input1 in_out_t 0.., shape shape 1 -> output in_out_t 0..
REVERSE: input1 in_out_t 1.. -> output in_out_t 1..
SLICE: input1 in_out_t 1.., start shape 1, size shape 1 -> output in_out_t 1..
TILE: input1 in_out_t 1.., multiples shape 1 -> output in_out_t 1..
TRANSPOSE: input1 in_out_t 1.. -> output in_out_t 1..
GATHER: values in_out_t 3, indices index_t 2 -> output in_out_t 3
SCATTER: values_in in_out_t 3, indices index_t 2, input in_out_t 3 -> values_out in_out_t 3
RESIZE: input in_t 4, scale shape 1, offset shape 1, border shape 1 -> output out_t 4; bound
CAST: input in_t 0.. -> output out_t 0..
RESCALE: input in_t 0.., multiplier mul_t 1, shift i8 1, input_zp in_t 1, output_zp out_t 1 -> output out_t 0..
CONST:  -> output out_t 0..
IDENTITY: input1 in_out_t 0.. -> output in_out_t 0..
CUSTOM: input_list list -> output_list list
COND_IF: condition bool 0.., input_list list -> output_list list
WHILE_LOOP: input_list list -> output_list list
VARIABLE_WRITE: input1 in_t 0.. ->
VARIABLE_READ:  -> output1 out_t 0..
"""


def written(operand: Operand) -> str:
    """Returns an operand as the document lists it."""
    if operand.type == "any":
        return f"{operand.name} list"
    low, high = operand.rank
    largest = {tosa_ops.MAX_RANK: "..", tosa_ops.MAX_RANK - 1: "..-1", low: ""}[high]
    return f"{operand.name} {'list of ' * operand.variadic}{operand.type} {low}{largest}"


def line(row: OpDef) -> str:
    """Returns an operator as the document lists it."""
    inputs, outputs = (", ".join(map(written, side)) for side in (row.inputs, row.outputs))
    precision = ""
    if row.precision is not None and row.precision.clause is Clause.ULP:
        precision = f"; ulp {row.precision.ulps:g}"
    elif row.precision is not None and row.precision.clause is Clause.BOUND:
        precision = "; bound"
    return f"{row.name}: {inputs} -> {outputs}{precision}".rstrip()


def test_arguments_and_precision_are_those_of_the_specification() -> None:
    rows = {row.name: line(row) for row in tosa_ops.OPERATORS if row.since == VERSION}
    document = DOCUMENT.strip().splitlines()
    assert [rows[text.partition(":")[0]] for text in document] == document
    assert set(rows) - {text.partition(":")[0] for text in document} == {"VARIABLE", "CONST_SHAPE"}  # no ranks
