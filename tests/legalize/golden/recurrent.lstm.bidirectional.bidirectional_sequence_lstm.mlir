// before
module {
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x6xf32> {tosa.tensor_name = "t29"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %3 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %4 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %5 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %6 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %7 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %8 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %9 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %10 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %11 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %12 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %13 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %14 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %15 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %16 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5], [-0.25, 0.0], [0.25, 0.5]]> : tensor<3x2xf32>}> : () -> tensor<3x2xf32>
    %17 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %18 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %19 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %20 = "tfl.pseudo_const"() <{values = dense<[[-0.75, -0.5, -0.25], [0.0, 0.25, 0.5], [0.75, -0.75, -0.5]]> : tensor<3x3xf32>}> : () -> tensor<3x3xf32>
    %21 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %22 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %23 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %24 = "tfl.pseudo_const"() <{values = dense<[-0.75, -0.5, -0.25]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %25 = "tfl.pseudo_read"() <{name = "t25 at Model.subgraphs[0].tensors[25]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %26 = "tfl.pseudo_read"() <{name = "t26 at Model.subgraphs[0].tensors[26]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %27 = "tfl.pseudo_read"() <{name = "t27 at Model.subgraphs[0].tensors[27]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %28 = "tfl.pseudo_read"() <{name = "t28 at Model.subgraphs[0].tensors[28]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %29, %30, %31, %32, %33 = "tfl.bidirectional_sequence_lstm"(%arg0, %1, %2, %3, %4, %5, %6, %7, %8, %none, %none, %none, %9, %10, %11, %12, %none, %none, %13, %14, %15, %16, %17, %18, %19, %20, %none, %none, %none, %21, %22, %23, %24, %none, %none, %25, %26, %27, %28, %none, %none, %none, %none, %none, %none, %none, %none, %none) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, merge_outputs = true, time_major = false, asymmetric_quantize_inputs = false}> : (tensor<1x2x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, none, none, none, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, none, none, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, none, none, none, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, none, none, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, none, none, none, none, none, none, none, none, none) -> (tensor<1x2x6xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%30) <{name = "t25 at Model.subgraphs[0].tensors[25]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%31) <{name = "t26 at Model.subgraphs[0].tensors[26]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%32) <{name = "t27 at Model.subgraphs[0].tensors[27]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%33) <{name = "t28 at Model.subgraphs[0].tensors[28]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %29 : tensor<1x2x6xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t25 at Model.subgraphs[0].tensors[25]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t26 at Model.subgraphs[0].tensors[26]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t27 at Model.subgraphs[0].tensors[27]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t28 at Model.subgraphs[0].tensors[28]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x6xf32> {tosa.tensor_name = "t29"}) {
    %1 = "tosa.const"() <{values = dense<[[[-0.75, -0.5, -0.25, -0.75, -0.5, -0.25, -0.75, -0.5, -0.25, -0.75, -0.5, -0.25]]]> : tensor<1x1x12xf32>}> : () -> tensor<1x1x12xf32>
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2x2xf32>, !tosa.shape<3>) -> tensor<2x1x2xf32>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x1x2xf32>, !tosa.shape<3>) -> tensor<1x2x2xf32>
    %6 = "tosa.const"() <{values = dense<sha256 53b889927c2470e4> : tensor<1x2x12xf32>}> : () -> tensor<1x2x12xf32>
    %7 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %8 = "tosa.matmul"(%5, %6, %7, %7) : (tensor<1x2x2xf32>, tensor<1x2x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x12xf32>
    %9 = "tosa.const_shape"() <{values = dense<[2, 1, 12]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %10 = "tosa.reshape"(%8, %9) : (tensor<1x2x12xf32>, !tosa.shape<3>) -> tensor<2x1x12xf32>
    %11 = "tosa.add"(%1, %10) : (tensor<1x1x12xf32>, tensor<2x1x12xf32>) -> tensor<2x1x12xf32>
    %12 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %13 = "tosa.const_shape"() <{values = dense<[1, 1, 12]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.slice"(%11, %12, %13) : (tensor<2x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xf32>
    %15 = "tosa.variable_read"() <{name = "t25 at Model.subgraphs[0].tensors[25]"}> : () -> tensor<1x3xf32>
    %16 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %17 = "tosa.reshape"(%15, %16) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %18 = "tosa.const"() <{values = dense<sha256 353077e4f9d52160> : tensor<1x3x12xf32>}> : () -> tensor<1x3x12xf32>
    %19 = "tosa.matmul"(%17, %18, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %20 = "tosa.add"(%14, %19) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %21 = "tosa.const_shape"() <{values = dense<[0, 0, 9]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %22 = "tosa.slice"(%20, %21, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %23 = "tosa.sigmoid"(%22) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %24 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %25 = "tosa.slice"(%20, %24, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %26 = "tosa.sigmoid"(%25) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %27 = "tosa.variable_read"() <{name = "t26 at Model.subgraphs[0].tensors[26]"}> : () -> tensor<1x3xf32>
    %28 = "tosa.reshape"(%27, %16) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %29 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %30 = "tosa.mul"(%26, %28, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %31 = "tosa.const_shape"() <{values = dense<[0, 0, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %32 = "tosa.slice"(%20, %31, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %33 = "tosa.tanh"(%32) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %34 = "tosa.slice"(%20, %12, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %35 = "tosa.sigmoid"(%34) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %36 = "tosa.mul"(%33, %35, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %37 = "tosa.add"(%30, %36) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %38 = "tosa.tanh"(%37) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %39 = "tosa.mul"(%23, %38, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %40 = "tosa.const_shape"() <{values = dense<[1, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %41 = "tosa.slice"(%11, %40, %13) : (tensor<2x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xf32>
    %42 = "tosa.matmul"(%39, %18, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %43 = "tosa.add"(%41, %42) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %44 = "tosa.slice"(%43, %21, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %45 = "tosa.sigmoid"(%44) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %46 = "tosa.slice"(%43, %24, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %47 = "tosa.sigmoid"(%46) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %48 = "tosa.mul"(%47, %37, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %49 = "tosa.slice"(%43, %31, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %50 = "tosa.tanh"(%49) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %51 = "tosa.slice"(%43, %12, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %52 = "tosa.sigmoid"(%51) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %53 = "tosa.mul"(%50, %52, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %54 = "tosa.add"(%48, %53) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %55 = "tosa.tanh"(%54) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %56 = "tosa.mul"(%45, %55, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %57 = "tosa.concat"(%39, %56) <{axis = 0 : i32}> : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<2x1x3xf32>
    %58 = "tosa.reshape"(%3, %4) : (tensor<2x1x2xf32>, !tosa.shape<3>) -> tensor<1x2x2xf32>
    %59 = "tosa.matmul"(%58, %6, %7, %7) : (tensor<1x2x2xf32>, tensor<1x2x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x12xf32>
    %60 = "tosa.reshape"(%59, %9) : (tensor<1x2x12xf32>, !tosa.shape<3>) -> tensor<2x1x12xf32>
    %61 = "tosa.add"(%1, %60) : (tensor<1x1x12xf32>, tensor<2x1x12xf32>) -> tensor<2x1x12xf32>
    %62 = "tosa.slice"(%61, %12, %13) : (tensor<2x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xf32>
    %63 = "tosa.slice"(%61, %40, %13) : (tensor<2x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xf32>
    %64 = "tosa.variable_read"() <{name = "t27 at Model.subgraphs[0].tensors[27]"}> : () -> tensor<1x3xf32>
    %65 = "tosa.reshape"(%64, %16) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %66 = "tosa.matmul"(%65, %18, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %67 = "tosa.add"(%63, %66) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %68 = "tosa.slice"(%67, %21, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %69 = "tosa.sigmoid"(%68) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %70 = "tosa.slice"(%67, %24, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %71 = "tosa.sigmoid"(%70) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %72 = "tosa.variable_read"() <{name = "t28 at Model.subgraphs[0].tensors[28]"}> : () -> tensor<1x3xf32>
    %73 = "tosa.reshape"(%72, %16) : (tensor<1x3xf32>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %74 = "tosa.mul"(%71, %73, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %75 = "tosa.slice"(%67, %31, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %76 = "tosa.tanh"(%75) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %77 = "tosa.slice"(%67, %12, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %78 = "tosa.sigmoid"(%77) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %79 = "tosa.mul"(%76, %78, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %80 = "tosa.add"(%74, %79) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %81 = "tosa.tanh"(%80) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %82 = "tosa.mul"(%69, %81, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %83 = "tosa.matmul"(%82, %18, %7, %7) : (tensor<1x1x3xf32>, tensor<1x3x12xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x12xf32>
    %84 = "tosa.add"(%62, %83) : (tensor<1x1x12xf32>, tensor<1x1x12xf32>) -> tensor<1x1x12xf32>
    %85 = "tosa.slice"(%84, %21, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %86 = "tosa.sigmoid"(%85) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %87 = "tosa.slice"(%84, %24, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %88 = "tosa.sigmoid"(%87) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %89 = "tosa.mul"(%88, %80, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %90 = "tosa.slice"(%84, %31, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %91 = "tosa.tanh"(%90) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %92 = "tosa.slice"(%84, %12, %16) : (tensor<1x1x12xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xf32>
    %93 = "tosa.sigmoid"(%92) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %94 = "tosa.mul"(%91, %93, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %95 = "tosa.add"(%89, %94) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %96 = "tosa.tanh"(%95) : (tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
    %97 = "tosa.mul"(%86, %96, %29) : (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1xi8>) -> tensor<1x1x3xf32>
    %98 = "tosa.concat"(%97, %82) <{axis = 0 : i32}> : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<2x1x3xf32>
    %99 = "tosa.concat"(%57, %98) <{axis = 2 : i32}> : (tensor<2x1x3xf32>, tensor<2x1x3xf32>) -> tensor<2x1x6xf32>
    %100 = "tosa.const_shape"() <{values = dense<[1, 2, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %101 = "tosa.reshape"(%99, %100) : (tensor<2x1x6xf32>, !tosa.shape<3>) -> tensor<1x2x6xf32>
    %102 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %103 = "tosa.reshape"(%56, %102) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%103) <{name = "t25 at Model.subgraphs[0].tensors[25]"}> : (tensor<1x3xf32>) -> ()
    %104 = "tosa.reshape"(%54, %102) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%104) <{name = "t26 at Model.subgraphs[0].tensors[26]"}> : (tensor<1x3xf32>) -> ()
    %105 = "tosa.reshape"(%97, %102) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%105) <{name = "t27 at Model.subgraphs[0].tensors[27]"}> : (tensor<1x3xf32>) -> ()
    %106 = "tosa.reshape"(%95, %102) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%106) <{name = "t28 at Model.subgraphs[0].tensors[28]"}> : (tensor<1x3xf32>) -> ()
    return %101 : tensor<1x2x6xf32>
  }
}
