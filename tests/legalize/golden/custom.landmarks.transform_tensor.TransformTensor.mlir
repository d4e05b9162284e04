// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x2x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "TransformTensor", custom_options = "\6F\75\74\70\75\74\5F\73\69\7A\65\00\02\02\03\04\04\6D\6F\64\65\00\08\62\69\6C\69\6E\65\61\72\00\02\10\22\02\01\02\0F\1A\14\28\04\24\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4xf32>) -> tensor<1x2x3x2xf32>
    return %2 : tensor<1x2x3x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x2x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.const_shape"() <{values = dense<[1, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.slice"(%arg1, %2, %3) : (tensor<1x4x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x4xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.slice"(%4, %2, %5) : (tensor<1x2x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %7 = "tosa.const"() <{values = dense<[[[0.0, 1.0, 2.0, 0.0, 1.0, 2.0]]]> : tensor<1x1x6xf32>}> : () -> tensor<1x1x6xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%6, %7, %8) : (tensor<1x2x1xf32>, tensor<1x1x6xf32>, tensor<1xi8>) -> tensor<1x2x6xf32>
    %10 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %11 = "tosa.slice"(%4, %10, %5) : (tensor<1x2x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %12 = "tosa.const"() <{values = dense<[[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]]]> : tensor<1x1x6xf32>}> : () -> tensor<1x1x6xf32>
    %13 = "tosa.mul"(%11, %12, %8) : (tensor<1x2x1xf32>, tensor<1x1x6xf32>, tensor<1xi8>) -> tensor<1x2x6xf32>
    %14 = "tosa.add"(%9, %13) : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %15 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %16 = "tosa.slice"(%4, %15, %5) : (tensor<1x2x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %17 = "tosa.add"(%14, %16) : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %18 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %19 = "tosa.greater_equal"(%17, %18) : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xi1>
    %20 = "tosa.const"() <{values = dense<[[[3.0], [3.0]]]> : tensor<1x2x1xf32>}> : () -> tensor<1x2x1xf32>
    %21 = "tosa.greater_equal"(%20, %17) : (tensor<1x2x1xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xi1>
    %22 = "tosa.logical_and"(%19, %21) : (tensor<1x2x6xi1>, tensor<1x2x6xi1>) -> tensor<1x2x6xi1>
    %23 = "tosa.reduce_all"(%22) <{axis = 1 : i32}> : (tensor<1x2x6xi1>) -> tensor<1x1x6xi1>
    %24 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.reshape"(%23, %24) : (tensor<1x1x6xi1>, !tosa.shape<3>) -> tensor<1x6x1xi1>
    %26 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %27 = "tosa.reshape"(%arg0, %26) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %28 = "tosa.floor"(%17) : (tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %29 = "tosa.maximum"(%28, %18) <{nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xf32>
    %30 = "tosa.minimum"(%29, %20) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %31 = "tosa.cast"(%30) : (tensor<1x2x6xf32>) -> tensor<1x2x6xi32>
    %32 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %33 = "tosa.const_shape"() <{values = dense<[1, 1, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %34 = "tosa.slice"(%31, %32, %33) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %35 = "tosa.const"() <{values = dense<[[[4]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %36 = "tosa.mul"(%34, %35, %8) : (tensor<1x1x6xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x6xi32>
    %37 = "tosa.slice"(%31, %2, %33) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %38 = "tosa.add"(%36, %37) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %39 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %40 = "tosa.reshape"(%38, %39) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %41 = "tosa.gather"(%27, %40) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %42 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %43 = "tosa.sub"(%17, %28) : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %44 = "tosa.slice"(%43, %2, %33) : (tensor<1x2x6xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xf32>
    %45 = "tosa.reshape"(%44, %24) : (tensor<1x1x6xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %46 = "tosa.sub"(%42, %45) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %47 = "tosa.mul"(%41, %46, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %48 = "tosa.add"(%30, %42) : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xf32>
    %49 = "tosa.minimum"(%48, %20) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %50 = "tosa.cast"(%49) : (tensor<1x2x6xf32>) -> tensor<1x2x6xi32>
    %51 = "tosa.slice"(%50, %2, %33) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %52 = "tosa.add"(%36, %51) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %53 = "tosa.reshape"(%52, %39) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %54 = "tosa.gather"(%27, %53) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %55 = "tosa.mul"(%54, %45, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %56 = "tosa.add"(%47, %55) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %57 = "tosa.slice"(%43, %32, %33) : (tensor<1x2x6xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xf32>
    %58 = "tosa.reshape"(%57, %24) : (tensor<1x1x6xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %59 = "tosa.sub"(%42, %58) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %60 = "tosa.mul"(%56, %59, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %61 = "tosa.slice"(%50, %32, %33) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %62 = "tosa.mul"(%61, %35, %8) : (tensor<1x1x6xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x6xi32>
    %63 = "tosa.add"(%62, %37) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %64 = "tosa.reshape"(%63, %39) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %65 = "tosa.gather"(%27, %64) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %66 = "tosa.sub"(%42, %45) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %67 = "tosa.mul"(%65, %66, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %68 = "tosa.add"(%62, %51) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %69 = "tosa.reshape"(%68, %39) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %70 = "tosa.gather"(%27, %69) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %71 = "tosa.mul"(%70, %45, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %72 = "tosa.add"(%67, %71) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %73 = "tosa.mul"(%72, %58, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %74 = "tosa.add"(%60, %73) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %75 = "tosa.select"(%25, %74, %18) : (tensor<1x6x1xi1>, tensor<1x6x2xf32>, tensor<1x1x1xf32>) -> tensor<1x6x2xf32>
    %76 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %77 = "tosa.reshape"(%75, %76) : (tensor<1x6x2xf32>, !tosa.shape<4>) -> tensor<1x2x3x2xf32>
    return %77 : tensor<1x2x3x2xf32>
  }
}
