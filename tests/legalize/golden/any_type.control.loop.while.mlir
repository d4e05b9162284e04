// before
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %2, %3 = "tfl.while"(%arg0, %arg1) <{cond_subgraph_index = 1 : i64, body_subgraph_index = 2 : i64}> ({
      ^bb0(%4: tensor<i32>, %5: tensor<2x3xf32>):
        %6 = "tfl.pseudo_const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
        %7 = "tfl.less"(%4, %6) : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "tosa.yield"(%7) : (tensor<i1>) -> ()
    }, {
      ^bb0(%8: tensor<i32>, %9: tensor<2x3xf32>):
        %10 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %11 = "tfl.add"(%8, %10) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %12 = "tfl.add"(%9, %9) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%11, %12) : (tensor<i32>, tensor<2x3xf32>) -> ()
    }) : (tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>)
    return %3 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t3"}) {
    %2, %3 = "tosa.while_loop"(%arg0, %arg1) ({
      ^bb0(%4: tensor<i32>, %5: tensor<2x3xf32>):
        %6 = "tosa.const"() <{values = dense<4> : tensor<i32>}> : () -> tensor<i32>
        %7 = "tosa.greater"(%6, %4) : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "tosa.yield"(%7) : (tensor<i1>) -> ()
    }, {
      ^bb0(%8: tensor<i32>, %9: tensor<2x3xf32>):
        %10 = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %11 = "tosa.add"(%8, %10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %12 = "tosa.add"(%9, %9) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%11, %12) : (tensor<i32>, tensor<2x3xf32>) -> ()
    }) : (tensor<i32>, tensor<2x3xf32>) -> (tensor<i32>, tensor<2x3xf32>)
    return %3 : tensor<2x3xf32>
  }
}
