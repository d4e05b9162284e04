// before
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_case"(%arg0, %arg1) <{branch_subgraph_indices = array<i64: 1, 2, 3>}> ({
      ^bb0(%3: tensor<2x3xf32>):
        %4 = "tfl.add"(%3, %3) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%4) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%5: tensor<2x3xf32>):
        %6 = "tfl.neg"(%5) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%6) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%7: tensor<2x3xf32>):
        "tosa.yield"(%7) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<2> : tensor<i32>}> : () -> tensor<i32>
    %3 = "tosa.const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "tosa.greater"(%3, %arg0) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = "tosa.select"(%4, %2, %arg0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = "tosa.greater"(%2, %5) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = "tosa.cond_if"(%6, %5, %arg1) ({
      ^bb0(%8: tensor<i32>, %9: tensor<2x3xf32>):
        %10 = "tosa.const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %11 = "tosa.greater"(%10, %8) : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %12 = "tosa.cond_if"(%11, %9) ({
          ^bb0(%13: tensor<2x3xf32>):
            %14 = "tosa.add"(%13, %13) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
            "tosa.yield"(%14) : (tensor<2x3xf32>) -> ()
        }, {
          ^bb0(%15: tensor<2x3xf32>):
            %16 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
            %17 = "tosa.negate"(%15, %16, %16) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
            "tosa.yield"(%17) : (tensor<2x3xf32>) -> ()
        }) : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%12) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%18: tensor<i32>, %19: tensor<2x3xf32>):
        %20 = "tosa.identity"(%19) : (tensor<2x3xf32>) -> tensor<2x3xf32>
        "tosa.yield"(%20) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i1>, tensor<i32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %7 : tensor<2x3xf32>
  }
}
