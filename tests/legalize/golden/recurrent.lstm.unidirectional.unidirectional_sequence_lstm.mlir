// before
module {
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t15"}) {
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
    %13 = "tfl.pseudo_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %14 = "tfl.pseudo_read"() <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, unset = false}> : () -> tensor<1x3xf32>
    %15, %16, %17 = "tfl.unidirectional_sequence_lstm"(%arg0, %1, %2, %3, %4, %5, %6, %7, %8, %none, %none, %none, %9, %10, %11, %12, %none, %none, %13, %14) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, time_major = false, asymmetric_quantize_inputs = false, diagonal_recurrent_tensors = false, intermediates = array<i64: >}> : (tensor<1x2x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, none, none, none, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, none, none, tensor<1x3xf32>, tensor<1x3xf32>) -> (tensor<1x2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>)
    "tfl.pseudo_store"(%16) <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    "tfl.pseudo_store"(%17) <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0.0, 0.0, 0.0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3xf32>) -> ()
    return %15 : tensor<1x2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t13 at Model.subgraphs[0].tensors[13]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  "tosa.variable"() <{sym_name = "t14 at Model.subgraphs[0].tensors[14]", type = f32, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x3xf32>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2x2xf32> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xf32> {tosa.tensor_name = "t15"}) {
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
    %15 = "tosa.variable_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : () -> tensor<1x3xf32>
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
    %27 = "tosa.variable_read"() <{name = "t14 at Model.subgraphs[0].tensors[14]"}> : () -> tensor<1x3xf32>
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
    %58 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %59 = "tosa.reshape"(%57, %58) : (tensor<2x1x3xf32>, !tosa.shape<3>) -> tensor<1x2x3xf32>
    %60 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %61 = "tosa.reshape"(%56, %60) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%61) <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : (tensor<1x3xf32>) -> ()
    %62 = "tosa.reshape"(%54, %60) : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    "tosa.variable_write"(%62) <{name = "t14 at Model.subgraphs[0].tensors[14]"}> : (tensor<1x3xf32>) -> ()
    return %59 : tensor<1x2x3xf32>
  }
}
