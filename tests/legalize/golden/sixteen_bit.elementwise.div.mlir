// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.div"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> loc("main:0 DIV 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %5 = "tosa.greater"(%4, %3) : (tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1> loc("main:0 DIV 't2'")
    %6 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 DIV 't2'")
    %7 = "tosa.negate"(%2, %6, %6) : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %8 = "tosa.select"(%5, %7, %2) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %9 = "tosa.abs"(%3) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %10 = "tosa.const"() <{values = dense<"0x1F000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %11 = "tosa.arithmetic_right_shift"(%8, %10) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %12 = "tosa.bitwise_xor"(%8, %11) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %13 = "tosa.clz"(%12) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %14 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %15 = "tosa.sub"(%13, %14) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %16 = "tosa.logical_left_shift"(%8, %15) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %17 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 DIV 't2'")
    %18 = "tosa.reshape"(%9, %17) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 DIV 't2'")
    %19 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x32769x1xi32>}> : () -> tensor<1x32769x1xi32> loc("main:0 DIV 't2'")
    %20 = "tosa.gather"(%19, %18) : (tensor<1x32769x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32> loc("main:0 DIV 't2'")
    %21 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 DIV 't2'")
    %22 = "tosa.reshape"(%20, %21) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %23 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 DIV 't2'")
    %24 = "tosa.mul"(%16, %22, %23) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %25 = "tosa.const"() <{values = dense<"0x80FFFF4F"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %26 = "tosa.mul"(%24, %25, %23) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %27 = "tosa.clz"(%9) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %28 = "tosa.sub"(%13, %27) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %29 = "tosa.const"() <{values = dense<"0x19000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %30 = "tosa.add"(%28, %29) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %31 = "tosa.minimum"(%30, %10) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %32 = "tosa.arithmetic_right_shift"(%26, %10) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %33 = "tosa.add"(%26, %32) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %34 = "tosa.arithmetic_right_shift"(%33, %31) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %35 = "tosa.greater"(%30, %10) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 DIV 't2'")
    %36 = "tosa.select"(%35, %4, %34) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %37 = "tosa.const"() <{values = dense<"0x0080FFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %38 = "tosa.maximum"(%36, %37) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %39 = "tosa.const"() <{values = dense<"0xFF7F0000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %40 = "tosa.minimum"(%38, %39) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %41 = "tosa.cast"(%40) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16> loc("main:0 DIV 't2'")
    return %41 : tensor<1x4x4x2xi16>
  }
}
