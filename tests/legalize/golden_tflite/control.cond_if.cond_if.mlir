// before
module {
  func.func @"main"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = "z"}) {
    %1 = "tosa.while_loop"(%arg0) ({
      ^bb0(%2: tensor<1xi32>):
        %3 = "tosa.const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
        %4 = "tosa.greater"(%3, %2) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1> loc("")
        "tosa.yield"(%4) : (tensor<1xi1>) -> ()
    }, {
      ^bb0(%5: tensor<1xi32>):
        %6 = "tosa.const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
        %7 = "tosa.add"(%5, %6) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
        "tosa.yield"(%7) : (tensor<1xi32>) -> ()
    }) : (tensor<1xi32>) -> tensor<1xi32> loc("")
    %8 = "tosa.const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %9 = "tosa.greater"(%8, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1> loc("")
    %10 = "tosa.const_shape"() <{values = dense<> : tensor<0xindex>}> : () -> !tosa.shape<0> loc("")
    %11 = "tosa.reshape"(%9, %10) : (tensor<1xi1>, !tosa.shape<0>) -> tensor<i1> loc("")
    %12 = "tosa.cond_if"(%11, %1) ({
      ^bb0(%13: tensor<1xi32>):
        %14 = "tosa.const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
        %15 = "tosa.add"(%13, %14) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
        "tosa.yield"(%15) : (tensor<1xi32>) -> ()
    }, {
      ^bb0(%16: tensor<1xi32>):
        %17 = "tosa.const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
        %18 = "tosa.sub"(%16, %17) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
        "tosa.yield"(%18) : (tensor<1xi32>) -> ()
    }) : (tensor<i1>, tensor<1xi32>) -> tensor<1xi32> loc("")
    return %12 : tensor<1xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = "z"}) {
    %1 = "tfl.while"(%arg0) <{cond_subgraph_index = 1 : i64, body_subgraph_index = 2 : i64}> : (tensor<1xi32>) -> tensor<1xi32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %3 = "tfl.greater"(%2, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<> : tensor<0xi32>}> : () -> tensor<0xi32> loc("")
    %5 = "tfl.reshape"(%3, %4) <{new_shape = array<i64: >}> : (tensor<1xi1>, tensor<0xi32>) -> tensor<i1> loc("")
    %6 = "tfl.if"(%5, %1) <{then_subgraph_index = 3 : i64, else_subgraph_index = 4 : i64}> : (tensor<i1>, tensor<1xi32>) -> tensor<1xi32> loc("")
    return %6 : tensor<1xi32>
  }
  func.func @"condition_1"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<i1> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tfl.greater"(%1, %arg0) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1> loc("")
    %3 = "tfl.pseudo_const"() <{values = dense<> : tensor<0xi32>}> : () -> tensor<0xi32> loc("")
    %4 = "tfl.reshape"(%2, %3) <{new_shape = array<i64: >}> : (tensor<1xi1>, tensor<0xi32>) -> tensor<i1> loc("")
    return %4 : tensor<i1>
  }
  func.func @"body_2"(%arg0: tensor<1xi32> {tosa.tensor_name = "x"}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tfl.add"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
    return %2 : tensor<1xi32>
  }
  func.func @"then_3"(%arg0: tensor<1xi32> {tosa.tensor_name = ""}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tfl.add"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
    return %2 : tensor<1xi32>
  }
  func.func @"else_4"(%arg0: tensor<1xi32> {tosa.tensor_name = ""}) -> (tensor<1xi32> {tosa.tensor_name = ""}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x64000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("")
    %2 = "tfl.sub"(%arg0, %1) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32> loc("")
    return %2 : tensor<1xi32>
  }
}
