// before
module {
  func.func @"main"(%arg0: tensor<1x3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x3x3xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<3x4xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x2x4xf32> {tosa.tensor_name = "t3"}, tensor<1x2xf32> {tosa.tensor_name = "t4"}, tensor<1x2xf32> {tosa.tensor_name = "t5"}, tensor<1xf32> {tosa.tensor_name = "t6"}) {
    %3, %4, %5, %6 = "tfl.custom"(%arg0, %arg1, %arg2) <{custom_code = "TFLite_Detection_PostProcess", custom_options = "\6D\61\78\5F\64\65\74\65\63\74\69\6F\6E\73\00\6D\61\78\5F\63\6C\61\73\73\65\73\5F\70\65\72\5F\64\65\74\65\63\74\69\6F\6E\00\6E\75\6D\5F\63\6C\61\73\73\65\73\00\64\65\74\65\63\74\69\6F\6E\73\5F\70\65\72\5F\63\6C\61\73\73\00\6E\6D\73\5F\73\63\6F\72\65\5F\74\68\72\65\73\68\6F\6C\64\00\6E\6D\73\5F\69\6F\75\5F\74\68\72\65\73\68\6F\6C\64\00\79\5F\73\63\61\6C\65\00\78\5F\73\63\61\6C\65\00\68\5F\73\63\61\6C\65\00\77\5F\73\63\61\6C\65\00\75\73\65\5F\72\65\67\75\6C\61\72\5F\6E\6D\73\00\0B\6C\22\94\A4\47\5C\7E\18\21\32\3B\00\00\00\00\0F\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\0B\00\00\00\00\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\14\40\01\00\00\00\00\00\00\00\02\00\00\00\00\00\00\00\00\00\00\00\00\00\E0\3F\9A\99\99\99\99\99\B9\3F\02\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\14\40\00\00\00\00\00\00\24\40\00\00\00\00\00\00\24\40\07\0F\07\07\0F\0F\07\6B\0F\0F\0F\63\27\01"}> : (tensor<1x3x4xf32>, tensor<1x3x3xf32>, tensor<3x4xf32>) -> (tensor<1x2x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xf32>)
    return %3, %4, %5, %6 : tensor<1x2x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x3x3xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<3x4xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x2x4xf32> {tosa.tensor_name = "t3"}, tensor<1x2xf32> {tosa.tensor_name = "t4"}, tensor<1x2xf32> {tosa.tensor_name = "t5"}, tensor<1xf32> {tosa.tensor_name = "t6"}) {
    %3 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %4 = "tosa.const"() <{values = dense<[[[0], [0]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
    %5 = "tosa.const"() <{values = dense<[[[0.0], [0.0]]]> : tensor<1x2x1xf32>}> : () -> tensor<1x2x1xf32>
    %6 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %8 = "tosa.slice"(%arg1, %6, %7) : (tensor<1x3x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %9 = "tosa.reduce_max"(%8) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x2xf32>) -> tensor<1x3x1xf32>
    %10 = "tosa.const"() <{values = dense<[[[0.10000000149011612, 0.10000000149011612, 0.20000000298023224, 0.20000000298023224]]]> : tensor<1x1x4xf32>}> : () -> tensor<1x1x4xf32>
    %11 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.mul"(%arg0, %10, %11) : (tensor<1x3x4xf32>, tensor<1x1x4xf32>, tensor<1xi8>) -> tensor<1x3x4xf32>
    %13 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.slice"(%12, %13, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %15 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %16 = "tosa.reshape"(%arg2, %15) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %17 = "tosa.const_shape"() <{values = dense<[0, 0, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %18 = "tosa.slice"(%16, %17, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %19 = "tosa.mul"(%14, %18, %11) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32>
    %20 = "tosa.slice"(%16, %13, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %21 = "tosa.add"(%19, %20) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %22 = "tosa.slice"(%12, %17, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %23 = "tosa.exp"(%22) : (tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %24 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %25 = "tosa.mul"(%18, %24, %11) : (tensor<1x3x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x2xf32>
    %26 = "tosa.mul"(%23, %25, %11) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1xi8>) -> tensor<1x3x2xf32>
    %27 = "tosa.sub"(%21, %26) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %28 = "tosa.add"(%21, %26) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %29 = "tosa.concat"(%27, %28) <{axis = 2 : i32}> : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x4xf32>
    %30 = "tosa.slice"(%29, %13, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %31 = "tosa.slice"(%29, %17, %7) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %32 = "tosa.sub"(%31, %30) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %33 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %34 = "tosa.slice"(%32, %13, %33) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %35 = "tosa.slice"(%32, %6, %33) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %36 = "tosa.mul"(%34, %35, %11) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
    %37 = "tosa.concat"(%30, %31, %36) <{axis = 2 : i32}> : (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x1xf32>) -> tensor<1x3x5xf32>
    %38, %39, %40, %41, %42 = "tosa.while_loop"(%3, %4, %5, %9, %37) ({
      ^bb0(%43: tensor<1x1x1xi32>, %44: tensor<1x2x1xi32>, %45: tensor<1x2x1xf32>, %46: tensor<1x3x1xf32>, %47: tensor<1x3x5xf32>):
        %48 = "tosa.reduce_max"(%46) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x1xf32>) -> tensor<1x1x1xf32>
        %49 = "tosa.const"() <{values = dense<[[[0.09999999403953552]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %50 = "tosa.greater"(%48, %49) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xi1>
        %51 = "tosa.const"() <{values = dense<[[[2]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
        %52 = "tosa.greater"(%51, %43) : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
        %53 = "tosa.logical_and"(%50, %52) : (tensor<1x1x1xi1>, tensor<1x1x1xi1>) -> tensor<1x1x1xi1>
        %54 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
        %55 = "tosa.reshape"(%53, %54) : (tensor<1x1x1xi1>, !tosa.shape<0>) -> tensor<i1>
        "tosa.yield"(%55) : (tensor<i1>) -> ()
    }, {
      ^bb0(%56: tensor<1x1x1xi32>, %57: tensor<1x2x1xi32>, %58: tensor<1x2x1xf32>, %59: tensor<1x3x1xf32>, %60: tensor<1x3x5xf32>):
        %61 = "tosa.const"() <{values = dense<[[[1]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
        %62 = "tosa.add"(%56, %61) : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
        %63 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
        %64 = "tosa.reshape"(%56, %63) : (tensor<1x1x1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
        %65 = "tosa.argmax"(%59) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x1xf32>) -> tensor<1x1xi32>
        %66 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %67 = "tosa.reshape"(%65, %66) : (tensor<1x1xi32>, !tosa.shape<3>) -> tensor<1x1x1xi32>
        %68 = "tosa.scatter"(%57, %64, %67) : (tensor<1x2x1xi32>, tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x2x1xi32>
        %69 = "tosa.gather"(%59, %65) : (tensor<1x3x1xf32>, tensor<1x1xi32>) -> tensor<1x1x1xf32>
        %70 = "tosa.scatter"(%58, %64, %69) : (tensor<1x2x1xf32>, tensor<1x1xi32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
        %71 = "tosa.const"() <{values = dense<[[[0], [1], [2]]]> : tensor<1x3x1xi32>}> : () -> tensor<1x3x1xi32>
        %72 = "tosa.reshape"(%65, %66) : (tensor<1x1xi32>, !tosa.shape<3>) -> tensor<1x1x1xi32>
        %73 = "tosa.equal"(%71, %72) : (tensor<1x3x1xi32>, tensor<1x1x1xi32>) -> tensor<1x3x1xi1>
        %74 = "tosa.const_shape"() <{values = dense<[0, 0, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %75 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %76 = "tosa.slice"(%60, %74, %75) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
        %77 = "tosa.gather"(%60, %65) : (tensor<1x3x5xf32>, tensor<1x1xi32>) -> tensor<1x1x5xf32>
        %78 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %79 = "tosa.slice"(%77, %74, %78) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
        %80 = "tosa.minimum"(%76, %79) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
        %81 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %82 = "tosa.slice"(%60, %81, %75) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
        %83 = "tosa.slice"(%77, %81, %78) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
        %84 = "tosa.maximum"(%82, %83) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
        %85 = "tosa.sub"(%80, %84) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
        %86 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %87 = "tosa.maximum"(%85, %86) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x1xf32>) -> tensor<1x3x2xf32>
        %88 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %89 = "tosa.slice"(%87, %81, %88) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %90 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %91 = "tosa.slice"(%87, %90, %88) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %92 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
        %93 = "tosa.mul"(%89, %91, %92) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %94 = "tosa.const_shape"() <{values = dense<[0, 0, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %95 = "tosa.slice"(%60, %94, %88) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %96 = "tosa.slice"(%77, %94, %66) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x1xf32>
        %97 = "tosa.add"(%95, %96) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
        %98 = "tosa.sub"(%97, %93) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %99 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %100 = "tosa.mul"(%98, %99, %92) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %101 = "tosa.sub"(%93, %100) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %102 = "tosa.greater"(%101, %86) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xi1>
        %103 = "tosa.logical_or"(%73, %102) : (tensor<1x3x1xi1>, tensor<1x3x1xi1>) -> tensor<1x3x1xi1>
        %104 = "tosa.const"() <{values = dense<[[[-inf]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %105 = "tosa.select"(%103, %104, %59) : (tensor<1x3x1xi1>, tensor<1x1x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %106 = "tosa.identity"(%60) : (tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
        "tosa.yield"(%62, %68, %70, %105, %106) : (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x3x5xf32>) -> ()
    }) : (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x3x5xf32>) -> (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x3x5xf32>)
    %107 = "tosa.const"() <{values = dense<[[[0], [1]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
    %108 = "tosa.greater"(%38, %107) : (tensor<1x1x1xi32>, tensor<1x2x1xi32>) -> tensor<1x2x1xi1>
    %109 = "tosa.const_shape"() <{values = dense<[2, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %110 = "tosa.reshape"(%108, %109) : (tensor<1x2x1xi1>, !tosa.shape<3>) -> tensor<2x1x1xi1>
    %111 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %112 = "tosa.reshape"(%39, %111) : (tensor<1x2x1xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %113 = "tosa.gather"(%29, %112) : (tensor<1x3x4xf32>, tensor<1x2xi32>) -> tensor<1x2x4xf32>
    %114 = "tosa.const_shape"() <{values = dense<[2, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %115 = "tosa.reshape"(%113, %114) : (tensor<1x2x4xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
    %116 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %117 = "tosa.select"(%110, %115, %116) : (tensor<2x1x1xi1>, tensor<2x1x4xf32>, tensor<1x1x1xf32>) -> tensor<2x1x4xf32>
    %118 = "tosa.const_shape"() <{values = dense<[1, 2, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %119 = "tosa.reshape"(%117, %118) : (tensor<2x1x4xf32>, !tosa.shape<3>) -> tensor<1x2x4xf32>
    %120 = "tosa.gather"(%8, %112) : (tensor<1x3x2xf32>, tensor<1x2xi32>) -> tensor<1x2x2xf32>
    %121 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %122 = "tosa.reshape"(%120, %121) : (tensor<1x2x2xf32>, !tosa.shape<2>) -> tensor<2x2xf32>
    %123 = "tosa.argmax"(%122) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x2xf32>) -> tensor<2xi32>
    %124 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %125 = "tosa.reshape"(%123, %124) : (tensor<2xi32>, !tosa.shape<2>) -> tensor<2x1xi32>
    %126 = "tosa.cast"(%125) : (tensor<2x1xi32>) -> tensor<2x1xf32>
    %127 = "tosa.reshape"(%126, %109) : (tensor<2x1xf32>, !tosa.shape<3>) -> tensor<2x1x1xf32>
    %128 = "tosa.select"(%110, %127, %116) : (tensor<2x1x1xi1>, tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
    %129 = "tosa.reshape"(%128, %111) : (tensor<2x1x1xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    %130 = "tosa.const_shape"() <{values = dense<[2, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %131 = "tosa.reshape"(%122, %130) : (tensor<2x2xf32>, !tosa.shape<3>) -> tensor<2x2x1xf32>
    %132 = "tosa.gather"(%131, %125) : (tensor<2x2x1xf32>, tensor<2x1xi32>) -> tensor<2x1x1xf32>
    %133 = "tosa.select"(%110, %132, %116) : (tensor<2x1x1xi1>, tensor<2x1x1xf32>, tensor<1x1x1xf32>) -> tensor<2x1x1xf32>
    %134 = "tosa.reshape"(%133, %111) : (tensor<2x1x1xf32>, !tosa.shape<2>) -> tensor<1x2xf32>
    %135 = "tosa.cast"(%38) : (tensor<1x1x1xi32>) -> tensor<1x1x1xf32>
    %136 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %137 = "tosa.reshape"(%135, %136) : (tensor<1x1x1xf32>, !tosa.shape<1>) -> tensor<1xf32>
    return %119, %129, %134, %137 : tensor<1x2x4xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1xf32>
  }
}
