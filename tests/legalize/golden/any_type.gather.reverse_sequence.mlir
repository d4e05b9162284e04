// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x02000000000000000400000001000000"> : tensor<4xi32>}> : () -> tensor<4xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.reverse_sequence"(%arg0, %1) <{seq_dim = 2 : i64, batch_dim = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<4xi32>) -> tensor<1x4x4x2xf32> loc("main:0 REVERSE_SEQUENCE 't2'")
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const_shape"() <{values = dense<[1, 16, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3> loc("main:0 REVERSE_SEQUENCE 't2'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<3>) -> tensor<1x16x2xf32> loc("main:0 REVERSE_SEQUENCE 't2'")
    %3 = "tosa.const"() <{values = dense<"0x01000000000000000200000003000000040000000500000006000000070000000B0000000A00000009000000080000000C0000000D0000000E0000000F000000"> : tensor<1x16xi32>}> : () -> tensor<1x16xi32> loc("main:0 REVERSE_SEQUENCE 't2'")
    %4 = "tosa.gather"(%2, %3) : (tensor<1x16x2xf32>, tensor<1x16xi32>) -> tensor<1x16x2xf32> loc("main:0 REVERSE_SEQUENCE 't2'")
    %5 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 REVERSE_SEQUENCE 't2'")
    %6 = "tosa.reshape"(%4, %5) : (tensor<1x16x2xf32>, !tosa.shape<4>) -> tensor<1x4x4x2xf32> loc("main:0 REVERSE_SEQUENCE 't2'")
    return %6 : tensor<1x4x4x2xf32>
  }
}
