// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.pseudo_const"() <{values = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %3 = "tfl.pseudo_const"() <{values = dense<[1, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %4 = "tfl.pseudo_const"() <{values = dense<[1, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %5 = "tfl.reduce_window"(%arg0, %1, %2, %3, %4) <{reduce_function = "ADD"}> : (tensor<2x3xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>
    return %5 : tensor<2x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x2xf32> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %2 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %3 = "tosa.slice"(%arg0, %1, %2) : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[0, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %5 = "tosa.slice"(%arg0, %4, %2) : (tensor<2x3xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
    %6 = "tosa.add"(%3, %5) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    return %6 : tensor<2x2xf32>
  }
}
