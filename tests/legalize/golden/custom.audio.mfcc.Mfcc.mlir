// before
module {
  func.func @"main"(%arg0: tensor<1x2x9xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<"0x401F0000"> : tensor<1xi32>}> : () -> tensor<1xi32> loc("Model.subgraphs[0].tensors[1]")
    %2 = "tfl.custom"(%arg0, %1) <{custom_code = "Mfcc", custom_options = "\75\70\70\65\72\5F\66\72\65\71\75\65\6E\63\79\5F\6C\69\6D\69\74\00\6C\6F\77\65\72\5F\66\72\65\71\75\65\6E\63\79\5F\6C\69\6D\69\74\00\66\69\6C\74\65\72\62\61\6E\6B\5F\63\68\61\6E\6E\65\6C\5F\63\6F\75\6E\74\00\64\63\74\5F\63\6F\65\66\66\69\63\69\65\6E\74\5F\63\6F\75\6E\74\00\04\17\31\48\5F\04\00\01\00\04\00\03\00\04\00\14\00\A0\0F\05\05\05\05\0C\25\01"}> : (tensor<1x2x9xf32>, tensor<1xi32>) -> tensor<1x2x3xf32> loc("main:0 CUSTOM 't2'")
    return %2 : tensor<1x2x3xf32>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<1x2x9xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.rsqrt"(%arg0) : (tensor<1x2x9xf32>) -> tensor<1x2x9xf32> loc("main:0 CUSTOM 't2'")
    %2 = "tosa.reciprocal"(%1) : (tensor<1x2x9xf32>) -> tensor<1x2x9xf32> loc("main:0 CUSTOM 't2'")
    %3 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<1x9x4xf32>}> : () -> tensor<1x9x4xf32> loc("main:0 CUSTOM 't2'")
    %4 = "tosa.const"() <{values = dense<"0x00000000"> : tensor<1xf32>}> : () -> tensor<1xf32> loc("main:0 CUSTOM 't2'")
    %5 = "tosa.matmul"(%2, %3, %4, %4) : (tensor<1x2x9xf32>, tensor<1x9x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32> loc("main:0 CUSTOM 't2'")
    %6 = "tosa.const"() <{values = dense<"0xCCBC8C2B"> : tensor<1x1x1xf32>}> : () -> tensor<1x1x1xf32> loc("main:0 CUSTOM 't2'")
    %7 = "tosa.maximum"(%5, %6) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x2x4xf32>, tensor<1x1x1xf32>) -> tensor<1x2x4xf32> loc("main:0 CUSTOM 't2'")
    %8 = "tosa.log"(%7) : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32> loc("main:0 CUSTOM 't2'")
    %9 = "tosa.const"() <{values = dense<"0xF304353F753D273F0000003FF304353FD48B8A3E000000BFF304353FD48B8ABE000000BFF304353F753D27BF0000003F"> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32> loc("main:0 CUSTOM 't2'")
    %10 = "tosa.matmul"(%8, %9, %4, %4) : (tensor<1x2x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x3xf32> loc("main:0 CUSTOM 't2'")
    return %10 : tensor<1x2x3xf32>
  }
}
