// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %2 = "aten.fmod.Tensor_out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_1"}) {
    %2 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.greater"(%2, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%arg1, %5) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %7 = "tosa.abs"(%6) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %8 = "tosa.const"() <{values = dense<[[[2.076918743413931e+34]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.minimum"(%7, %8) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x4xf32>, tensor<1x1x1xf32>) -> tensor<1x3x4xf32>
    %10 = "tosa.reciprocal"(%9) : (tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%4, %10, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %13 = "tosa.const"() <{values = dense<[[[2.384185791015625e-07]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.mul"(%12, %13, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %15 = "tosa.floor"(%14) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.const"() <{values = dense<[[[4194304.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %17 = "tosa.mul"(%15, %16, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %18 = "tosa.const"() <{values = dense<[[[4097.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %19 = "tosa.mul"(%9, %18, %11) : (tensor<1x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x4xf32>
    %20 = "tosa.sub"(%19, %9) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %21 = "tosa.sub"(%19, %20) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %22 = "tosa.mul"(%17, %21, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %23 = "tosa.sub"(%4, %22) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %24 = "tosa.sub"(%9, %21) : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
    %25 = "tosa.mul"(%17, %24, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %26 = "tosa.sub"(%23, %25) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %27 = "tosa.mul"(%26, %10, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %28 = "tosa.const"() <{values = dense<[[[0.00048828125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %29 = "tosa.mul"(%27, %28, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %30 = "tosa.floor"(%29) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %31 = "tosa.const"() <{values = dense<[[[2048.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %32 = "tosa.mul"(%30, %31, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %33 = "tosa.mul"(%32, %21, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %34 = "tosa.sub"(%26, %33) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %35 = "tosa.mul"(%32, %24, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %36 = "tosa.sub"(%34, %35) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %37 = "tosa.mul"(%36, %10, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %38 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %39 = "tosa.mul"(%37, %38, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %40 = "tosa.floor"(%39) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %41 = "tosa.mul"(%40, %38, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %42 = "tosa.mul"(%41, %21, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %43 = "tosa.sub"(%36, %42) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %44 = "tosa.mul"(%41, %24, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %45 = "tosa.sub"(%43, %44) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %46 = "tosa.greater"(%2, %45) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %47 = "tosa.add"(%45, %9) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %48 = "tosa.select"(%46, %47, %45) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %49 = "tosa.greater_equal"(%48, %9) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xi1>
    %50 = "tosa.sub"(%48, %9) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %51 = "tosa.select"(%49, %50, %48) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %52 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %53 = "tosa.negate"(%51, %52, %52) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %54 = "tosa.select"(%3, %53, %51) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %54 : tensor<2x3x4xf32>
  }
}
