// before
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<f32> {tosa.tensor_name = "t3"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[2, 4]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %2 = "tfl.rfft2d"(%arg0, %1) : (tensor<1x2x4xf32>, tensor<2xi32>) -> tensor<1x2x3xcomplex<f32>>
    %3 = "tfl.cast"(%2) <{in_data_type = "FLOAT32", out_data_type = "FLOAT32"}> : (tensor<1x2x3xcomplex<f32>>) -> tensor<f32>
    return %3 : tensor<f32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t3"}) {
    %1, %2 = "tosa.rfft2d"(%arg0) <{local_bound = false}> : (tensor<1x2x4xf32>) -> (tensor<1x2x3xf32>, tensor<1x2x3xf32>)
    return %1 : tensor<1x2x3xf32>
  }
}
