// before
module {
  func.func @"main"(%arg0: tensor<1x5x8xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x5x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "xnn.convert"(%arg0) <{flags = 0 : i64}> : (tensor<1x5x8xf32>) -> tensor<1x5x8x!quant.any<i8:f32>>
    %2 = "xnn.const"() <{values = dense<sha256 9ab7a42596c189be> : tensor<1x8x6xi8>}> : () -> tensor<1x8x6x!quant.uniform<i8:f32:2, {0.017954252660274506:0, 0.01321679912507534:0, 0.007944615557789803:0, 0.007924445904791355:0, 0.008301150985062122:0, 0.01648227870464325:0}>>
    %3 = "xnn.batch_matrix_multiply"(%1, %2) <{flags = 0 : i64}> : (tensor<1x5x8x!quant.any<i8:f32>>, tensor<1x8x6x!quant.uniform<i8:f32:2, {0.017954252660274506:0, 0.01321679912507534:0, 0.007944615557789803:0, 0.007924445904791355:0, 0.008301150985062122:0, 0.01648227870464325:0}>>) -> tensor<1x5x6xf32>
    return %3 : tensor<1x5x6xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x5x8xf32> {tosa.tensor_name = "v0"}) -> (tensor<1x5x6xf32> {tosa.tensor_name = "v3"}) {
    %1 = "tosa.const"() <{values = dense<[[[6.162975822039155e-33]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %2 = "tosa.reduce_max"(%arg0) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
    %3 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %4 = "tosa.maximum"(%2, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x1xf32>, tensor<1x1x1xf32>) -> tensor<1x5x1xf32>
    %5 = "tosa.reduce_min"(%arg0) <{axis = 2 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x8xf32>) -> tensor<1x5x1xf32>
    %6 = "tosa.minimum"(%5, %3) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x1xf32>, tensor<1x1x1xf32>) -> tensor<1x5x1xf32>
    %7 = "tosa.sub"(%4, %6) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %8 = "tosa.greater"(%1, %7) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xi1>
    %9 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %10 = "tosa.reciprocal"(%7) : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %11 = "tosa.const"() <{values = dense<[[[255.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %13 = "tosa.mul"(%10, %11, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %14 = "tosa.mul"(%13, %7, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %15 = "tosa.sub"(%11, %14) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %16 = "tosa.const"() <{values = dense<[[[4097.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %17 = "tosa.mul"(%13, %16, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %18 = "tosa.sub"(%17, %13) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %19 = "tosa.sub"(%17, %18) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %20 = "tosa.mul"(%7, %16, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %21 = "tosa.sub"(%20, %7) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %22 = "tosa.sub"(%20, %21) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %23 = "tosa.mul"(%19, %22, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %24 = "tosa.sub"(%23, %14) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %25 = "tosa.sub"(%7, %22) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %26 = "tosa.mul"(%19, %25, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %27 = "tosa.add"(%24, %26) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %28 = "tosa.sub"(%13, %19) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %29 = "tosa.mul"(%28, %22, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %30 = "tosa.add"(%27, %29) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %31 = "tosa.mul"(%28, %25, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %32 = "tosa.add"(%30, %31) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %33 = "tosa.sub"(%15, %32) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %34 = "tosa.const"() <{values = dense<[[[0.9999999403953552]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %35 = "tosa.mul"(%10, %34, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %36 = "tosa.mul"(%33, %35, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %37 = "tosa.add"(%13, %36) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %38 = "tosa.select"(%8, %9, %37) : (tensor<1x5x1xi1>, tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %39 = "tosa.mul"(%arg0, %38, %12) : (tensor<1x5x8xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x8xf32>
    %40 = "tosa.cast"(%39) : (tensor<1x5x8xf32>) -> tensor<1x5x8xi32>
    %41 = "tosa.const"() <{values = dense<[[[-128.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %42 = "tosa.mul"(%6, %38, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %43 = "tosa.add"(%41, %42) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %44 = "tosa.const"() <{values = dense<[[[127.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %45 = "tosa.mul"(%4, %38, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %46 = "tosa.add"(%44, %45) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %47 = "tosa.add"(%43, %46) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %48 = "tosa.greater"(%47, %3) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>) -> tensor<1x5x1xi1>
    %49 = "tosa.sub"(%41, %42) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %50 = "tosa.sub"(%44, %45) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %51 = "tosa.select"(%48, %49, %50) : (tensor<1x5x1xi1>, tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %52 = "tosa.clamp"(%51) <{min_val = 0xC3000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %53 = "tosa.cast"(%52) : (tensor<1x5x1xf32>) -> tensor<1x5x1xi32>
    %54 = "tosa.add"(%40, %53) : (tensor<1x5x8xi32>, tensor<1x5x1xi32>) -> tensor<1x5x8xi32>
    %55 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %56 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %57 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %58 = "tosa.rescale"(%54, %55, %56, %57, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x5x8xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x5x8xi8>
    %59 = "tosa.const"() <{values = dense<sha256 9ab7a42596c189be> : tensor<1x8x6xi8>}> : () -> tensor<1x8x6xi8>
    %60 = "tosa.matmul"(%58, %59, %12, %12) : (tensor<1x5x8xi8>, tensor<1x8x6xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x5x6xi32>
    %61 = "tosa.const"() <{values = dense<[[[-213, -166, 67, 79, 202, 7]]]> : tensor<1x1x6xi32>}> : () -> tensor<1x1x6xi32>
    %62 = "tosa.mul"(%53, %61, %12) : (tensor<1x5x1xi32>, tensor<1x1x6xi32>, tensor<1xi8>) -> tensor<1x5x6xi32>
    %63 = "tosa.sub"(%60, %62) : (tensor<1x5x6xi32>, tensor<1x5x6xi32>) -> tensor<1x5x6xi32>
    %64 = "tosa.cast"(%63) : (tensor<1x5x6xi32>) -> tensor<1x5x6xf32>
    %65 = "tosa.reciprocal"(%38) : (tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %66 = "tosa.mul"(%65, %9, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %67 = "tosa.mul"(%66, %38, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %68 = "tosa.sub"(%9, %67) : (tensor<1x1x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %69 = "tosa.mul"(%66, %16, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %70 = "tosa.sub"(%69, %66) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %71 = "tosa.sub"(%69, %70) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %72 = "tosa.mul"(%38, %16, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %73 = "tosa.sub"(%72, %38) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %74 = "tosa.sub"(%72, %73) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %75 = "tosa.mul"(%71, %74, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %76 = "tosa.sub"(%75, %67) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %77 = "tosa.sub"(%38, %74) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %78 = "tosa.mul"(%71, %77, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %79 = "tosa.add"(%76, %78) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %80 = "tosa.sub"(%66, %71) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %81 = "tosa.mul"(%80, %74, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %82 = "tosa.add"(%79, %81) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %83 = "tosa.mul"(%80, %77, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %84 = "tosa.add"(%82, %83) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %85 = "tosa.sub"(%68, %84) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %86 = "tosa.mul"(%65, %34, %12) : (tensor<1x5x1xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %87 = "tosa.mul"(%85, %86, %12) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x1xf32>
    %88 = "tosa.add"(%66, %87) : (tensor<1x5x1xf32>, tensor<1x5x1xf32>) -> tensor<1x5x1xf32>
    %89 = "tosa.mul"(%64, %88, %12) : (tensor<1x5x6xf32>, tensor<1x5x1xf32>, tensor<1xi8>) -> tensor<1x5x6xf32>
    %90 = "tosa.const"() <{values = dense<[[[0.017954252660274506, 0.01321679912507534, 0.007944615557789803, 0.007924445904791355, 0.008301150985062122, 0.01648227870464325]]]> : tensor<1x1x6xf32>}> : () -> tensor<1x1x6xf32>
    %91 = "tosa.mul"(%89, %90, %12) : (tensor<1x5x6xf32>, tensor<1x1x6xf32>, tensor<1xi8>) -> tensor<1x5x6xf32>
    return %91 : tensor<1x5x6xf32>
  }
}
