// before
module {
  func.func @"main"(%arg0: tensor<4x24x!quant.uniform<i8:f32, 0.03125:20>> {tosa.tensor_name = "v0"}) -> (tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>> {tosa.tensor_name = "v2"}) {
    %1 = "xnn.const"() <{values = dense_resource<__elided__> : tensor<24xi8>}> : () -> tensor<24x!quant.uniform<i8:f32, 0.025736482813954353:25>> loc("value 1")
    %2 = "xnn.prelu"(%arg0, %1) <{flags = 0 : i64}> : (tensor<4x24x!quant.uniform<i8:f32, 0.03125:20>>, tensor<24x!quant.uniform<i8:f32, 0.025736482813954353:25>>) -> tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>> loc("main:0 XNNPReLU handle 0")
    return %2 : tensor<4x24x!quant.uniform<i8:f32, 0.015625:15>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<4x24xi8> {tosa.tensor_name = "v0"}) -> (tensor<4x24xi8> {tosa.tensor_name = "v2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNPReLU handle 0")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNPReLU handle 0")
    %3 = "tosa.const"() <{values = dense<"0x14"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNPReLU handle 0")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 XNNPReLU handle 0")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<4x24xi32> loc("main:0 XNNPReLU handle 0")
    %6 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x24xi32>}> : () -> tensor<1x24xi32> loc("main:0 XNNPReLU handle 0")
    %7 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNPReLU handle 0")
    %8 = "tosa.mul"(%5, %6, %7) : (tensor<4x24xi32>, tensor<1x24xi32>, tensor<1xi8>) -> tensor<4x24xi32> loc("main:0 XNNPReLU handle 0")
    %9 = "tosa.cast"(%8) : (tensor<4x24xi32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %10 = "tosa.const"() <{values = dense<"0x51D5523D"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNPReLU handle 0")
    %11 = "tosa.mul"(%9, %10, %7) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %12 = "tosa.cast"(%5) : (tensor<4x24xi32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %13 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1x1xf32>}> : () -> tensor<1x1xf32> loc("main:0 XNNPReLU handle 0")
    %14 = "tosa.mul"(%12, %13, %7) : (tensor<4x24xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %15 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 XNNPReLU handle 0")
    %16 = "tosa.greater"(%15, %5) : (tensor<1x1xi32>, tensor<4x24xi32>) -> tensor<4x24xi1> loc("main:0 XNNPReLU handle 0")
    %17 = "tosa.select"(%16, %11, %14) : (tensor<4x24xi1>, tensor<4x24xf32>, tensor<4x24xf32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %18 = "tosa.clamp"(%17) <{min_val = 0xC30F0000 : f32, max_val = 0x42E00000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<4x24xf32>) -> tensor<4x24xf32> loc("main:0 XNNPReLU handle 0")
    %19 = "tosa.cast"(%18) : (tensor<4x24xf32>) -> tensor<4x24xi32> loc("main:0 XNNPReLU handle 0")
    %20 = "tosa.const"() <{values = dense<"0x0F"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 XNNPReLU handle 0")
    %21 = "tosa.rescale"(%19, %1, %2, %4, %20) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<4x24xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<4x24xi8> loc("main:0 XNNPReLU handle 0")
    return %21 : tensor<4x24xi8>
  }
}
