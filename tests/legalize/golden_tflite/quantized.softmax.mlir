// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.reduce_max"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x1xi8> loc("main:0 SOFTMAX 't1'")
    %2 = "tosa.cast"(%1) : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %3 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %4 = "tosa.sub"(%2, %3) : (tensor<1x4x4x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %5 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 SOFTMAX 't1'")
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32> loc("main:0 SOFTMAX 't1'")
    %7 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x256x1xi32>}> : () -> tensor<1x256x1xi32> loc("main:0 SOFTMAX 't1'")
    %8 = "tosa.gather"(%7, %6) : (tensor<1x256x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32> loc("main:0 SOFTMAX 't1'")
    %9 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 SOFTMAX 't1'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %11 = "tosa.const"() <{values = dense<"0x0C000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %12 = "tosa.arithmetic_right_shift"(%10, %11) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %13 = "tosa.reduce_sum"(%12) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %14 = "tosa.clz"(%13) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %15 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %16 = "tosa.sub"(%14, %15) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %17 = "tosa.logical_left_shift"(%13, %16) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %18 = "tosa.const"() <{values = dense<"0xC4C3C3C3"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %19 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %20 = "tosa.mul"(%17, %18, %19) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %21 = "tosa.const"() <{values = dense<"0x5A5A5A5A"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %22 = "tosa.add"(%20, %21) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %23 = "tosa.mul"(%17, %22, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %24 = "tosa.const"() <{values = dense<"0x00000020"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %25 = "tosa.sub"(%24, %23) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %26 = "tosa.mul"(%22, %25, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %27 = "tosa.const"() <{values = dense<"0x02000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %28 = "tosa.logical_left_shift"(%26, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %29 = "tosa.add"(%22, %28) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %30 = "tosa.mul"(%17, %29, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %31 = "tosa.sub"(%24, %30) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %32 = "tosa.mul"(%29, %31, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %33 = "tosa.logical_left_shift"(%32, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %34 = "tosa.add"(%29, %33) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %35 = "tosa.mul"(%17, %34, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %36 = "tosa.sub"(%24, %35) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %37 = "tosa.mul"(%34, %36, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %38 = "tosa.logical_left_shift"(%37, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %39 = "tosa.add"(%34, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %40 = "tosa.const"() <{values = dense<"0x23000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SOFTMAX 't1'")
    %41 = "tosa.sub"(%40, %14) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32> loc("main:0 SOFTMAX 't1'")
    %42 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %43 = "tosa.mul"(%10, %39, %42) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %44 = "tosa.arithmetic_right_shift"(%43, %41) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SOFTMAX 't1'")
    %45 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SOFTMAX 't1'")
    %46 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SOFTMAX 't1'")
    %47 = "tosa.const"() <{values = dense<"0x80"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SOFTMAX 't1'")
    %48 = "tosa.rescale"(%44, %45, %42, %46, %47) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8> loc("main:0 SOFTMAX 't1'")
    return %48 : tensor<1x4x4x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.softmax"(%arg0) <{beta = 0x3F800000 : f32}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>> loc("main:0 SOFTMAX 't1'")
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>>
  }
}
