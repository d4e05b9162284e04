// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.012571320869028568:9>> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24x!quant.uniform<i8:f32, 0.015625:-29>> {tosa.tensor_name = "v1"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.05166947469115257:15>> {tosa.tensor_name = "v2"}) {
    %2 = "xnn.div"(%arg0, %arg1) <{flags = 0 : i64, output_min = 0xBF000000 : f32, output_max = 0x3FA00000 : f32}> : (tensor<4x24x!quant.uniform<i8:f32, 0.012571320869028568:9>>, tensor<4x24x!quant.uniform<i8:f32, 0.015625:-29>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.05166947469115257:15>>
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.05166947469115257:15>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}, %arg1: tensor<4x24xi8> {tosa.tensor_name = "v1"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %2 = "tosa.const"() <{values = dense<sha256 3c69b012b280bc70> : tensor<1x65536x1xi8>}> : () -> tensor<1x65536x1xi8>
    %3 = "tosa.cast"(%arg0) : (tensor<4x24xi8>) -> tensor<4x24xi32>
    %4 = "tosa.const"() <{values = dense<[[256]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%3, %4, %5) : (tensor<4x24xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<4x24xi32>
    %7 = "tosa.cast"(%arg1) : (tensor<4x24xi8>) -> tensor<4x24xi32>
    %8 = "tosa.add"(%6, %7) : (tensor<4x24xi32>, tensor<4x24xi32>) -> tensor<4x24xi32>
    %9 = "tosa.const"() <{values = dense<[[32896]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %10 = "tosa.add"(%8, %9) : (tensor<4x24xi32>, tensor<1x1xi32>) -> tensor<4x24xi32>
    %11 = "tosa.const_shape"() <{values = dense<[1, 96]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %12 = "tosa.reshape"(%10, %11) : (tensor<4x24xi32>, !tosa.shape<2>) -> tensor<1x96xi32>
    %13 = "tosa.gather"(%2, %12) : (tensor<1x65536x1xi8>, tensor<1x96xi32>) -> tensor<1x96x1xi8>
    %14 = "tosa.const_shape"() <{values = dense<[4, 24]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %15 = "tosa.reshape"(%13, %14) : (tensor<1x96x1xi8>, !tosa.shape<2>) -> tensor<4x24xi8>
    %16 = "tosa.clamp"(%15) <{min_val = 5 : i8, max_val = 39 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<4x24xi8>) -> tensor<4x24xi8>
    return %16 : tensor<4x24xi8>
  }
}
