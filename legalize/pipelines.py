"""The passes for each source opset, in order."""

from typing import TYPE_CHECKING

from tosa_converter.formats.tflite.prepare_shapes import shape_problem
from tosa_converter.ir import Array, Graph, Model
from tosa_converter.ir.edit import copy_model
from tosa_converter.rewriting.builder import computed
from tosa_converter.rewriting.driver import RulePass
from tosa_converter.rewriting.match import CUSTOM
from tosa_converter.rewriting.passes.rank_reduction import RankReduction
from tosa_converter.rewriting.passes.simplify import Simplify
from tosa_converter.rewriting.pipeline import Pass
from tosa_converter.rewriting.report import Options, Report
from tosa_converter.rewriting.rule import Family, Rule
from tosa_converter.schemas.tfl_ops import GRAPHS, LOOPS, STATE

if TYPE_CHECKING:
    from tosa_converter.legalize.tosa_to_tflite.borders import Borders
    from tosa_converter.legalize.tosa_to_tflite.control import Outline
    from tosa_converter.legalize.tosa_to_tflite.tidy import Tidy
    from tosa_converter.legalize.tosa_to_xnn.borders import Borders as NodeBorders
    from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy as TidyNodes

# The modules of `legalize.tflite` and what their rewrites start from, so that a conversion imports what it needs.
# Quantized rewrites come first: they decline what isn't quantized, and the others decline what is.
ROOTS = {
    "convolution": (
        "conv_2d conv_3d conv_3d_transpose custom.Convolution2DTransposeBias depthwise_conv_2d transpose_conv"
    ),
    "layers": "batch_matmul fully_connected",
    "pool": "average_pool_2d l2_pool_2d max_pool_2d",
    "quantized.activations": (
        "abs elu exp gelu hard_swish leaky_relu log logistic neg relu relu6 relu_0_to_1 relu_n1_to_1 rsqrt sqrt tanh"
    ),
    "quantized.islands": "quantize",
    "quantized.borders": "dequantize quantize",
    "quantized.comparisons": "equal greater greater_equal less less_equal not_equal",
    "quantized.elementwise": "add div maximum minimum mul prelu squared_difference sub",
    "quantized.layout": "concatenation",
    "quantized.normalization": "l2_normalization",
    "quantized.reduce": "mean reduce_max reduce_min reduce_prod sum",
    "quantized.resize": "resize_bilinear",
    "quantized.softmax": "log_softmax softmax",
    "float.activations": "hard_swish leaky_relu log_softmax prelu relu relu6 relu_0_to_1 relu_n1_to_1 softmax",
    "float.cast": "cast dequantize",
    "float.elementwise": (
        "abs add ceil cos div equal exp floor greater greater_equal less less_equal log logical_and "
        "logical_not logical_or logistic maximum minimum mul neg not_equal rsqrt sin sqrt square "
        "squared_difference sub tanh"
    ),
    "float.fourier": "complex_abs imag real rfft2d",
    "float.mathematics": "add_n atan2 elu fake_quant floor_div floor_mod gelu pow round sign",
    "float.normalization": "l2_normalization local_response_normalization",
    "float.reduce": "mean reduce_all reduce_any reduce_max reduce_min reduce_prod sum",
    "float.segments": (
        "cumsum segment_sum unsorted_segment_max unsorted_segment_min unsorted_segment_prod unsorted_segment_sum"
    ),
    "float.resize": "resize_bilinear resize_nearest_neighbor",
    "float.generators": "multinomial random_standard_normal random_uniform",
    "any_type.integers": "bitcast bitwise_xor floor_div floor_mod right_shift",
    "any_type.sparse": "densify pseudo_sparse_const",
    "any_type.layout": (
        "broadcast_to concatenation expand_dims mirror_pad pack pad padv2 reshape reverse_v2 "
        "select select_v2 slice split split_v squeeze tile transpose unpack"
    ),
    "any_type.blocks": "batch_to_space_nd depth_to_space dilate space_to_batch_nd space_to_depth",
    "any_type.gather": "gather gather_nd reverse_sequence",
    "any_type.masks": "bucketize matrix_diag matrix_set_diag one_hot",
    "any_type.ordering": "topk_v2",
    "any_type.scatter": "dynamic_update_slice scatter_nd sparse_to_dense",
    "any_type.positions": "arg_max arg_min unique where",
    "any_type.strided": "strided_slice",
    "any_type.shapes": "broadcast_args fill range rank shape zeros_like",
    "stablehlo.elementwise": (
        "stablehlo_abs stablehlo_add stablehlo_and stablehlo_cbrt stablehlo_clamp stablehlo_compare stablehlo_convert "
        "stablehlo_cosine stablehlo_divide stablehlo_exponential stablehlo_floor stablehlo_log stablehlo_logistic "
        "stablehlo_maximum stablehlo_minimum stablehlo_multiply stablehlo_negate stablehlo_or stablehlo_power "
        "stablehlo_remainder stablehlo_rsqrt stablehlo_select stablehlo_shift_left stablehlo_subtract stablehlo_tanh"
    ),
    "stablehlo.movement": (
        "stablehlo_broadcast_in_dim stablehlo_concatenate stablehlo_iota stablehlo_pad stablehlo_reshape "
        "stablehlo_slice stablehlo_transpose"
    ),
    "stablehlo.indexed": ("stablehlo_dynamic_slice stablehlo_dynamic_update_slice stablehlo_gather stablehlo_scatter"),
    "stablehlo.reductions": "reduce_window stablehlo_reduce stablehlo_reduce_window",
    "stablehlo.sorting": "stablehlo_sort",
    "stablehlo.matrices": "stablehlo_convolution stablehlo_dot_general",
    "any_type.control": "if stablehlo_case stablehlo_while while",
    "any_type.state": "pseudo_alias pseudo_read pseudo_store",
    "custom.suppression": "non_max_suppression_v4 non_max_suppression_v5",
    "custom.detection": "custom.TFLite_Detection_PostProcess",
    "custom.audio": "custom.AudioSpectrogram custom.Mfcc",
    "custom.pooling": (
        "custom.MaxPoolWithArgmax custom.MaxPoolingWithArgmax2D custom.MaxUnpooling2D custom.NumericVerify"
    ),
    "custom.landmarks": (
        "custom.Landmarks2TransformMatrix custom.TransformLandmarks custom.TransformTensor "
        "custom.TransformTensorBilinear"
    ),
    "recurrent.lstm": "bidirectional_sequence_lstm lstm unidirectional_sequence_lstm",
    "recurrent.basic_lstm": "lstm",
    "recurrent.integer_lstm": "lstm unidirectional_sequence_lstm",
    "recurrent.rnn": "bidirectional_sequence_rnn rnn unidirectional_sequence_rnn",
    "recurrent.svdf": "svdf",
    "any_type.embedding": "embedding_lookup",
    "any_type.tables": "embedding_lookup_sparse hashtable_lookup",
    "any_type.complex": "broadcast_to cast expand_dims mul reshape slice squeeze strided_slice transpose",
}

