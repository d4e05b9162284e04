// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x2x3x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "TransformTensorBilinear", custom_options = "\6F\75\74\70\75\74\5F\68\65\69\67\68\74\00\6F\75\74\70\75\74\5F\77\69\64\74\68\00\02\1C\0F\02\01\02\02\03\04\04\04\24\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4xf32>) -> tensor<1x2x3x2xf32>
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
    %17 = "tosa.add"(%6, %11) : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %18 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %19 = "tosa.mul"(%17, %18, %8) : (tensor<1x2x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x2x1xf32>
    %20 = "tosa.sub"(%19, %18) : (tensor<1x2x1xf32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
    %21 = "tosa.add"(%16, %20) : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %22 = "tosa.add"(%14, %21) : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %23 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %24 = "tosa.greater_equal"(%22, %23) : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xi1>
    %25 = "tosa.const"() <{values = dense<[[[3.0], [3.0]]]> : tensor<1x2x1xf32>}> : () -> tensor<1x2x1xf32>
    %26 = "tosa.greater_equal"(%25, %22) : (tensor<1x2x1xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xi1>
    %27 = "tosa.logical_and"(%24, %26) : (tensor<1x2x6xi1>, tensor<1x2x6xi1>) -> tensor<1x2x6xi1>
    %28 = "tosa.reduce_all"(%27) <{axis = 1 : i32}> : (tensor<1x2x6xi1>) -> tensor<1x1x6xi1>
    %29 = "tosa.const_shape"() <{values = dense<[1, 6, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %30 = "tosa.reshape"(%28, %29) : (tensor<1x1x6xi1>, !tosa.shape<3>) -> tensor<1x6x1xi1>
    %31 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %32 = "tosa.reshape"(%arg0, %31) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32>
    %33 = "tosa.floor"(%22) : (tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %34 = "tosa.maximum"(%33, %23) <{nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xf32>
    %35 = "tosa.minimum"(%34, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %36 = "tosa.cast"(%35) : (tensor<1x2x6xf32>) -> tensor<1x2x6xi32>
    %37 = "tosa.const_shape"() <{values = dense<[0, 1, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %38 = "tosa.const_shape"() <{values = dense<[1, 1, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %39 = "tosa.slice"(%36, %37, %38) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %40 = "tosa.const"() <{values = dense<[[[4]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %41 = "tosa.mul"(%39, %40, %8) : (tensor<1x1x6xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x6xi32>
    %42 = "tosa.slice"(%36, %2, %38) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %43 = "tosa.add"(%41, %42) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %44 = "tosa.const_shape"() <{values = dense<[1, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %45 = "tosa.reshape"(%43, %44) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %46 = "tosa.gather"(%32, %45) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %47 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %48 = "tosa.sub"(%22, %33) : (tensor<1x2x6xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %49 = "tosa.slice"(%48, %2, %38) : (tensor<1x2x6xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xf32>
    %50 = "tosa.reshape"(%49, %29) : (tensor<1x1x6xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %51 = "tosa.sub"(%47, %50) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %52 = "tosa.mul"(%46, %51, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %53 = "tosa.add"(%35, %47) : (tensor<1x2x6xf32>, tensor<1x1x1xf32>) -> tensor<1x2x6xf32>
    %54 = "tosa.minimum"(%53, %25) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
    %55 = "tosa.cast"(%54) : (tensor<1x2x6xf32>) -> tensor<1x2x6xi32>
    %56 = "tosa.slice"(%55, %2, %38) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %57 = "tosa.add"(%41, %56) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %58 = "tosa.reshape"(%57, %44) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %59 = "tosa.gather"(%32, %58) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %60 = "tosa.mul"(%59, %50, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %61 = "tosa.add"(%52, %60) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %62 = "tosa.slice"(%48, %37, %38) : (tensor<1x2x6xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xf32>
    %63 = "tosa.reshape"(%62, %29) : (tensor<1x1x6xf32>, !tosa.shape<3>) -> tensor<1x6x1xf32>
    %64 = "tosa.sub"(%47, %63) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %65 = "tosa.mul"(%61, %64, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %66 = "tosa.slice"(%55, %37, %38) : (tensor<1x2x6xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x6xi32>
    %67 = "tosa.mul"(%66, %40, %8) : (tensor<1x1x6xi32>, tensor<1x1x1xi32>, tensor<1xi8>) -> tensor<1x1x6xi32>
    %68 = "tosa.add"(%67, %42) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %69 = "tosa.reshape"(%68, %44) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %70 = "tosa.gather"(%32, %69) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %71 = "tosa.sub"(%47, %50) : (tensor<1x1x1xf32>, tensor<1x6x1xf32>) -> tensor<1x6x1xf32>
    %72 = "tosa.mul"(%70, %71, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %73 = "tosa.add"(%67, %56) : (tensor<1x1x6xi32>, tensor<1x1x6xi32>) -> tensor<1x1x6xi32>
    %74 = "tosa.reshape"(%73, %44) : (tensor<1x1x6xi32>, !tosa.shape<2>) -> tensor<1x6xi32>
    %75 = "tosa.gather"(%32, %74) : (tensor<1x16x2xf32>, tensor<1x6xi32>) -> tensor<1x6x2xf32>
    %76 = "tosa.mul"(%75, %50, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %77 = "tosa.add"(%72, %76) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %78 = "tosa.mul"(%77, %63, %8) : (tensor<1x6x2xf32>, tensor<1x6x1xf32>, tensor<1xi8>) -> tensor<1x6x2xf32>
    %79 = "tosa.add"(%65, %78) : (tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> tensor<1x6x2xf32>
    %80 = "tosa.select"(%30, %79, %23) : (tensor<1x6x1xi1>, tensor<1x6x2xf32>, tensor<1x1x1xf32>) -> tensor<1x6x2xf32>
    %81 = "tosa.const_shape"() <{values = dense<[1, 2, 3, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %82 = "tosa.reshape"(%80, %81) : (tensor<1x6x2xf32>, !tosa.shape<4>) -> tensor<1x2x3x2xf32>
    return %82 : tensor<1x2x3x2xf32>
  }
}
