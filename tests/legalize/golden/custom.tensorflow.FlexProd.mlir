// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[3]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexProd", custom_options = "\04\50\72\6F\64\00\09\12\04\50\72\6F\64\1A\01\78\00\02\11\0C\14\14\04\28\01"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<1xi32>) -> tensor<1x4x4x!quant.uniform<i8:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x4x4x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.const_shape"() <{values = dense<[16, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x2xi32>, !tosa.shape<3>) -> tensor<16x2x1xi32>
    %8 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %9 = "tosa.const_shape"() <{values = dense<[16, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.slice"(%7, %8, %9) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32>
    %11 = "tosa.const"() <{values = dense<[[[29309]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %12 = "tosa.mul"(%7, %11, %3) : (tensor<16x2x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x2x1xi32>
    %13 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.slice"(%12, %13, %9) : (tensor<16x2x1xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<16x1x1xi32>
    %15 = "tosa.const"() <{values = dense<[17]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %16 = "tosa.mul"(%10, %14, %15) : (tensor<16x1x1xi32>, tensor<16x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32>
    %17 = "tosa.mul"(%16, %11, %15) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<16x1x1xi32>
    %18 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %19 = "tosa.add"(%17, %18) : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %20 = "tosa.const"() <{values = dense<[[[-128]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %21 = "tosa.maximum"(%19, %20) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %22 = "tosa.const"() <{values = dense<[[[127]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %23 = "tosa.minimum"(%21, %22) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<16x1x1xi32>, tensor<1x1x1xi32>) -> tensor<16x1x1xi32>
    %24 = "tosa.cast"(%23) : (tensor<16x1x1xi32>) -> tensor<16x1x1xi8>
    %25 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 1]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %26 = "tosa.reshape"(%24, %25) : (tensor<16x1x1xi8>, !tosa.shape<4>) -> tensor<1x4x4x1xi8>
    %27 = "tosa.const_shape"() <{values = dense<[1, 4, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.reshape"(%26, %27) : (tensor<1x4x4x1xi8>, !tosa.shape<3>) -> tensor<1x4x4xi8>
    return %28 : tensor<1x4x4xi8>
  }
}
