"""Cases of tables whose rows are looked up by index or key."""

import numpy as np

from support.cases.case import Case, Row, Rows, ints, tensor
from support.cases.draw import Draw
from tosa_converter.schemas.tflite import BuiltinOperator as B
from tosa_converter.schemas.tflite import CombinerType


def hashtable_lookup(d: Draw) -> Case:
    """Draws ascending keys, and look-ups of present and absent keys."""
    table = d.tensor(d.shape(1, 4))
    count = table.shape[0]
    keys = np.sort(d.rng.choice(200, count, replace=False) - 100).astype(np.int32)
    absent_keys = d.rng.integers(-100, 100, 4).astype(np.int32)
    lookup = d.rng.permutation(np.concatenate([d.rng.choice(keys, 3), absent_keys]))
    quant = {"scale": table.scale, "zero_point": table.zero_point} if d.quantized else {}
    results = [d.result(**quant), d.result("ui8")]
    return Case(B.HASHTABLE_LOOKUP, [d.of(lookup, "i32"), d.either(d.of(keys, "i32")), d.either(table)], results)


def embedding_lookup_sparse(d: Draw) -> Case:
    """Draws entries in the order of a sparse tensor."""
    shape = d.shape(1, 3, 4)
    entries = np.argwhere(d.rng.integers(0, 2, shape)).astype(np.int32)
    entries = entries if len(entries) else np.zeros((1, len(shape)), np.int32)
    table = d.tensor(d.shape(2, 3))
    ids = d.rng.integers(0, table.shape[0], len(entries)).astype(np.int32)
    weights = np.abs(d.values((len(entries),), "fp32")) + np.float32(0.1)
    operands = [
        d.either(d.of(ids, "i32")),
        d.either(d.of(entries, "i32")),
        d.ints(shape),
        d.either(d.of(weights, "fp32")),
        d.either(table),
    ]
    if not any(operand.fed for operand in operands):
        operands[4] = table
    return Case(B.EMBEDDING_LOOKUP_SPARSE, operands, [d.result()], {"combiner": d.among(*CombinerType)})


TABLE, INDICES = tensor("float32", (4, 3)), tensor("int32", (2,))
SUMS, HITS = tensor("float32", (2, 3)), tensor("uint8", (2,))
ENTRIES, WEIGHTS = ints(0, 0, 0, 1, shape=(2, 2)), tensor("float32", (2,))
ROWS: Rows = {
    B.EMBEDDING_LOOKUP_SPARSE: Row(
        embedding_lookup_sparse,
        [
            Case(
                B.EMBEDDING_LOOKUP_SPARSE,
                (INDICES, ENTRIES, ints(2, 2), WEIGHTS, TABLE),
                (SUMS,),
                {"combiner": CombinerType.MEAN},
            )
        ],
    ),
    B.HASHTABLE_LOOKUP: Row(
        hashtable_lookup, [Case(B.HASHTABLE_LOOKUP, (INDICES, ints(1, 3, 5, 7), TABLE), (SUMS, HITS))]
    ),
}
