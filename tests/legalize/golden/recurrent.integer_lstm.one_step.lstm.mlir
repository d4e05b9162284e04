// before
module {
  func.func @"main"(%arg0: tensor<1x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>> {tosa.tensor_name = "t17"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<[[-48, -32], [-16, 0], [16, 32]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>
    %2 = "tfl.pseudo_const"() <{values = dense<[[-48, -32], [-16, 0], [16, 32]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>
    %3 = "tfl.pseudo_const"() <{values = dense<[[-48, -32], [-16, 0], [16, 32]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>
    %4 = "tfl.pseudo_const"() <{values = dense<[[-48, -32], [-16, 0], [16, 32]]> : tensor<3x2xi8>}> : () -> tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>
    %5 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32]]> : tensor<3x3xi8>}> : () -> tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>
    %6 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32]]> : tensor<3x3xi8>}> : () -> tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>
    %7 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32]]> : tensor<3x3xi8>}> : () -> tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>
    %8 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32]]> : tensor<3x3xi8>}> : () -> tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>
    %9 = "tfl.pseudo_const"() <{values = dense<[-48, -32, -16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %10 = "tfl.pseudo_const"() <{values = dense<[-48, -32, -16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %11 = "tfl.pseudo_const"() <{values = dense<[-48, -32, -16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %12 = "tfl.pseudo_const"() <{values = dense<[-48, -32, -16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %13 = "tfl.pseudo_const"() <{values = dense<[[-48, -32, -16], [0, 16, 32], [48, -48, -32]]> : tensor<3x3xi8>}> : () -> tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>
    %14 = "tfl.pseudo_const"() <{values = dense<[-48, -32, -16]> : tensor<3xi32>}> : () -> tensor<3xi32>
    %15 = "tfl.pseudo_read"() <{name = "t15 at Model.subgraphs[0].tensors[15]", initial = dense<[[3, 3, 3]]> : tensor<1x3xi8>, unset = false}> : () -> tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>
    %16 = "tfl.pseudo_read"() <{name = "t16 at Model.subgraphs[0].tensors[16]", initial = dense<[[0, 0, 0]]> : tensor<1x3xi16>, unset = false}> : () -> tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>
    %17, %18, %19 = "tfl.lstm"(%arg0, %1, %2, %3, %4, %5, %6, %7, %8, %none, %none, %none, %9, %10, %11, %12, %13, %14, %15, %16) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, kernel_type = "FULL", asymmetric_quantize_inputs = false, intermediates = [[[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x3C000000 : f32], array<i64: 3>, "None", 0 : i64, 0 : i64]]}> : (tensor<1x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, none, none, none, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3xi32>, tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> (tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>)
    "tfl.pseudo_store"(%18) <{name = "t15 at Model.subgraphs[0].tensors[15]", initial = dense<[[3, 3, 3]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>) -> ()
    "tfl.pseudo_store"(%19) <{name = "t16 at Model.subgraphs[0].tensors[16]", initial = dense<[[0, 0, 0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> ()
    return %17 : tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t15 at Model.subgraphs[0].tensors[15]", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x030303"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t16 at Model.subgraphs[0].tensors[16].byte0", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t16 at Model.subgraphs[0].tensors[16].byte1", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x3xi8> {tosa.tensor_name = "t17"}) {
    %1 = "tosa.const"() <{values = dense<sha256 32b2af155ca570d1> : tensor<1x131072x1xi16>}> : () -> tensor<1x131072x1xi16>
    %2 = "tosa.const_shape"() <{values = dense<[1, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2xi8>, !tosa.shape<3>) -> tensor<1x1x2xi8>
    %4 = "tosa.const"() <{values = dense<sha256 7a96b24d6c683167> : tensor<1x2x12xi8>}> : () -> tensor<1x2x12xi8>
    %5 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %6 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %7 = "tosa.matmul"(%3, %4, %5, %6) : (tensor<1x1x2xi8>, tensor<1x2x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x12xi32>
    %8 = "tosa.const"() <{values = dense<[[[-48, -32, -16, -48, -32, -16, -48, -32, -16, -48, -32, -16]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %9 = "tosa.add"(%7, %8) : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %10 = "tosa.const"() <{values = dense<[1717986944]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %11 = "tosa.const"() <{values = dense<[29]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %12 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %14 = "tosa.rescale"(%9, %10, %11, %12, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x1x12xi16>
    %15 = "tosa.cast"(%14) : (tensor<1x1x12xi16>) -> tensor<1x1x12xi32>
    %16 = "tosa.const"() <{values = dense<[[[32768, 32768, 32768, 32768, 32768, 32768, 98304, 98304, 98304, 32768, 32768, 32768]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %17 = "tosa.add"(%15, %16) : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %18 = "tosa.variable_read"() <{name = "t15 at Model.subgraphs[0].tensors[15]"}> : () -> tensor<1x3xi8>
    %19 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %20 = "tosa.reshape"(%18, %19) : (tensor<1x3xi8>, !tosa.shape<3>) -> tensor<1x1x3xi8>
    %21 = "tosa.const"() <{values = dense<sha256 dbbc05224946d9ed> : tensor<1x3x12xi8>}> : () -> tensor<1x3x12xi8>
    %22 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %23 = "tosa.matmul"(%20, %21, %22, %6) : (tensor<1x1x3xi8>, tensor<1x3x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x12xi32>
    %24 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %25 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %26 = "tosa.rescale"(%23, %24, %25, %12, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x12xi32>
    %27 = "tosa.add"(%17, %26) : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %28 = "tosa.const"() <{values = dense<[[[0, 0, 0, 0, 0, 0, 65536, 65536, 65536, 0, 0, 0]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %29 = "tosa.maximum"(%27, %28) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %30 = "tosa.const"() <{values = dense<[[[65535, 65535, 65535, 65535, 65535, 65535, 131071, 131071, 131071, 65535, 65535, 65535]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %31 = "tosa.minimum"(%29, %30) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %32 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %33 = "tosa.reshape"(%31, %32) : (tensor<1x1x12xi32>, !tosa.shape<2>) -> tensor<1x12xi32>
    %34 = "tosa.gather"(%1, %33) : (tensor<1x131072x1xi16>, tensor<1x12xi32>) -> tensor<1x12x1xi16>
    %35 = "tosa.const_shape"() <{values = dense<[1, 1, 12]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %36 = "tosa.reshape"(%34, %35) : (tensor<1x12x1xi16>, !tosa.shape<3>) -> tensor<1x1x12xi16>
    %37 = "tosa.const_shape"() <{values = dense<[0, 0, 9]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %38 = "tosa.slice"(%36, %37, %19) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %39 = "tosa.const"() <{values = dense<sha256 22e8b026529f3977> : tensor<1x65536x1xi16>}> : () -> tensor<1x65536x1xi16>
    %40 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %41 = "tosa.slice"(%36, %40, %19) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %42 = "tosa.variable_read"() <{name = "t16 at Model.subgraphs[0].tensors[16].byte1"}> : () -> tensor<1x3xi8>
    %43 = "tosa.cast"(%42) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %44 = "tosa.const"() <{values = dense<[[8]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %45 = "tosa.logical_left_shift"(%43, %44) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %46 = "tosa.variable_read"() <{name = "t16 at Model.subgraphs[0].tensors[16].byte0"}> : () -> tensor<1x3xi8>
    %47 = "tosa.cast"(%46) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %48 = "tosa.const"() <{values = dense<[[255]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %49 = "tosa.bitwise_and"(%47, %48) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %50 = "tosa.bitwise_or"(%45, %49) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %51 = "tosa.cast"(%50) : (tensor<1x3xi32>) -> tensor<1x3xi16>
    %52 = "tosa.reshape"(%51, %19) : (tensor<1x3xi16>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %53 = "tosa.mul"(%41, %52, %6) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %54 = "tosa.const"() <{values = dense<[1073741825]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %55 = "tosa.const"() <{values = dense<[45]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %56 = "tosa.rescale"(%53, %54, %55, %12, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %57 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %58 = "tosa.slice"(%36, %57, %19) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %59 = "tosa.const_shape"() <{values = dense<[0, 0, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %60 = "tosa.slice"(%36, %59, %19) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %61 = "tosa.mul"(%58, %60, %6) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %62 = "tosa.const"() <{values = dense<[49]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %63 = "tosa.rescale"(%61, %54, %62, %12, %12) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %64 = "tosa.add"(%56, %63) : (tensor<1x1x3xi32>, tensor<1x1x3xi32>) -> tensor<1x1x3xi32>
    %65 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %66 = "tosa.rescale"(%64, %24, %65, %12, %13) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x1x3xi16>
    %67 = "tosa.cast"(%66) : (tensor<1x1x3xi16>) -> tensor<1x1x3xi32>
    %68 = "tosa.const"() <{values = dense<[[[32768]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %69 = "tosa.add"(%67, %68) : (tensor<1x1x3xi32>, tensor<1x1x1xi32>) -> tensor<1x1x3xi32>
    %70 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %71 = "tosa.reshape"(%69, %70) : (tensor<1x1x3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
    %72 = "tosa.gather"(%39, %71) : (tensor<1x65536x1xi16>, tensor<1x3xi32>) -> tensor<1x3x1xi16>
    %73 = "tosa.reshape"(%72, %19) : (tensor<1x3x1xi16>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %74 = "tosa.mul"(%38, %73, %6) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %75 = "tosa.const"() <{values = dense<[53]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %76 = "tosa.rescale"(%74, %24, %75, %12, %5) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x3xi8>
    %77 = "tosa.const"() <{values = dense<[[[-48, 0, 48], [-32, 16, -48], [-16, 32, -32]]]> : tensor<1x3x3xi8>}> : () -> tensor<1x3x3xi8>
    %78 = "tosa.matmul"(%76, %77, %6, %6) : (tensor<1x1x3xi8>, tensor<1x3x3xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %79 = "tosa.const"() <{values = dense<[[[-336, 112, -112]]]> : tensor<1x1x3xi32>}> : () -> tensor<1x1x3xi32>
    %80 = "tosa.add"(%78, %79) : (tensor<1x1x3xi32>, tensor<1x1x3xi32>) -> tensor<1x1x3xi32>
    %81 = "tosa.const"() <{values = dense<[36]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %82 = "tosa.rescale"(%80, %24, %81, %12, %22) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x3xi8>
    %83 = "tosa.reshape"(%82, %70) : (tensor<1x1x3xi8>, !tosa.shape<2>) -> tensor<1x3xi8>
    %84 = "tosa.reshape"(%82, %70) : (tensor<1x1x3xi8>, !tosa.shape<2>) -> tensor<1x3xi8>
    "tosa.variable_write"(%84) <{name = "t15 at Model.subgraphs[0].tensors[15]"}> : (tensor<1x3xi8>) -> ()
    %85 = "tosa.reshape"(%66, %70) : (tensor<1x1x3xi16>, !tosa.shape<2>) -> tensor<1x3xi16>
    %86 = "tosa.cast"(%85) : (tensor<1x3xi16>) -> tensor<1x3xi32>
    %87 = "tosa.cast"(%86) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%87) <{name = "t16 at Model.subgraphs[0].tensors[16].byte0"}> : (tensor<1x3xi8>) -> ()
    %88 = "tosa.arithmetic_right_shift"(%86, %44) <{round = false}> : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %89 = "tosa.cast"(%88) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%89) <{name = "t16 at Model.subgraphs[0].tensors[16].byte1"}> : (tensor<1x3xi8>) -> ()
    return %83 : tensor<1x3xi8>
  }
}
