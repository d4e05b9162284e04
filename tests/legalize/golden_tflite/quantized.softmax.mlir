// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 3f5768f57d71bc0b> : tensor<1x256x1xi32>}> : () -> tensor<1x256x1xi32>
    %2 = "tosa.reduce_max"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x1xi8>
    %3 = "tosa.cast"(%2) : (tensor<1x4x4x1xi8>) -> tensor<1x4x4x1xi32>
    %4 = "tosa.cast"(%arg0) : (tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi32>
    %5 = "tosa.sub"(%3, %4) : (tensor<1x4x4x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %6 = "tosa.const_shape"() <{values = dense<[1, 32]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %8 = "tosa.gather"(%1, %7) : (tensor<1x256x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32>
    %11 = "tosa.const"() <{values = dense<[[[[12]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %12 = "tosa.arithmetic_right_shift"(%10, %11) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %13 = "tosa.reduce_sum"(%12) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32>
    %14 = "tosa.clz"(%13) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %15 = "tosa.const"() <{values = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %16 = "tosa.sub"(%14, %15) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %17 = "tosa.logical_left_shift"(%13, %16) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %18 = "tosa.const"() <{values = dense<[[[[-1010580540]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %19 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %20 = "tosa.mul"(%17, %18, %19) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %21 = "tosa.const"() <{values = dense<[[[[1515870810]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %22 = "tosa.add"(%20, %21) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %23 = "tosa.const"() <{values = dense<[[[[536870912]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %24 = "tosa.mul"(%17, %22, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %25 = "tosa.sub"(%23, %24) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %26 = "tosa.mul"(%22, %25, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %27 = "tosa.const"() <{values = dense<[[[[2]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %28 = "tosa.logical_left_shift"(%26, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %29 = "tosa.add"(%22, %28) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %30 = "tosa.mul"(%17, %29, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %31 = "tosa.sub"(%23, %30) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %32 = "tosa.mul"(%29, %31, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %33 = "tosa.logical_left_shift"(%32, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %34 = "tosa.add"(%29, %33) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %35 = "tosa.mul"(%17, %34, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %36 = "tosa.sub"(%23, %35) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %37 = "tosa.mul"(%34, %36, %19) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %38 = "tosa.logical_left_shift"(%37, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %39 = "tosa.add"(%34, %38) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %40 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.mul"(%10, %39, %40) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32>
    %42 = "tosa.const"() <{values = dense<[[[[35]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %43 = "tosa.sub"(%42, %14) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %44 = "tosa.arithmetic_right_shift"(%41, %43) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %45 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %46 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %47 = "tosa.const"() <{values = dense<[-128]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %48 = "tosa.rescale"(%44, %45, %40, %46, %47) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    return %48 : tensor<1x4x4x2xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.softmax"(%arg0) <{beta = 0x3F800000 : f32}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.00390625:-128>>
  }
}
