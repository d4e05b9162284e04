// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x03000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.reduce_prod"(%arg0, %1) <{keep_dims = false}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1xi32>) -> tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 REDUCE_PROD 't2'")
    return %2 : tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 REDUCE_PROD 't2'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 REDUCE_PROD 't2'")
    %3 = "tosa.const"() <{values = dense<"0x0000"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("main:0 REDUCE_PROD 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 REDUCE_PROD 't2'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 REDUCE_PROD 't2'")
    %6 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REDUCE_PROD 't2'")
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x2xi32>, !tosa.shape<3>) -> tensor<16x2x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %8 = "tosa.const"() <{values = dense<"0x7D720000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 REDUCE_PROD 't2'")
    %10 = "tosa.mul"(%7, %8, %9) : (tensor<16x2x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x2x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %11 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REDUCE_PROD 't2'")
    %12 = "tosa.const_shape"() <{values = dense<[16, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REDUCE_PROD 't2'")
    %13 = "tosa.slice"(%7, %11, %12) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %14 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REDUCE_PROD 't2'")
    %15 = "tosa.slice"(%10, %14, %12) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %16 = "tosa.const"() <{values = dense<"0x11"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 REDUCE_PROD 't2'")
    %17 = "tosa.mul"(%13, %15, %16) : (tensor<16x1x1xi32>, tensor<16x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %18 = "tosa.mul"(%17, %8, %16) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %19 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %20 = "tosa.add"(%18, %19) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %21 = "tosa.const"() <{values = dense<"0x0080FFFF"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %22 = "tosa.maximum"(%20, %21) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %23 = "tosa.const"() <{values = dense<"0xFF7F0000"> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %24 = "tosa.minimum"(%22, %23) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32> loc("main:0 REDUCE_PROD 't2'")
    %25 = "tosa.cast"(%24) : (tensor<16x1x1xi32>) -> tensor<16x1x1xi16> loc("main:0 REDUCE_PROD 't2'")
    %26 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 REDUCE_PROD 't2'")
    %27 = "tosa.reshape"(%25, %26) : (tensor<16x1x1xi16>, !tosa.shape<4>) -> tensor<1x4x4x1xi16> loc("main:0 REDUCE_PROD 't2'")
    %28 = "tosa.const_shape"() <{values = dense<[1, 4, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REDUCE_PROD 't2'")
    %29 = "tosa.reshape"(%27, %28) : (tensor<1x4x4x1xi16>, !tosa.shape<3>) -> tensor<1x4x4xi16> loc("main:0 REDUCE_PROD 't2'")
    return %29 : tensor<1x4x4xi16>
  }
}
