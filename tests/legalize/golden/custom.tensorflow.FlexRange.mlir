// before
module {
  func.func @"main"() -> (tensor<5xi32> {tosa.tensor_name = "t3"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "tfl.pseudo_const"() <{values = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %2 = "tfl.pseudo_const"() <{values = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %3 = "tfl.custom"(%0, %1, %2) <{custom_code = "FlexRange", custom_options = "\05\52\61\6E\67\65\00\0A\12\05\52\61\6E\67\65\1A\01\78\00\02\13\0D\14\14\04\28\01"}> : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5xi32>
    return %3 : tensor<5xi32>
  }
}
// after
module {
  func.func @"main"() -> (tensor<5xi32> {tosa.tensor_name = "t3"}) {
    %0 = "tosa.const"() <{values = dense<[0, 1, 2, 3, 4]> : tensor<5xi32>}> : () -> tensor<5xi32>
    return %0 : tensor<5xi32>
  }
}
