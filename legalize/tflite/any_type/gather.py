"""Reading by index: GATHER, GATHER_ND, REVERSE_SEQUENCE."""

from tosa_converter.dtypes import DType
from tosa_converter.legalize.checks import STORED
from tosa_converter.legalize.later_operators import target_takes
from tosa_converter.legalize.limits import normalized_axis
from tosa_converter.legalize.ops import index
from tosa_converter.rewriting.expr import Expr
from tosa_converter.rewriting.match import Match
from tosa_converter.rewriting.reasons import Decline
from tosa_converter.rewriting.rule import Rule
from tosa_converter.schemas import tflite
from tosa_converter.schemas.tosa_ops import ROW_GATHER


def gather(match: Match) -> Expr:
    """Lowers GATHER along an axis; a negative number of batch dimensions counts back from the indices' rank."""
    x, indices = match["params"], match["indices"]
    options = match.attributes(tflite.GatherOptions)
    axis = normalized_axis(options.axis, x.rank)
    batch_dims = options.batch_dims + indices.rank if options.batch_dims < 0 else options.batch_dims
    if not 0 <= batch_dims <= min(axis, indices.rank) or x.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise Decline(
            f"expected equal batch dimensions in front of axis {axis}, "
            f"found {options.batch_dims} of {x.type} and indices {indices.type}"
        )
    by_row_gather = target_takes(match, ROW_GATHER, x.dtype, DType.I32)
    return index.gather_along(x, indices, axis, batch_dims, by_row_gather=by_row_gather)


def gather_nd(match: Match) -> Expr:
    """Lowers GATHER_ND: the last dimension of `indices` has vectors that index the first dimensions of `params`."""
    x, indices = match["params"], match["indices"]
    depth = indices.shape[-1] if indices.rank else 0
    if not 0 < depth <= x.rank:
        raise Decline(f"expected index vectors of 1 to {x.rank} entries for {x.type}, found {indices.type}")
    return index.gather_nd(x, indices)


def reverse_sequence(match: Match) -> Expr:
    """Lowers REVERSE_SEQUENCE: reverses the first seq_lengths[b] elements along an axis, for each batch entry b."""
    x, lengths = match["input"], match["seq_lengths"]
    options = match.attributes(tflite.ReverseSequenceOptions)
    axis, batch_axis = options.seq_dim, options.batch_dim
    if axis == batch_axis or min(axis, batch_axis) < 0 or max(axis, batch_axis) >= x.rank:
        raise Decline(f"expected two different dimensions of {x.type}, found seq_dim {axis} and batch_dim {batch_axis}")
    if lengths.shape != (x.shape[batch_axis],):
        raise Decline(f"expected {x.shape[batch_axis]} sequence lengths, found {lengths.type}")
    return index.reverse_sequences(x, lengths, axis, batch_axis)


RULES: tuple[Rule, ...] = (
    Rule("tfl.gather", STORED, gather),
    Rule("tfl.gather_nd", "fp32 fp16 bf16 ui8 i8 i16 i32 i64 bool", gather_nd),
    Rule("tfl.reverse_sequence", "fp32 ui8 i16 i32 i64", reverse_sequence),
)
