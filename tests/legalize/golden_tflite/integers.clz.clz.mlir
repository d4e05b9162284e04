// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clz"(%arg0) : (tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
    return %1 : tensor<3x5x7xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xi32> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xi32> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "tfl.less"(%arg0, %1) : (tensor<3x5x7xi32>, tensor<i32>) -> tensor<3x5x7xi1>
    %3 = "tfl.pseudo_const"() <{values = dense<[105, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %4 = "tfl.reshape"(%arg0, %3) <{new_shape = array<i64: 105, 1>}> : (tensor<3x5x7xi32>, tensor<2xi32>) -> tensor<105x1xi32>
    %5 = "tfl.pseudo_const"() <{values = dense<sha256 8b5fa37884555a3e> : tensor<31xi32>}> : () -> tensor<31xi32>
    %6 = "tfl.less"(%4, %5) : (tensor<105x1xi32>, tensor<31xi32>) -> tensor<105x31xi1>
    %7 = "tfl.cast"(%6) : (tensor<105x31xi1>) -> tensor<105x31xi32>
    %8 = "tfl.pseudo_const"() <{values = dense<[1]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tfl.sum"(%7, %8) : (tensor<105x31xi32>, tensor<1xi32>) -> tensor<105xi32>
    %10 = "tfl.pseudo_const"() <{values = dense<[3, 5, 7]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %11 = "tfl.reshape"(%9, %10) <{new_shape = array<i64: 3, 5, 7>}> : (tensor<105xi32>, tensor<3xi32>) -> tensor<3x5x7xi32>
    %12 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "tfl.add"(%11, %12) : (tensor<3x5x7xi32>, tensor<i32>) -> tensor<3x5x7xi32>
    %14 = "tfl.select_v2"(%2, %1, %13) : (tensor<3x5x7xi1>, tensor<i32>, tensor<3x5x7xi32>) -> tensor<3x5x7xi32>
    return %14 : tensor<3x5x7xi32>
  }
}
