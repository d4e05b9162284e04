// before
module {
  func.func @"main"(%arg0: tensor<1x2x!quant.uniform<ui8:f32, 0.0078125:128>> {tosa.tensor_name = "t0"}) -> (tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>> {tosa.tensor_name = "t5"}, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>> {tosa.tensor_name = "t6"}, tensor<1x5x!quant.uniform<ui8:f32, 0.0078125:128>> {tosa.tensor_name = "t7"}, tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>> {tosa.tensor_name = "t8"}) {
    %1 = "tfl.pseudo_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<[[0, 0, 0]]> : tensor<1x3xui8>, unset = false}> : () -> tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>
    %2 = "tfl.pseudo_const"() <{values = dense<sha256 b4bdfd446e6d31a1> : tensor<12x5xui8>}> : () -> tensor<12x5x!quant.uniform<ui8:f32, 0.015625:0>>
    %3 = "tfl.pseudo_const"() <{values = dense<[0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]> : tensor<12xi32>}> : () -> tensor<12x!quant.uniform<i32:f32, 0.0001220703125:0>>
    %4 = "tfl.pseudo_read"() <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0, 0, 0]]> : tensor<1x3xi16>, unset = false}> : () -> tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>
    %5, %6, %7, %8, %9, %10 = "tfl.lstm"(%arg0, %1, %2, %3, %4) <{fused_activation_function = "TANH", cell_clip = 0x00000000 : f32, proj_clip = 0x00000000 : f32, kernel_type = "BASIC", asymmetric_quantize_inputs = false, intermediates = array<i64: >}> : (tensor<1x2x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<12x5x!quant.uniform<ui8:f32, 0.015625:0>>, tensor<12x!quant.uniform<i32:f32, 0.0001220703125:0>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> (tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>, tensor<1x5x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>, tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>)
    "tfl.pseudo_store"(%9) <{name = "t1 at Model.subgraphs[0].tensors[1]", initial = dense<[[0, 0, 0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>) -> ()
    "tfl.pseudo_store"(%10) <{name = "t4 at Model.subgraphs[0].tensors[4]", initial = dense<[[0, 0, 0]]> : tensor<1x3xf32>, shape = array<i64: 1, 3>, declared = true}> : (tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>) -> ()
    return %5, %6, %7, %8 : tensor<1x3x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x3x!quant.uniform<i16:f32, 0.00048828125:0>>, tensor<1x5x!quant.uniform<ui8:f32, 0.0078125:128>>, tensor<1x12x!quant.uniform<i16:f32, 0.000244140625:0>>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "t1 at Model.subgraphs[0].tensors[1]", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4].byte0", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "t4 at Model.subgraphs[0].tensors[4].byte1", type = i8, var_shape = dense<[1, 3]> : tensor<2xindex>, initial_value = dense<"0x000000"> : tensor<1x3xi8>}> : () -> ()
  func.func @"main"(%arg0: tensor<1x2xi8> {tosa.tensor_name = "t0"}) -> (tensor<1x3xi8> {tosa.tensor_name = "t5"}, tensor<1x3xi16> {tosa.tensor_name = "t6"}, tensor<1x5xi8> {tosa.tensor_name = "t7"}, tensor<1x12xi16> {tosa.tensor_name = "t8"}) {
    %1 = "tosa.const"() <{values = dense<sha256 32b2af155ca570d1> : tensor<1x131072x1xi16>}> : () -> tensor<1x131072x1xi16>
    %2 = "tosa.variable_read"() <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : () -> tensor<1x3xi8>
    %3 = "tosa.concat"(%arg0, %2) <{axis = 1 : i32}> : (tensor<1x2xi8>, tensor<1x3xi8>) -> tensor<1x5xi8>
    %4 = "tosa.const"() <{values = dense<[[-128]]> : tensor<1x1xi8>}> : () -> tensor<1x1xi8>
    %5 = "tosa.bitwise_xor"(%3, %4) : (tensor<1x5xi8>, tensor<1x1xi8>) -> tensor<1x5xi8>
    %6 = "tosa.const_shape"() <{values = dense<[1, 1, 5]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %7 = "tosa.reshape"(%5, %6) : (tensor<1x5xi8>, !tosa.shape<3>) -> tensor<1x1x5xi8>
    %8 = "tosa.const"() <{values = dense<sha256 6544acd7449347b8> : tensor<1x5x12xi8>}> : () -> tensor<1x5x12xi8>
    %9 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %10 = "tosa.const"() <{values = dense<[-128]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %11 = "tosa.matmul"(%7, %8, %9, %10) : (tensor<1x1x5xi8>, tensor<1x5x12xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x12xi32>
    %12 = "tosa.const_shape"() <{values = dense<[1, 12]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %13 = "tosa.reshape"(%11, %12) : (tensor<1x1x12xi32>, !tosa.shape<2>) -> tensor<1x12xi32>
    %14 = "tosa.const"() <{values = dense<[[0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100]]> : tensor<1x12xi32>}> : () -> tensor<1x12xi32>
    %15 = "tosa.add"(%13, %14) : (tensor<1x12xi32>, tensor<1x12xi32>) -> tensor<1x12xi32>
    %16 = "tosa.const"() <{values = dense<[1073741824]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %17 = "tosa.const"() <{values = dense<[31]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %18 = "tosa.const"() <{values = dense<[0]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %19 = "tosa.rescale"(%15, %16, %17, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x12xi32>
    %20 = "tosa.const"() <{values = dense<[30]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %21 = "tosa.const"() <{values = dense<[0]> : tensor<1xi16>}> : () -> tensor<1xi16>
    %22 = "tosa.rescale"(%19, %16, %20, %18, %21) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x12xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x12xi16>
    %23 = "tosa.cast"(%22) : (tensor<1x12xi16>) -> tensor<1x12xi32>
    %24 = "tosa.const"() <{values = dense<[[32768, 32768, 32768, 98304, 98304, 98304, 32768, 32768, 32768, 32768, 32768, 32768]]> : tensor<1x12xi32>}> : () -> tensor<1x12xi32>
    %25 = "tosa.add"(%23, %24) : (tensor<1x12xi32>, tensor<1x12xi32>) -> tensor<1x12xi32>
    %26 = "tosa.gather"(%1, %25) : (tensor<1x131072x1xi16>, tensor<1x12xi32>) -> tensor<1x12x1xi16>
    %27 = "tosa.reshape"(%26, %12) : (tensor<1x12x1xi16>, !tosa.shape<2>) -> tensor<1x12xi16>
    %28 = "tosa.const_shape"() <{values = dense<[0, 9]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %29 = "tosa.const_shape"() <{values = dense<[1, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %30 = "tosa.slice"(%27, %28, %29) : (tensor<1x12xi16>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xi16>
    %31 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %32 = "tosa.slice"(%27, %31, %29) : (tensor<1x12xi16>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xi16>
    %33 = "tosa.const_shape"() <{values = dense<[0, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %34 = "tosa.slice"(%27, %33, %29) : (tensor<1x12xi16>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xi16>
    %35 = "tosa.mul"(%32, %34, %9) : (tensor<1x3xi16>, tensor<1x3xi16>, tensor<1xi8>) -> tensor<1x3xi32>
    %36 = "tosa.const"() <{values = dense<[45]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %37 = "tosa.rescale"(%35, %16, %36, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x3xi32>
    %38 = "tosa.const"() <{values = dense<[1073741825]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %39 = "tosa.const"() <{values = dense<[34]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %40 = "tosa.rescale"(%37, %38, %39, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x3xi32>
    %41 = "tosa.const_shape"() <{values = dense<[0, 6]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %42 = "tosa.slice"(%27, %41, %29) : (tensor<1x12xi16>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x3xi16>
    %43 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4].byte1"}> : () -> tensor<1x3xi8>
    %44 = "tosa.cast"(%43) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %45 = "tosa.const"() <{values = dense<[[8]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %46 = "tosa.logical_left_shift"(%44, %45) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %47 = "tosa.variable_read"() <{name = "t4 at Model.subgraphs[0].tensors[4].byte0"}> : () -> tensor<1x3xi8>
    %48 = "tosa.cast"(%47) : (tensor<1x3xi8>) -> tensor<1x3xi32>
    %49 = "tosa.const"() <{values = dense<[[255]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %50 = "tosa.bitwise_and"(%48, %49) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %51 = "tosa.bitwise_or"(%46, %50) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %52 = "tosa.cast"(%51) : (tensor<1x3xi32>) -> tensor<1x3xi16>
    %53 = "tosa.mul"(%42, %52, %9) : (tensor<1x3xi16>, tensor<1x3xi16>, tensor<1xi8>) -> tensor<1x3xi32>
    %54 = "tosa.rescale"(%53, %16, %36, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x3xi32>
    %55 = "tosa.add"(%40, %54) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %56 = "tosa.add"(%55, %55) : (tensor<1x3xi32>, tensor<1x3xi32>) -> tensor<1x3xi32>
    %57 = "tosa.rescale"(%56, %16, %20, %18, %21) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x3xi16>
    %58 = "tosa.cast"(%57) : (tensor<1x3xi16>) -> tensor<1x3xi32>
    %59 = "tosa.const"() <{values = dense<[[98304]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %60 = "tosa.add"(%58, %59) : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %61 = "tosa.gather"(%1, %60) : (tensor<1x131072x1xi16>, tensor<1x3xi32>) -> tensor<1x3x1xi16>
    %62 = "tosa.reshape"(%61, %29) : (tensor<1x3x1xi16>, !tosa.shape<2>) -> tensor<1x3xi16>
    %63 = "tosa.mul"(%30, %62, %9) : (tensor<1x3xi16>, tensor<1x3xi16>, tensor<1xi8>) -> tensor<1x3xi32>
    %64 = "tosa.rescale"(%63, %16, %36, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x3xi32>
    %65 = "tosa.const"() <{values = dense<[38]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %66 = "tosa.rescale"(%64, %38, %65, %18, %18) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x3xi32>
    %67 = "tosa.rescale"(%66, %16, %20, %18, %9) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi8>) -> tensor<1x3xi8>
    %68 = "tosa.bitwise_xor"(%67, %4) : (tensor<1x3xi8>, tensor<1x1xi8>) -> tensor<1x3xi8>
    %69 = "tosa.rescale"(%55, %16, %20, %18, %21) <{scale32 = true, rounding_mode = #tosa.rounding_mode<SINGLE_ROUND>, per_channel = false, input_unsigned = false, output_unsigned = false}> : (tensor<1x3xi32>, tensor<1xi32>, tensor<1xi8>, tensor<1xi32>, tensor<1xi16>) -> tensor<1x3xi16>
    "tosa.variable_write"(%68) <{name = "t1 at Model.subgraphs[0].tensors[1]"}> : (tensor<1x3xi8>) -> ()
    %70 = "tosa.cast"(%69) : (tensor<1x3xi16>) -> tensor<1x3xi32>
    %71 = "tosa.cast"(%70) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%71) <{name = "t4 at Model.subgraphs[0].tensors[4].byte0"}> : (tensor<1x3xi8>) -> ()
    %72 = "tosa.arithmetic_right_shift"(%70, %45) <{round = false}> : (tensor<1x3xi32>, tensor<1x1xi32>) -> tensor<1x3xi32>
    %73 = "tosa.cast"(%72) : (tensor<1x3xi32>) -> tensor<1x3xi8>
    "tosa.variable_write"(%73) <{name = "t4 at Model.subgraphs[0].tensors[4].byte1"}> : (tensor<1x3xi8>) -> ()
    return %68, %69, %3, %22 : tensor<1x3xi8>, tensor<1x3xi16>, tensor<1x5xi8>, tensor<1x12xi16>
  }
}
