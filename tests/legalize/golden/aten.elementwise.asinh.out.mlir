// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %1 = "aten.asinh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_4"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.25]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = "tosa.greater"(%1, %2) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.const"() <{values = dense<[[[-0.0446428582072258]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%arg0, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %7 = "tosa.mul"(%4, %6, %5) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %8 = "tosa.const"() <{values = dense<[[[0.07500000298023224]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.add"(%7, %8) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %10 = "tosa.mul"(%9, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %11 = "tosa.const"() <{values = dense<[[[-0.1666666716337204]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %12 = "tosa.add"(%10, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %13 = "tosa.mul"(%12, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %14 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.add"(%13, %14) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.mul"(%15, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %17 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %18 = "tosa.greater"(%17, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %19 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %20 = "tosa.const"() <{values = dense<[[[1073741824.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %21 = "tosa.greater"(%19, %20) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xi1>
    %22 = "tosa.log"(%19) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = "tosa.const"() <{values = dense<[[[0.6931471824645996]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %24 = "tosa.add"(%22, %23) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.clamp"(%19) <{min_val = 0x00000000 : f32, max_val = 0x5D800000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.mul"(%25, %25, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %27 = "tosa.add"(%26, %14) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %28 = "tosa.rsqrt"(%27) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %29 = "tosa.reciprocal"(%28) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %30 = "tosa.add"(%25, %29) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %31 = "tosa.log"(%30) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %32 = "tosa.select"(%21, %24, %31) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %33 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %34 = "tosa.negate"(%32, %33, %33) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %35 = "tosa.select"(%18, %34, %32) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %36 = "tosa.select"(%3, %16, %35) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %36 : tensor<2x3x4xf32>
  }
}
