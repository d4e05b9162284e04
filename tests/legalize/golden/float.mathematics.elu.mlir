// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.elu"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    return %1 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %2 = "tosa.greater"(%1, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 ELU 't1'")
    %3 = "tosa.exp"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %4 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %5 = "tosa.sub"(%3, %4) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %6 = "tosa.const"() <{values = dense<"0xABAA2A3D"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %7 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 ELU 't1'")
    %8 = "tosa.mul"(%6, %arg0, %7) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %9 = "tosa.const"() <{values = dense<"0xABAA2A3E"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %10 = "tosa.add"(%8, %9) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %11 = "tosa.mul"(%10, %arg0, %7) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %12 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %13 = "tosa.add"(%11, %12) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %14 = "tosa.mul"(%13, %arg0, %7) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %15 = "tosa.add"(%14, %4) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %16 = "tosa.const"() <{values = dense<"0x000000BE"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 ELU 't1'")
    %17 = "tosa.greater"(%16, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 ELU 't1'")
    %18 = "tosa.mul"(%15, %arg0, %7) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %19 = "tosa.select"(%17, %5, %18) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    %20 = "tosa.select"(%2, %19, %arg0) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 ELU 't1'")
    return %20 : tensor<1x4x4x2xf32>
  }
}