# The same where XNNPACK's arithmetic is asked for, tried before the others.
DELEGATED_ROOTS = {
    "delegate": (
        "add batch_matmul conv_2d depthwise_conv_2d elu fully_connected leaky_relu logistic max_pool_2d mean mul "
        "quantize resize_bilinear sub sum tanh transpose_conv"
    ),
}

# The same for `legalize.xnnpack`.
XNNPACK_ROOTS = {
    "elementwise": (
        "abs add ceiling clamp cos div elu exp floor gelu hardswish leaky_relu log maximum minimum multiply negate "
        "prelu reciprocal_square_root sigmoid sin square square_root subtract tanh"
    ),
    "layout": (
        "concatenate_2 concatenate_3 concatenate_4 concatenate_5 copy static_constant_pad static_reshape static_slice "
        "static_transpose"
    ),
    "convolution": "conv_2d conv_transpose_2d depthwise_conv_2d",
    "pool": "arg_max_pooling_2d avg_pooling_2d global_avg_pooling_2d max_pooling_2d",
    "layers": "batch_matrix_multiply fully_connected scaled_dot_product_attention softmax",
    "resize": "static_resize_bilinear_2d",
    "convert": "convert",
    "dynamic": "convert",
    "quantized": ("add clamp div global_avg_pooling_2d max_pooling_2d maximum minimum multiply prelu subtract"),
    "tables": (
        "abs ceiling cos elu exp floor gelu hardswish leaky_relu log negate reciprocal_square_root sigmoid sin square "
        "square_root tanh"
    ),
}

