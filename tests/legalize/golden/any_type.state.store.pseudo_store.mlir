// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_read"() <{name = "sum", initial = dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>, unset = false}> : () -> tensor<2x3xf32>
    %2 = "tfl.pseudo_alias"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    %3 = "tfl.add"(%2, %arg0) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "tfl.pseudo_store"(%3) <{name = "sum", initial = dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<2x3xf32>, shape = array<i64: 2, 3>, declared = true}> : (tensor<2x3xf32>) -> ()
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "sum", type = f32, var_shape = dense<[2, 3]> : tensor<2xindex>, initial_value = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.variable_read"() <{name = "sum"}> : () -> tensor<2x3xf32>
    %2 = "tosa.add"(%1, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "tosa.variable_write"(%2) <{name = "sum"}> : (tensor<2x3xf32>) -> ()
    return %2 : tensor<2x3xf32>
  }
}
