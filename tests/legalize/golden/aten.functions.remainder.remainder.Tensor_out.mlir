// before
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_2"}) {
    %2 = "aten.remainder.Tensor_out"(%arg0, %arg1) : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
    return %2 : tensor<2x3x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3x4xf32> {tosa.tensor_name = "x0"}, %arg1: tensor<3x4xf32> {tosa.tensor_name = "x1"}) -> (tensor<2x3x4xf32> {tosa.tensor_name = "output_2"}) {
    %2 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.greater"(%2, %arg0) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %4 = "tosa.abs"(%arg0) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "tosa.abs"(%arg1) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %6 = "tosa.const"() <{values = dense<[[2.076918743413931e+34]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.minimum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<3x4xf32>, tensor<1x1xf32>) -> tensor<3x4xf32>
    %8 = "tosa.reciprocal"(%7) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %9 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%4, %10, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %13 = "tosa.const"() <{values = dense<[[[2.384185791015625e-07]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.mul"(%12, %13, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %15 = "tosa.floor"(%14) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %16 = "tosa.const"() <{values = dense<[[[4194304.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %17 = "tosa.mul"(%15, %16, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %18 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %19 = "tosa.mul"(%7, %18, %11) : (tensor<3x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x4xf32>
    %20 = "tosa.sub"(%19, %7) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %21 = "tosa.sub"(%19, %20) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %22 = "tosa.reshape"(%21, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %23 = "tosa.mul"(%17, %22, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %24 = "tosa.sub"(%4, %23) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %25 = "tosa.sub"(%7, %21) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %26 = "tosa.reshape"(%25, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %27 = "tosa.mul"(%17, %26, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %28 = "tosa.sub"(%24, %27) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %29 = "tosa.reshape"(%8, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %30 = "tosa.mul"(%28, %29, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %31 = "tosa.const"() <{values = dense<[[[0.00048828125]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %32 = "tosa.mul"(%30, %31, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %33 = "tosa.floor"(%32) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %34 = "tosa.const"() <{values = dense<[[[2048.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.mul"(%33, %34, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %36 = "tosa.reshape"(%21, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %37 = "tosa.mul"(%35, %36, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %38 = "tosa.sub"(%28, %37) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %39 = "tosa.reshape"(%25, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %40 = "tosa.mul"(%35, %39, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %41 = "tosa.sub"(%38, %40) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %42 = "tosa.reshape"(%8, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %43 = "tosa.mul"(%41, %42, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %44 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %45 = "tosa.mul"(%43, %44, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %46 = "tosa.floor"(%45) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %47 = "tosa.mul"(%46, %44, %11) : (tensor<2x3x4xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %48 = "tosa.reshape"(%21, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %49 = "tosa.mul"(%47, %48, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %50 = "tosa.sub"(%41, %49) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %51 = "tosa.reshape"(%25, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %52 = "tosa.mul"(%47, %51, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %53 = "tosa.sub"(%50, %52) : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %54 = "tosa.greater"(%2, %53) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %55 = "tosa.reshape"(%7, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %56 = "tosa.add"(%53, %55) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %57 = "tosa.select"(%54, %56, %53) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %58 = "tosa.reshape"(%7, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %59 = "tosa.greater_equal"(%57, %58) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xi1>
    %60 = "tosa.reshape"(%7, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %61 = "tosa.sub"(%57, %60) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %62 = "tosa.select"(%59, %61, %57) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %63 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %64 = "tosa.negate"(%62, %63, %63) : (tensor<2x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3x4xf32>
    %65 = "tosa.select"(%3, %64, %62) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %66 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %67 = "tosa.greater"(%arg1, %66) : (tensor<3x4xf32>, tensor<1x1xf32>) -> tensor<3x4xi1>
    %68 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %69 = "tosa.greater"(%66, %arg1) : (tensor<1x1xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %70 = "tosa.const"() <{values = dense<[[-1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %71 = "tosa.select"(%69, %70, %arg1) : (tensor<3x4xi1>, tensor<1x1xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %72 = "tosa.select"(%67, %68, %71) : (tensor<3x4xi1>, tensor<1x1xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %73 = "tosa.reshape"(%72, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %74 = "tosa.mul"(%65, %73, %11) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>, tensor<1xi8>) -> tensor<2x3x4xf32>
    %75 = "tosa.greater"(%2, %74) : (tensor<1x1x1xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xi1>
    %76 = "tosa.reshape"(%arg1, %9) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %77 = "tosa.add"(%65, %76) : (tensor<2x3x4xf32>, tensor<1x3x4xf32>) -> tensor<2x3x4xf32>
    %78 = "tosa.select"(%75, %77, %65) : (tensor<2x3x4xi1>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %78 : tensor<2x3x4xf32>
  }
}
