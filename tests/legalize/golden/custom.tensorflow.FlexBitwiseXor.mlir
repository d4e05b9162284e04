// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexBitwiseXor", custom_options = "\0A\42\69\74\77\69\73\65\58\6F\72\00\0F\12\0A\42\69\74\77\69\73\65\58\6F\72\1A\01\78\00\02\1D\12\14\14\04\28\01"}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>, tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>
    return %2 : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi8> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi8> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.bitwise_xor"(%arg0, %arg1) : (tensor<1x4x4x2xi8>, tensor<1x4x4x2xi8>) -> tensor<1x4x4x2xi8>
    return %2 : tensor<1x4x4x2xi8>
  }
}
