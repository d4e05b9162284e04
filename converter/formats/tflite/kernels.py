"""LiteRT's kernels that deviate from their operator's definition, and the kernels that follow it.

LiteRT has reference kernels, optimized ones, and XNNPACK's in front of those. They round differently, by a step or two.
Where they differ by more, on ordinary inputs, some of them are wrong: more than 2 steps of 8 bits, 4 of 16 bits, or
1e-3 of the largest float. Such operators are the rows of `DISAGREEMENTS`, and `tests/longer/kernels.py` looks for them.

A conversion reproduces the reference kernels bit for bit, but gives an operator of this table its definition, in all
numerics. The engines of LiteRT run it by the kernels that the row names. File names are of tensorflow/lite/kernels.
"""

from typing import Any, NamedTuple

from tosa_converter.ir import Op, Value
from tosa_converter.schemas.tflite import ActivationFunctionType, TensorType

OPTIMIZED = "litert-optimized"
NUMPY = "numpy"  # the operator's definition in converter/engines/definitions.py, where no kernel follows it


class Disagreement(NamedTuple):
    """An operator whose kernels in LiteRT disagree by more than rounding, in some element types.

    Args:
        operator: its name.
        operands: words of element types for each of the first operands, of which an operator of the row has one each.
        wrong: the engines whose kernels don't follow the definition.
        kernels: the engine whose kernels do, or numpy.
        fault: what the wrong kernels do, with the file that shows it.
        unaffected_options: those with which the kernels follow the definition; operators that have them all are left
            out.
    """

    operator: str
    operands: tuple[str, ...]
    wrong: tuple[str, ...]
    kernels: str
    fault: str
    unaffected_options: tuple[tuple[str, Any], ...] = ()
    result: str = ""  # words of element types of the first result, where it may have several
    blocks: bool = False  # whether its second operand has a scale for each block of a row
    element: int | None = None  # that its second operand, a constant, has to hold

    @property
    def reason(self) -> str:
        """Why expected values come from the operator's definition: which of LiteRT's kernels are wrong, and how."""
        return f"LiteRT's {_KERNELS[self.wrong]} {self.fault}"

    @property
    def note(self) -> str:
        """The note about the operator in a conversion's report."""
        return f"computed by its definition: {self.reason}"

    def applies_to(self, op: Op) -> bool:
        """Returns whether LiteRT's kernels disagree about an operator: its name and all that the row states match.

        An operator with all of `unaffected_options` doesn't match: with them the kernels agree.
        """
        if op.name != self.operator or len(op.inputs) < len(self.operands):
            return False
        unaffected = self.unaffected_options
        if unaffected and all(op.attributes.get(name) == value for name, value in unaffected):
            return False
        if self.result and op.results[0].type.dtype.value not in self.result.split():
            return False
        if self.blocks and not _has_blocks(op.inputs[1]):
            return False
        if self.element is not None and not _holds(op.inputs[1], self.element):
            return False
        return all(
            value is not None and value.type.dtype.value in words.split()
            for value, words in zip(op.inputs, self.operands, strict=False)
        )


def _has_blocks(value: Value | None) -> bool:
    """Returns whether a matrix has a scale for each block of a row."""
    return value is not None and value.type.quant is not None and value.type.quant.block > 0


def _holds(value: Value | None, element: int) -> bool:
    """Returns whether a value is a constant with an element of this number."""
    constant = None if value is None else value.constant
    return constant is not None and bool((constant == element).any())


