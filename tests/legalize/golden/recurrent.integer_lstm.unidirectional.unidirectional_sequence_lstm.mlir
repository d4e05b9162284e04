// before
module {
  func.func @"main"(%arg0: tensor<1x2x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3x!quant.uniform<i8:f32, 0.0078125:3>> {tosa.tensor_name = "t15"}) {
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
    %13 = "tfl.pseudo_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[3, 3, 3]]> : tensor<1x3xi8>, unset = false}> : () -> tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>
    %14 = "tfl.pseudo_read"() <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0, 0, 0]]> : tensor<1x3xi16>, unset = false}> : () -> tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>
    %15, %16, %17 = "tfl.unidirectional_sequence_lstm"(%arg0, %1, %2, %3, %4, %5, %6, %7, %8, %none, %none, %none, %9, %10, %11, %12, %none, %none, %13, %14) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, time_major = false, asymmetric_quantize_inputs = false, diagonal_recurrent_tensors = false, intermediates = [[[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x39800000 : f32], array<i64: 0>, "None", 0 : i64, 0 : i64], [[0x3C000000 : f32], array<i64: 3>, "None", 0 : i64, 0 : i64]]}> : (tensor<1x2x2x!quant.uniform<i8:f32, 0.05000000074505806:-3>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x2x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, tensor<3x3x!quant.uniform<i8:f32, 0.015625:0>>, none, none, none, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, none, none, tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> (tensor<1x2x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>)
    "tfl.pseudo_store"(%16) <{name = "t13 at Model.subgraphs[0].tensors[13]", initial = dense<[[3, 3, 3]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<i8:f32, 0.0078125:3>>) -> ()
    "tfl.pseudo_store"(%17) <{name = "t14 at Model.subgraphs[0].tensors[14]", initial = dense<[[0, 0, 0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> ()
    return %15 : tensor<1x2x3x!quant.uniform<i8:f32, 0.0078125:3>>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t13 at Model.subgraphs[0].tensors[13]", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x030303"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t14 at Model.subgraphs[0].tensors[14].byte0", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t14 at Model.subgraphs[0].tensors[14].byte1", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x2x3xi8> {tosa.tensor_name = "t15"}) {
    %1 = "tosa.const"() <{values = dense<sha256 32b2af155ca570d1> : tensor<1x131072x1xi16>}> : () -> tensor<1x131072x1xi16>
    %2 = "tosa.const_shape"() <{values = dense<[2, 1, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %3 = "tosa.reshape"(%arg0, %2) : (tensor<1x2x2xi8>, !tosa.shape<3>) -> tensor<2x1x2xi8>
    %4 = "tosa.const_shape"() <{values = dense<[1, 2, 2]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %5 = "tosa.reshape"(%3, %4) : (tensor<2x1x2xi8>, !tosa.shape<3>) -> tensor<1x2x2xi8>
    %6 = "tosa.const"() <{values = dense<sha256 7a96b24d6c683167> : tensor<1x2x12xi8>}> : () -> tensor<1x2x12xi8>
    %7 = "tosa.const"() <{values = dense<[-3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %8 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %9 = "tosa.matmul"(%5, %6, %7, %8) : (tensor<1x2x2xi8>, tensor<1x2x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x2x12xi32>
    %10 = "tosa.const"() <{values = dense<[[[-48, -32, -16, -48, -32, -16, -48, -32, -16, -48, -32, -16]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %11 = "tosa.add"(%9, %10) : (tensor<1x2x12xi32>, tensor<1x1x12xi32>) -> tensor<1x2x12xi32>
    %12 = "tosa.const"() <{values = dense<[1717986944]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %13 = "tosa.const"() <{values = dense<[29]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %14 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %15 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %16 = "tosa.rescale"(%11, %12, %13, %14, %15) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x2x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x2x12xi16>
    %17 = "tosa.cast"(%16) : (tensor<1x2x12xi16>) -> tensor<1x2x12xi32>
    %18 = "tosa.const"() <{values = dense<[[[32768, 32768, 32768, 32768, 32768, 32768, 98304, 98304, 98304, 32768, 32768, 32768]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %19 = "tosa.add"(%17, %18) : (tensor<1x2x12xi32>, tensor<1x1x12xi32>) -> tensor<1x2x12xi32>
    %20 = "tosa.const_shape"() <{values = dense<[2, 1, 12]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %21 = "tosa.reshape"(%19, %20) : (tensor<1x2x12xi32>, !tosa.shape<3>) -> tensor<2x1x12xi32>
    %22 = "tosa.const_shape"() <{values = dense<[0, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %23 = "tosa.const_shape"() <{values = dense<[1, 1, 12]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %24 = "tosa.slice"(%21, %22, %23) : (tensor<2x1x12xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xi32>
    %25 = "tosa.variable_read"() <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : () -> tensor<1x3xi8>
    %26 = "tosa.const_shape"() <{values = dense<[1, 1, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %27 = "tosa.reshape"(%25, %26) : (tensor<1x3xi8>, !tosa.shape<3>) -> tensor<1x1x3xi8>
    %28 = "tosa.const"() <{values = dense<sha256 dbbc05224946d9ed> : tensor<1x3x12xi8>}> : () -> tensor<1x3x12xi8>
    %29 = "tosa.const"() <{values = dense<[3]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %30 = "tosa.matmul"(%27, %28, %29, %8) : (tensor<1x1x3xi8>, tensor<1x3x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x12xi32>
    %31 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %32 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %33 = "tosa.rescale"(%30, %31, %32, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x12xi32>
    %34 = "tosa.add"(%24, %33) : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %35 = "tosa.const"() <{values = dense<[[[0, 0, 0, 0, 0, 0, 65536, 65536, 65536, 0, 0, 0]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %36 = "tosa.maximum"(%34, %35) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %37 = "tosa.const"() <{values = dense<[[[65535, 65535, 65535, 65535, 65535, 65535, 131071, 131071, 131071, 65535, 65535, 65535]]]> : tensor<1x1x12xi32>}> : () -> tensor<1x1x12xi32>
    %38 = "tosa.minimum"(%36, %37) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %39 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %40 = "tosa.reshape"(%38, %39) : (tensor<1x1x12xi32>, !tosa.shape<2>) -> tensor<1x12xi32>
    %41 = "tosa.gather"(%1, %40) : (tensor<1x131072x1xi16>, tensor<1x12xi32>) -> tensor<1x12x1xi16>
    %42 = "tosa.reshape"(%41, %23) : (tensor<1x12x1xi16>, !tosa.shape<3>) -> tensor<1x1x12xi16>
    %43 = "tosa.const_shape"() <{values = dense<[0, 0, 9]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %44 = "tosa.slice"(%42, %43, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %45 = "tosa.const"() <{values = dense<sha256 22e8b026529f3977> : tensor<1x65536x1xi16>}> : () -> tensor<1x65536x1xi16>
    %46 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %47 = "tosa.slice"(%42, %46, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %48 = "tosa.variable_read"() <{name = "t14 at Model.subgraphs[0].tensors[14].byte1"}> : () -> tensor<1x3xi8>
    %49 = "tosa.cast"(%48) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %50 = "tosa.const"() <{values = dense<[[8]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %51 = "tosa.logical_left_shift"(%49, %50) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %52 = "tosa.variable_read"() <{name = "t14 at Model.subgraphs[0].tensors[14].byte0"}> : () -> tensor<1x3xi8>
    %53 = "tosa.cast"(%52) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %54 = "tosa.const"() <{values = dense<[[255]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %55 = "tosa.bitwise_and"(%53, %54) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %56 = "tosa.bitwise_or"(%51, %55) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %57 = "tosa.cast"(%56) : (tensor<1x3xi32>) -> tensor<1x3xi16>
    %58 = "tosa.reshape"(%57, %26) : (tensor<1x3xi16>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %59 = "tosa.mul"(%47, %58, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %60 = "tosa.const"() <{values = dense<[1073741825]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %61 = "tosa.const"() <{values = dense<[45]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %62 = "tosa.rescale"(%59, %60, %61, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %63 = "tosa.slice"(%42, %22, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %64 = "tosa.const_shape"() <{values = dense<[0, 0, 6]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %65 = "tosa.slice"(%42, %64, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %66 = "tosa.mul"(%63, %65, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %67 = "tosa.const"() <{values = dense<[49]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %68 = "tosa.rescale"(%66, %60, %67, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %69 = "tosa.add"(%62, %68) : (tensor<1x1x3xi32>, tensor<1x1x3xi32>) -> tensor<1x1x3xi32>
    %70 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %71 = "tosa.rescale"(%69, %31, %70, %14, %15) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x1x3xi16>
    %72 = "tosa.cast"(%71) : (tensor<1x1x3xi16>) -> tensor<1x1x3xi32>
    %73 = "tosa.const"() <{values = dense<[[[32768]]]> : tensor<1x1x1xi32>}> : () -> tensor<1x1x1xi32>
    %74 = "tosa.add"(%72, %73) : (tensor<1x1x3xi32>, tensor<1x1x1xi32>) -> tensor<1x1x3xi32>
    %75 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %76 = "tosa.reshape"(%74, %75) : (tensor<1x1x3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
    %77 = "tosa.gather"(%45, %76) : (tensor<1x65536x1xi16>, tensor<1x3xi32>) -> tensor<1x3x1xi16>
    %78 = "tosa.reshape"(%77, %26) : (tensor<1x3x1xi16>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %79 = "tosa.mul"(%44, %78, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %80 = "tosa.const"() <{values = dense<[53]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %81 = "tosa.rescale"(%79, %31, %80, %14, %29) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x3xi8>
    %82 = "tosa.const_shape"() <{values = dense<[1, 0, 0]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %83 = "tosa.slice"(%21, %82, %23) : (tensor<2x1x12xi32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x12xi32>
    %84 = "tosa.matmul"(%81, %28, %29, %8) : (tensor<1x1x3xi8>, tensor<1x3x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x12xi32>
    %85 = "tosa.rescale"(%84, %31, %32, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x12xi32>
    %86 = "tosa.add"(%83, %85) : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %87 = "tosa.maximum"(%86, %35) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %88 = "tosa.minimum"(%87, %37) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<1x1x12xi32>, tensor<1x1x12xi32>) -> tensor<1x1x12xi32>
    %89 = "tosa.reshape"(%88, %39) : (tensor<1x1x12xi32>, !tosa.shape<2>) -> tensor<1x12xi32>
    %90 = "tosa.gather"(%1, %89) : (tensor<1x131072x1xi16>, tensor<1x12xi32>) -> tensor<1x12x1xi16>
    %91 = "tosa.reshape"(%90, %23) : (tensor<1x12x1xi16>, !tosa.shape<3>) -> tensor<1x1x12xi16>
    %92 = "tosa.slice"(%91, %43, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %93 = "tosa.slice"(%91, %46, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %94 = "tosa.mul"(%93, %71, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %95 = "tosa.rescale"(%94, %60, %61, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %96 = "tosa.slice"(%91, %22, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %97 = "tosa.slice"(%91, %64, %26) : (tensor<1x1x12xi16>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %98 = "tosa.mul"(%96, %97, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %99 = "tosa.rescale"(%98, %60, %67, %14, %14) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x1x3xi32>
    %100 = "tosa.add"(%95, %99) : (tensor<1x1x3xi32>, tensor<1x1x3xi32>) -> tensor<1x1x3xi32>
    %101 = "tosa.rescale"(%100, %31, %70, %14, %15) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x1x3xi16>
    %102 = "tosa.cast"(%101) : (tensor<1x1x3xi16>) -> tensor<1x1x3xi32>
    %103 = "tosa.add"(%102, %73) : (tensor<1x1x3xi32>, tensor<1x1x1xi32>) -> tensor<1x1x3xi32>
    %104 = "tosa.reshape"(%103, %75) : (tensor<1x1x3xi32>, !tosa.shape<2>) -> tensor<1x3xi32>
    %105 = "tosa.gather"(%45, %104) : (tensor<1x65536x1xi16>, tensor<1x3xi32>) -> tensor<1x3x1xi16>
    %106 = "tosa.reshape"(%105, %26) : (tensor<1x3x1xi16>, !tosa.shape<3>) -> tensor<1x1x3xi16>
    %107 = "tosa.mul"(%92, %106, %8) : (tensor<1x1x3xi16>, tensor<1x1x3xi16>, tensor<1xi8>) -> tensor<1x1x3xi32>
    %108 = "tosa.rescale"(%107, %31, %80, %14, %29) <{scale32 = true, rounding_mode = #tosa.rounding_mode<DOUBLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x1x3xi8>
    %109 = "tosa.concat"(%81, %108) <{axis = 0 : i32}> : (tensor<1x1x3xi8>, tensor<1x1x3xi8>) -> tensor<2x1x3xi8>
    %110 = "tosa.const_shape"() <{values = dense<[1, 2, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %111 = "tosa.reshape"(%109, %110) : (tensor<2x1x3xi8>, !tosa.shape<3>) -> tensor<1x2x3xi8>
    %112 = "tosa.reshape"(%108, %75) : (tensor<1x1x3xi8>, !tosa.shape<2>) -> tensor<1x3xi8>
    "tosa.variable_write"(%112) <{name = "t13 at Model.subgraphs[0].tensors[13]"}> : (tensor<1x3xi8>) -> ()
    %113 = "tosa.reshape"(%101, %75) : (tensor<1x1x3xi16>, !tosa.shape<2>) -> tensor<1x3xi16>
    %114 = "tosa.cast"(%113) : (tensor<1x3xi16>) -> tensor<1x3xi32>
    %115 = "tosa.cast"(%114) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%115) <{name = "t14 at Model.subgraphs[0].tensors[14].byte0"}> : (tensor<1x3xi8>) -> ()
    %116 = "tosa.arithmetic_right_shift"(%114, %50) <{round = false}> : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %117 = "tosa.cast"(%116) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%117) <{name = "t14 at Model.subgraphs[0].tensors[14].byte1"}> : (tensor<1x3xi8>) -> ()
    return %111 : tensor<1x2x3xi8>
  }
}
