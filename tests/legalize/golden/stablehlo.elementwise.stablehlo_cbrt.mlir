// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.stablehlo_cbrt"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %3 = "tosa.abs"(%arg0) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %4 = "tosa.clamp"(%3) <{min_val = 0x00800000 : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %5 = "tosa.equal"(%4, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %6 = "tosa.const"() <{values = dense<[[0.3333333432674408]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.pow"(%4, %6) : (tensor<2x3xf32>, tensor<1x1xf32>) -> tensor<2x3xf32>
    %8 = "tosa.log"(%3) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.mul"(%8, %6, %9) : (tensor<2x3xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %11 = "tosa.exp"(%10) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %12 = "tosa.select"(%5, %7, %11) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %13 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %14 = "tosa.negate"(%12, %13, %13) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
    %15 = "tosa.select"(%2, %14, %12) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %15 : tensor<2x3xf32>
  }
}
