// before
module {
  "tosa.variable"() <{sym_name = "sum", type = f32, var_shape = dense<[1]> : tensor<1xindex>, initial_value = dense<"0x0000803F"> : tensor<1xf32>}> : () -> ()
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "y"}) {
    %0 = "tosa.variable_read"() <{name = "sum"}> : () -> tensor<1xf32>
    "tosa.variable_write"(%0) <{name = "sum"}> : (tensor<1xf32>) -> ()
    return %0 : tensor<1xf32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<1xf32> {tosa.tensor_name = "y"}) {
    %0 = "tfl.var_handle"() <{container = "", shared_name = "sum"}> : () -> tensor<!tf_type.resource>
    %1 = "tfl.read_variable"(%0) : (tensor<!tf_type.resource>) -> tensor<1xf32>
    "tfl.call_once"() <{init_subgraph_index = 1 : i64}> : () -> ()
    %2 = "tfl.var_handle"() <{container = "", shared_name = "sum"}> : () -> tensor<!tf_type.resource>
    "tfl.assign_variable"(%2, %1) : (tensor<!tf_type.resource>, tensor<1xf32>) -> ()
    return %1 : tensor<1xf32>
  }
  func.func @"init_sum_1"() -> () {
    %0 = "tfl.var_handle"() <{container = "", shared_name = "sum"}> : () -> tensor<!tf_type.resource>
    %1 = "tfl.pseudo_const"() <{values = dense<[1.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    "tfl.assign_variable"(%0, %1) : (tensor<!tf_type.resource>, tensor<1xf32>) -> ()
    return
  }
}
