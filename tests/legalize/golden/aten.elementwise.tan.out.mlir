// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "aten.tan.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.6366197466850281]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %4 = "tosa.clamp"(%3) <{min_val = 0xCB000000 : f32, max_val = 0x4B000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "tosa.equal"(%4, %3) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %6 = "tosa.cast"(%4) : (tensor<2x3x4xf32>) -> tensor<2x3x4xi32>
    %7 = "tosa.cast"(%6) : (tensor<2x3x4xi32>) -> tensor<2x3x4xf32>
    %8 = "tosa.select"(%5, %7, %3) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %9 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %10 = "tosa.mul"(%8, %9, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %11 = "tosa.floor"(%10) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %12 = "tosa.equal"(%11, %10) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %13 = "tosa.const"() <{values = dense<[[[1.5703125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.mul"(%8, %13, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %15 = "tosa.sub"(%arg0, %14) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.const"() <{values = dense<[[[0.0004837512969970703]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %17 = "tosa.mul"(%8, %16, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %18 = "tosa.sub"(%15, %17) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %19 = "tosa.const"() <{values = dense<[[[7.549790126404332e-08]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %20 = "tosa.mul"(%8, %19, %2) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %21 = "tosa.sub"(%18, %20) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %22 = "tosa.sin"(%21) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %23 = "tosa.cos"(%21) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %25 = "tosa.negate"(%23, %24, %24) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.select"(%12, %22, %25) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %27 = "tosa.select"(%12, %23, %22) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %28 = "tosa.reciprocal"(%27) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %29 = "tosa.mul"(%26, %28, %2) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    return %29 : tensor<2x3x4xf32>
  }
}
