// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexMean", custom_options = "\04\4D\65\61\6E\00\1A\12\04\4D\65\61\6E\1A\01\78\2A\0F\0A\09\6B\65\65\70\5F\64\69\6D\73\12\02\28\01\00\02\22\1D\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<2xi32>) -> tensor<1x1x1x2xf32>
    return %2 : tensor<1x1x1x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %2 = "tosa.avg_pool2d"(%arg0, %1, %1) <{kernel = array<i64: 4, 4>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = f32}> : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1x2xf32>
    return %2 : tensor<1x1x1x2xf32>
  }
}
