// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0625:127>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.log_softmax"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0625:127>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.0625:127>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 d746257010271cbc> : tensor<1x256x1xi32>}> : () -> tensor<1x256x1xi32>
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
    %12 = "tosa.const"() <{values = dense<sha256 9cb10948888cb028> : tensor<1x256x1xi32>}> : () -> tensor<1x256x1xi32>
    %13 = "tosa.reshape"(%5, %6) : (tensor<1x4x4x2xi32>, !tosa.shape<2>) -> tensor<1x32xi32>
    %14 = "tosa.gather"(%12, %13) : (tensor<1x256x1xi32>, tensor<1x32xi32>) -> tensor<1x32x1xi32>
    %15 = "tosa.reshape"(%14, %9) : (tensor<1x32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32>
    %16 = "tosa.reduce_sum"(%15) <{axis = 3 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x4x4x1xi32>
    %17 = "tosa.clz"(%16) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %18 = "tosa.sub"(%11, %17) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %19 = "tosa.const"() <{values = dense<[[[[25]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %20 = "tosa.logical_left_shift"(%18, %19) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %21 = "tosa.const"() <{values = dense<[[[[8388608]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %22 = "tosa.add"(%20, %21) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %23 = "tosa.const"() <{values = dense<[[[[1518500250]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %24 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %25 = "tosa.mul"(%16, %23, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %26 = "tosa.clz"(%25) : (tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %27 = "tosa.const"() <{values = dense<[[[[1]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %28 = "tosa.sub"(%26, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %29 = "tosa.sub"(%11, %28) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %30 = "tosa.logical_left_shift"(%29, %19) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %31 = "tosa.const"() <{values = dense<[[[[-8388608]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %32 = "tosa.add"(%30, %31) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %33 = "tosa.maximum"(%22, %32) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %34 = "tosa.const"() <{values = dense<[[[[1488522236]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %35 = "tosa.mul"(%33, %34, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %36 = "tosa.sub"(%17, %27) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %37 = "tosa.logical_left_shift"(%16, %36) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %38 = "tosa.mul"(%37, %23, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %39 = "tosa.const"() <{values = dense<[[[[1073741823]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %40 = "tosa.greater"(%38, %39) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi1>
    %41 = "tosa.const"() <{values = dense<[[[[2147483647]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %42 = "tosa.minimum"(%38, %39) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %43 = "tosa.add"(%42, %42) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %44 = "tosa.select"(%40, %41, %43) : (tensor<1x4x4x1xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %45 = "tosa.arithmetic_right_shift"(%41, %28) <{round = false}> : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %46 = "tosa.greater"(%16, %45) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi1>
    %47 = "tosa.logical_left_shift"(%16, %28) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %48 = "tosa.select"(%46, %41, %47) : (tensor<1x4x4x1xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %49 = "tosa.minimum"(%44, %48) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %50 = "tosa.const"() <{values = dense<[[[[1805811301]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %51 = "tosa.sub"(%49, %50) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %52 = "tosa.add"(%51, %51) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %53 = "tosa.mul"(%52, %49, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %54 = "tosa.mul"(%52, %52, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %55 = "tosa.mul"(%52, %54, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %56 = "tosa.const"() <{values = dense<[[[[117049297]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %57 = "tosa.mul"(%55, %56, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %58 = "tosa.add"(%53, %57) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %59 = "tosa.const"() <{values = dense<[[[[31]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %60 = "tosa.arithmetic_right_shift"(%58, %59) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %61 = "tosa.add"(%58, %60) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %62 = "tosa.const"() <{values = dense<[[[[6]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %63 = "tosa.arithmetic_right_shift"(%61, %62) <{round = true}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %64 = "tosa.arithmetic_right_shift"(%49, %27) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %65 = "tosa.const"() <{values = dense<[[[[902905651]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %66 = "tosa.add"(%64, %65) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %67 = "tosa.const"() <{values = dense<[[[[1057819769]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %68 = "tosa.add"(%67, %52) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %69 = "tosa.const"() <{values = dense<[[[[127690142]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %70 = "tosa.mul"(%54, %69, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %71 = "tosa.add"(%68, %70) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %72 = "tosa.mul"(%66, %71, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %73 = "tosa.const"() <{values = dense<[[[[638450708]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %74 = "tosa.mul"(%52, %73, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %75 = "tosa.add"(%72, %74) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %76 = "tosa.arithmetic_right_shift"(%75, %27) <{round = false}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %77 = "tosa.const"() <{values = dense<[[[[1073741824]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %78 = "tosa.add"(%76, %77) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %79 = "tosa.const"() <{values = dense<[[[[-1010580540]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %80 = "tosa.mul"(%78, %79, %24) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %81 = "tosa.const"() <{values = dense<[[[[1515870810]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %82 = "tosa.add"(%80, %81) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %83 = "tosa.const"() <{values = dense<[[[[536870912]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %84 = "tosa.mul"(%78, %82, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %85 = "tosa.sub"(%83, %84) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %86 = "tosa.mul"(%82, %85, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %87 = "tosa.const"() <{values = dense<[[[[2]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %88 = "tosa.logical_left_shift"(%86, %87) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %89 = "tosa.add"(%82, %88) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %90 = "tosa.mul"(%78, %89, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %91 = "tosa.sub"(%83, %90) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %92 = "tosa.mul"(%89, %91, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %93 = "tosa.logical_left_shift"(%92, %87) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %94 = "tosa.add"(%89, %93) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %95 = "tosa.mul"(%78, %94, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %96 = "tosa.sub"(%83, %95) : (tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %97 = "tosa.mul"(%94, %96, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %98 = "tosa.logical_left_shift"(%97, %87) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %99 = "tosa.add"(%94, %98) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %100 = "tosa.greater"(%99, %39) : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi1>
    %101 = "tosa.minimum"(%99, %39) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x1xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x1xi32>
    %102 = "tosa.add"(%101, %101) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %103 = "tosa.select"(%100, %41, %102) : (tensor<1x4x4x1xi1>, tensor<1x1x1x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %104 = "tosa.mul"(%63, %103, %24) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>, tensor<1xi8>) -> tensor<1x4x4x1xi32>
    %105 = "tosa.add"(%35, %104) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %106 = "tosa.add"(%105, %105) : (tensor<1x4x4x1xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x1xi32>
    %107 = "tosa.sub"(%10, %106) : (tensor<1x4x4x2xi32>, tensor<1x4x4x1xi32>) -> tensor<1x4x4x2xi32>
    %108 = "tosa.arithmetic_right_shift"(%107, %59) <{round = false}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %109 = "tosa.add"(%107, %108) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
    %110 = "tosa.const"() <{values = dense<[[[[22]]]]> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32>
    %111 = "tosa.arithmetic_right_shift"(%109, %110) <{round = true}> : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi32>
    %112 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %113 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %114 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %115 = "tosa.const"() <{values = dense<[127]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %116 = "tosa.rescale"(%111, %112, %113, %114, %115) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi8>
    return %116 : tensor<1x4x4x2xi8>
  }
}
