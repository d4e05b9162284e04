// before
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<sha256 42804216e942e82a> : tensor<8x3xi8>}> : () -> tensor<8x3x!quant.uniform<i8:f32:1, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "FlexBatchMatMulV2", custom_options = "\0D\42\61\74\63\68\4D\61\74\4D\75\6C\56\32\00\12\12\0D\42\61\74\63\68\4D\61\74\4D\75\6C\56\32\1A\01\78\00\02\23\15\14\14\04\28\01"}> : (tensor<2x8xf32>, tensor<8x3x!quant.uniform<i8:f32:1, {0.009999999776482582:0, 0.014999999664723873:0, 0.019999999552965164:0}>>) -> tensor<2x3xf32>
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<2x8xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.abs"(%arg0) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %2 = "tosa.reduce_max"(%1) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x8xf32>) -> tensor<2x1xf32>
    %3 = "tosa.const"() <{values = dense<[[1.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %4 = "tosa.greater"(%2, %3) : (tensor<2x1xf32>, tensor<1x1xf32>) -> tensor<2x1xi1>
    %5 = "tosa.const"() <{values = dense<[[5.421010862427522e-20]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %6 = "tosa.const"() <{values = dense<[[1.8446744073709552e+19]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %7 = "tosa.select"(%4, %5, %6) : (tensor<2x1xi1>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<2x1xf32>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.mul"(%2, %7, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %10 = "tosa.reciprocal"(%9) : (tensor<2x1xf32>) -> tensor<2x1xf32>
    %11 = "tosa.const"() <{values = dense<[[127.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %12 = "tosa.mul"(%10, %11, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %13 = "tosa.mul"(%12, %9, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %14 = "tosa.sub"(%11, %13) : (tensor<1x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %15 = "tosa.const"() <{values = dense<[[4097.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %16 = "tosa.mul"(%12, %15, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %17 = "tosa.sub"(%16, %12) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %18 = "tosa.sub"(%16, %17) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %19 = "tosa.mul"(%9, %15, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %20 = "tosa.sub"(%19, %9) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %21 = "tosa.sub"(%19, %20) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %22 = "tosa.mul"(%18, %21, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %23 = "tosa.sub"(%22, %13) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %24 = "tosa.sub"(%9, %21) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %25 = "tosa.mul"(%18, %24, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %26 = "tosa.add"(%23, %25) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %27 = "tosa.sub"(%12, %18) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %28 = "tosa.mul"(%27, %21, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %29 = "tosa.add"(%26, %28) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %30 = "tosa.mul"(%27, %24, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %31 = "tosa.add"(%29, %30) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %32 = "tosa.sub"(%14, %31) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %33 = "tosa.const"() <{values = dense<[[0.9999999403953552]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %34 = "tosa.mul"(%10, %33, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %35 = "tosa.mul"(%32, %34, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %36 = "tosa.add"(%12, %35) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %37 = "tosa.mul"(%36, %7, %8) : (tensor<2x1xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %38 = "tosa.mul"(%arg0, %37, %8) : (tensor<2x8xf32>, tensor<2x1xf32>, tensor<1xi8>) -> tensor<2x8xf32>
    %39 = "tosa.const"() <{values = dense<[[0.4999999701976776]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %40 = "tosa.add"(%38, %39) : (tensor<2x8xf32>, tensor<1x1xf32>) -> tensor<2x8xf32>
    %41 = "tosa.floor"(%40) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %42 = "tosa.clamp"(%41) <{min_val = 0x00000000 : f32, max_val = 0x42FE0000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %43 = "tosa.sub"(%38, %39) : (tensor<2x8xf32>, tensor<1x1xf32>) -> tensor<2x8xf32>
    %44 = "tosa.ceil"(%43) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %45 = "tosa.clamp"(%44) <{min_val = 0xC2FE0000 : f32, max_val = 0x00000000 : f32, nan_mode = #tosa.nan_mode<IGNORE>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %46 = "tosa.add"(%42, %45) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
    %47 = "tosa.cast"(%46) : (tensor<2x8xf32>) -> tensor<2x8xi8>
    %48 = "tosa.const_shape"() <{values = dense<[1, 2, 8]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %49 = "tosa.reshape"(%47, %48) : (tensor<2x8xi8>, !tosa.shape<3>) -> tensor<1x2x8xi8>
    %50 = "tosa.const"() <{values = dense<sha256 42804216e942e82a> : tensor<1x8x3xi8>}> : () -> tensor<1x8x3xi8>
    %51 = "tosa.matmul"(%49, %50, %8, %8) : (tensor<1x2x8xi8>, tensor<1x8x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x3xi32>
    %52 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %53 = "tosa.reshape"(%51, %52) : (tensor<1x2x3xi32>, !tosa.shape<2>) -> tensor<2x3xi32>
    %54 = "tosa.cast"(%53) : (tensor<2x3xi32>) -> tensor<2x3xf32>
    %55 = "tosa.const"() <{values = dense<[[0.007874015718698502]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %56 = "tosa.mul"(%2, %55, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %57 = "tosa.const"() <{values = dense<[[128.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %58 = "tosa.mul"(%56, %57, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %59 = "tosa.sub"(%2, %58) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %60 = "tosa.add"(%59, %56) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %61 = "tosa.mul"(%60, %55, %8) : (tensor<2x1xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x1xf32>
    %62 = "tosa.add"(%56, %61) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %63 = "tosa.const"() <{values = dense<[[0.009999999776482582, 0.014999999664723873, 0.019999999552965164]]> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %64 = "tosa.mul"(%62, %63, %8) : (tensor<2x1xf32>, tensor<1x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    %65 = "tosa.mul"(%54, %64, %8) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1xi8>) -> tensor<2x3xf32>
    return %65 : tensor<2x3xf32>
  }
}
