// before
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = -100 : i8, max_val = -50 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    %2 = "tosa.clamp"(%1) <{min_val = 10 : i8, max_val = 20 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %2 : tensor<2x3xi8>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xi8> {tosa.tensor_name = "x"}) -> (tensor<2x3xi8> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.clamp"(%arg0) <{min_val = 10 : i8, max_val = 10 : i8, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x3xi8>) -> tensor<2x3xi8>
    return %1 : tensor<2x3xi8>
  }
}
