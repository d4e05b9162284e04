"""The portable kernels of ExecuTorch that can be read: a row each, with its name and arguments in ATen."""

from functools import cached_property
from typing import NamedTuple


class Argument(NamedTuple):
    """One argument: a tensor, with `*` a list of them, or an attribute of a kind; `?` is one that may be None."""

    name: str
    kind: str

    @property
    def is_tensor(self) -> bool:
        """Whether the argument is a tensor or a list of tensors, and not an attribute."""
        return self.kind in ("", "*")


class AtenOp:
    """One kernel.

    `arguments` are words: a tensor, `tensors*` for a list of tensors, or `name:kind` for an attribute of the kinds
    int, number, bool, str, ints and numbers; `?` follows what may be None. `results` are tensors, `out*` a list.
    """

    def __init__(self, kernel: str, arguments: str, results: str = "out") -> None:
        """Describes a kernel such as `aten::add.out`; arguments and results are words, separated by spaces.

        An argument is `name` (a tensor), `name:kind`, or `name*` (a list), with `?` if it may be None.
        """
        self.kernel = kernel
        self.words = arguments.split()
        self.results = results.split()

    @property
    def opcode(self) -> str:
        """The operator's name in a graph: `aten.` and the kernel's name."""
        return "aten." + self.kernel.partition("::")[2]

    @cached_property
    def arguments(self) -> dict[Argument, bool]:
        """The arguments in order, parsed from words such as `alpha:number?`, each with whether it may be None."""
        parts = [word.rstrip("?").partition(":") for word in self.words]
        kinds = ["*" if name.endswith("*") else kind for name, _, kind in parts]
        names = [name.rstrip("?*") for name, _, _ in parts]
        options = ["?" in word for word in self.words]
        return dict(zip(map(Argument, names, kinds), options, strict=True))

    @property
    def operands(self) -> str:
        """The names of the tensors among the arguments, separated by spaces."""
        return " ".join(argument.name for argument in self.arguments if argument.is_tensor)


_PAIR = "self other"
_TO_NUMBER = "self other:number"
_REDUCED = "self dim:ints? keepdim:bool dtype:int?"
_UNARY = (
    "abs acos acosh alias_copy asin asinh atan atanh bitwise_not ceil cos cosh erf exp expm1 floor isinf isnan log "
    "log10 log1p log2 logical_not neg reciprocal relu round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
)
_COMPARISONS = "eq ge gt le lt ne"

