// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.cast"(%arg0) <{in_data_type = "FLOAT32", out_data_type = "FLOAT32"}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32> loc("main:0 CAST 't1'")
    return %1 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 CAST 't1'")
    %2 = "tosa.greater_equal"(%arg0, %1) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1> loc("main:0 CAST 't1'")
    %3 = "tosa.floor"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 CAST 't1'")
    %4 = "tosa.ceil"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 CAST 't1'")
    %5 = "tosa.select"(%2, %3, %4) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 CAST 't1'")
    %6 = "tosa.cast"(%5) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32> loc("main:0 CAST 't1'")
    return %6 : tensor<1x4x4x2xi32>
  }
}
