// before
module {
  func.func @"main"(%arg0: tensor<1x3x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tfl.custom"(%arg0) <{custom_code = "Landmarks2TransformMatrix", custom_options = "\6C\65\66\74\5F\72\6F\74\61\74\69\6F\6E\5F\69\64\78\00\72\69\67\68\74\5F\72\6F\74\61\74\69\6F\6E\5F\69\64\78\00\6F\75\74\70\75\74\5F\68\65\69\67\68\74\00\6F\75\74\70\75\74\5F\77\69\64\74\68\00\74\61\72\67\65\74\5F\72\6F\74\61\74\69\6F\6E\5F\72\61\64\69\61\6E\73\00\73\63\61\6C\65\5F\78\00\73\63\61\6C\65\5F\79\00\73\75\62\73\65\74\5F\69\64\78\73\00\03\00\01\02\04\04\04\08\7C\58\4B\6D\28\21\1A\43\08\00\00\00\01\00\00\00\08\00\00\00\00\00\00\00\02\00\00\00\03\00\00\00\01\00\00\00\00\00\C0\3F\00\00\C0\3F\33\00\00\00\00\00\00\00\06\06\06\06\0E\0E\28\0E\28\26\01"}> : (tensor<1x3x3xf32>) -> tensor<1x4x4xf32>
    return %1 : tensor<1x4x4xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x3x3xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x4x4xf32> {tosa.tensor_name = "t1"}) {
    %1 = "tosa.const"() <{values = dense<[[1]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %2 = "tosa.gather"(%arg0, %1) : (tensor<1x3x3xf32>, tensor<1x1xi32>) -> tensor<1x1x3xf32>
    %3 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %4 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.slice"(%2, %3, %4) : (tensor<1x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %6 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %7 = "tosa.gather"(%arg0, %6) : (tensor<1x3x3xf32>, tensor<1x1xi32>) -> tensor<1x1x3xf32>
    %8 = "tosa.slice"(%7, %3, %4) : (tensor<1x1x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x2xf32>
    %9 = "tosa.sub"(%5, %8) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    %10 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.mul"(%9, %9, %10) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x1x2xf32>
    %12 = "tosa.reduce_sum"(%11) <{axis = 2 : i32}> : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
    %13 = "tosa.const"() <{values = dense<[[[0.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %14 = "tosa.equal"(%12, %13) : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xi1>
    %15 = "tosa.const"() <{values = dense<[[[1.0, 0.0]]]> : tensor<1x1x2xf32>}> : () -> tensor<1x1x2xf32>
    %16 = "tosa.select"(%14, %15, %9) : (tensor<1x1x1xi1>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    %17 = "tosa.const"() <{values = dense<[[[1.0]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %18 = "tosa.select"(%14, %17, %12) : (tensor<1x1x1xi1>, tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %19 = "tosa.rsqrt"(%18) : (tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %20 = "tosa.mul"(%16, %19, %10) : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x2xf32>
    %21 = "tosa.const"() <{values = dense<[[[1.0, 0.0], [0.0, -1.0]]]> : tensor<1x2x2xf32>}> : () -> tensor<1x2x2xf32>
    %22 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %23 = "tosa.matmul"(%20, %21, %22, %22) : (tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2xf32>
    %24 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.const_shape"() <{values = dense<[1, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %26 = "tosa.slice"(%23, %24, %25) : (tensor<1x1x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %27 = "tosa.negate"(%26, %22, %22) : (tensor<1x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x1xf32>
    %28 = "tosa.slice"(%23, %3, %25) : (tensor<1x1x2xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x1xf32>
    %29 = "tosa.concat"(%27, %28) <{axis = 2 : i32}> : (tensor<1x1x1xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
    %30 = "tosa.concat"(%23, %29) <{axis = 1 : i32}> : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x2x2xf32>
    %31 = "tosa.const"() <{values = dense<[[0, 1, 2]]> : tensor<1x3xi32>}> : () -> tensor<1x3xi32>
    %32 = "tosa.gather"(%arg0, %31) : (tensor<1x3x3xf32>, tensor<1x3xi32>) -> tensor<1x3x3xf32>
    %33 = "tosa.const_shape"() <{values = dense<[1, 3, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %34 = "tosa.slice"(%32, %3, %33) : (tensor<1x3x3xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x3x2xf32>
    %35 = "tosa.matmul"(%34, %30, %22, %22) : (tensor<1x3x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x2xf32>
    %36 = "tosa.reduce_max"(%35) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>) -> tensor<1x1x2xf32>
    %37 = "tosa.reduce_min"(%35) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x3x2xf32>) -> tensor<1x1x2xf32>
    %38 = "tosa.sub"(%36, %37) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    %39 = "tosa.const"() <{values = dense<[[[0.5, 0.75]]]> : tensor<1x1x2xf32>}> : () -> tensor<1x1x2xf32>
    %40 = "tosa.mul"(%38, %39, %10) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x1x2xf32>
    %41 = "tosa.mul"(%30, %40, %10) : (tensor<1x2x2xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x2x2xf32>
    %42 = "tosa.const"() <{values = dense<[[[0.0], [0.0]]]> : tensor<1x2x1xf32>}> : () -> tensor<1x2x1xf32>
    %43 = "tosa.const"() <{values = dense<[[[-1.5, -1.0]]]> : tensor<1x1x2xf32>}> : () -> tensor<1x1x2xf32>
    %44 = "tosa.mul"(%41, %43, %10) : (tensor<1x2x2xf32>, tensor<1x1x2xf32>, tensor<1xi8>) -> tensor<1x2x2xf32>
    %45 = "tosa.reduce_sum"(%44) <{axis = 2 : i32}> : (tensor<1x2x2xf32>) -> tensor<1x2x1xf32>
    %46 = "tosa.add"(%37, %36) : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
    %47 = "tosa.const"() <{values = dense<[[[0.5]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %48 = "tosa.mul"(%46, %47, %10) : (tensor<1x1x2xf32>, tensor<1x1x1xf32>, tensor<1xi8>) -> tensor<1x1x2xf32>
    %49 = "tosa.transpose"(%30) <{perms = array<i32: 0, 2, 1>}> : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %50 = "tosa.matmul"(%48, %49, %22, %22) : (tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2xf32>
    %51 = "tosa.const_shape"() <{values = dense<[1, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %52 = "tosa.reshape"(%50, %51) : (tensor<1x1x2xf32>, !tosa.shape<3>) -> tensor<1x2x1xf32>
    %53 = "tosa.add"(%45, %52) : (tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %54 = "tosa.concat"(%41, %42, %53) <{axis = 2 : i32}> : (tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1x2x1xf32>) -> tensor<1x2x4xf32>
    %55 = "tosa.const"() <{values = dense<[[[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]]> : tensor<1x2x4xf32>}> : () -> tensor<1x2x4xf32>
    %56 = "tosa.concat"(%54, %55) <{axis = 1 : i32}> : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x4x4xf32>
    return %56 : tensor<1x4x4xf32>
  }
}
