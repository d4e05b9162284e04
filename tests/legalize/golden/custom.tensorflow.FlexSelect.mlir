// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tfl.custom"(%arg0, %arg1, %arg2) <{custom_code = "FlexSelect", custom_options = "\06\53\65\6C\65\63\74\00\0B\12\06\53\65\6C\65\63\74\1A\01\78\00\02\15\0E\14\14\04\28\01"}> : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %3 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi1> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}, %arg2: tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t3"}) {
    %3 = "tosa.select"(%arg0, %arg1, %arg2) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %3 : tensor<1x4x4x2xf32>
  }
}
