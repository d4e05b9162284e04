// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.pow"(%arg0, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.abs"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %3 = "tosa.clamp"(%2) <{min_val = 0x00800000 : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %4 = "tosa.clamp"(%arg1) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %5 = "tosa.equal"(%3, %2) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %6 = "tosa.equal"(%4, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %7 = "tosa.logical_and"(%5, %6) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %8 = "tosa.log"(%2) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %9 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 POW 't2'")
    %10 = "tosa.mul"(%8, %arg1, %9) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %11 = "tosa.exp"(%10) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %12 = "tosa.pow"(%3, %4) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %13 = "tosa.select"(%7, %12, %11) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %14 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 POW 't2'")
    %15 = "tosa.equal"(%arg1, %14) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %16 = "tosa.const"() <{values = dense<"0x0000803F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 POW 't2'")
    %17 = "tosa.select"(%15, %16, %13) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %18 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 POW 't2'")
    %19 = "tosa.mul"(%arg1, %18, %9) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %20 = "tosa.floor"(%19) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %21 = "tosa.equal"(%20, %19) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %22 = "tosa.floor"(%arg1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %23 = "tosa.equal"(%22, %arg1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %24 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 POW 't2'")
    %25 = "tosa.negate"(%17, %24, %24) : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %26 = "tosa.const"() <{values = dense<"0x0000C07F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 POW 't2'")
    %27 = "tosa.select"(%23, %25, %26) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %28 = "tosa.select"(%21, %17, %27) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    %29 = "tosa.greater"(%14, %arg0) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1> loc("main:0 POW 't2'")
    %30 = "tosa.select"(%29, %28, %17) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> loc("main:0 POW 't2'")
    return %30 : tensor<1x4x4x2xf32>
  }
}