REFERENCE, OTHERS = ("litert",), (OPTIMIZED, "litert-xnnpack")
EVERY = (*REFERENCE, *OTHERS)
_KERNELS = {
    REFERENCE: "reference kernel",
    OTHERS: "optimized kernel",
    (OPTIMIZED,): "optimized kernel",
    (*REFERENCE, OPTIMIZED): "own kernels",
    EVERY: "kernels",
}
_STATED = (("quantized_bias_type", TensorType.INT32),)
_WIDE_BIAS = "read a bias of 32 bits as 64-bit integers"
DISAGREEMENTS = (
    # The definition (tf.nn.local_response_normalization) sums from `radius` channels before to `radius` behind, as
    # internal/optimized/optimized_ops.h does. internal/reference/reference_ops.h ends its loop one channel earlier.
    Disagreement(
        "tfl.local_response_normalization",
        ("fp32 fp16 bf16",),
        REFERENCE,
        OPTIMIZED,
        "leaves the last channel out of every sum (internal/reference/reference_ops.h)",
    ),
    # QuantizedMeanOrSum<T, kReference> of reduce.cc hands pointers to uint8 to the reference loop for every type.
    Disagreement("tfl.sum", ("i8",), REFERENCE, OPTIMIZED, "sums the bytes of int8 as uint8 (reduce.cc)"),
    Disagreement("tfl.sum", ("i16",), REFERENCE, OPTIMIZED, "sums the bytes of int16 as uint8 (reduce.cc)"),
    # The reference kernel scales by input scale / output scale ** (1 / 1), as for any other number of factors.
    Disagreement(
        "tfl.reduce_prod",
        ("i8 i16",),
        OTHERS,
        "litert",
        "copies the elements unscaled where all reduced axes have size 1 (internal/optimized/reduce.h)",
    ),
    # EvalMul takes a result of int32 for operands of int32, and reads four times the bytes that there are.
    Disagreement("tfl.mul", ("i8", "i8"), EVERY, NUMPY, "read operands of int8 as int32 (mul.cc)", result="i32"),
    # The kernel is chosen by the bias type that the options state; without one it takes 64 bits for granted. Stated, a
    # bias of 32 bits is read as it is, by all kernels.
    Disagreement(
        "tfl.fully_connected",
        ("i16", "i8 i4", "i32"),
        REFERENCE,
        "litert",
        "reads a bias of 32 bits as 64-bit integers (fully_connected.cc)",
        _STATED,
    ),
    # The reference kernel reads the tensor's one scale, which such weights don't have: its products are 0. The
    # optimized one returns before the activation. XNNPACK's delegate has 4 bits (xnn_datatype_qbint4) and refuses 2.
    Disagreement(
        "tfl.fully_connected",
        ("fp32", "i4"),
        (*REFERENCE, OPTIMIZED),
        NUMPY,
        "give zeros for weights with a scale for each block, or leave the activation out (fully_connected.cc)",
        (("fused_activation_function", ActivationFunctionType.NONE),),
        blocks=True,
    ),
    Disagreement(
        "tfl.fully_connected",
        ("fp32", "i4"),
        REFERENCE,
        OPTIMIZED,
        "gives zeros for weights with a scale for each block (fully_connected.cc)",
        blocks=True,
    ),
    Disagreement(
        "tfl.fully_connected",
        ("fp32", "i2"),
        EVERY,
        NUMPY,
        "compute no weights of 2 bits with a scale for each block (xnnpack_delegate.cc)",
        blocks=True,
    ),
    # The kernel stores weight + 7 in 4 bits without a sign, for -7 to 7: -8 + 7 = -1 has the bits of 15, that is 8 + 7.
    # It takes constant weights with at least 4 rows whose depth is a multiple of 32.
    Disagreement(
        "tfl.fully_connected",
        ("fp32", "i4"),
        (OPTIMIZED,),
        "litert",
        "takes weights of -8 for 8 (internal/optimized/4bit/fully_connected_common.h)",
        element=-8,
    ),
    Disagreement("tfl.conv_2d", ("i16", "i8 i4", "i32"), EVERY, "litert", f"{_WIDE_BIAS} (conv.cc)", _STATED),
    Disagreement(
        "tfl.transpose_conv",
        ("i32", "i8 i4", "i16", "i32"),
        EVERY,
        "litert",
        f"{_WIDE_BIAS} (transpose_conv.cc)",
        _STATED,
    ),
)


def find_disagreement(op: Op) -> Disagreement | None:
    """Returns how LiteRT's reference and optimized kernels disagree on an operator, a row of DISAGREEMENTS, or None."""
    return next((row for row in DISAGREEMENTS if row.applies_to(op)), None)
