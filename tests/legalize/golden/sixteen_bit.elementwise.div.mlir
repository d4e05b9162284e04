// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.div"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> loc("main:0 DIV 't2'")
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %3 = "tosa.const"() <{values = dense<"0xFDFFFFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %4 = "tosa.sub"(%2, %3) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %5 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %6 = "tosa.const"() <{values = dense<"0x05000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %7 = "tosa.sub"(%5, %6) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %8 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %9 = "tosa.greater"(%8, %7) : (tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1> loc("main:0 DIV 't2'")
    %10 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 DIV 't2'")
    %11 = "tosa.negate"(%4, %10, %10) : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %12 = "tosa.select"(%9, %11, %4) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %13 = "tosa.abs"(%7) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %14 = "tosa.const"() <{values = dense<"0x1F000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %15 = "tosa.arithmetic_right_shift"(%12, %14) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %16 = "tosa.bitwise_xor"(%12, %15) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %17 = "tosa.clz"(%16) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %18 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %19 = "tosa.sub"(%17, %18) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %20 = "tosa.logical_left_shift"(%12, %19) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %21 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 DIV 't2'")
    %22 = "tosa.reshape"(%13, %21) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 DIV 't2'")
    %23 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x32774x1xi32>}> : () -> tensor<1x32774x1xi32> loc("main:0 DIV 't2'")
    %24 = "tosa.gather"(%23, %22) : (tensor<1x32774x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32> loc("main:0 DIV 't2'")
    %25 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 DIV 't2'")
    %26 = "tosa.reshape"(%24, %25) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %27 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 DIV 't2'")
    %28 = "tosa.mul"(%20, %26, %27) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %29 = "tosa.const"() <{values = dense<"0x80AAAA42"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %30 = "tosa.mul"(%28, %29, %27) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %31 = "tosa.clz"(%13) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %32 = "tosa.sub"(%17, %31) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %33 = "tosa.const"() <{values = dense<"0x19000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %34 = "tosa.add"(%32, %33) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %35 = "tosa.minimum"(%34, %14) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %36 = "tosa.arithmetic_right_shift"(%30, %14) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %37 = "tosa.add"(%30, %36) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %38 = "tosa.arithmetic_right_shift"(%37, %35) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %39 = "tosa.greater"(%34, %14) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 DIV 't2'")
    %40 = "tosa.select"(%39, %8, %38) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %41 = "tosa.const"() <{values = dense<"0xF97FFFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %42 = "tosa.maximum"(%40, %41) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %43 = "tosa.const"() <{values = dense<"0xF87F0000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %44 = "tosa.minimum"(%42, %43) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %45 = "tosa.const"() <{values = dense<"0x07000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 DIV 't2'")
    %46 = "tosa.add"(%44, %45) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 DIV 't2'")
    %47 = "tosa.cast"(%46) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16> loc("main:0 DIV 't2'")
    return %47 : tensor<1x4x4x2xi16>
  }
}
