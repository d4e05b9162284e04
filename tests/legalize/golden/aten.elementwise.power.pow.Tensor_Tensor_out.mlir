// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %2 = "aten.pow.Tensor_Tensor_out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %2 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.greater"(%2, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%arg1, %4) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %6 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x4xf32>
    %9 = "tosa.floor"(%8) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %10 = "tosa.equal"(%9, %8) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
    %11 = "tosa.equal"(%5, %2) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>) -> tensor<1x3x4xi1>
    %12 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %13 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %14 = "tosa.clamp"(%13) <{min_val = 0x00800000 : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %15 = "tosa.equal"(%14, %13) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %16 = "tosa.clamp"(%5) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %17 = "tosa.equal"(%16, %5) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
    %18 = "tosa.logical_and"(%15, %17) : (tensor<2x3x4xi1>, tensor<1x3x4xi1>) -> tensor<2x3x4xi1>
    %19 = "tosa.pow"(%14, %16) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %20 = "tosa.log"(%13) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %21 = "tosa.mul"(%20, %5, %7) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %22 = "tosa.exp"(%21) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = "tosa.select"(%18, %19, %22) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.select"(%11, %12, %23) : (tensor<1x3x4xi1>, tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.floor"(%5) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %26 = "tosa.equal"(%25, %5) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xi1>
    %27 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %28 = "tosa.negate"(%24, %27, %27) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %29 = "tosa.const"() <{values = dense<[[[nan]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %30 = "tosa.select"(%26, %28, %29) : (tensor<1x3x4xi1>, tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %31 = "tosa.select"(%10, %24, %30) : (tensor<1x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %32 = "tosa.select"(%3, %31, %24) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %32 : tensor<2x3x4xf32>
  }
}
