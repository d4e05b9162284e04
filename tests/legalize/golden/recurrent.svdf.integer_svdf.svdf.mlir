// before
module {
  func.func @"main"(%arg0: tensor<1x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x2x!quant.uniform<i8:f32, 0.0078125:3>> {tosa.tensor_name = "t5"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-48, -32], [-16, 0], [16, 32], [48, -48]]> : tensor<4x2xi8>}> : () -> tensor<4x2x!quant.uniform<i8:f32, 0.015625:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32], [-16, 0, 16]]> : tensor<4x3xi16>}> : () -> tensor<4x3x!quant.uniform<i16:f32, 0.00048828125:0>>
    %3 = "tfl.pseudo_const"() <{values = dense<[-48, -32]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<1x12xi16>, unset = false}> : () -> tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>
    %5, %6 = "tfl.svdf"(%arg0, %1, %2, %3, %4) <{rank = 2 : i64, fused_activation_function = "RELU", asymmetric_quantize_inputs = false}> : (tensor<1x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<4x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<4x3x!quant.uniform<i16:f32, 0.00048828125:0>>, tensor<2xi32>, tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>) -> (tensor<1x2x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>)
    "tfl.pseudo_store"(%6) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]> : tensor<1x12xf32>, shape = array<i64: 1, 12>, declared = true}> : (tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>) -> ()
    return %5 : tensor<1x2x!quant.uniform<i8:f32, 0.0078125:3>>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4].byte0", type = i8, var_shape = dense<[1, 12]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x12xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4].byte1", type = i8, var_shape = dense<[1, 12]> : tensor<2xindex>, initial_value = dense<"0x000000000000000000000000"> : tensor<1x12xi8>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x2xi8> {tosa.tensor_name = "t5"}) {
    %1 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4].byte1"}> : () -> tensor<1x12xi8>
    %2 = "tosa.cast"(%1) : (tensor<1x12xi8>) -> tensor<1x12xi32>
    %3 = "tosa.const"() <{values = dense<[[8]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %4 = "tosa.logical_left_shift"(%2, %3) : (tensor<1x12xi32>, tensor<1x1xi32>) -> tensor<1x12xi32>
    %5 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4].byte0"}> : () -> tensor<1x12xi8>
    %6 = "tosa.cast"(%5) : (tensor<1x12xi8>) -> tensor<1x12xi32>
    %7 = "tosa.const"() <{values = dense<[[255]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %8 = "tosa.bitwise_and"(%6, %7) : (tensor<1x12xi32>, tensor<1x1xi32>) -> tensor<1x12xi32>
    %9 = "tosa.bitwise_or"(%4, %8) : (tensor<1x12xi32>, tensor<1x12xi32>) -> tensor<1x12xi32>
    %10 = "tosa.cast"(%9) : (tensor<1x12xi32>) -> tensor<1x12xi16>
    %11 = "tosa.const_shape"() <{values = dense<[1, 4, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %12 = "tosa.reshape"(%10, %11) : (tensor<1x12xi16>, !tosa.shape<3>) -> tensor<1x4x3xi16>
    %13 = "tosa.const_shape"() <{values = dense<[0, 0, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %14 = "tosa.const_shape"() <{values = dense<[1, 4, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %15 = "tosa.slice"(%12, %13, %14) : (tensor<1x4x3xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x4x2xi16>
    %16 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %17 = "tosa.reshape"(%arg0, %16) : (tensor<1x2xi8>, !tosa.shape<3>) -> tensor<1x1x2xi8>
    %18 = "tosa.const"() <{values = dense<[[[-48, -16, 16, 48], [-32, 0, 32, -48]]]> : tensor<1x2x4xi8>}> : () -> tensor<1x2x4xi8>
    %19 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %20 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %21 = "tosa.matmul"(%17, %18, %19, %20) : (tensor<1x1x2xi8>, tensor<1x2x4xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x4xi32>
    %22 = "tosa.const"() <{values = dense<[1717986944]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %23 = "tosa.const"() <{values = dense<[29]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %24 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %25 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %26 = "tosa.rescale"(%21, %22, %23, %24, %25) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x4xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x1x4xi16>
    %27 = "tosa.const_shape"() <{values = dense<[1, 4, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %28 = "tosa.reshape"(%26, %27) : (tensor<1x1x4xi16>, !tosa.shape<3>) -> tensor<1x4x1xi16>
    %29 = "tosa.concat"(%15, %28) <{axis = 2 : i32}> : (tensor<1x4x2xi16>, tensor<1x4x1xi16>) -> tensor<1x4x3xi16>
    %30 = "tosa.const"() <{values = dense<[[[-48, -32, -16], [0, 16, 32], [48, -48, -32], [-16, 0, 16]]]> : tensor<1x4x3xi16>}> : () -> tensor<1x4x3xi16>
    %31 = "tosa.mul"(%29, %30, %20) : (tensor<1x4x3xi16>, tensor<1x4x3xi16>, tensor<1xi8>) -> tensor<1x4x3xi32>
    %32 = "tosa.const_shape"() <{values = dense<[1, 2, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %33 = "tosa.reshape"(%31, %32) : (tensor<1x4x3xi32>, !tosa.shape<3>) -> tensor<1x2x6xi32>
    %34 = "tosa.reduce_sum"(%33) <{axis = 2 : i32}> : (tensor<1x2x6xi32>) -> tensor<1x2x1xi32>
    %35 = "tosa.const_shape"() <{values = dense<[1, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %36 = "tosa.reshape"(%34, %35) : (tensor<1x2x1xi32>, !tosa.shape<2>) -> tensor<1x2xi32>
    %37 = "tosa.const"() <{values = dense<[[-48, -32]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %38 = "tosa.add"(%36, %37) : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<1x2xi32>
    %39 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %40 = "tosa.const"() <{values = dense<[46]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %41 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %42 = "tosa.rescale"(%38, %39, %40, %24, %41) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x2xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x2xi8>
    %43 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %44 = "tosa.reshape"(%29, %43) : (tensor<1x4x3xi16>, !tosa.shape<2>) -> tensor<1x12xi16>
    %45 = "tosa.cast"(%44) : (tensor<1x12xi16>) -> tensor<1x12xi32>
    %46 = "tosa.cast"(%45) : (tensor<1x12xi32>) -> tensor<1x12xi8>
    "tosa.variable_write"(%46) <{name = "t4 at Model.subgraphs[0].tensors[4].byte0"}> : (tensor<1x12xi8>) -> ()
    %47 = "tosa.arithmetic_right_shift"(%45, %3) <{round = false}> : (tensor<1x12xi32>, tensor<1x1xi32>) -> tensor<1x12xi32>
    %48 = "tosa.cast"(%47) : (tensor<1x12xi32>) -> tensor<1x12xi8>
    "tosa.variable_write"(%48) <{name = "t4 at Model.subgraphs[0].tensors[4].byte1"}> : (tensor<1x12xi8>) -> ()
    return %42 : tensor<1x2xi8>
  }
}
