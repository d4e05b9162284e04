// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %1 = "aten.atanh.out"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %1 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_8"}) {
    %1 = "tosa.const"() <{values = dense<[[[0.25]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = "tosa.greater"(%1, %2) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.const"() <{values = dense<[[[0.09090909361839294]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%arg0, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %7 = "tosa.mul"(%4, %6, %5) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %8 = "tosa.const"() <{values = dense<[[[0.1111111119389534]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.add"(%7, %8) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %10 = "tosa.mul"(%9, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %11 = "tosa.const"() <{values = dense<[[[0.1428571492433548]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %12 = "tosa.add"(%10, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %13 = "tosa.mul"(%12, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %14 = "tosa.const"() <{values = dense<[[[0.20000000298023224]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %15 = "tosa.add"(%13, %14) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.mul"(%15, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %17 = "tosa.const"() <{values = dense<[[[0.3333333432674408]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %18 = "tosa.add"(%16, %17) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %19 = "tosa.mul"(%18, %6, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %20 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %21 = "tosa.add"(%19, %20) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>) -> tensor<2x3x4xf32>
    %22 = "tosa.mul"(%21, %arg0, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %23 = "tosa.add"(%20, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.sub"(%20, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.reciprocal"(%24) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %26 = "tosa.mul"(%23, %25, %5) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %27 = "tosa.log"(%26) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %28 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.mul"(%27, %28, %5) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %30 = "tosa.select"(%3, %22, %29) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %30 : tensor<2x3x4xf32>
  }
}
