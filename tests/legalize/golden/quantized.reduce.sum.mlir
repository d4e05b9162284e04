// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0100000002000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.sum"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> loc("main:0 SUM 't2'")
    return %2 : tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUM 't2'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %3 = "tosa.const"() <{values = dense<"0xFD"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUM 't2'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SUM 't2'")
    %6 = "tosa.reduce_sum"(%5) <{axis = 1 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x1x4x2xi32> loc("main:0 SUM 't2'")
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<1x1x4x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %8 = "tosa.const"() <{values = dense<"0x1F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %9 = "tosa.const"() <{values = dense<"0x07"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %10 = "tosa.rescale"(%7, %1, %8, %4, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x1x2xi8> loc("main:0 SUM 't2'")
    return %10 : tensor<1x1x1x2xi8>
  }
}
