// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[-1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexArgMax", custom_options = "\06\41\72\67\4D\61\78\00\0B\12\06\41\72\67\4D\61\78\1A\01\78\00\02\15\0E\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1xi32>) -> tensor<1x4x4xi32>
    return %2 : tensor<1x4x4xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.argmax"(%arg0) <{axis = 3 : i32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4xi32>
    return %1 : tensor<1x4x4xi32>
  }
}