# The same for `legalize.aten`.
ATEN_ROOTS = {
    "elementwise": (
        "abs.out add.out bitwise_and.Scalar_out bitwise_and.Tensor_out bitwise_not.out bitwise_or.Scalar_out "
        "bitwise_or.Tensor_out bitwise_xor.Scalar_out bitwise_xor.Tensor_out ceil.out "
        "clamp.out cos.out div.out div.out_mode elu.out eq.Scalar_out eq.Tensor_out erf.out exp.out expm1.out "
        "floor.out ge.Scalar_out ge.Tensor_out gelu.out gt.Scalar_out gt.Tensor_out hardtanh.out "
        "isnan.out le.Scalar_out le.Tensor_out leaky_relu.out log.out log1p.out logical_and.out logical_not.out "
        "logical_or.out logical_xor.out lt.Scalar_out lt.Tensor_out maximum.out minimum.out mul.Scalar_out mul.out "
        "ne.Scalar_out ne.Tensor_out neg.out pow.Tensor_Scalar_out reciprocal.out relu.out "
        "round.out rsqrt.out sigmoid.out sign.out sin.out sqrt.out sub.out tanh.out where.self_out"
    ),
    "functions": (
        "_cdist_forward.out acos.out acosh.out asin.out asinh.out atan.out atan2.out atanh.out clamp.Tensor_out "
        "cosh.out fmod.Scalar_out fmod.Tensor_out isinf.out log10.out log2.out pow.Scalar_out pow.Tensor_Tensor_out "
        "remainder.Scalar_out remainder.Tensor_out sinh.out tan.out trunc.out"
    ),
    "layers": (
        "_adaptive_avg_pool2d.out addmm.out avg_pool2d.out bmm.out convolution.out max_pool2d_with_indices.out mm.out "
        "upsample_bilinear2d.vec_out upsample_nearest2d.vec_out"
    ),
    "movement": (
        "_clone_dim_order.out _to_copy.out _to_dim_order_copy.out alias_copy.out arange.start_out "
        "as_strided_copy.out cat.out clone.out constant_pad_nd.out diagonal_copy.out embedding.out et_view.default "
        "expand_copy.out flip.out full.out full_like.out gather.out index.Tensor_out index_select.out "
        "permute_copy.out repeat.out scalar_tensor.out scatter.src_out scatter.value_out scatter_add.out "
        "select_copy.int_out slice_copy.Tensor_out slice_scatter.out split_with_sizes_copy.out "
        "squeeze_copy.dims_out unfold_copy.out unsqueeze_copy.out view_copy.out"
    ),
    "reductions": (
        "_log_softmax.out _native_batch_norm_legit.no_stats_out _native_batch_norm_legit_no_training.out _softmax.out "
        "amax.out amin.out any.all_out any.out argmax.out argmin.out cumsum.out max.dim_max max.unary_out "
        "mean.dtype_out mean.out min.dim_min min.unary_out native_group_norm.out native_layer_norm.out prod.int_out "
        "sum.IntList_out topk.values var.correction_out"
    ),
}


def _family(opset: str, module: str, roots: str, numerics: str = "") -> Family:
    names = (root if root.startswith("custom.") else f"{opset}.{root}" for root in roots.split())
    return Family(f"tosa_converter.legalize.{module}", frozenset(names), numerics)


DELEGATED = tuple(_family("tfl", f"tflite.{module}", roots, "xnnpack") for module, roots in DELEGATED_ROOTS.items())
TFLITE = (*DELEGATED, *(_family("tfl", f"tflite.{module}", roots) for module, roots in ROOTS.items()))
XNNPACK = tuple(_family("xnn", f"xnnpack.{module}", roots) for module, roots in XNNPACK_ROOTS.items())
ATEN = tuple(_family("aten", f"aten.{module}", roots) for module, roots in ATEN_ROOTS.items())


def _prepared(model: Model, options: Options) -> Model:
    """The model with graphs where they are called, builtin operators for TensorFlow's, and its state as data flow."""
    names = {op.name for graph in model.graphs.values() for op in graph.ops}
    if not names.isdisjoint(GRAPHS):
        from tosa_converter.rewriting.passes.inline_calls import inline

        model = inline(model)
    if CUSTOM in names:
        from tosa_converter.legalize.tflite.custom.flex import as_builtins

        model = as_builtins(model)
    if not names.isdisjoint(LOOPS):
        from tosa_converter.rewriting.passes.tensor_lists import set_in_place

        set_in_place(model.graphs.values())
    if not names.isdisjoint(STATE):
        from tosa_converter.rewriting.passes.state import explicit

        model = explicit(model, _initial, io=options.state == "io")
    return model


def _initial(graph: Graph) -> list[Array]:
    """The outputs of a graph without inputs."""
    step, options = RulePass("initial values", TFLITE, check=shape_problem), Options(control_flow="flatten")
    return computed(step.run(Model({graph.name: graph}), options, Report()).main)


