// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[3]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.reduce_prod"(%arg0, %1) <{keep_dims = false}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1xi32>) -> tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x4x4x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi16> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi16>, tensor<1xi32>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x2xi32>, !tosa.shape<3>) -> tensor<16x2x1xi32>
    %8 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.const_shape"() <{values = dense<[16, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.slice"(%7, %8, %9) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32>
    %11 = "tosa.const"() <{values = dense<[[[29309]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.mul"(%7, %11, %12) : (tensor<16x2x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x2x1xi32>
    %14 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %15 = "tosa.slice"(%13, %14, %9) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32>
    %16 = "tosa.const"() <{values = dense<[17]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %17 = "tosa.mul"(%10, %15, %16) : (tensor<16x1x1xi32>, tensor<16x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32>
    %18 = "tosa.mul"(%17, %11, %16) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32>
    %19 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %20 = "tosa.add"(%18, %19) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %21 = "tosa.const"() <{values = dense<[[[-32768]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %22 = "tosa.maximum"(%20, %21) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %23 = "tosa.const"() <{values = dense<[[[32767]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %24 = "tosa.minimum"(%22, %23) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %25 = "tosa.cast"(%24) : (tensor<16x1x1xi32>) -> tensor<16x1x1xi16>
    %26 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %27 = "tosa.reshape"(%25, %26) : (tensor<16x1x1xi16>, !tosa.shape<4>) -> tensor<1x4x4x1xi16>
    %28 = "tosa.const_shape"() <{values = dense<[1, 4, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %29 = "tosa.reshape"(%27, %28) : (tensor<1x4x4x1xi16>, !tosa.shape<3>) -> tensor<1x4x4xi16>
    return %29 : tensor<1x4x4xi16>
  }
}
