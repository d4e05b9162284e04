// before
module {
  func.func @"main"(%arg0: tensor<1x17x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x17x16xf32> {tosa.tensor_name = ""}, tensor<1x17x1xf32> {tosa.tensor_name = ""}, tensor<1x17x1xf32> {tosa.tensor_name = ""}) {
    %1 = "xnn.const"() <{values = dense<[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]> : tensor<16xf32>}> : () -> tensor<16xf32>
    %2 = "xnn.const"() <{values = dense<[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]> : tensor<16xf32>}> : () -> tensor<16xf32>
    %3, %4, %5 = "aten.native_layer_norm.out"(%arg0, %1, %2) <{normalized_shape = array<i64: 16>, eps = 0x3727C5AC : f32}> : (tensor<1x17x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<1x17x16xf32>, tensor<1x17x1xf32>, tensor<1x17x1xf32>)
    return %3, %4, %5 : tensor<1x17x16xf32>, tensor<1x17x1xf32>, tensor<1x17x1xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x17x16xf32> {tosa.tensor_name = "x0"}) -> (tensor<1x17x16xf32> {tosa.tensor_name = ""}, tensor<1x17x1xf32> {tosa.tensor_name = "_1"}, tensor<1x17x1xf32> {tosa.tensor_name = "_2"}) {
    %1 = "tosa.reduce_sum"(%arg0) <{axis = 2 : i32}> : (tensor<1x17x16xf32>) -> tensor<1x17x1xf32>
    %2 = "tosa.const"() <{values = dense<[[[0.0625]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %3 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = "tosa.mul"(%1, %2, %3) : (tensor<1x17x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x17x1xf32>
    %5 = "tosa.sub"(%arg0, %4) : (tensor<1x17x16xf32>, tensor<1x17x1xf32>) -> tensor<1x17x16xf32>
    %6 = "tosa.mul"(%5, %5, %3) : (tensor<1x17x16xf32>, tensor<1x17x16xf32>, tensor<1xi8>) -> tensor<1x17x16xf32>
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<1x17x16xf32>) -> tensor<1x17x1xf32>
    %8 = "tosa.mul"(%7, %2, %3) : (tensor<1x17x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x17x1xf32>
    %9 = "tosa.const"() <{values = dense<[[[9.999999747378752e-06]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %10 = "tosa.add"(%8, %9) : (tensor<1x17x1xf32>, tensor<1x1x1xf32>) -> tensor<1x17x1xf32>
    %11 = "tosa.rsqrt"(%10) : (tensor<1x17x1xf32>) -> tensor<1x17x1xf32>
    %12 = "tosa.mul"(%5, %11, %3) : (tensor<1x17x16xf32>, tensor<1x17x1xf32>, tensor<1xi8>) -> tensor<1x17x16xf32>
    %13 = "tosa.const"() <{values = dense<[[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]]]> : tensor<1x1x16xf32>}> : () -> tensor<1x1x16xf32>
    %14 = "tosa.mul"(%12, %13, %3) : (tensor<1x17x16xf32>, tensor<1x1x16xf32>, tensor<1xi8>) -> tensor<1x17x16xf32>
    %15 = "tosa.const"() <{values = dense<[[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]]> : tensor<1x1x16xf32>}> : () -> tensor<1x1x16xf32>
    %16 = "tosa.add"(%14, %15) : (tensor<1x17x16xf32>, tensor<1x1x16xf32>) -> tensor<1x17x16xf32>
    return %16, %4, %11 : tensor<1x17x16xf32>, tensor<1x17x1xf32>, tensor<1x17x1xf32>
  }
}
