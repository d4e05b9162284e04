// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.gelu"(%arg0) <{approximate = false}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0xF304353F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 GELU 't1'")
    %2 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 GELU 't1'")
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    %4 = "tosa.erf"(%3) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    %5 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 GELU 't1'")
    %6 = "tosa.mul"(%arg0, %5, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    %7 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 GELU 't1'")
    %8 = "tosa.add"(%4, %7) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    %9 = "tosa.mul"(%6, %8, %2) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 GELU 't1'")
    return %9 : tensor<1x4x4x2xf32>
  }
}
