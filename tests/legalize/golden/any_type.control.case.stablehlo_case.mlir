// before
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.stablehlo_case"(%arg0, %arg1) <{branch_subgraph_indices = array<i64: 1, 2, 3>}> ({
      ^bb0(%3: tensor<2x3xf32>):
        %4 = "tfl.add"(%3, %3) <{fused_activation_function = "NONE", pot_scale_int16 = true}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("called_0:0 ADD 't1'")
        "tosa.yield"(%4) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%5: tensor<2x3xf32>):
        %6 = "tfl.neg"(%5) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("called_1:0 NEG 't1'")
        "tosa.yield"(%6) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%7: tensor<2x3xf32>):
        "tosa.yield"(%7) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CASE 't2'")
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<i32> {tosa.tensor_name = "t0"}, %arg1: tensor<2x3xf32> {tosa.tensor_name = "t1"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<i32>}> : () -> tensor<i32> loc("main:0 STABLEHLO_CASE 't2'")
    %3 = "tosa.greater"(%2, %arg0) : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("main:0 STABLEHLO_CASE 't2'")
    %4 = "tosa.const"() <{values = dense<"0x02000000"> : tensor<i32>}> : () -> tensor<i32> loc("main:0 STABLEHLO_CASE 't2'")
    %5 = "tosa.select"(%3, %4, %arg0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32> loc("main:0 STABLEHLO_CASE 't2'")
    %6 = "tosa.greater"(%4, %5) : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("main:0 STABLEHLO_CASE 't2'")
    %7 = "tosa.cond_if"(%6, %5, %arg1) ({
      ^bb0(%8: tensor<i32>, %9: tensor<2x3xf32>):
        %10 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<i32>}> : () -> tensor<i32> loc("main:0 STABLEHLO_CASE 't2'")
        %11 = "tosa.greater"(%10, %8) : (tensor<i32>, tensor<i32>) -> tensor<i1> loc("main:0 STABLEHLO_CASE 't2'")
        %12 = "tosa.cond_if"(%11, %9) ({
          ^bb0(%13: tensor<2x3xf32>):
            %14 = "tosa.add"(%13, %13) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("called_0:0 ADD 't1'")
            "tosa.yield"(%14) : (tensor<2x3xf32>) -> ()
        }, {
          ^bb0(%15: tensor<2x3xf32>):
            %16 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("called_1:0 NEG 't1'")
            %17 = "tosa.negate"(%15, %16, %16) : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32> loc("called_1:0 NEG 't1'")
            "tosa.yield"(%17) : (tensor<2x3xf32>) -> ()
        }) : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CASE 't2'")
        "tosa.yield"(%12) : (tensor<2x3xf32>) -> ()
    }, {
      ^bb0(%18: tensor<i32>, %19: tensor<2x3xf32>):
        %20 = "tosa.identity"(%19) : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CASE 't2'")
        "tosa.yield"(%20) : (tensor<2x3xf32>) -> ()
    }) : (tensor<i1>, tensor<i32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("main:0 STABLEHLO_CASE 't2'")
    return %7 : tensor<2x3xf32>
  }
}