OPERATORS = (
    *(AtenOp(f"aten::{name}.out", "self") for name in _UNARY.split()),
    *(AtenOp(f"aten::{name}.Tensor_out", _PAIR) for name in _COMPARISONS.split()),
    *(AtenOp(f"aten::{name}.Scalar_out", _TO_NUMBER) for name in _COMPARISONS.split()),
    *(AtenOp(f"aten::bitwise_{name}.Tensor_out", _PAIR) for name in ("and", "or", "xor")),
    *(AtenOp(f"aten::bitwise_{name}.Scalar_out", _TO_NUMBER) for name in ("and", "or", "xor")),
    *(AtenOp(f"aten::logical_{name}.out", _PAIR) for name in ("and", "or", "xor")),
    *(AtenOp(f"aten::{name}.out", f"{_PAIR} alpha:number") for name in ("add", "sub")),
    *(AtenOp(f"aten::{name}.out", _PAIR) for name in ("atan2", "mul", "div", "minimum", "maximum")),
    AtenOp("aten::mul.Scalar_out", _TO_NUMBER),
    AtenOp("aten::div.out_mode", f"{_PAIR} rounding_mode:str?"),
    AtenOp("aten::pow.Tensor_Scalar_out", "self exponent:number"),
    AtenOp("aten::pow.Tensor_Tensor_out", "self exponent"),
    AtenOp("aten::pow.Scalar_out", "self:number exponent"),
    *(AtenOp(f"aten::{name}.Scalar_out", _TO_NUMBER) for name in ("fmod", "remainder")),
    *(AtenOp(f"aten::{name}.Tensor_out", _PAIR) for name in ("fmod", "remainder")),
    AtenOp("aten::clamp.out", "self min:number? max:number?"),
    AtenOp("aten::clamp.Tensor_out", "self min? max?"),
    AtenOp("aten::where.self_out", "condition self other"),
    AtenOp("aten::gelu.out", "self approximate:str"),
    AtenOp("aten::elu.out", "self alpha:number scale:number input_scale:number"),
    AtenOp("aten::hardtanh.out", "self min_val:number max_val:number"),
    AtenOp("aten::leaky_relu.out", "self negative_slope:number"),
    AtenOp("aten::_softmax.out", "self dim:int half_to_float:bool"),
    AtenOp("aten::_log_softmax.out", "self dim:int half_to_float:bool"),
    AtenOp("aten::mean.out", _REDUCED),
    AtenOp("aten::mean.dtype_out", "self dtype:int?"),
    AtenOp("aten::sum.IntList_out", _REDUCED),
    AtenOp("aten::prod.int_out", "self dim:int keepdim:bool dtype:int?"),
    AtenOp("aten::var.correction_out", "self dim:ints? correction:number? keepdim:bool"),
    *(AtenOp(f"aten::{name}.out", "self dim:ints keepdim:bool") for name in ("amax", "amin")),
    *(AtenOp(f"aten::{name}.out", "self dim:int? keepdim:bool") for name in ("argmax", "argmin")),
    *(AtenOp(f"aten::{name}.dim_{name}", "self dim:int keepdim:bool", "values indices") for name in ("max", "min")),
    *(AtenOp(f"aten::{name}.unary_out", "self") for name in ("max", "min")),
    AtenOp("aten::any.out", "self dim:int keepdim:bool"),
    AtenOp("aten::any.all_out", "self"),
    AtenOp("aten::topk.values", "self k:int dim:int largest:bool sorted:bool", "values indices"),
    AtenOp("aten::cumsum.out", "self dim:int dtype:int?"),
    AtenOp("aten::native_layer_norm.out", "input normalized_shape:ints weight? bias? eps:number", "out mean rstd"),
    AtenOp(
        "aten::native_group_norm.out",
        "input weight? bias? N:int C:int HxW:int group:int eps:number",
        "out mean rstd",
    ),
    AtenOp(
        "aten::_native_batch_norm_legit_no_training.out",
        "input weight? bias? running_mean running_var momentum:number eps:number",
        "out mean rstd",
    ),
    AtenOp(
        "aten::_native_batch_norm_legit.no_stats_out",
        "input weight? bias? training:bool momentum:number eps:number",
        "out mean rstd",
    ),
    AtenOp("aten::mm.out", "self mat2"),
    AtenOp("aten::bmm.out", "self mat2"),
    AtenOp("aten::_cdist_forward.out", "x1 x2 p:number compute_mode:int?"),
    AtenOp("aten::addmm.out", "self mat1 mat2 beta:number alpha:number"),
    AtenOp(
        "aten::convolution.out",
        "input weight bias? stride:ints padding:ints dilation:ints transposed:bool output_padding:ints groups:int",
    ),
    AtenOp(
        "aten::avg_pool2d.out",
        "self kernel_size:ints stride:ints padding:ints ceil_mode:bool count_include_pad:bool divisor_override:int?",
    ),
    AtenOp(
        "aten::max_pool2d_with_indices.out",
        "self kernel_size:ints stride:ints padding:ints dilation:ints ceil_mode:bool",
        "out indices",
    ),
    AtenOp("aten::_adaptive_avg_pool2d.out", "self output_size:ints"),
    AtenOp("aten::upsample_nearest2d.vec_out", "input output_size:ints? scale_factors:numbers?"),
    AtenOp("aten::upsample_bilinear2d.vec_out", "input output_size:ints? align_corners:bool scale_factors:numbers?"),
    AtenOp("aten::constant_pad_nd.out", "self pad:ints value:number"),
    AtenOp("aten::clone.out", "self memory_format:int?"),
    AtenOp("aten::_to_copy.out", "self non_blocking:bool memory_format:int?"),
    AtenOp("dim_order_ops::_clone_dim_order.out", "self non_blocking:bool dim_order:ints?"),
    AtenOp("dim_order_ops::_to_dim_order_copy.out", "self non_blocking:bool dim_order:ints?"),
    AtenOp("aten::view_copy.out", "self size:ints"),
    AtenOp("executorch_prim::et_view.default", "self size:ints"),
    AtenOp("aten::expand_copy.out", "self size:ints implicit:bool"),
    AtenOp("aten::permute_copy.out", "self dims:ints"),
    AtenOp("aten::unsqueeze_copy.out", "self dim:int"),
    AtenOp("aten::squeeze_copy.dims_out", "self dim:ints"),
    AtenOp("aten::slice_copy.Tensor_out", "self dim:int start:int? end:int? step:int"),
    AtenOp("aten::select_copy.int_out", "self dim:int index:int"),
    AtenOp("aten::split_with_sizes_copy.out", "self split_sizes:ints dim:int", "out*"),
    AtenOp("aten::cat.out", "tensors* dim:int"),
    AtenOp("aten::repeat.out", "self repeats:ints"),
    AtenOp("aten::flip.out", "self dims:ints"),
    AtenOp("aten::index.Tensor_out", "self indices*?"),
    AtenOp("aten::index_put.out", "self indices*? values accumulate:bool"),
    AtenOp("aten::index_select.out", "self dim:int index"),
    AtenOp("aten::scatter.src_out", "self dim:int index src"),
    AtenOp("aten::scatter.value_out", "self dim:int index value:number"),
    AtenOp("aten::scatter_add.out", "self dim:int index src"),
    AtenOp("aten::slice_scatter.out", "self src dim:int start:int? end:int? step:int"),
    AtenOp("aten::as_strided_copy.out", "self size:ints stride:ints storage_offset:int?"),
    AtenOp("aten::diagonal_copy.out", "self offset:int dim1:int dim2:int"),
    AtenOp("aten::unfold_copy.out", "self dim:int size:int step:int"),
    AtenOp("aten::gather.out", "self dim:int index sparse_grad:bool"),
    AtenOp("aten::embedding.out", "weight indices padding_idx:int scale_grad_by_freq:bool sparse:bool"),
    AtenOp("aten::full.out", "size:ints fill_value:number"),
    AtenOp("aten::full_like.out", "self fill_value:number memory_format:int?"),
    AtenOp("aten::scalar_tensor.out", "s:number"),
    AtenOp("aten::arange.start_out", "start:number end:number step:number"),
)

BY_KERNEL = {row.kernel: row for row in OPERATORS}
BY_OPCODE = {row.opcode: row for row in OPERATORS}
