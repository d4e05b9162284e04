// before
module {
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %0 = "tfl.pseudo_const"() <{values = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "tfl.pseudo_read"() <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'", initial = dense<[0, 0]> : tensor<2xi32>, unset = false}> : () -> tensor<2xi32>
    %2, %3 = "tfl.random_standard_normal"(%0, %1) <{seed = 3 : i64, seed2 = 5 : i64}> : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2x3xf32>, tensor<2xi32>)
    "tfl.pseudo_store"(%3) <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'", initial = dense<[0, 0]> : tensor<2xf32>, shape = array<i64: 2>, declared = true}> : (tensor<2xi32>) -> ()
    return %2 : tensor<2x3xf32>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte0", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte1", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte2", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte3", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  func.func @"main"() -> (tensor<2x3xf32> {tosa.tensor_name = "t1"}) {
    %0 = "tosa.const"() <{values = dense<[[true, false]]> : tensor<1x2xi1>}> : () -> tensor<1x2xi1>
    %1 = "tosa.variable_read"() <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte3"}> : () -> tensor<2xi8>
    %2 = "tosa.cast"(%1) : (tensor<2xi8>) -> tensor<2xi32>
    %3 = "tosa.const"() <{values = dense<[8]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %4 = "tosa.logical_left_shift"(%2, %3) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = "tosa.variable_read"() <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte2"}> : () -> tensor<2xi8>
    %6 = "tosa.cast"(%5) : (tensor<2xi8>) -> tensor<2xi32>
    %7 = "tosa.const"() <{values = dense<[255]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %8 = "tosa.bitwise_and"(%6, %7) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %9 = "tosa.bitwise_or"(%4, %8) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %10 = "tosa.logical_left_shift"(%9, %3) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = "tosa.variable_read"() <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte1"}> : () -> tensor<2xi8>
    %12 = "tosa.cast"(%11) : (tensor<2xi8>) -> tensor<2xi32>
    %13 = "tosa.bitwise_and"(%12, %7) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %14 = "tosa.bitwise_or"(%10, %13) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %15 = "tosa.logical_left_shift"(%14, %3) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = "tosa.variable_read"() <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte0"}> : () -> tensor<2xi8>
    %17 = "tosa.cast"(%16) : (tensor<2xi8>) -> tensor<2xi32>
    %18 = "tosa.bitwise_and"(%17, %7) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = "tosa.bitwise_or"(%15, %18) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %20 = "tosa.const_shape"() <{values = dense<[0]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %21 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %22 = "tosa.slice"(%19, %20, %21) : (tensor<2xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
    %23 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %24 = "tosa.reshape"(%22, %23) : (tensor<1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %25 = "tosa.const"() <{values = dense<[[16]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %26 = "tosa.logical_right_shift"(%24, %25) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %27 = "tosa.const"() <{values = dense<[[65535]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %28 = "tosa.bitwise_and"(%24, %27) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %29 = "tosa.const"() <{values = dense<[[0], [1], [2]]> : tensor<3x1xi32>}> : () -> tensor<3x1xi32>
    %30 = "tosa.add"(%28, %29) : (tensor<1x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %31 = "tosa.logical_right_shift"(%30, %25) : (tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x1xi32>
    %32 = "tosa.add"(%26, %31) : (tensor<1x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %33 = "tosa.logical_left_shift"(%32, %25) : (tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x1xi32>
    %34 = "tosa.bitwise_and"(%30, %27) : (tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x1xi32>
    %35 = "tosa.bitwise_or"(%33, %34) : (tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %36 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %37 = "tosa.const_shape"() <{values = dense<[2, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %38 = "tosa.slice"(%35, %36, %37) : (tensor<3x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x1xi32>
    %39 = "tosa.const"() <{values = dense<[[-2147483648]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %40 = "tosa.bitwise_xor"(%38, %39) : (tensor<2x1xi32>, tensor<1x1xi32>) -> tensor<2x1xi32>
    %41 = "tosa.const"() <{values = dense<[[-2147483643]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %42 = "tosa.select"(%0, %40, %41) : (tensor<1x2xi1>, tensor<2x1xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %43 = "tosa.const"() <{values = dense<[[-766435501, -845247145]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %44 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %45 = "tosa.mul"(%42, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %46 = "tosa.add"(%45, %42) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %47 = "tosa.const"() <{values = dense<[[-383217751, -422623573]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %48 = "tosa.add"(%46, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %49 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %50 = "tosa.slice"(%19, %21, %21) : (tensor<2xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
    %51 = "tosa.reshape"(%50, %23) : (tensor<1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %52 = "tosa.logical_right_shift"(%32, %25) : (tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x1xi32>
    %53 = "tosa.add"(%51, %52) : (tensor<1x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %54 = "tosa.slice"(%53, %36, %37) : (tensor<3x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x1xi32>
    %55 = "tosa.select"(%0, %49, %54) : (tensor<1x2xi1>, tensor<1x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
    %56 = "tosa.bitwise_xor"(%48, %55) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %57 = "tosa.reverse"(%56) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %58 = "tosa.const"() <{values = dense<[[3, 0]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %59 = "tosa.bitwise_xor"(%57, %58) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %60 = "tosa.mul"(%59, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %61 = "tosa.add"(%60, %59) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %62 = "tosa.add"(%61, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %63 = "tosa.bitwise_and"(%42, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %64 = "tosa.const"() <{values = dense<[[-11695, -12897]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %65 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %66 = "tosa.mul"(%63, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %67 = "tosa.arithmetic_right_shift"(%42, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %68 = "tosa.const"() <{values = dense<[[8019, -29353]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %69 = "tosa.mul"(%67, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %70 = "tosa.add"(%66, %69) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %71 = "tosa.mul"(%63, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %72 = "tosa.arithmetic_right_shift"(%71, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %73 = "tosa.add"(%70, %72) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %74 = "tosa.logical_left_shift"(%73, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %75 = "tosa.bitwise_and"(%71, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %76 = "tosa.bitwise_or"(%74, %75) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %77 = "tosa.bitwise_xor"(%62, %76) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %78 = "tosa.reverse"(%77) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %79 = "tosa.const"() <{values = dense<[[506952124, 996650629]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %80 = "tosa.bitwise_xor"(%78, %79) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %81 = "tosa.mul"(%80, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %82 = "tosa.add"(%81, %80) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %83 = "tosa.add"(%82, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %84 = "tosa.bitwise_and"(%59, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %85 = "tosa.mul"(%84, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %86 = "tosa.arithmetic_right_shift"(%59, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %87 = "tosa.mul"(%86, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %88 = "tosa.add"(%85, %87) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %89 = "tosa.mul"(%84, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %90 = "tosa.arithmetic_right_shift"(%89, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %91 = "tosa.add"(%88, %90) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %92 = "tosa.logical_left_shift"(%91, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %93 = "tosa.bitwise_and"(%89, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %94 = "tosa.bitwise_or"(%92, %93) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %95 = "tosa.bitwise_xor"(%83, %94) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %96 = "tosa.reverse"(%95) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %97 = "tosa.const"() <{values = dense<[[-1133579403, -154182390]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %98 = "tosa.bitwise_xor"(%96, %97) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %99 = "tosa.mul"(%98, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %100 = "tosa.add"(%99, %98) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %101 = "tosa.add"(%100, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %102 = "tosa.bitwise_and"(%80, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %103 = "tosa.mul"(%102, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %104 = "tosa.arithmetic_right_shift"(%80, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %105 = "tosa.mul"(%104, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %106 = "tosa.add"(%103, %105) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %107 = "tosa.mul"(%102, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %108 = "tosa.arithmetic_right_shift"(%107, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %109 = "tosa.add"(%106, %108) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %110 = "tosa.logical_left_shift"(%109, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %111 = "tosa.bitwise_and"(%107, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %112 = "tosa.bitwise_or"(%110, %111) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %113 = "tosa.bitwise_xor"(%101, %112) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %114 = "tosa.reverse"(%113) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %115 = "tosa.const"() <{values = dense<[[1520856366, -1305015409]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %116 = "tosa.bitwise_xor"(%114, %115) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %117 = "tosa.mul"(%116, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %118 = "tosa.add"(%117, %116) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %119 = "tosa.add"(%118, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %120 = "tosa.bitwise_and"(%98, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %121 = "tosa.mul"(%120, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %122 = "tosa.arithmetic_right_shift"(%98, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %123 = "tosa.mul"(%122, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %124 = "tosa.add"(%121, %123) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %125 = "tosa.mul"(%120, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %126 = "tosa.arithmetic_right_shift"(%125, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %127 = "tosa.add"(%124, %126) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %128 = "tosa.logical_left_shift"(%127, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %129 = "tosa.bitwise_and"(%125, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %130 = "tosa.bitwise_or"(%128, %129) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %131 = "tosa.bitwise_xor"(%119, %130) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %132 = "tosa.reverse"(%131) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %133 = "tosa.const"() <{values = dense<[[-119675161, 1839118868]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %134 = "tosa.bitwise_xor"(%132, %133) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %135 = "tosa.mul"(%134, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %136 = "tosa.add"(%135, %134) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %137 = "tosa.add"(%136, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %138 = "tosa.bitwise_and"(%116, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %139 = "tosa.mul"(%138, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %140 = "tosa.arithmetic_right_shift"(%116, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %141 = "tosa.mul"(%140, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %142 = "tosa.add"(%139, %141) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %143 = "tosa.mul"(%138, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %144 = "tosa.arithmetic_right_shift"(%143, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %145 = "tosa.add"(%142, %144) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %146 = "tosa.logical_left_shift"(%145, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %147 = "tosa.bitwise_and"(%143, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %148 = "tosa.bitwise_or"(%146, %147) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %149 = "tosa.bitwise_xor"(%137, %148) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %150 = "tosa.reverse"(%149) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %151 = "tosa.const"() <{values = dense<[[-1760206688, 688285849]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %152 = "tosa.bitwise_xor"(%150, %151) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %153 = "tosa.mul"(%152, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %154 = "tosa.add"(%153, %152) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %155 = "tosa.add"(%154, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %156 = "tosa.bitwise_and"(%134, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %157 = "tosa.mul"(%156, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %158 = "tosa.arithmetic_right_shift"(%134, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %159 = "tosa.mul"(%158, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %160 = "tosa.add"(%157, %159) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %161 = "tosa.mul"(%156, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %162 = "tosa.arithmetic_right_shift"(%161, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %163 = "tosa.add"(%160, %162) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %164 = "tosa.logical_left_shift"(%163, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %165 = "tosa.bitwise_and"(%161, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %166 = "tosa.bitwise_or"(%164, %165) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %167 = "tosa.bitwise_xor"(%155, %166) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %168 = "tosa.reverse"(%167) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %169 = "tosa.const"() <{values = dense<[[894229081, -462547170]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %170 = "tosa.bitwise_xor"(%168, %169) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %171 = "tosa.mul"(%170, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %172 = "tosa.add"(%171, %170) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %173 = "tosa.add"(%172, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %174 = "tosa.bitwise_and"(%152, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %175 = "tosa.mul"(%174, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %176 = "tosa.arithmetic_right_shift"(%152, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %177 = "tosa.mul"(%176, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %178 = "tosa.add"(%175, %177) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %179 = "tosa.mul"(%174, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %180 = "tosa.arithmetic_right_shift"(%179, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %181 = "tosa.add"(%178, %180) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %182 = "tosa.logical_left_shift"(%181, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %183 = "tosa.bitwise_and"(%179, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %184 = "tosa.bitwise_or"(%182, %183) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %185 = "tosa.bitwise_xor"(%173, %184) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %186 = "tosa.reverse"(%185) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %187 = "tosa.const"() <{values = dense<[[-746302446, -1613380189]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %188 = "tosa.bitwise_xor"(%186, %187) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %189 = "tosa.mul"(%188, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %190 = "tosa.add"(%189, %188) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %191 = "tosa.add"(%190, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %192 = "tosa.bitwise_and"(%170, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %193 = "tosa.mul"(%192, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %194 = "tosa.arithmetic_right_shift"(%170, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %195 = "tosa.mul"(%194, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %196 = "tosa.add"(%193, %195) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %197 = "tosa.mul"(%192, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %198 = "tosa.arithmetic_right_shift"(%197, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %199 = "tosa.add"(%196, %198) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %200 = "tosa.logical_left_shift"(%199, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %201 = "tosa.bitwise_and"(%197, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %202 = "tosa.bitwise_or"(%200, %201) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %203 = "tosa.bitwise_xor"(%191, %202) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %204 = "tosa.reverse"(%203) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %205 = "tosa.const"() <{values = dense<[[1908133323, 1530754088]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %206 = "tosa.bitwise_xor"(%204, %205) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %207 = "tosa.bitwise_and"(%206, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %208 = "tosa.mul"(%207, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %209 = "tosa.arithmetic_right_shift"(%206, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %210 = "tosa.mul"(%209, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %211 = "tosa.add"(%208, %210) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %212 = "tosa.mul"(%207, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %213 = "tosa.arithmetic_right_shift"(%212, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %214 = "tosa.add"(%211, %213) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %215 = "tosa.logical_left_shift"(%214, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %216 = "tosa.bitwise_and"(%212, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %217 = "tosa.bitwise_or"(%215, %216) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %218 = "tosa.reverse"(%217) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %219 = "tosa.bitwise_xor"(%218, %39) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %220 = "tosa.const"() <{values = dense<[[8384512]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %221 = "tosa.bitwise_and"(%219, %220) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %222 = "tosa.cast"(%221) : (tensor<2x2xi32>) -> tensor<2x2xf32>
    %223 = "tosa.const"() <{values = dense<[[7.490161806344986e-07]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %224 = "tosa.mul"(%222, %223, %65) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %225 = "tosa.const"() <{values = dense<[[-2.124049634094627e-12]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %226 = "tosa.mul"(%222, %225, %65) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %227 = "tosa.const"() <{values = dense<[[4095]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %228 = "tosa.bitwise_and"(%219, %227) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %229 = "tosa.cast"(%228) : (tensor<2x2xi32>) -> tensor<2x2xf32>
    %230 = "tosa.const"() <{values = dense<[[7.490140774280007e-07]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %231 = "tosa.mul"(%229, %230, %65) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %232 = "tosa.add"(%226, %231) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %233 = "tosa.add"(%224, %232) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %234 = "tosa.sin"(%233) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %235 = "tosa.mul"(%206, %43, %44) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %236 = "tosa.add"(%235, %206) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %237 = "tosa.add"(%236, %47) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %238 = "tosa.bitwise_and"(%188, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %239 = "tosa.mul"(%238, %64, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %240 = "tosa.arithmetic_right_shift"(%188, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %241 = "tosa.mul"(%240, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %242 = "tosa.add"(%239, %241) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %243 = "tosa.mul"(%238, %68, %65) : (tensor<2x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<2x2xi32>
    %244 = "tosa.arithmetic_right_shift"(%243, %25) <{round = false}> : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %245 = "tosa.add"(%242, %244) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %246 = "tosa.logical_left_shift"(%245, %25) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %247 = "tosa.bitwise_and"(%243, %27) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %248 = "tosa.bitwise_or"(%246, %247) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %249 = "tosa.bitwise_xor"(%237, %248) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    %250 = "tosa.reverse"(%249) <{axis = 1 : i32}> : (tensor<2x2xi32>) -> tensor<2x2xi32>
    %251 = "tosa.const"() <{values = dense<[[267601796, 379921069]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %252 = "tosa.bitwise_xor"(%250, %251) : (tensor<2x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %253 = "tosa.bitwise_xor"(%252, %39) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %254 = "tosa.const"() <{values = dense<[[8388607]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %255 = "tosa.bitwise_and"(%253, %254) : (tensor<2x2xi32>, tensor<1x1xi32>) -> tensor<2x2xi32>
    %256 = "tosa.cast"(%255) : (tensor<2x2xi32>) -> tensor<2x2xf32>
    %257 = "tosa.const"() <{values = dense<[[1.1920928955078125e-07]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %258 = "tosa.mul"(%256, %257, %65) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %259 = "tosa.const"() <{values = dense<[[1.0000000116860974e-07]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %260 = "tosa.maximum"(%258, %259) <{nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x2xf32>, tensor<1x1xf32>) -> tensor<2x2xf32>
    %261 = "tosa.log"(%260) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %262 = "tosa.const"() <{values = dense<[[-2.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %263 = "tosa.mul"(%261, %262, %65) : (tensor<2x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %264 = "tosa.rsqrt"(%263) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %265 = "tosa.reciprocal"(%264) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %266 = "tosa.mul"(%234, %265, %65) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %267 = "tosa.const_shape"() <{values = dense<[2, 2, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %268 = "tosa.reshape"(%266, %267) : (tensor<2x2xf32>, !tosa.shape<3>) -> tensor<2x2x1xf32>
    %269 = "tosa.cos"(%233) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %270 = "tosa.mul"(%269, %265, %65) : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1xi8>) -> tensor<2x2xf32>
    %271 = "tosa.reshape"(%270, %267) : (tensor<2x2xf32>, !tosa.shape<3>) -> tensor<2x2x1xf32>
    %272 = "tosa.concat"(%268, %271) <{axis = 2 : i32}> : (tensor<2x2x1xf32>, tensor<2x2x1xf32>) -> tensor<2x2x2xf32>
    %273 = "tosa.const_shape"() <{values = dense<[8]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %274 = "tosa.reshape"(%272, %273) : (tensor<2x2x2xf32>, !tosa.shape<1>) -> tensor<8xf32>
    %275 = "tosa.const_shape"() <{values = dense<[6]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %276 = "tosa.slice"(%274, %20, %275) : (tensor<8xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<6xf32>
    %277 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %278 = "tosa.reshape"(%276, %277) : (tensor<6xf32>, !tosa.shape<2>) -> tensor<2x3xf32>
    %279 = "tosa.const_shape"() <{values = dense<[2, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %280 = "tosa.slice"(%35, %279, %23) : (tensor<3x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1xi32>
    %281 = "tosa.slice"(%53, %279, %23) : (tensor<3x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1xi32>
    %282 = "tosa.concat"(%280, %281) <{axis = 0 : i32}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<2x1xi32>
    %283 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %284 = "tosa.reshape"(%282, %283) : (tensor<2x1xi32>, !tosa.shape<1>) -> tensor<2xi32>
    %285 = "tosa.cast"(%284) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%285) <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte0"}> : (tensor<2xi8>) -> ()
    %286 = "tosa.arithmetic_right_shift"(%284, %3) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %287 = "tosa.cast"(%286) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%287) <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte1"}> : (tensor<2xi8>) -> ()
    %288 = "tosa.const"() <{values = dense<[16]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %289 = "tosa.arithmetic_right_shift"(%284, %288) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %290 = "tosa.cast"(%289) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%290) <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte2"}> : (tensor<2xi8>) -> ()
    %291 = "tosa.const"() <{values = dense<[24]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %292 = "tosa.arithmetic_right_shift"(%284, %291) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %293 = "tosa.cast"(%292) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%293) <{name = "counter at main:0 RANDOM_STANDARD_NORMAL 't1'.byte3"}> : (tensor<2xi8>) -> ()
    return %278 : tensor<2x3xf32>
  }
}
