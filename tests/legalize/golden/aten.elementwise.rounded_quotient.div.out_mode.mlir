// before
module {
  func.func @"main"(%arg0: tensor<2x4xi64> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi64> {tosa.tensor_name = "output_2"}) {
    %1 = "xnn.const"() <{values = dense<2> : tensor<i64>}> : () -> tensor<i64> loc("forward:2 aten::div.out_mode")
    %2 = "aten.div.out_mode"(%arg0, %1) <{rounding_mode = "floor"}> : (tensor<2x4xi64>, tensor<i64>) -> tensor<2x4xi64> loc("forward:2 aten::div.out_mode")
    return %2 : tensor<2x4xi64>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x4xi32> {tosa.tensor_name = "x0"}) -> (tensor<2x4xi32> {tosa.tensor_name = "output_2"}) {
    %1 = "tosa.const"() <{values = dense<"0x02000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("forward:2 aten::div.out_mode")
    %2 = "tosa.intdiv"(%arg0, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("forward:2 aten::div.out_mode")
    %4 = "tosa.mul"(%2, %1, %3) : (tensor<2x4xi32>, tensor<1x1xi32>, tensor<1xi8>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %5 = "tosa.sub"(%arg0, %4) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %6 = "tosa.bitwise_xor"(%5, %1) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("forward:2 aten::div.out_mode")
    %8 = "tosa.greater"(%7, %6) : (tensor<1x1xi32>, tensor<2x4xi32>) -> tensor<2x4xi1> loc("forward:2 aten::div.out_mode")
    %9 = "tosa.equal"(%5, %7) : (tensor<2x4xi32>, tensor<1x1xi32>) -> tensor<2x4xi1> loc("forward:2 aten::div.out_mode")
    %10 = "tosa.cast"(%8) : (tensor<2x4xi1>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %11 = "tosa.sub"(%2, %10) : (tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    %12 = "tosa.select"(%9, %2, %11) : (tensor<2x4xi1>, tensor<2x4xi32>, tensor<2x4xi32>) -> tensor<2x4xi32> loc("forward:2 aten::div.out_mode")
    return %12 : tensor<2x4xi32>
  }
}
