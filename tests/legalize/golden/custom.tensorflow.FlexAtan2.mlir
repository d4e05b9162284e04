// before
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tfl.custom"(%arg0, %arg1) <{custom_code = "FlexAtan2", custom_options = "\05\41\74\61\6E\32\00\0A\12\05\41\74\61\6E\32\1A\01\78\00\02\13\0D\14\14\04\28\01"}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %2 : tensor<1x4x4x2xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x4x4x2xf32> {tosa.tensor_name = "t0"}, %arg1: tensor<1x4x4x2xf32> {tosa.tensor_name = "t1"}) -> (tensor<1x4x4x2xf32> {tosa.tensor_name = "t2"}) {
    %2 = "tosa.const"() <{values = dense<[[[[0.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %3 = "tosa.equal"(%arg0, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1>
    %4 = "tosa.reciprocal"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %5 = "tosa.select"(%3, %4, %arg0) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %6 = "tosa.greater"(%2, %5) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %7 = "tosa.equal"(%arg1, %2) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1>
    %8 = "tosa.reciprocal"(%arg1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %9 = "tosa.select"(%7, %8, %arg1) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %10 = "tosa.greater"(%2, %9) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %11 = "tosa.const"() <{values = dense<[[[[3.1415927410125732]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %12 = "tosa.abs"(%arg0) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %13 = "tosa.clamp"(%12) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %14 = "tosa.abs"(%arg1) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %15 = "tosa.clamp"(%14) <{min_val = 0xFF7FFFFF : f32, max_val = 0x7F7FFFFF : f32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %16 = "tosa.maximum"(%13, %15) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %17 = "tosa.const"() <{values = dense<[[[[1.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %18 = "tosa.greater"(%16, %17) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xi1>
    %19 = "tosa.const"() <{values = dense<[[[[0.125]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %20 = "tosa.const"() <{values = dense<[[[[16777216.0]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %21 = "tosa.select"(%18, %19, %20) : (tensor<1x4x4x2xi1>, tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %22 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.mul"(%13, %21, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %24 = "tosa.mul"(%15, %21, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %25 = "tosa.greater"(%23, %24) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xi1>
    %26 = "tosa.const"() <{values = dense<[[[[1.5707963705062866]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %27 = "tosa.const"() <{values = dense<[[[[-0.0017437010537832975]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %28 = "tosa.minimum"(%23, %24) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %29 = "tosa.maximum"(%23, %24) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %30 = "tosa.const"() <{values = dense<[[[[1.1754943508222875e-38]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %31 = "tosa.maximum"(%29, %30) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %32 = "tosa.reciprocal"(%31) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %33 = "tosa.mul"(%28, %32, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %34 = "tosa.mul"(%33, %33, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %35 = "tosa.mul"(%27, %34, %22) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %36 = "tosa.const"() <{values = dense<[[[[0.010680719278752804]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %37 = "tosa.add"(%35, %36) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %38 = "tosa.mul"(%37, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %39 = "tosa.const"() <{values = dense<[[[[-0.030717508867383003]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %40 = "tosa.add"(%38, %39) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %41 = "tosa.mul"(%40, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %42 = "tosa.const"() <{values = dense<[[[[0.05746355652809143]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %43 = "tosa.add"(%41, %42) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %44 = "tosa.mul"(%43, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %45 = "tosa.const"() <{values = dense<[[[[-0.08372063934803009]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %46 = "tosa.add"(%44, %45) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %47 = "tosa.mul"(%46, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %48 = "tosa.const"() <{values = dense<[[[[0.10940198600292206]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %49 = "tosa.add"(%47, %48) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %50 = "tosa.mul"(%49, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %51 = "tosa.const"() <{values = dense<[[[[-0.14261573553085327]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %52 = "tosa.add"(%50, %51) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %53 = "tosa.mul"(%52, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %54 = "tosa.const"() <{values = dense<[[[[0.19998230040073395]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %55 = "tosa.add"(%53, %54) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %56 = "tosa.mul"(%55, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %57 = "tosa.const"() <{values = dense<[[[[-0.3333328366279602]]]]> : tensor<1x1x1x1xf32>}> : () -> tensor<1x1x1x1xf32>
    %58 = "tosa.add"(%56, %57) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %59 = "tosa.mul"(%58, %34, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %60 = "tosa.add"(%59, %17) : (tensor<1x4x4x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x4x2xf32>
    %61 = "tosa.mul"(%60, %33, %22) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1xi8>) -> tensor<1x4x4x2xf32>
    %62 = "tosa.sub"(%26, %61) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %63 = "tosa.select"(%25, %62, %61) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %64 = "tosa.sub"(%11, %63) : (tensor<1x1x1x1xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %65 = "tosa.select"(%10, %64, %63) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %66 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %67 = "tosa.negate"(%65, %66, %66) : (tensor<1x4x4x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x4x2xf32>
    %68 = "tosa.select"(%6, %67, %65) : (tensor<1x4x4x2xi1>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    return %68 : tensor<1x4x4x2xf32>
  }
}
