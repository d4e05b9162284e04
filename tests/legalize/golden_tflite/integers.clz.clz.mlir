// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clz"(%arg0) : (tensor<3x5x7xi32>) -> tensor<3x5x7xi32> loc("")
    return %1 : tensor<3x5x7xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x6900000001000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("")
    %2 = "tfl.reshape"(%arg0, %1) <{new_shape = array<i64: 105, 1>}> : (tensor<3x5x7xi32>, tensor<2xi32>) -> tensor<105x1xi32> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense_resource<__elided__> : tensor<31xi32>}> : () -> tensor<31xi32> loc("")
    %4 = "tfl.less"(%2, %3) : (tensor<105x1xi32>, tensor<31xi32>) -> tensor<105x31xi1> loc("")
    %5 = "tfl.cast"(%4) : (tensor<105x31xi1>) -> tensor<105x31xi32> loc("")
    %6 = "tfl.pseudo_const"() <{values = dense<"0x01000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %7 = "tfl.sum"(%5, %6) : (tensor<105x31xi32>, tensor<1xi32>) -> tensor<105xi32> loc("")
    %8 = "tfl.pseudo_const"() <{values = dense<"0x030000000500000007000000"> : tensor<3xi32>}> : () -> tensor<3xi32> loc("")
    %9 = "tfl.reshape"(%7, %8) <{new_shape = array<i64: 3, 5, 7>}> : (tensor<105xi32>, tensor<3xi32>) -> tensor<3x5x7xi32> loc("")
    %10 = "tfl.pseudo_const"() <{values = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %11 = "tfl.add"(%9, %10) : (tensor<3x5x7xi32>, tensor<i32>) -> tensor<3x5x7xi32> loc("")
    %12 = "tfl.pseudo_const"() <{values = dense<"0x00000000"> : tensor<i32>}> : () -> tensor<i32> loc("")
    %13 = "tfl.less"(%arg0, %12) : (tensor<3x5x7xi32>, tensor<i32>) -> tensor<3x5x7xi1> loc("")
    %14 = "tfl.select_v2"(%13, %12, %11) : (tensor<3x5x7xi1>, tensor<i32>, tensor<3x5x7xi32>) -> tensor<3x5x7xi32> loc("")
    return %14 : tensor<3x5x7xi32>
  }
}
