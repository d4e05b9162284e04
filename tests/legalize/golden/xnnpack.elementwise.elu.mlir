// before
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "xnn.elu"(%arg0) <{alpha = 0x3F400000 : f32, flags = 0 : i64}> : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    return %1 : tensor<3x9xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x9xf32> {tosa.tensor_name = "v0"}) -> (tensor<3x9xf32> {tosa.tensor_name = "v1"}) {
    %1 = "tosa.exp"(%arg0) : (tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %2 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %3 = "tosa.sub"(%1, %2) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %4 = "tosa.const"() <{values = dense<"0xABAA2A3D"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %5 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNELU handle 0")
    %6 = "tosa.mul"(%4, %arg0, %5) : (tensor<1x1xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %7 = "tosa.const"() <{values = dense<"0xABAA2A3E"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %8 = "tosa.add"(%6, %7) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %9 = "tosa.mul"(%8, %arg0, %5) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %10 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %11 = "tosa.add"(%9, %10) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %12 = "tosa.mul"(%11, %arg0, %5) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %13 = "tosa.add"(%12, %2) : (tensor<3x9xf32>, tensor<1x1xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %14 = "tosa.const"() <{values = dense<"0x000000BE"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %15 = "tosa.greater"(%14, %arg0) : (tensor<1x1xf32>, tensor<3x9xf32>) -> tensor<3x9xi1> loc("main:0 XNNELU handle 0")
    %16 = "tosa.mul"(%13, %arg0, %5) : (tensor<3x9xf32>, tensor<3x9xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %17 = "tosa.select"(%15, %3, %16) : (tensor<3x9xi1>, tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %18 = "tosa.const"() <{values = dense<"0x0000403F"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %19 = "tosa.mul"(%17, %18, %5) : (tensor<3x9xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    %20 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNELU handle 0")
    %21 = "tosa.greater"(%20, %arg0) : (tensor<1x1xf32>, tensor<3x9xf32>) -> tensor<3x9xi1> loc("main:0 XNNELU handle 0")
    %22 = "tosa.select"(%21, %19, %arg0) : (tensor<3x9xi1>, tensor<3x9xf32>, tensor<3x9xf32>) -> tensor<3x9xf32> loc("main:0 XNNELU handle 0")
    return %22 : tensor<3x9xf32>
  }
}
