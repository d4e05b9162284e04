// before
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2xi32> {tosa.tensor_name = "t6"}, tensor<2xf32> {tosa.tensor_name = "t7"}, tensor<i32> {tosa.tensor_name = "t8"}) {
    %2 = "tfl.pseudo_const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %3 = "tfl.pseudo_const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
    %4 = "tfl.pseudo_const"() <{values = dense<0.10000000149011612> : tensor<f32>}> : () -> tensor<f32>
    %5 = "tfl.pseudo_const"() <{values = dense<0.5> : tensor<f32>}> : () -> tensor<f32>
    %6, %7, %8 = "tfl.non_max_suppression_v5"(%arg0, %arg1, %2, %3, %4, %5) : (tensor<3x4xf32>, tensor<3xf32>, tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<2xi32>, tensor<2xf32>, tensor<i32>)
    return %6, %7, %8 : tensor<2xi32>, tensor<2xf32>, tensor<i32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x4xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2xi32> {tosa.tensor_name = "t6"}, tensor<2xf32> {tosa.tensor_name = "t7"}, tensor<i32> {tosa.tensor_name = "t8"}) {
    %2 = "tosa.const"() <{values = dense<[[[0]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %3 = "tosa.const"() <{values = dense<[[[0], [0]]]> : tensor<1x2x1xi32>}> : () -> tensor<1x2x1xi32>
    %4 = "tosa.const"() <{values = dense<[[[0.0], [0.0]]]> : tensor<1x2x1xf32>}> : () -> tensor<1x2x1xf32>
    %5 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %6 = "tosa.reshape"(%arg1, %5) : (tensor<3xf32>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %7 = "tosa.const"() <{values = dense<[[[2]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %8 = "tosa.const"() <{values = dense<[[[0.10000000149011612]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %9 = "tosa.greater"(%6, %8) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xi1>
    %10 = "tosa.cast"(%9) : (tensor<1x3x1xi1>) -> tensor<1x3x1xi32>
    %11 = "tosa.reduce_sum"(%10) <{axis = 1 : i32}> : (tensor<1x3x1xi32>) -> tensor<1x1x1xi32>
    %12 = "tosa.minimum"(%7, %11) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
    %13 = "tosa.const_shape"() <{values = dense<[1, 3, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.reshape"(%arg0, %13) : (tensor<3x4xf32>, !tosa.shape<3>) -> tensor<1x3x4xf32>
    %15 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %16 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %17 = "tosa.slice"(%14, %15, %16) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %18 = "tosa.const_shape"() <{values = dense<[0, 0, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %19 = "tosa.slice"(%14, %18, %16) : (tensor<1x3x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %20 = "tosa.minimum"(%17, %19) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %21 = "tosa.maximum"(%17, %19) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %22 = "tosa.sub"(%21, %20) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
    %23 = "tosa.slice"(%22, %15, %5) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %24 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.slice"(%22, %24, %5) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
    %26 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %27 = "tosa.mul"(%23, %25, %26) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
    %28 = "tosa.concat"(%20, %21, %27) <{axis = 2 : i32}> : (tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<1x3x1xf32>) -> tensor<1x3x5xf32>
    %29, %30, %31, %32, %33, %34 = "tosa.while_loop"(%2, %3, %4, %6, %12, %28) ({
      ^bb0(%35: tensor<1x1x1xi32>, %36: tensor<1x2x1xi32>, %37: tensor<1x2x1xf32>, %38: tensor<1x3x1xf32>, %39: tensor<1x1x1xi32>, %40: tensor<1x3x5xf32>):
        %41 = "tosa.reduce_max"(%38) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x1xf32>) -> tensor<1x1x1xf32>
        %42 = "tosa.const"() <{values = dense<[[[0.10000000149011612]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %43 = "tosa.greater"(%41, %42) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xi1>
        %44 = "tosa.greater"(%39, %35) : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi1>
        %45 = "tosa.logical_and"(%43, %44) : (tensor<1x1x1xi1>, tensor<1x1x1xi1>) -> tensor<1x1x1xi1>
        %46 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
        %47 = "tosa.reshape"(%45, %46) : (tensor<1x1x1xi1>, !tosa.shape<0>) -> tensor<i1>
        "tosa.yield"(%47) : (tensor<i1>) -> ()
    }, {
      ^bb0(%48: tensor<1x1x1xi32>, %49: tensor<1x2x1xi32>, %50: tensor<1x2x1xf32>, %51: tensor<1x3x1xf32>, %52: tensor<1x1x1xi32>, %53: tensor<1x3x5xf32>):
        %54 = "tosa.const"() <{values = dense<[[[1]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
        %55 = "tosa.add"(%48, %54) : (tensor<1x1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
        %56 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
        %57 = "tosa.reshape"(%48, %56) : (tensor<1x1x1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
        %58 = "tosa.argmax"(%51) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x3x1xf32>) -> tensor<1x1xi32>
        %59 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %60 = "tosa.reshape"(%58, %59) : (tensor<1x1xi32>, !tosa.shape<3>) -> tensor<1x1x1xi32>
        %61 = "tosa.scatter"(%49, %57, %60) : (tensor<1x2x1xi32>, tensor<1x1xi32>, tensor<1x1x1xi32>) -> tensor<1x2x1xi32>
        %62 = "tosa.gather"(%51, %58) : (tensor<1x3x1xf32>, tensor<1x1xi32>) -> tensor<1x1x1xf32>
        %63 = "tosa.scatter"(%50, %57, %62) : (tensor<1x2x1xf32>, tensor<1x1xi32>, tensor<1x1x1xf32>) -> tensor<1x2x1xf32>
        %64 = "tosa.const_shape"() <{values = dense<[0, 0, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %65 = "tosa.const_shape"() <{values = dense<[1, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %66 = "tosa.slice"(%53, %64, %65) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %67 = "tosa.gather"(%53, %58) : (tensor<1x3x5xf32>, tensor<1x1xi32>) -> tensor<1x1x5xf32>
        %68 = "tosa.slice"(%67, %64, %59) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x1xf32>
        %69 = "tosa.minimum"(%66, %68) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
        %70 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %71 = "tosa.greater"(%69, %70) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xi1>
        %72 = "tosa.add"(%66, %68) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
        %73 = "tosa.const_shape"() <{values = dense<[0, 0, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %74 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %75 = "tosa.slice"(%53, %73, %74) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
        %76 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %77 = "tosa.slice"(%67, %73, %76) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
        %78 = "tosa.minimum"(%75, %77) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
        %79 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %80 = "tosa.slice"(%53, %79, %74) : (tensor<1x3x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
        %81 = "tosa.slice"(%67, %79, %76) : (tensor<1x1x5xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
        %82 = "tosa.maximum"(%80, %81) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
        %83 = "tosa.sub"(%78, %82) : (tensor<1x3x2xf32>, tensor<1x3x2xf32>) -> tensor<1x3x2xf32>
        %84 = "tosa.maximum"(%83, %70) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>, tensor<1x1x1xf32>) -> tensor<1x3x2xf32>
        %85 = "tosa.slice"(%84, %79, %65) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %86 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
        %87 = "tosa.slice"(%84, %86, %65) : (tensor<1x3x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x1xf32>
        %88 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
        %89 = "tosa.mul"(%85, %87, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %90 = "tosa.sub"(%72, %89) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %91 = "tosa.reciprocal"(%90) : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %92 = "tosa.mul"(%91, %89, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %93 = "tosa.mul"(%92, %90, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %94 = "tosa.sub"(%89, %93) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %95 = "tosa.const"() <{values = dense<[[[4097.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %96 = "tosa.mul"(%92, %95, %88) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %97 = "tosa.sub"(%96, %92) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %98 = "tosa.sub"(%96, %97) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %99 = "tosa.mul"(%90, %95, %88) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %100 = "tosa.sub"(%99, %90) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %101 = "tosa.sub"(%99, %100) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %102 = "tosa.mul"(%98, %101, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %103 = "tosa.sub"(%102, %93) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %104 = "tosa.sub"(%90, %101) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %105 = "tosa.mul"(%98, %104, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %106 = "tosa.add"(%103, %105) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %107 = "tosa.sub"(%92, %98) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %108 = "tosa.mul"(%107, %101, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %109 = "tosa.add"(%106, %108) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %110 = "tosa.mul"(%107, %104, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %111 = "tosa.add"(%109, %110) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %112 = "tosa.sub"(%94, %111) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %113 = "tosa.const"() <{values = dense<[[[0.9999999403953552]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %114 = "tosa.mul"(%91, %113, %88) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %115 = "tosa.mul"(%112, %114, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %116 = "tosa.add"(%92, %115) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %117 = "tosa.select"(%71, %116, %70) : (tensor<1x3x1xi1>, tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xf32>
        %118 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %119 = "tosa.greater_equal"(%117, %118) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>) -> tensor<1x3x1xi1>
        %120 = "tosa.const"() <{values = dense<[[[-inf]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %121 = "tosa.const"() <{values = dense<[[[-1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
        %122 = "tosa.mul"(%117, %121, %88) : (tensor<1x3x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %123 = "tosa.mul"(%122, %117, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %124 = "tosa.exp"(%123) : (tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %125 = "tosa.mul"(%51, %124, %88) : (tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1xi8>) -> tensor<1x3x1xf32>
        %126 = "tosa.select"(%119, %120, %125) : (tensor<1x3x1xi1>, tensor<1x1x1xf32>, tensor<1x3x1xf32>) -> tensor<1x3x1xf32>
        %127 = "tosa.identity"(%52) : (tensor<1x1x1xi32>) -> tensor<1x1x1xi32>
        %128 = "tosa.identity"(%53) : (tensor<1x3x5xf32>) -> tensor<1x3x5xf32>
        "tosa.yield"(%55, %61, %63, %126, %127, %128) : (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x1x1xi32>, tensor<1x3x5xf32>) -> ()
    }) : (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x1x1xi32>, tensor<1x3x5xf32>) -> (tensor<1x1x1xi32>, tensor<1x2x1xi32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>, tensor<1x1x1xi32>, tensor<1x3x5xf32>)
    %129 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %130 = "tosa.reshape"(%30, %129) : (tensor<1x2x1xi32>, !tosa.shape<1>) -> tensor<2xi32>
    %131 = "tosa.reshape"(%31, %129) : (tensor<1x2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
    %132 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %133 = "tosa.reshape"(%29, %132) : (tensor<1x1x1xi32>, !tosa.shape<0>) -> tensor<i32>
    return %130, %131, %133 : tensor<2xi32>, tensor<2xf32>, tensor<i32>
  }
}
