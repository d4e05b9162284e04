// before
module {
  func.func @"main"(%arg0: tensor<5x20x9xi8> {tosa.tensor_name = "in0"}) -> (tensor<5x20x9xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.const"() <{values = dense<"0x557C"> : tensor<1xi16>}> : () -> tensor<1xi16> loc("")
    %2 = "tosa.const"() <{values = dense<"0x11"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %3 = "tosa.const"() <{values = dense<"0x3D"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %4 = "tosa.const"() <{values = dense<"0x61"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = false, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<5x20x9xi8>, tensor<1xi16>, tensor<1xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<5x20x9xi8> loc("")
    return %5 : tensor<5x20x9xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "in0"}) -> (tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>>) -> tensor<5x20x9xi32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x80000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %3 = "tfl.add"(%1, %2) : (tensor<5x20x9xi32>, tensor<i32>) -> tensor<5x20x9xi32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<256xi8>}> : () -> tensor<256xi8> loc("")
    %5 = "tfl.gather"(%4, %3) <{axis = 0 : i64}> : (tensor<256xi8>, tensor<5x20x9xi32>) -> tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>> loc("")
    return %5 : tensor<5x20x9x!quant.uniform<i8:f32, 1.0:0>>
  }
}
