// before
module {
  func.func @"forward"(%arg0: tensor<4xf32> {tosa.tensor_name = "input_0"}) -> (tensor<4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "xnn.pseudo_read"() <{name = "state_0", initial = dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>, unset = true}> : () -> tensor<4xf32>
    %2 = "aten.add.out"(%1, %arg0) <{alpha = 1 : i64}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = "xnn.const"() <{values = dense<2> : tensor<i64>}> : () -> tensor<i64>
    %4 = "aten._to_dim_order_copy.out"(%3) <{non_blocking = false, dim_order = array<i64: >}> : (tensor<i64>) -> tensor<f32>
    %5 = "aten.mul.out"(%2, %4) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    "xnn.pseudo_store"(%2) <{name = "state_0", initial = dense<[0.0, 0.0, 0.0, 0.0]> : tensor<4xf32>, shape = array<i64: 4>, declared = true}> : (tensor<4xf32>) -> ()
    return %5 : tensor<4xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "state_0", type = f32, var_shape = dense<[4]> : tensor<1xindex>, initial_value = dense<"0x00000000000000000000000000000000"> : tensor<4xf32>}> : () -> ()
  func.func @"forward"(%arg0: tensor<4xf32> {tosa.tensor_name = "input_0"}) -> (tensor<4xf32> {tosa.tensor_name = "output_0"}) {
    %1 = "tosa.variable_read"() <{name = "state_0"}> : () -> tensor<4xf32>
    %2 = "tosa.add"(%1, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %3 = "tosa.const"() <{values = dense<[2.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %4 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %5 = "tosa.mul"(%2, %3, %4) : (tensor<4xf32>, tensor<1xf32>, tensor<1xi8>) -> tensor<4xf32>
    "tosa.variable_write"(%2) <{name = "state_0"}> : (tensor<4xf32>) -> ()
    return %5 : tensor<4xf32>
  }
}
