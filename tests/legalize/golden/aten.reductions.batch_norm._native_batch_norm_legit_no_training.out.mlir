// before
module {
  func.func @"main"(%arg0: tensor<1x8x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x16xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "xnn.const"() <{values = dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "xnn.const"() <{values = dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "xnn.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5, %6, %7 = "aten._native_batch_norm_legit_no_training.out"(%arg0, %1, %2, %3, %4) <{momentum = 0x3DCCCCCD : f32, eps = 0x3727C5AC : f32}> : (tensor<1x8x16xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<1x8x16xf32>, tensor<0xf32>, tensor<0xf32>)
    return %5 : tensor<1x8x16xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x8x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x8x16xf32> {tosa.tensor_name = ""}) {
    %1 = "tosa.const"() <{values = dense<[[[0.9999949932098389], [0.9999949932098389], [0.9999949932098389], [0.9999949932098389], [0.9999949932098389], [0.9999949932098389], [0.9999949932098389], [0.9999949932098389]]]> : tensor<1x8x1xf32>}> : () -> tensor<1x8x1xf32>
    %2 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %3 = "tosa.mul"(%arg0, %1, %2) : (tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1xi8>) -> tensor<1x8x16xf32>
    %4 = "tosa.const"() <{values = dense<[[[0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0], [0.0]]]> : tensor<1x8x1xf32>}> : () -> tensor<1x8x1xf32>
    %5 = "tosa.add"(%3, %4) : (tensor<1x8x16xf32>, tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    return %5 : tensor<1x8x16xf32>
  }
}
