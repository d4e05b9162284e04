// before
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.stablehlo_reduce"(%arg0, %1) <{dimensions = array<i64: 1>, body_subgraph_index = 1 : i64}> ({
      ^bb0(%3: tensor<f32>, %4: tensor<f32>):
        %5 = "tfl.stablehlo_add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "tosa.yield"(%5) : (tensor<f32>) -> ()
    }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 1 : i32}> : (tensor<2x3xf32>) -> tensor<2x1xf32>
    %2 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %3 = "tosa.reshape"(%1, %2) : (tensor<2x1xf32>, !tosa.shape<1>) -> tensor<2xf32>
    return %3 : tensor<2xf32>
  }
}
