// before
module {
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi64> {tosa.tensor_name = "t2"}) {
    %1 = "tfl.pseudo_const"() <{values = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %2 = "tfl.pseudo_read"() <{name = "counter at main:0 MULTINOMIAL 't2'", initial = dense<[0, 0]> : tensor<2xi32>, unset = false}> : () -> tensor<2xi32>
    %3, %4 = "tfl.multinomial"(%arg0, %1, %2) <{seed = 3 : i64, seed2 = 5 : i64}> : (tensor<2x4xf32>, tensor<i32>, tensor<2xi32>) -> (tensor<2x3xi64>, tensor<2xi32>)
    "tfl.pseudo_store"(%4) <{name = "counter at main:0 MULTINOMIAL 't2'", initial = dense<[0, 0]> : tensor<2xf32>, shape = array<i64: 2>, declared = true}> : (tensor<2xi32>) -> ()
    return %3 : tensor<2x3xi64>
  }
}
// after
module {
  "tosa.variable"() <{sym_name = "counter at main:0 MULTINOMIAL 't2'.byte0", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 MULTINOMIAL 't2'.byte1", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 MULTINOMIAL 't2'.byte2", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  "tosa.variable"() <{sym_name = "counter at main:0 MULTINOMIAL 't2'.byte3", type = i8, var_shape = dense<[2]> : tensor<1xindex>, initial_value = dense<"0x0000"> : tensor<2xi8>}> : () -> ()
  func.func @"main"(%arg0: tensor<2x4xf32> {tosa.tensor_name = "t0"}) -> (tensor<2x3xi32> {tosa.tensor_name = "t2"}) {
    %1 = "tosa.const"() <{values = dense<[[true, false]]> : tensor<1x2xi1>}> : () -> tensor<1x2xi1>
    %2 = "tosa.variable_read"() <{name = "counter at main:0 MULTINOMIAL 't2'.byte3"}> : () -> tensor<2xi8>
    %3 = "tosa.cast"(%2) : (tensor<2xi8>) -> tensor<2xi32>
    %4 = "tosa.const"() <{values = dense<[8]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %5 = "tosa.logical_left_shift"(%3, %4) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = "tosa.variable_read"() <{name = "counter at main:0 MULTINOMIAL 't2'.byte2"}> : () -> tensor<2xi8>
    %7 = "tosa.cast"(%6) : (tensor<2xi8>) -> tensor<2xi32>
    %8 = "tosa.const"() <{values = dense<[255]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %9 = "tosa.bitwise_and"(%7, %8) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %10 = "tosa.bitwise_or"(%5, %9) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %11 = "tosa.logical_left_shift"(%10, %4) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = "tosa.variable_read"() <{name = "counter at main:0 MULTINOMIAL 't2'.byte1"}> : () -> tensor<2xi8>
    %13 = "tosa.cast"(%12) : (tensor<2xi8>) -> tensor<2xi32>
    %14 = "tosa.bitwise_and"(%13, %8) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %15 = "tosa.bitwise_or"(%11, %14) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %16 = "tosa.logical_left_shift"(%15, %4) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %17 = "tosa.variable_read"() <{name = "counter at main:0 MULTINOMIAL 't2'.byte0"}> : () -> tensor<2xi8>
    %18 = "tosa.cast"(%17) : (tensor<2xi8>) -> tensor<2xi32>
    %19 = "tosa.bitwise_and"(%18, %8) : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %20 = "tosa.bitwise_or"(%16, %19) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %21 = "tosa.const_shape"() <{values = dense<[0]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %22 = "tosa.const_shape"() <{values = dense<[1]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %23 = "tosa.slice"(%20, %21, %22) : (tensor<2xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
    %24 = "tosa.const_shape"() <{values = dense<[1, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %25 = "tosa.reshape"(%23, %24) : (tensor<1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %26 = "tosa.const"() <{values = dense<[[16]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %27 = "tosa.logical_right_shift"(%25, %26) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %28 = "tosa.const"() <{values = dense<[[65535]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %29 = "tosa.bitwise_and"(%25, %28) : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi32>
    %30 = "tosa.const"() <{values = dense<[[0], [1], [2], [4096]]> : tensor<4x1xi32>}> : () -> tensor<4x1xi32>
    %31 = "tosa.add"(%29, %30) : (tensor<1x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %32 = "tosa.logical_right_shift"(%31, %26) : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %33 = "tosa.add"(%27, %32) : (tensor<1x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %34 = "tosa.logical_left_shift"(%33, %26) : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %35 = "tosa.bitwise_and"(%31, %28) : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %36 = "tosa.bitwise_or"(%34, %35) : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %37 = "tosa.const_shape"() <{values = dense<[0, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %38 = "tosa.const_shape"() <{values = dense<[3, 1]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %39 = "tosa.slice"(%36, %37, %38) : (tensor<4x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x1xi32>
    %40 = "tosa.const"() <{values = dense<[[-2147483648]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %41 = "tosa.bitwise_xor"(%39, %40) : (tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x1xi32>
    %42 = "tosa.const"() <{values = dense<[[-2147483643]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %43 = "tosa.select"(%1, %41, %42) : (tensor<1x2xi1>, tensor<3x1xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %44 = "tosa.const"() <{values = dense<[[-766435501, -845247145]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %45 = "tosa.const"() <{values = dense<[32]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %46 = "tosa.mul"(%43, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %47 = "tosa.add"(%46, %43) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %48 = "tosa.const"() <{values = dense<[[-383217751, -422623573]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %49 = "tosa.add"(%47, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %50 = "tosa.const"() <{values = dense<[[0]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %51 = "tosa.slice"(%20, %22, %22) : (tensor<2xi32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xi32>
    %52 = "tosa.reshape"(%51, %24) : (tensor<1xi32>, !tosa.shape<2>) -> tensor<1x1xi32>
    %53 = "tosa.logical_right_shift"(%33, %26) : (tensor<4x1xi32>, tensor<1x1xi32>) -> tensor<4x1xi32>
    %54 = "tosa.add"(%52, %53) : (tensor<1x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi32>
    %55 = "tosa.slice"(%54, %37, %38) : (tensor<4x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<3x1xi32>
    %56 = "tosa.select"(%1, %50, %55) : (tensor<1x2xi1>, tensor<1x1xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
    %57 = "tosa.bitwise_xor"(%49, %56) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %58 = "tosa.reverse"(%57) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %59 = "tosa.const"() <{values = dense<[[3, 0]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %60 = "tosa.bitwise_xor"(%58, %59) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %61 = "tosa.mul"(%60, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %62 = "tosa.add"(%61, %60) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %63 = "tosa.add"(%62, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %64 = "tosa.bitwise_and"(%43, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %65 = "tosa.const"() <{values = dense<[[-11695, -12897]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %66 = "tosa.const"() <{values = dense<[0]> : tensor<1xi8>}> : () -> tensor<1xi8>
    %67 = "tosa.mul"(%64, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %68 = "tosa.arithmetic_right_shift"(%43, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %69 = "tosa.const"() <{values = dense<[[8019, -29353]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %70 = "tosa.mul"(%68, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %71 = "tosa.add"(%67, %70) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %72 = "tosa.mul"(%64, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %73 = "tosa.arithmetic_right_shift"(%72, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %74 = "tosa.add"(%71, %73) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %75 = "tosa.logical_left_shift"(%74, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %76 = "tosa.bitwise_and"(%72, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %77 = "tosa.bitwise_or"(%75, %76) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %78 = "tosa.bitwise_xor"(%63, %77) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %79 = "tosa.reverse"(%78) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %80 = "tosa.const"() <{values = dense<[[506952124, 996650629]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %81 = "tosa.bitwise_xor"(%79, %80) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %82 = "tosa.mul"(%81, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %83 = "tosa.add"(%82, %81) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %84 = "tosa.add"(%83, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %85 = "tosa.bitwise_and"(%60, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %86 = "tosa.mul"(%85, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %87 = "tosa.arithmetic_right_shift"(%60, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %88 = "tosa.mul"(%87, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %89 = "tosa.add"(%86, %88) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %90 = "tosa.mul"(%85, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %91 = "tosa.arithmetic_right_shift"(%90, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %92 = "tosa.add"(%89, %91) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %93 = "tosa.logical_left_shift"(%92, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %94 = "tosa.bitwise_and"(%90, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %95 = "tosa.bitwise_or"(%93, %94) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %96 = "tosa.bitwise_xor"(%84, %95) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %97 = "tosa.reverse"(%96) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %98 = "tosa.const"() <{values = dense<[[-1133579403, -154182390]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %99 = "tosa.bitwise_xor"(%97, %98) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %100 = "tosa.mul"(%99, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %101 = "tosa.add"(%100, %99) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %102 = "tosa.add"(%101, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %103 = "tosa.bitwise_and"(%81, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %104 = "tosa.mul"(%103, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %105 = "tosa.arithmetic_right_shift"(%81, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %106 = "tosa.mul"(%105, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %107 = "tosa.add"(%104, %106) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %108 = "tosa.mul"(%103, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %109 = "tosa.arithmetic_right_shift"(%108, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %110 = "tosa.add"(%107, %109) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %111 = "tosa.logical_left_shift"(%110, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %112 = "tosa.bitwise_and"(%108, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %113 = "tosa.bitwise_or"(%111, %112) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %114 = "tosa.bitwise_xor"(%102, %113) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %115 = "tosa.reverse"(%114) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %116 = "tosa.const"() <{values = dense<[[1520856366, -1305015409]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %117 = "tosa.bitwise_xor"(%115, %116) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %118 = "tosa.mul"(%117, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %119 = "tosa.add"(%118, %117) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %120 = "tosa.add"(%119, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %121 = "tosa.bitwise_and"(%99, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %122 = "tosa.mul"(%121, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %123 = "tosa.arithmetic_right_shift"(%99, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %124 = "tosa.mul"(%123, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %125 = "tosa.add"(%122, %124) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %126 = "tosa.mul"(%121, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %127 = "tosa.arithmetic_right_shift"(%126, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %128 = "tosa.add"(%125, %127) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %129 = "tosa.logical_left_shift"(%128, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %130 = "tosa.bitwise_and"(%126, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %131 = "tosa.bitwise_or"(%129, %130) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %132 = "tosa.bitwise_xor"(%120, %131) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %133 = "tosa.reverse"(%132) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %134 = "tosa.const"() <{values = dense<[[-119675161, 1839118868]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %135 = "tosa.bitwise_xor"(%133, %134) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %136 = "tosa.mul"(%135, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %137 = "tosa.add"(%136, %135) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %138 = "tosa.add"(%137, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %139 = "tosa.bitwise_and"(%117, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %140 = "tosa.mul"(%139, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %141 = "tosa.arithmetic_right_shift"(%117, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %142 = "tosa.mul"(%141, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %143 = "tosa.add"(%140, %142) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %144 = "tosa.mul"(%139, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %145 = "tosa.arithmetic_right_shift"(%144, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %146 = "tosa.add"(%143, %145) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %147 = "tosa.logical_left_shift"(%146, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %148 = "tosa.bitwise_and"(%144, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %149 = "tosa.bitwise_or"(%147, %148) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %150 = "tosa.bitwise_xor"(%138, %149) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %151 = "tosa.reverse"(%150) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %152 = "tosa.const"() <{values = dense<[[-1760206688, 688285849]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %153 = "tosa.bitwise_xor"(%151, %152) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %154 = "tosa.mul"(%153, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %155 = "tosa.add"(%154, %153) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %156 = "tosa.add"(%155, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %157 = "tosa.bitwise_and"(%135, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %158 = "tosa.mul"(%157, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %159 = "tosa.arithmetic_right_shift"(%135, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %160 = "tosa.mul"(%159, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %161 = "tosa.add"(%158, %160) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %162 = "tosa.mul"(%157, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %163 = "tosa.arithmetic_right_shift"(%162, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %164 = "tosa.add"(%161, %163) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %165 = "tosa.logical_left_shift"(%164, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %166 = "tosa.bitwise_and"(%162, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %167 = "tosa.bitwise_or"(%165, %166) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %168 = "tosa.bitwise_xor"(%156, %167) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %169 = "tosa.reverse"(%168) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %170 = "tosa.const"() <{values = dense<[[894229081, -462547170]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %171 = "tosa.bitwise_xor"(%169, %170) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %172 = "tosa.mul"(%171, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %173 = "tosa.add"(%172, %171) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %174 = "tosa.add"(%173, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %175 = "tosa.bitwise_and"(%153, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %176 = "tosa.mul"(%175, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %177 = "tosa.arithmetic_right_shift"(%153, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %178 = "tosa.mul"(%177, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %179 = "tosa.add"(%176, %178) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %180 = "tosa.mul"(%175, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %181 = "tosa.arithmetic_right_shift"(%180, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %182 = "tosa.add"(%179, %181) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %183 = "tosa.logical_left_shift"(%182, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %184 = "tosa.bitwise_and"(%180, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %185 = "tosa.bitwise_or"(%183, %184) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %186 = "tosa.bitwise_xor"(%174, %185) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %187 = "tosa.reverse"(%186) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %188 = "tosa.const"() <{values = dense<[[-746302446, -1613380189]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %189 = "tosa.bitwise_xor"(%187, %188) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %190 = "tosa.mul"(%189, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %191 = "tosa.add"(%190, %189) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %192 = "tosa.add"(%191, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %193 = "tosa.bitwise_and"(%171, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %194 = "tosa.mul"(%193, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %195 = "tosa.arithmetic_right_shift"(%171, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %196 = "tosa.mul"(%195, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %197 = "tosa.add"(%194, %196) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %198 = "tosa.mul"(%193, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %199 = "tosa.arithmetic_right_shift"(%198, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %200 = "tosa.add"(%197, %199) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %201 = "tosa.logical_left_shift"(%200, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %202 = "tosa.bitwise_and"(%198, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %203 = "tosa.bitwise_or"(%201, %202) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %204 = "tosa.bitwise_xor"(%192, %203) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %205 = "tosa.reverse"(%204) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %206 = "tosa.const"() <{values = dense<[[1908133323, 1530754088]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %207 = "tosa.bitwise_xor"(%205, %206) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %208 = "tosa.mul"(%207, %44, %45) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %209 = "tosa.add"(%208, %207) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %210 = "tosa.add"(%209, %48) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %211 = "tosa.bitwise_and"(%189, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %212 = "tosa.mul"(%211, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %213 = "tosa.arithmetic_right_shift"(%189, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %214 = "tosa.mul"(%213, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %215 = "tosa.add"(%212, %214) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %216 = "tosa.mul"(%211, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %217 = "tosa.arithmetic_right_shift"(%216, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %218 = "tosa.add"(%215, %217) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %219 = "tosa.logical_left_shift"(%218, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %220 = "tosa.bitwise_and"(%216, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %221 = "tosa.bitwise_or"(%219, %220) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %222 = "tosa.bitwise_xor"(%210, %221) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %223 = "tosa.reverse"(%222) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %224 = "tosa.const"() <{values = dense<[[267601796, 379921069]]> : tensor<1x2xi32>}> : () -> tensor<1x2xi32>
    %225 = "tosa.bitwise_xor"(%223, %224) : (tensor<3x2xi32>, tensor<1x2xi32>) -> tensor<3x2xi32>
    %226 = "tosa.bitwise_xor"(%225, %40) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %227 = "tosa.const"() <{values = dense<[[1048575]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %228 = "tosa.bitwise_and"(%226, %227) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %229 = "tosa.const"() <{values = dense<[[4]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %230 = "tosa.logical_left_shift"(%228, %229) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %231 = "tosa.bitwise_and"(%207, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %232 = "tosa.mul"(%231, %65, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %233 = "tosa.arithmetic_right_shift"(%207, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %234 = "tosa.mul"(%233, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %235 = "tosa.add"(%232, %234) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %236 = "tosa.mul"(%231, %69, %66) : (tensor<3x2xi32>, tensor<1x2xi32>, tensor<1xi8>) -> tensor<3x2xi32>
    %237 = "tosa.arithmetic_right_shift"(%236, %26) <{round = false}> : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %238 = "tosa.add"(%235, %237) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %239 = "tosa.logical_left_shift"(%238, %26) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %240 = "tosa.bitwise_and"(%236, %28) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %241 = "tosa.bitwise_or"(%239, %240) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %242 = "tosa.reverse"(%241) <{axis = 1 : i32}> : (tensor<3x2xi32>) -> tensor<3x2xi32>
    %243 = "tosa.bitwise_xor"(%242, %40) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %244 = "tosa.const"() <{values = dense<[[28]]> : tensor<1x1xi32>}> : () -> tensor<1x1xi32>
    %245 = "tosa.logical_right_shift"(%243, %244) : (tensor<3x2xi32>, tensor<1x1xi32>) -> tensor<3x2xi32>
    %246 = "tosa.bitwise_or"(%230, %245) : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
    %247 = "tosa.cast"(%246) : (tensor<3x2xi32>) -> tensor<3x2xf32>
    %248 = "tosa.const"() <{values = dense<[[5.960464477539063e-08]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %249 = "tosa.mul"(%247, %248, %66) : (tensor<3x2xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<3x2xf32>
    %250 = "tosa.const_shape"() <{values = dense<[6]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %251 = "tosa.reshape"(%249, %250) : (tensor<3x2xf32>, !tosa.shape<1>) -> tensor<6xf32>
    %252 = "tosa.const_shape"() <{values = dense<[2, 3, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %253 = "tosa.reshape"(%251, %252) : (tensor<6xf32>, !tosa.shape<3>) -> tensor<2x3x1xf32>
    %254 = "tosa.const"() <{values = dense<[[3.4028234663852886e+38]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %255 = "tosa.abs"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %256 = "tosa.greater_equal"(%254, %255) : (tensor<1x1xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %257 = "tosa.const"() <{values = dense<[[-3.4028234663852886e+38]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %258 = "tosa.select"(%256, %arg0, %257) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %259 = "tosa.reduce_max"(%258) <{axis = 1 : i32, nan_mode = #tosa.nan_mode<PROPAGATE>}> : (tensor<2x4xf32>) -> tensor<2x1xf32>
    %260 = "tosa.sub"(%258, %259) : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    %261 = "tosa.exp"(%260) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %262 = "tosa.const"() <{values = dense<[[0.0]]> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %263 = "tosa.select"(%256, %261, %262) : (tensor<2x4xi1>, tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<2x4xf32>
    %264 = "tosa.const_shape"() <{values = dense<[2, 3]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %265 = "tosa.slice"(%263, %37, %264) : (tensor<2x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x3xf32>
    %266 = "tosa.const_shape"() <{values = dense<[0, 0, 1, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %267 = "tosa.const"() <{values = dense<[0.0]> : tensor<1xf32>}> : () -> tensor<1xf32>
    %268 = "tosa.pad"(%265, %266, %267) : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<2x4xf32>
    %269 = "tosa.add"(%263, %268) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %270 = "tosa.const_shape"() <{values = dense<[2, 2]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %271 = "tosa.slice"(%269, %37, %270) : (tensor<2x4xf32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<2x2xf32>
    %272 = "tosa.const_shape"() <{values = dense<[0, 0, 2, 0]> : tensor<4xindex>}> : () -> !tosa.shape<4>
    %273 = "tosa.pad"(%271, %272, %267) : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<2x4xf32>
    %274 = "tosa.add"(%269, %273) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %275 = "tosa.const_shape"() <{values = dense<[2, 1, 4]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %276 = "tosa.reshape"(%274, %275) : (tensor<2x4xf32>, !tosa.shape<3>) -> tensor<2x1x4xf32>
    %277 = "tosa.const_shape"() <{values = dense<[0, 0, 3]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %278 = "tosa.const_shape"() <{values = dense<[2, 1, 1]> : tensor<3xindex>}> : () -> !tosa.shape<3>
    %279 = "tosa.slice"(%276, %277, %278) : (tensor<2x1x4xf32>, !tosa.shape<3>, !tosa.shape<3>) -> tensor<2x1x1xf32>
    %280 = "tosa.mul"(%253, %279, %66) : (tensor<2x3x1xf32>, tensor<2x1x1xf32>, tensor<1xi8>) -> tensor<2x3x1xf32>
    %281 = "tosa.greater_equal"(%280, %276) : (tensor<2x3x1xf32>, tensor<2x1x4xf32>) -> tensor<2x3x4xi1>
    %282 = "tosa.cast"(%281) : (tensor<2x3x4xi1>) -> tensor<2x3x4xi32>
    %283 = "tosa.reduce_sum"(%282) <{axis = 2 : i32}> : (tensor<2x3x4xi32>) -> tensor<2x3x1xi32>
    %284 = "tosa.reshape"(%283, %264) : (tensor<2x3x1xi32>, !tosa.shape<2>) -> tensor<2x3xi32>
    %285 = "tosa.const_shape"() <{values = dense<[3, 0]> : tensor<2xindex>}> : () -> !tosa.shape<2>
    %286 = "tosa.slice"(%36, %285, %24) : (tensor<4x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1xi32>
    %287 = "tosa.slice"(%54, %285, %24) : (tensor<4x1xi32>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x1xi32>
    %288 = "tosa.concat"(%286, %287) <{axis = 0 : i32}> : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<2x1xi32>
    %289 = "tosa.const_shape"() <{values = dense<[2]> : tensor<1xindex>}> : () -> !tosa.shape<1>
    %290 = "tosa.reshape"(%288, %289) : (tensor<2x1xi32>, !tosa.shape<1>) -> tensor<2xi32>
    %291 = "tosa.cast"(%290) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%291) <{name = "counter at main:0 MULTINOMIAL 't2'.byte0"}> : (tensor<2xi8>) -> ()
    %292 = "tosa.arithmetic_right_shift"(%290, %4) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %293 = "tosa.cast"(%292) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%293) <{name = "counter at main:0 MULTINOMIAL 't2'.byte1"}> : (tensor<2xi8>) -> ()
    %294 = "tosa.const"() <{values = dense<[16]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %295 = "tosa.arithmetic_right_shift"(%290, %294) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %296 = "tosa.cast"(%295) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%296) <{name = "counter at main:0 MULTINOMIAL 't2'.byte2"}> : (tensor<2xi8>) -> ()
    %297 = "tosa.const"() <{values = dense<[24]> : tensor<1xi32>}> : () -> tensor<1xi32>
    %298 = "tosa.arithmetic_right_shift"(%290, %297) <{round = false}> : (tensor<2xi32>, tensor<1xi32>) -> tensor<2xi32>
    %299 = "tosa.cast"(%298) : (tensor<2xi32>) -> tensor<2xi8>
    "tosa.variable_write"(%299) <{name = "counter at main:0 MULTINOMIAL 't2'.byte3"}> : (tensor<2xi8>) -> ()
    return %284 : tensor<2x3xi32>
  }
}
