"""The operators that the rules of each module start from.

Written by `INDEX=write python -m pytest tests/legalize/test_rule_index.py`, from the modules' `RULES`.
"""

ROOTS = {
    "aten.elementwise": (
        "aten.abs.out aten.acos.out aten.acosh.out aten.add.out aten.asin.out aten.asinh.out aten.atan.out "
        "aten.atan2.out aten.atanh.out aten.bitwise_and.Scalar_out aten.bitwise_and.Tensor_out aten.bitwise_not.out "
        "aten.bitwise_or.Scalar_out aten.bitwise_or.Tensor_out aten.bitwise_xor.Scalar_out "
        "aten.bitwise_xor.Tensor_out aten.ceil.out aten.clamp.Tensor_out aten.clamp.out aten.cos.out aten.cosh.out "
        "aten.div.out aten.div.out_mode aten.elu.out aten.eq.Scalar_out aten.eq.Tensor_out aten.erf.out aten.exp.out "
        "aten.expm1.out aten.floor.out aten.fmod.Scalar_out aten.fmod.Tensor_out aten.ge.Scalar_out "
        "aten.ge.Tensor_out aten.gelu.out aten.gt.Scalar_out aten.gt.Tensor_out aten.hardtanh.out aten.isinf.out "
        "aten.isnan.out aten.le.Scalar_out aten.le.Tensor_out aten.leaky_relu.out aten.log.out aten.log10.out "
        "aten.log1p.out aten.log2.out aten.logical_and.out aten.logical_not.out aten.logical_or.out "
        "aten.logical_xor.out aten.lt.Scalar_out aten.lt.Tensor_out aten.maximum.out aten.minimum.out "
        "aten.mul.Scalar_out aten.mul.out aten.ne.Scalar_out aten.ne.Tensor_out aten.neg.out aten.pow.Scalar_out "
        "aten.pow.Tensor_Scalar_out aten.pow.Tensor_Tensor_out aten.reciprocal.out aten.relu.out "
        "aten.remainder.Scalar_out aten.remainder.Tensor_out aten.round.out aten.rsqrt.out aten.sigmoid.out "
        "aten.sign.out aten.sin.out aten.sinh.out aten.sqrt.out aten.sub.out aten.tan.out aten.tanh.out "
        "aten.trunc.out aten.where.self_out"
    ),
    "aten.layers": (
        "aten._adaptive_avg_pool2d.out aten.addmm.out aten.avg_pool2d.out aten.bmm.out aten.convolution.out "
        "aten.max_pool2d_with_indices.out aten.mm.out aten.upsample_bilinear2d.vec_out "
        "aten.upsample_nearest2d.vec_out"
    ),
    "aten.movement": (
        "aten._clone_dim_order.out aten._to_copy.out aten._to_dim_order_copy.out aten.alias_copy.out "
        "aten.arange.start_out aten.as_strided_copy.out aten.cat.out aten.clone.out aten.constant_pad_nd.out "
        "aten.diagonal_copy.out aten.embedding.out aten.et_view.default aten.expand_copy.out aten.flip.out "
        "aten.full.out aten.full_like.out aten.gather.out aten.index.Tensor_out aten.index_put.out "
        "aten.index_select.out aten.permute_copy.out aten.repeat.out aten.scalar_tensor.out aten.scatter.src_out "
        "aten.scatter.value_out aten.scatter_add.out aten.select_copy.int_out aten.slice_copy.Tensor_out "
        "aten.slice_scatter.out aten.split_with_sizes_copy.out aten.squeeze_copy.dims_out aten.unfold_copy.out "
        "aten.unsqueeze_copy.out aten.view_copy.out"
    ),
    "aten.reductions": (
        "aten._cdist_forward.out aten._log_softmax.out aten._native_batch_norm_legit.no_stats_out "
        "aten._native_batch_norm_legit_no_training.out aten._softmax.out aten.amax.out aten.amin.out aten.any.all_out "
        "aten.any.out aten.argmax.out aten.argmin.out aten.cumsum.out aten.max.dim_max aten.max.unary_out "
        "aten.mean.dtype_out aten.mean.out aten.min.dim_min aten.min.unary_out aten.native_group_norm.out "
        "aten.native_layer_norm.out aten.prod.int_out aten.sum.IntList_out aten.topk.values aten.var.correction_out"
    ),
    "custom.audio": "custom.AudioSpectrogram custom.Mfcc",
    "custom.convolution": "custom.Convolution2DTransposeBias",
    "custom.detection": "custom.TFLite_Detection_PostProcess",
    "custom.landmarks": (
        "custom.Landmarks2TransformMatrix custom.TransformLandmarks custom.TransformTensor "
        "custom.TransformTensorBilinear"
    ),
    "custom.pooling": (
        "custom.MaxPoolWithArgmax custom.MaxPoolingWithArgmax2D custom.MaxUnpooling2D custom.NumericVerify"
    ),
    "custom.tensorflow": (
        "custom.FlexAbs custom.FlexAdd custom.FlexAddV2 custom.FlexAll custom.FlexAny custom.FlexArgMax "
        "custom.FlexArgMin custom.FlexAtan2 custom.FlexBatchMatMul custom.FlexBatchMatMulV2 custom.FlexBitwiseXor "
        "custom.FlexBroadcastTo custom.FlexCast custom.FlexCeil custom.FlexConcatV2 custom.FlexCos custom.FlexCumsum "
        "custom.FlexDiv custom.FlexElu custom.FlexEqual custom.FlexExp custom.FlexExpandDims custom.FlexFill "
        "custom.FlexFloor custom.FlexFloorDiv custom.FlexFloorMod custom.FlexGatherNd custom.FlexGatherV2 "
        "custom.FlexGreater custom.FlexGreaterEqual custom.FlexIdentity custom.FlexLeakyRelu custom.FlexLess "
        "custom.FlexLessEqual custom.FlexLog custom.FlexLogSoftmax custom.FlexLogicalAnd custom.FlexLogicalNot "
        "custom.FlexLogicalOr custom.FlexMatMul custom.FlexMax custom.FlexMaximum custom.FlexMean custom.FlexMin "
        "custom.FlexMinimum custom.FlexMul custom.FlexNeg custom.FlexNotEqual custom.FlexOneHot custom.FlexPack "
        "custom.FlexPad custom.FlexPadV2 custom.FlexPow custom.FlexProd custom.FlexRange custom.FlexRank "
        "custom.FlexRealDiv custom.FlexRelu custom.FlexRelu6 custom.FlexReshape custom.FlexReverseV2 custom.FlexRound "
        "custom.FlexRsqrt custom.FlexScatterNd custom.FlexSelect custom.FlexSelectV2 custom.FlexShape "
        "custom.FlexSigmoid custom.FlexSign custom.FlexSin custom.FlexSlice custom.FlexSoftmax custom.FlexSplit "
        "custom.FlexSplitV custom.FlexSqrt custom.FlexSquare custom.FlexSquaredDifference custom.FlexSqueeze "
        "custom.FlexStridedSlice custom.FlexSub custom.FlexSum custom.FlexTanh custom.FlexTile custom.FlexTopKV2 "
        "custom.FlexTranspose custom.FlexUnpack custom.FlexZerosLike"
    ),
    "invert.tflite.casts": "tosa.cast",
    "invert.tflite.control": "tosa.cond_if tosa.variable tosa.variable_read tosa.variable_write tosa.while_loop",
    "invert.tflite.floats": (
        "tosa.abs tosa.add tosa.ceil tosa.clamp tosa.cos tosa.equal tosa.erf tosa.exp tosa.floor tosa.greater "
        "tosa.greater_equal tosa.log tosa.logical_and tosa.logical_not tosa.logical_or tosa.logical_xor tosa.maximum "
        "tosa.minimum tosa.mul tosa.negate tosa.pow tosa.reciprocal tosa.rsqrt tosa.select tosa.sigmoid tosa.sin "
        "tosa.sub tosa.tanh"
    ),
    "invert.tflite.images": "tosa.fft2d tosa.resize tosa.rfft2d",
    "invert.tflite.integers": (
        "tosa.arithmetic_right_shift tosa.bitwise_and tosa.bitwise_not tosa.bitwise_or tosa.bitwise_xor tosa.clamp "
        "tosa.clz tosa.intdiv tosa.logical_left_shift tosa.logical_right_shift tosa.mul tosa.negate tosa.rescale "
        "tosa.table"
    ),
    "invert.tflite.movement": (
        "tosa.concat tosa.gather tosa.identity tosa.pad tosa.reshape tosa.reverse tosa.scatter tosa.slice tosa.tile "
        "tosa.transpose"
    ),
    "invert.tflite.reductions": (
        "tosa.argmax tosa.reduce_all tosa.reduce_any tosa.reduce_max tosa.reduce_min tosa.reduce_product "
        "tosa.reduce_sum"
    ),
    "invert.tflite.sums": (
        "tosa.avg_pool2d tosa.conv2d tosa.conv3d tosa.depthwise_conv2d tosa.matmul tosa.transpose_conv2d"
    ),
    "invert.tflite.windows": (
        "tosa.avg_pool2d tosa.conv2d tosa.conv3d tosa.depthwise_conv2d tosa.matmul tosa.max_pool2d "
        "tosa.transpose_conv2d"
    ),
    "invert.xnnpack.elementwise": (
        "tosa.abs tosa.add tosa.cast tosa.ceil tosa.clamp tosa.cos tosa.exp tosa.floor tosa.log tosa.maximum "
        "tosa.minimum tosa.mul tosa.negate tosa.pow tosa.reciprocal tosa.rsqrt tosa.sigmoid tosa.sin tosa.sub "
        "tosa.tanh"
    ),
    "invert.xnnpack.movement": (
        "tosa.concat tosa.gather tosa.identity tosa.pad tosa.reshape tosa.reverse tosa.scatter tosa.slice tosa.tile "
        "tosa.transpose"
    ),
    "invert.xnnpack.windows": (
        "tosa.avg_pool2d tosa.concat tosa.conv2d tosa.depthwise_conv2d tosa.matmul tosa.max_pool2d tosa.reduce_max "
        "tosa.reduce_min tosa.reduce_sum tosa.resize tosa.transpose_conv2d"
    ),
    "tflite.any_type.blocks": (
        "tfl.batch_to_space_nd tfl.depth_to_space tfl.dilate tfl.space_to_batch_nd tfl.space_to_depth"
    ),
    "tflite.any_type.complex": (
        "tfl.broadcast_to tfl.cast tfl.expand_dims tfl.mul tfl.reshape tfl.slice tfl.squeeze tfl.strided_slice "
        "tfl.transpose"
    ),
    "tflite.any_type.control": "tfl.if tfl.stablehlo_case tfl.stablehlo_while tfl.while",
    "tflite.any_type.embedding": "tfl.embedding_lookup",
    "tflite.any_type.gather": "tfl.gather tfl.gather_nd tfl.reverse_sequence",
    "tflite.any_type.integers": "tfl.bitcast tfl.bitwise_xor tfl.floor_div tfl.floor_mod tfl.right_shift",
    "tflite.any_type.layout": (
        "tfl.broadcast_to tfl.concatenation tfl.expand_dims tfl.mirror_pad tfl.pack tfl.pad tfl.padv2 tfl.reshape "
        "tfl.reverse_v2 tfl.select tfl.select_v2 tfl.slice tfl.split tfl.split_v tfl.squeeze tfl.tile tfl.transpose "
        "tfl.unpack"
    ),
    "tflite.any_type.masks": "tfl.bucketize tfl.matrix_diag tfl.matrix_set_diag tfl.one_hot",
    "tflite.any_type.ordering": "tfl.topk_v2",
    "tflite.any_type.positions": "tfl.arg_max tfl.arg_min tfl.unique tfl.where",
    "tflite.any_type.scatter": "tfl.dynamic_update_slice tfl.scatter_nd tfl.sparse_to_dense",
    "tflite.any_type.shapes": "tfl.broadcast_args tfl.fill tfl.range tfl.rank tfl.shape tfl.zeros_like",
    "tflite.any_type.sparse": "tfl.densify tfl.pseudo_sparse_const",
    "tflite.any_type.state": "tfl.pseudo_alias tfl.pseudo_read tfl.pseudo_store",
    "tflite.any_type.strided": "tfl.strided_slice",
    "tflite.any_type.tables": "tfl.embedding_lookup_sparse tfl.hashtable_lookup",
    "tflite.blockwise": "tfl.fully_connected",
    "tflite.convolution": "tfl.conv_2d tfl.conv_3d tfl.conv_3d_transpose tfl.depthwise_conv_2d tfl.transpose_conv",
    "tflite.delegate": (
        "tfl.add tfl.batch_matmul tfl.conv_2d tfl.depthwise_conv_2d tfl.elu tfl.fully_connected tfl.leaky_relu "
        "tfl.logistic tfl.max_pool_2d tfl.mean tfl.mul tfl.quantize tfl.resize_bilinear tfl.sub tfl.sum tfl.tanh "
        "tfl.transpose_conv"
    ),
    "tflite.float.activations": (
        "tfl.hard_swish tfl.leaky_relu tfl.log_softmax tfl.prelu tfl.relu tfl.relu6 tfl.relu_0_to_1 tfl.relu_n1_to_1 "
        "tfl.softmax"
    ),
    "tflite.float.cast": "tfl.cast tfl.dequantize",
    "tflite.float.elementwise": (
        "tfl.abs tfl.add tfl.ceil tfl.cos tfl.div tfl.equal tfl.exp tfl.floor tfl.greater tfl.greater_equal tfl.less "
        "tfl.less_equal tfl.log tfl.logical_and tfl.logical_not tfl.logical_or tfl.logistic tfl.maximum tfl.minimum "
        "tfl.mul tfl.neg tfl.not_equal tfl.rsqrt tfl.sin tfl.sqrt tfl.square tfl.squared_difference tfl.sub tfl.tanh"
    ),
    "tflite.float.fourier": "tfl.complex_abs tfl.imag tfl.real tfl.rfft2d",
    "tflite.float.generators": "tfl.multinomial tfl.random_standard_normal tfl.random_uniform",
    "tflite.float.mathematics": (
        "tfl.add_n tfl.atan2 tfl.elu tfl.fake_quant tfl.floor_div tfl.floor_mod tfl.gelu tfl.pow tfl.round tfl.sign"
    ),
    "tflite.float.normalization": "tfl.l2_normalization tfl.local_response_normalization",
    "tflite.float.patterns": "tfl.div tfl.minimum tfl.select tfl.select_v2",
    "tflite.float.reduce": (
        "tfl.mean tfl.reduce_all tfl.reduce_any tfl.reduce_max tfl.reduce_min tfl.reduce_prod tfl.sum"
    ),
    "tflite.float.resize": "tfl.resize_bilinear tfl.resize_nearest_neighbor",
    "tflite.float.segments": (
        "tfl.cumsum tfl.segment_sum tfl.unsorted_segment_max tfl.unsorted_segment_min tfl.unsorted_segment_prod "
        "tfl.unsorted_segment_sum"
    ),
    "tflite.layers": "tfl.batch_matmul tfl.fully_connected",
    "tflite.non_max_suppression": "tfl.non_max_suppression_v4 tfl.non_max_suppression_v5",
    "tflite.pool": "tfl.average_pool_2d tfl.l2_pool_2d tfl.max_pool_2d",
    "tflite.quantized.activations": (
        "tfl.abs tfl.elu tfl.exp tfl.gelu tfl.hard_swish tfl.leaky_relu tfl.log tfl.logistic tfl.neg tfl.relu "
        "tfl.relu6 tfl.relu_0_to_1 tfl.relu_n1_to_1 tfl.rsqrt tfl.sqrt tfl.tanh"
    ),
    "tflite.quantized.borders": "tfl.dequantize tfl.quantize",
    "tflite.quantized.byte_islands": (
        "tfl.abs tfl.add tfl.div tfl.elu tfl.exp tfl.gelu tfl.hard_swish tfl.leaky_relu tfl.log tfl.logistic "
        "tfl.maximum tfl.minimum tfl.mul tfl.neg tfl.prelu tfl.quantize tfl.relu tfl.relu6 tfl.relu_0_to_1 "
        "tfl.relu_n1_to_1 tfl.rsqrt tfl.select tfl.select_v2 tfl.sqrt tfl.squared_difference tfl.sub tfl.tanh"
    ),
    "tflite.quantized.comparisons": "tfl.equal tfl.greater tfl.greater_equal tfl.less tfl.less_equal tfl.not_equal",
    "tflite.quantized.elementwise": (
        "tfl.add tfl.div tfl.maximum tfl.minimum tfl.mul tfl.prelu tfl.squared_difference tfl.sub"
    ),
    "tflite.quantized.integer_islands": "tfl.quantize",
    "tflite.quantized.islands": "tfl.quantize",
    "tflite.quantized.layout": "tfl.concatenation",
    "tflite.quantized.normalization": "tfl.l2_normalization",
    "tflite.quantized.reduce": "tfl.mean tfl.reduce_max tfl.reduce_min tfl.reduce_prod tfl.sum",
    "tflite.quantized.resize": "tfl.resize_bilinear",
    "tflite.quantized.softmax": "tfl.log_softmax tfl.softmax",
    "tflite.recurrent.basic_lstm": "tfl.lstm",
    "tflite.recurrent.integer_lstm": "tfl.lstm tfl.unidirectional_sequence_lstm",
    "tflite.recurrent.lstm": "tfl.bidirectional_sequence_lstm tfl.lstm tfl.unidirectional_sequence_lstm",
    "tflite.recurrent.rnn": "tfl.bidirectional_sequence_rnn tfl.rnn tfl.unidirectional_sequence_rnn",
    "tflite.recurrent.svdf": "tfl.svdf",
    "tflite.stablehlo.elementwise": (
        "tfl.stablehlo_abs tfl.stablehlo_add tfl.stablehlo_and tfl.stablehlo_cbrt tfl.stablehlo_clamp "
        "tfl.stablehlo_compare tfl.stablehlo_convert tfl.stablehlo_cosine tfl.stablehlo_divide "
        "tfl.stablehlo_exponential tfl.stablehlo_floor tfl.stablehlo_log tfl.stablehlo_logistic tfl.stablehlo_maximum "
        "tfl.stablehlo_minimum tfl.stablehlo_multiply tfl.stablehlo_negate tfl.stablehlo_or tfl.stablehlo_power "
        "tfl.stablehlo_remainder tfl.stablehlo_rsqrt tfl.stablehlo_select tfl.stablehlo_shift_left "
        "tfl.stablehlo_subtract tfl.stablehlo_tanh"
    ),
    "tflite.stablehlo.indexed": (
        "tfl.stablehlo_dynamic_slice tfl.stablehlo_dynamic_update_slice tfl.stablehlo_gather tfl.stablehlo_scatter"
    ),
    "tflite.stablehlo.matrices": "tfl.stablehlo_convolution tfl.stablehlo_dot_general",
    "tflite.stablehlo.movement": (
        "tfl.stablehlo_broadcast_in_dim tfl.stablehlo_concatenate tfl.stablehlo_iota tfl.stablehlo_pad "
        "tfl.stablehlo_reshape tfl.stablehlo_slice tfl.stablehlo_transpose"
    ),
    "tflite.stablehlo.reductions": "tfl.reduce_window tfl.stablehlo_reduce tfl.stablehlo_reduce_window",
    "tflite.stablehlo.sorting": "tfl.stablehlo_sort",
    "xnnpack.convert": "xnn.convert",
    "xnnpack.convolution": "xnn.conv_2d xnn.conv_transpose_2d xnn.depthwise_conv_2d",
    "xnnpack.dynamic": "xnn.convert",
    "xnnpack.elementwise": (
        "xnn.abs xnn.add xnn.ceiling xnn.clamp xnn.cos xnn.div xnn.elu xnn.exp xnn.floor xnn.gelu xnn.hardswish "
        "xnn.leaky_relu xnn.log xnn.maximum xnn.minimum xnn.multiply xnn.negate xnn.prelu xnn.reciprocal_square_root "
        "xnn.sigmoid xnn.sin xnn.square xnn.square_root xnn.subtract xnn.tanh"
    ),
    "xnnpack.layers": "xnn.batch_matrix_multiply xnn.fully_connected xnn.scaled_dot_product_attention xnn.softmax",
    "xnnpack.layout": (
        "xnn.concatenate_2 xnn.concatenate_3 xnn.concatenate_4 xnn.concatenate_5 xnn.copy xnn.static_constant_pad "
        "xnn.static_reshape xnn.static_slice xnn.static_transpose"
    ),
    "xnnpack.pool": "xnn.arg_max_pooling_2d xnn.avg_pooling_2d xnn.global_avg_pooling_2d xnn.max_pooling_2d",
    "xnnpack.quantized": (
        "xnn.add xnn.clamp xnn.div xnn.global_avg_pooling_2d xnn.max_pooling_2d xnn.maximum xnn.minimum xnn.multiply "
        "xnn.prelu xnn.subtract"
    ),
    "xnnpack.resize": "xnn.static_resize_bilinear_2d",
    "xnnpack.state": "xnn.pseudo_read xnn.pseudo_store",
    "xnnpack.tables": (
        "xnn.abs xnn.ceiling xnn.cos xnn.elu xnn.exp xnn.floor xnn.gelu xnn.hardswish xnn.leaky_relu xnn.log "
        "xnn.negate xnn.reciprocal_square_root xnn.sigmoid xnn.sin xnn.square xnn.square_root xnn.tanh"
    ),
}