def _installed() -> tuple[Rule, ...]:
    from tosa_converter.rewriting.plugins import installed

    return installed()


# The modules of `legalize.tosa_to_tflite`.
TO_TFLITE = {
    "floats": (
        "abs add ceil clamp cos equal erf exp floor greater greater_equal log logical_and logical_not logical_or "
        "logical_xor maximum minimum mul negate pow reciprocal rsqrt select sigmoid sin sub tanh"
    ),
    "integers": (
        "arithmetic_right_shift bitwise_and bitwise_not bitwise_or bitwise_xor clamp clz intdiv logical_left_shift "
        "logical_right_shift mul negate rescale table"
    ),
    "movement": "concat gather identity pad reshape reverse scatter slice tile transpose",
    "reductions": "argmax reduce_all reduce_any reduce_max reduce_min reduce_product reduce_sum",
    "casts": "cast",
    "windows": "avg_pool2d conv2d conv3d depthwise_conv2d matmul max_pool2d transpose_conv2d",
    "sums": "avg_pool2d conv2d conv3d depthwise_conv2d matmul transpose_conv2d",
    "images": "fft2d resize rfft2d",
    "control": "cond_if variable variable_read variable_write while_loop",
}


def to_tflite() -> "tuple[RulePass, Outline, Tidy, Borders]":
    """The passes from TOSA to what LiteRT runs."""
    from tosa_converter.legalize.tosa_to_tflite.borders import Borders
    from tosa_converter.legalize.tosa_to_tflite.builder import TflBuilder
    from tosa_converter.legalize.tosa_to_tflite.control import Outline
    from tosa_converter.legalize.tosa_to_tflite.tidy import Tidy

    members = [_family("tosa", f"tosa_to_tflite.{module}", roots) for module, roots in TO_TFLITE.items()]
    return (
        RulePass("to TFLite", members, leaves="tfl", prepare=_with_quantized, builder=TflBuilder),
        Outline(),
        Tidy(),
        Borders(),
    )


def _with_quantized(model: Model, _: Options) -> Model:
    from tosa_converter.legalize.tosa_to_tflite.quantized import with_quantized

    return with_quantized(model)


# The modules of `legalize.tosa_to_xnn`.
TO_XNNPACK = {
    "elementwise": (
        "abs add cast ceil clamp cos exp floor log maximum minimum mul negate pow reciprocal rsqrt sigmoid sin sub tanh"
    ),
    "movement": "concat gather identity pad reshape reverse scatter slice tile transpose",
    "windows": (
        "avg_pool2d conv2d depthwise_conv2d matmul max_pool2d reduce_max reduce_min reduce_sum resize transpose_conv2d"
    ),
}


def to_xnnpack() -> "tuple[RulePass, TidyNodes, NodeBorders]":
    """The passes from TOSA to XNNPACK's nodes."""
    from tosa_converter.legalize.tosa_to_xnn.borders import Borders
    from tosa_converter.legalize.tosa_to_xnn.builder import XnnBuilder
    from tosa_converter.legalize.tosa_to_xnn.tidy import Tidy

    members = [_family("tosa", f"tosa_to_xnn.{module}", roots) for module, roots in TO_XNNPACK.items()]
    return RulePass("to XNNGraph", members, leaves="xnn", prepare=_with_nodes, builder=XnnBuilder), Tidy(), Borders()


def _with_nodes(model: Model, _: Options) -> Model:
    from tosa_converter.legalize.tosa_to_xnn.composed import with_composed
    from tosa_converter.legalize.tosa_to_xnn.dynamic import with_dynamic
    from tosa_converter.legalize.tosa_to_xnn.groups import with_groups
    from tosa_converter.legalize.tosa_to_xnn.largest import with_largest
    from tosa_converter.legalize.tosa_to_xnn.quantized import with_quantized

    model = copy_model(model)
    for graph in model.graphs.values():
        with_groups(graph)
        with_dynamic(graph)
        with_composed(graph)
        with_largest(graph)
        with_quantized(graph)
    return model


PIPELINES: dict[str, tuple[RulePass, *tuple[Pass, ...]]] = {
    "tfl": (
        RulePass("legalize", TFLITE, check=shape_problem, prepare=_prepared, more=_installed),
        RankReduction(),
        Simplify(),
    ),
    "xnn": (RulePass("legalize", (*XNNPACK, *ATEN), more=_installed), RankReduction(), Simplify()),
}
