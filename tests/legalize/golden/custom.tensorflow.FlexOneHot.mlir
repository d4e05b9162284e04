// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<f32> {tosa.tensor_name = "t2"}, %arg2: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<1x4x4x2x3xf32> {tosa.tensor_name = "t4"}) {
    %3 = "tfl.pseudo_const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %4 = "tfl.custom"(%arg0, %3, %arg1, %arg2) <{custom_code = "FlexOneHot", custom_options = "\06\4F\6E\65\48\6F\74\00\20\12\06\4F\6E\65\48\6F\74\1A\01\78\2A\13\0A\04\61\78\69\73\12\0B\18\FF\FF\FF\FF\FF\FF\FF\FF\FF\01\00\02\2A\23\14\14\04\28\01"}> : (tensor<1x4x4x2xi32>, tensor<i32>, tensor<f32>, tensor<f32>) -> tensor<1x4x4x2x3xf32>
    return %4 : tensor<1x4x4x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<f32> {tosa.tensor_name = "t2"}, %arg2: tensor<f32> {tosa.tensor_name = "t3"}) -> (tensor<1x4x4x2x3xf32> {tosa.tensor_name = "t4"}) {
    %3 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2, 1]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %4 = "tosa.reshape"(%arg0, %3) : (tensor<1x4x4x2xi32>, !tosa.shape<5>) -> tensor<1x4x4x2x1xi32>
    %5 = "tosa.const"() <{values = dense<[[[[[0, 1, 2]]]]]> : tensor<1x1x1x1x3xi32>}> : () -> tensor<1x1x1x1x3xi32>
    %6 = "tosa.equal"(%4, %5) : (tensor<1x4x4x2x1xi32>, tensor<1x1x1x1x3xi32>) -> tensor<1x4x4x2x3xi1>
    %7 = "tosa.const_shape"() <{values = dense<[1, 1, 1, 1, 1]> : tensor<5xindex>}> : () -> !tosa.shape<5>
    %8 = "tosa.reshape"(%arg1, %7) : (tensor<f32>, !tosa.shape<5>) -> tensor<1x1x1x1x1xf32>
    %9 = "tosa.reshape"(%arg2, %7) : (tensor<f32>, !tosa.shape<5>) -> tensor<1x1x1x1x1xf32>
    %10 = "tosa.select"(%6, %8, %9) : (tensor<1x4x4x2x3xi1>, tensor<1x1x1x1x1xf32>, tensor<1x1x1x1x1xf32>) -> tensor<1x4x4x2x3xf32>
    return %10 : tensor<1x4x4x2x3xf32>
  }
}
