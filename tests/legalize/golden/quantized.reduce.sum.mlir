// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x0100000002000000"> : tensor<2xi32>}> : () -> tensor<2xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.sum"(%arg0, %1) <{keep_dims = true}> : (tensor<1x4x4x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<2xi32>) -> tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>> loc("main:0 SUM 't2'")
    return %2 : tensor<1x1x1x2x!quant.uniform<i8:f32, 0.10000000149011612:7>>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x1x1x2xi8> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<"0x00000040"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUM 't2'")
    %2 = "tosa.const"() <{values = dense<"0x1E"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %3 = "tosa.const"() <{values = dense<"0x00"> : tensor<1xi8>}> : () -> tensor<1xi8> loc("main:0 SUM 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("main:0 SUM 't2'")
    %5 = "tosa.rescale"(%arg0, %1, %2, %3, %4) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x4x4x2xi8>, tensor<1xi32>, tensor<1xi8>, tensor<1xi8>, tensor<1xi32>) -> tensor<1x4x4x2xi32> loc("main:0 SUM 't2'")
    %6 = "tosa.reduce_sum"(%5) <{axis = 1 : i32}> : (tensor<1x4x4x2xi32>) -> tensor<1x1x4x2xi32> loc("main:0 SUM 't2'")
    %7 = "tosa.reduce_sum"(%6) <{axis = 2 : i32}> : (tensor<1x1x4x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %8 = "tosa.cast"(%7) : (tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %9 = "tosa.const"() <{values = dense<"0x0000003F"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SUM 't2'")
    %10 = "tosa.mul"(%8, %9, %3) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %11 = "tosa.const"() <{values = dense<"0x0000C041"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SUM 't2'")
    %12 = "tosa.add"(%10, %11) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %13 = "tosa.abs"(%12) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %14 = "tosa.clamp"(%13) <{min_val = 0x00000000 : f32, max_val = 0x49800000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %15 = "tosa.floor"(%14) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %16 = "tosa.sub"(%14, %15) : (tensor<1x1x1x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> loc("main:0 SUM 't2'")
    %17 = "tosa.greater_equal"(%16, %9) : (tensor<1x1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x1x2xi1> loc("main:0 SUM 't2'")
    %18 = "tosa.cast"(%15) : (tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %19 = "tosa.cast"(%17) : (tensor<1x1x1x2xi1>) -> tensor<1x1x1x2xi8> loc("main:0 SUM 't2'")
    %20 = "tosa.cast"(%19) : (tensor<1x1x1x2xi8>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %21 = "tosa.add"(%18, %20) : (tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %22 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32> loc("main:0 SUM 't2'")
    %23 = "tosa.greater"(%22, %12) : (tensor<1x1x1x1xf32>, tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xi1> loc("main:0 SUM 't2'")
    %24 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SUM 't2'")
    %25 = "tosa.sub"(%24, %21) : (tensor<1x1x1x1xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %26 = "tosa.select"(%23, %25, %21) : (tensor<1x1x1x2xi1>, tensor<1x1x1x2xi32>, tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %27 = "tosa.const"() <{values = dense<"0x07000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SUM 't2'")
    %28 = "tosa.add"(%26, %27) : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %29 = "tosa.const"() <{values = dense<"0x80FFFFFF"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SUM 't2'")
    %30 = "tosa.maximum"(%28, %29) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %31 = "tosa.const"() <{values = dense<"0x7F000000"> : tensor<1x1x1x1xi32>}> : () -> tensor<1x1x1x1xi32> loc("main:0 SUM 't2'")
    %32 = "tosa.minimum"(%30, %31) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x1x2xi32>, tensor<1x1x1x1xi32>) -> tensor<1x1x1x2xi32> loc("main:0 SUM 't2'")
    %33 = "tosa.cast"(%32) : (tensor<1x1x1x2xi32>) -> tensor<1x1x1x2xi8> loc("main:0 SUM 't2'")
    return %33 : tensor<1x1x1x2xi8>
  }
}
