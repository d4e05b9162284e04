// before
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tosa.erf"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf16>
    return %1 : tensor<3x5x7xf16>
  }
}
// after
module {
  func.func @"main"(%arg0: tensor<3x5x7xf16> {tosa.tensor_name = "in0"}) -> (tensor<3x5x7xf16> {tosa.tensor_name = "out0"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<4.0> : tensor<f32>}> : () -> tensor<f32>
    %2 = "tfl.pseudo_const"() <{values = dense<-4.0> : tensor<f32>}> : () -> tensor<f32>
    %3 = "tfl.cast"(%arg0) : (tensor<3x5x7xf16>) -> tensor<3x5x7xf32>
    %4 = "tfl.maximum"(%2, %3) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %5 = "tfl.minimum"(%1, %4) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %6 = "tfl.pseudo_const"() <{values = dense<-2.726142367404094e-10> : tensor<f32>}> : () -> tensor<f32>
    %7 = "tfl.mul"(%5, %5) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %8 = "tfl.mul"(%6, %7) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %9 = "tfl.pseudo_const"() <{values = dense<2.7706814620387377e-08> : tensor<f32>}> : () -> tensor<f32>
    %10 = "tfl.add"(%8, %9) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %11 = "tfl.mul"(%10, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %12 = "tfl.pseudo_const"() <{values = dense<-2.101023937939317e-06> : tensor<f32>}> : () -> tensor<f32>
    %13 = "tfl.add"(%11, %12) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %14 = "tfl.mul"(%13, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %15 = "tfl.pseudo_const"() <{values = dense<-5.692506238119677e-05> : tensor<f32>}> : () -> tensor<f32>
    %16 = "tfl.add"(%14, %15) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %17 = "tfl.mul"(%16, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %18 = "tfl.pseudo_const"() <{values = dense<-0.0007349906372837722> : tensor<f32>}> : () -> tensor<f32>
    %19 = "tfl.add"(%17, %18) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %20 = "tfl.mul"(%19, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %21 = "tfl.pseudo_const"() <{values = dense<-0.0029545999132096767> : tensor<f32>}> : () -> tensor<f32>
    %22 = "tfl.add"(%20, %21) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %23 = "tfl.mul"(%22, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %24 = "tfl.pseudo_const"() <{values = dense<-0.01609603315591812> : tensor<f32>}> : () -> tensor<f32>
    %25 = "tfl.add"(%23, %24) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %26 = "tfl.mul"(%5, %25) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %27 = "tfl.pseudo_const"() <{values = dense<-1.4566071513399947e-05> : tensor<f32>}> : () -> tensor<f32>
    %28 = "tfl.mul"(%27, %7) : (tensor<f32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %29 = "tfl.pseudo_const"() <{values = dense<-0.00021337404905352741> : tensor<f32>}> : () -> tensor<f32>
    %30 = "tfl.add"(%28, %29) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %31 = "tfl.mul"(%30, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %32 = "tfl.pseudo_const"() <{values = dense<-0.001682827016338706> : tensor<f32>}> : () -> tensor<f32>
    %33 = "tfl.add"(%31, %32) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %34 = "tfl.mul"(%33, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %35 = "tfl.pseudo_const"() <{values = dense<-0.007373329252004623> : tensor<f32>}> : () -> tensor<f32>
    %36 = "tfl.add"(%34, %35) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %37 = "tfl.mul"(%36, %7) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %38 = "tfl.pseudo_const"() <{values = dense<-0.014264739118516445> : tensor<f32>}> : () -> tensor<f32>
    %39 = "tfl.add"(%37, %38) : (tensor<3x5x7xf32>, tensor<f32>) -> tensor<3x5x7xf32>
    %40 = "tfl.div"(%26, %39) : (tensor<3x5x7xf32>, tensor<3x5x7xf32>) -> tensor<3x5x7xf32>
    %41 = "tfl.cast"(%40) : (tensor<3x5x7xf32>) -> tensor<3x5x7xf16>
    return %41 : tensor<3x5x7xf16>
  }
}
