// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.floor_div"(%arg0, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    return %2 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.intdiv"(%arg0, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 FLOOR_DIV 't2'")
    %4 = "tosa.mul"(%2, %arg1, %3) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>, tensor<1xi8>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %5 = "tosa.sub"(%arg0, %4) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %6 = "tosa.bitwise_xor"(%5, %arg1) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %7 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 FLOOR_DIV 't2'")
    %8 = "tosa.greater"(%7, %6) : (tensor<1x1x1x1xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi1> loc("main:0 FLOOR_DIV 't2'")
    %9 = "tosa.equal"(%5, %7) : (tensor<1x4x4x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x4x4x2xi1> loc("main:0 FLOOR_DIV 't2'")
    %10 = "tosa.cast"(%8) : (tensor<1x4x4x2xi1>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %11 = "tosa.sub"(%2, %10) : (tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    %12 = "tosa.select"(%9, %2, %11) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xi32>, tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32> loc("main:0 FLOOR_DIV 't2'")
    return %12 : tensor<1x4x4x2xi32>
  }
}
