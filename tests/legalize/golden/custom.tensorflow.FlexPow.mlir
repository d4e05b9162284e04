// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexPow", custom_options = "\03\50\6F\77\00\08\12\03\50\6F\77\1A\01\78\00\02\0F\0B\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %3 = "tosa.greater"(%2, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %4 = "tosa.const"() <{values = dense<[[[[0.5]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.mul"(%arg1, %4, %5) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %7 = "tosa.floor"(%6) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %8 = "tosa.equal"(%7, %6) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %9 = "tosa.equal"(%arg1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1>
    %10 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %11 = "tosa.abs"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %12 = "tosa.clamp"(%11) <{min_val = 0x00800000 : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %13 = "tosa.equal"(%12, %11) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %14 = "tosa.clamp"(%arg1) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %15 = "tosa.equal"(%14, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %16 = "tosa.logical_and"(%13, %15) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1>
    %17 = "tosa.pow"(%12, %14) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %18 = "tosa.log"(%11) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %19 = "tosa.mul"(%18, %arg1, %5) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %20 = "tosa.exp"(%19) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %21 = "tosa.select"(%16, %17, %20) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %22 = "tosa.select"(%9, %10, %21) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %23 = "tosa.floor"(%arg1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %24 = "tosa.equal"(%23, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %25 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %26 = "tosa.negate"(%22, %25, %25) : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %27 = "tosa.const"() <{values = dense<[[[[nan]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %28 = "tosa.select"(%24, %26, %27) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %29 = "tosa.select"(%8, %22, %28) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %30 = "tosa.select"(%3, %29, %22) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %30 : tensor<1x4x4x2xf32>
  }
}
