// before
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "aten.elu.out"(%arg0) <{alpha = 0x3F800000 : f32, scale = 1 : i64, input_scale = 1 : i64}> : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    return %1 : tensor<1x4x8x8xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x8x8xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x4x8x8xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi1>
    %3 = "tosa.const"() <{values = dense<[[[[0.125]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %4 = "tosa.abs"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %5 = "tosa.greater"(%3, %4) : (tensor<1x1x1x1xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xi1>
    %6 = "tosa.const"() <{values = dense<[[[[0.0416666679084301]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %7 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.mul"(%6, %arg0, %7) : (tensor<1x1x1x1xf32>, tensor<1x4x8x8xf32>, tensor<1xi8>) -> tensor<1x4x8x8xf32>
    %9 = "tosa.const"() <{values = dense<[[[[0.1666666716337204]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %10 = "tosa.add"(%8, %9) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
    %11 = "tosa.mul"(%10, %arg0, %7) : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1xi8>) -> tensor<1x4x8x8xf32>
    %12 = "tosa.const"() <{values = dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %13 = "tosa.add"(%11, %12) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
    %14 = "tosa.mul"(%13, %arg0, %7) : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1xi8>) -> tensor<1x4x8x8xf32>
    %15 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %16 = "tosa.add"(%14, %15) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
    %17 = "tosa.mul"(%16, %arg0, %7) : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1xi8>) -> tensor<1x4x8x8xf32>
    %18 = "tosa.exp"(%arg0) : (tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %19 = "tosa.sub"(%18, %15) : (tensor<1x4x8x8xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x8x8xf32>
    %20 = "tosa.select"(%5, %17, %19) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %21 = "tosa.select"(%2, %20, %arg0) : (tensor<1x4x8x8xi1>, tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    return %21 : tensor<1x4x8x8xf32>
  }
}
