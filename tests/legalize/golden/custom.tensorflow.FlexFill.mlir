// before
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "tfl.pseudo_const"() <{values = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.custom"(%0, %1) <{custom_code = "FlexFill", custom_options = "\04\46\69\6C\6C\00\09\12\04\46\69\6C\6C\1A\01\78\00\02\11\0C\14\14\04\28\01"}> : (tensor<2xi32>, tensor<f32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %0 = "tosa.const"() <{values = dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>}> : () -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}
