// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_read"() <{name = "sum", initial = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x3xf32>, unset = false}> : () -> tensor<2x3xf32> loc("sum")
    %2 = "tfl.pseudo_alias"(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:2 READ_VARIABLE 't2'")
    %3 = "tfl.add"(%2, %arg0) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:3 ADD 't3'")
    "tfl.pseudo_store"(%3) <{name = "sum", initial = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x3xf32>, shape = array<i64: 2, 3>, declared = true}> : (tensor<2x3xf32>) -> () loc("sum")
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "sum", type = f32, var_shape = dense<[2, 3]> : tensor<2xindex>, initial_value = dense<"0x0000803F0000803F0000803F0000803F0000803F0000803F"> : tensor<2x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %1 = "tosa.variable_read"() <{name = "sum"}> : () -> tensor<2x3xf32> loc("sum")
    %2 = "tosa.add"(%1, %arg0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:3 ADD 't3'")
    "tosa.variable_write"(%2) <{name = "sum"}> : (tensor<2x3xf32>) -> () loc("sum")
    return %2 : tensor<2x3xf32>
  }
}
