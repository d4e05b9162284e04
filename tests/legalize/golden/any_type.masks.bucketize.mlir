// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.bucketize"(%arg0) <{boundaries = [0x3F000000 : f32, 0x40000000 : f32]}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi32> loc("main:0 BUCKETIZE 't1'")
    return %1 : tensor<1x4x4x2xi32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4x2xi32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const_shape"() <{values = dense<[32, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2> loc("main:0 BUCKETIZE 't1'")
    %2 = "tosa.reshape"(%arg0, %1) : (tensor<1x4x4x2xf32>, !tosa.shape<2>) -> tensor<32x1xf32> loc("main:0 BUCKETIZE 't1'")
    %3 = "tosa.const"() <{values = dense<"0x0000003F00000040"> : tensor<1x2xf32>}> : () -> tensor<1x2xf32> loc("main:0 BUCKETIZE 't1'")
    %4 = "tosa.greater"(%3, %2) : (tensor<1x2xf32>, tensor<32x1xf32>) -> tensor<32x2xi1> loc("main:0 BUCKETIZE 't1'")
    %5 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 BUCKETIZE 't1'")
    %6 = "tosa.const"() <{values = dense<"0x01000000"> : tensor<1x1xi32>}> : () -> tensor<1x1xi32> loc("main:0 BUCKETIZE 't1'")
    %7 = "tosa.select"(%4, %5, %6) : (tensor<32x2xi1>, tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<32x2xi32> loc("main:0 BUCKETIZE 't1'")
    %8 = "tosa.reduce_sum"(%7) <{axis = 1 : i32}> : (tensor<32x2xi32>) -> tensor<32x1xi32> loc("main:0 BUCKETIZE 't1'")
    %9 = "tosa.const_shape"() <{values = dense<[1, 4, 4, 2]> : tensor<4xindex>}> : () -> !tosa.shape<4> loc("main:0 BUCKETIZE 't1'")
    %10 = "tosa.reshape"(%8, %9) : (tensor<32x1xi32>, !tosa.shape<4>) -> tensor<1x4x4x2xi32> loc("main:0 BUCKETIZE 't1'")
    return %10 : tensor<1x4x4x2xi32>
  }
}
