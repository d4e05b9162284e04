// before
module {
  func.func @"main"(%arg0: tensor<i1> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.if"(%arg0, %arg1) <{then_subgraph_index = 1 : i64, else_subgraph_index = 2 : i64}> ({
      ^bb0(%3: tensor<2x3xf32>):
        %4 = "tfl.add"(%3, %3) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%4) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%5: tensor<2x3xf32>):
        %6 = "tfl.neg"(%5) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%6) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<i1> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.cond_if"(%arg0, %arg1) ({
      ^bb0(%3: tensor<2x3xf32>):
        %4 = "tosa.add"(%3, %3) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%4) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%5: tensor<2x3xf32>):
        %6 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
        %7 = "tosa.negate"(%5, %6, %6) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%7) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
