// before
module {
  func.func @"main"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = "z"}) {
    %1 = "tosa.const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tosa.while_loop"(%arg0) ({
      ^bb0(%3: tensor<1xi32>):
        %4 = "tosa.const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
        %5 = "tosa.greater"(%4, %3) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
        %6 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
        %7 = "tosa.reshape"(%5, %6) : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
        "tosa.yield"(%7) : (tensor<i1>) -> ()
    }, {
      ^bb0(%8: tensor<1xi32>):
        %9 = "tosa.const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
        %10 = "tosa.add"(%8, %9) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
        "tosa.yield"(%10) : (tensor<1xi32>) -> ()
    }) : (tensor<1xi32>) -> tensor<1xi32>
    %11 = "tosa.greater"(%1, %2) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %12 = "tosa.const_shape"() <{values = dense<[]> : tensor<0xindex>}> : () -> !tosa.shape<0>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1>
    %14 = "tosa.cond_if"(%13, %2) ({
      ^bb0(%15: tensor<1xi32>):
        %16 = "tosa.const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
        %17 = "tosa.add"(%15, %16) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
        "tosa.yield"(%17) : (tensor<1xi32>) -> ()
    }, {
      ^bb0(%18: tensor<1xi32>):
        %19 = "tosa.const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
        %20 = "tosa.sub"(%18, %19) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
        "tosa.yield"(%20) : (tensor<1xi32>) -> ()
    }) : (tensor<i1>, tensor<1xi32>) -> tensor<1xi32>
    return %14 : tensor<1xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = "z"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.while"(%arg0) <{cond_subgraph_index = 1 : i64, body_subgraph_index = 2 : i64}> : (tensor<1xi32>) -> tensor<1xi32>
    %3 = "tfl.greater"(%1, %2) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %4 = "tfl.pseudo_const"() <{values = dense<[]> : tensor<0xi32>}> : () -> tensor<0xi32>
    %5 = "tfl.reshape"(%3, %4) <{new_shape = array<i64: >}> : (tensor<1xi1>, tensor<0xi32>) -> tensor<i1>
    %6 = "tfl.if"(%5, %2) <{then_subgraph_index = 3 : i64, else_subgraph_index = 4 : i64}> : (tensor<i1>, tensor<1xi32>) -> tensor<1xi32>
    return %6 : tensor<1xi32>
  }
  func.func @"condition_1"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<i1> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.greater"(%1, %arg0) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
    %3 = "tfl.pseudo_const"() <{values = dense<[]> : tensor<0xi32>}> : () -> tensor<0xi32>
    %4 = "tfl.reshape"(%2, %3) <{new_shape = array<i64: >}> : (tensor<1xi1>, tensor<0xi32>) -> tensor<i1>
    return %4 : tensor<i1>
  }
  func.func @"body_2"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.add"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    return %2 : tensor<1xi32>
  }
  func.func @"then_3"(%arg0: tensor<1xi32> {tosa.tensor_name = ""}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.add"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    return %2 : tensor<1xi32>
  }
  func.func @"else_4"(%arg0: tensor<1xi32> {tosa.tensor_name = ""}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[100]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.sub"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
    return %2 : tensor<1xi32>
  }
}
