// before
module {
  func.func @"main"(%arg0: tensor<1x2x9xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[8000]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "Mfcc", custom_options = "\75\70\70\65\72\5F\66\72\65\71\75\65\6E\63\79\5F\6C\69\6D\69\74\00\6C\6F\77\65\72\5F\66\72\65\71\75\65\6E\63\79\5F\6C\69\6D\69\74\00\66\69\6C\74\65\72\62\61\6E\6B\5F\63\68\61\6E\6E\65\6C\5F\63\6F\75\6E\74\00\64\63\74\5F\63\6F\65\66\66\69\63\69\65\6E\74\5F\63\6F\75\6E\74\00\04\17\31\48\5F\04\00\01\00\04\00\03\00\04\00\14\00\A0\0F\05\05\05\05\0C\25\01"}> : (tensor<1x2x9xf32>, tensor<1xi32>) -> tensor<1x2x3xf32>
    return %2 : tensor<1x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x9xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.rsqrt"(%arg0) : (tensor<1x2x9xf32>) -> tensor<1x2x9xf32>
    %2 = "tosa.reciprocal"(%1) : (tensor<1x2x9xf32>) -> tensor<1x2x9xf32>
    %3 = "tosa.const"() <{values = dense<sha256 61f2a5939afa10b8> : tensor<1x9x4xf32>}> : () -> tensor<1x9x4xf32>
    %4 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %5 = "tosa.matmul"(%2, %3, %4, %4) : (tensor<1x2x9xf32>, tensor<1x9x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
    %6 = "tosa.const"() <{values = dense<[[[9.999999960041972e-13]]]> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32>
    %7 = "tosa.maximum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x4xf32>, tensor<1x1x1xf32>) -> tensor<1x2x4xf32>
    %8 = "tosa.log"(%7) : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
    %9 = "tosa.const"() <{values = dense<[[[0.7071067690849304, 0.6532815098762512, 0.5], [0.7071067690849304, 0.27059805393218994, -0.5], [0.7071067690849304, -0.27059805393218994, -0.5], [0.7071067690849304, -0.6532815098762512, 0.5]]]> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
    %10 = "tosa.matmul"(%8, %9, %4, %4) : (tensor<1x2x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32>
    return %10 : tensor<1x2x3xf32>
  }
}
