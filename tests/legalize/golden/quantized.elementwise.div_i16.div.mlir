// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.div"(%arg0, %arg1) <{fused_activation_function = "NONE"}> : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:-3>>, tensor<1x4x4x2x!quant.uniform<i16:f32, 0.029999999329447746:5>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[[[0]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %3 = "tosa.cast"(%arg1) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %4 = "tosa.const"() <{values = dense<[[[[5]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %5 = "tosa.sub"(%3, %4) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.greater"(%2, %5) : (tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1>
    %7 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi16>) -> tensor<1x4x4x2xi32>
    %8 = "tosa.const"() <{values = dense<[[[[-3]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %9 = "tosa.sub"(%7, %8) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.negate"(%9, %10, %10) : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x4x4x2xi32>
    %12 = "tosa.select"(%6, %11, %9) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %13 = "tosa.const"() <{values = dense<[[[[31]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %14 = "tosa.arithmetic_right_shift"(%12, %13) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %15 = "tosa.bitwise_xor"(%12, %14) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %16 = "tosa.clz"(%15) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %17 = "tosa.abs"(%5) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %18 = "tosa.clz"(%17) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %19 = "tosa.sub"(%16, %18) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %20 = "tosa.const"() <{values = dense<[[[[25]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %21 = "tosa.add"(%19, %20) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %22 = "tosa.greater"(%21, %13) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1>
    %23 = "tosa.const"() <{values = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %24 = "tosa.sub"(%16, %23) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %25 = "tosa.logical_left_shift"(%12, %24) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %26 = "tosa.const"() <{values = dense<sha256 7c50a82e2d7bf7fd> : tensor<1x32774x1xi32>}> : () -> tensor<1x32774x1xi32>
    %27 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %28 = "tosa.reshape"(%17, %27) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %29 = "tosa.gather"(%26, %28) : (tensor<1x32774x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %30 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %31 = "tosa.reshape"(%29, %30) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32>
    %32 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %33 = "tosa.mul"(%25, %31, %32) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %34 = "tosa.const"() <{values = dense<[[[[1118481024]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %35 = "tosa.mul"(%33, %34, %32) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %36 = "tosa.arithmetic_right_shift"(%35, %13) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %37 = "tosa.add"(%35, %36) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %38 = "tosa.minimum"(%21, %13) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %39 = "tosa.arithmetic_right_shift"(%37, %38) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %40 = "tosa.select"(%22, %2, %39) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %41 = "tosa.const"() <{values = dense<[[[[-32775]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %42 = "tosa.maximum"(%40, %41) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %43 = "tosa.const"() <{values = dense<[[[[32760]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %44 = "tosa.minimum"(%42, %43) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %45 = "tosa.const"() <{values = dense<[[[[7]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %46 = "tosa.add"(%44, %45) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %47 = "tosa.cast"(%46) : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi16>
    return %47 : tensor<1x4x4x2xi16>
  }
}
