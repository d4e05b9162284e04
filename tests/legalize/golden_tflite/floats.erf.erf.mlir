// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.erf"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf16> loc("")
    return %1 : tensor<3x5x7xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.cast"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf32> loc("")
    %2 = "tfl.pseudo_const"() <{values = dense<"0x000080C0"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %3 = "tfl.maximum"(%2, %1) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %4 = "tfl.pseudo_const"() <{values = dense<"0x00008040"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %5 = "tfl.minimum"(%4, %3) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %6 = "tfl.mul"(%5, %5) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %7 = "tfl.pseudo_const"() <{values = dense<"0x0BDF95AF"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %8 = "tfl.mul"(%7, %6) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %9 = "tfl.pseudo_const"() <{values = dense<"0xEEFFED32"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %10 = "tfl.add"(%8, %9) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %11 = "tfl.mul"(%10, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %12 = "tfl.pseudo_const"() <{values = dense<"0x51FF0CB6"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %13 = "tfl.add"(%11, %12) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %14 = "tfl.mul"(%13, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %15 = "tfl.pseudo_const"() <{values = dense<"0xD2C26EB8"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %16 = "tfl.add"(%14, %15) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %17 = "tfl.mul"(%16, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %18 = "tfl.pseudo_const"() <{values = dense<"0x63AC40BA"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %19 = "tfl.add"(%17, %18) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %20 = "tfl.mul"(%19, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %21 = "tfl.pseudo_const"() <{values = dense<"0xF6A141BB"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %22 = "tfl.add"(%20, %21) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %23 = "tfl.mul"(%22, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %24 = "tfl.pseudo_const"() <{values = dense<"0xD4DB83BC"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %25 = "tfl.add"(%23, %24) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %26 = "tfl.mul"(%5, %25) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %27 = "tfl.pseudo_const"() <{values = dense<"0xCD6074B7"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %28 = "tfl.mul"(%27, %6) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %29 = "tfl.pseudo_const"() <{values = dense<"0x29BD5FB9"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %30 = "tfl.add"(%28, %29) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %31 = "tfl.mul"(%30, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %32 = "tfl.pseudo_const"() <{values = dense<"0x4E92DCBA"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %33 = "tfl.add"(%31, %32) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %34 = "tfl.mul"(%33, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %35 = "tfl.pseudo_const"() <{values = dense<"0xF89BF1BB"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %36 = "tfl.add"(%34, %35) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %37 = "tfl.mul"(%36, %6) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %38 = "tfl.pseudo_const"() <{values = dense<"0xA7B669BC"> : tensor<f32>}> : () -> tensor<f32> loc("")
    %39 = "tfl.add"(%37, %38) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32> loc("")
    %40 = "tfl.div"(%26, %39) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32> loc("")
    %41 = "tfl.cast"(%40) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf16> loc("")
    return %41 : tensor<3x5x7xf16>
  }
}
