// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.log"(%arg0) : (tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>) -> tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
    return %1 : tensor<1x4x4x2x!quant.uniform<i16:f32, 0.05000000074505806:0>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi16> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi16> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<sha256 21ff83ddeea36fe3> : tensor<513xi16>}> : () -> tensor<513xi16>
    %2 = "tosa.table"(%arg0, %1) : (tensor<1x4x4x2xi16>, tensor<513xi16>) -> tensor<1x4x4x2xi32>
    %3 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = "tosa.const"() <{values = dense<[37]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %7 = "tosa.rescale"(%2, %3, %4, %5, %6) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x4x4x2xi16>
    return %7 : tensor<1x4x4x2xi16>
  }
}
