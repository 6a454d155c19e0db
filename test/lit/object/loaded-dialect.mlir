// REQUIRES: target
// RUN: mlc run --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s | FileCheck %s
// RUN: mlc compile --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s -o %t.so
// RUN: mlc run %t.so | FileCheck %s
// RUN: mlc inspect --load-dialect=%S/Inputs/calc.yaml --load-rules=%S/Inputs/calc.rules %s --level=kernels | FileCheck %s --check-prefix=KERNELS
// RUN: not mlc run --load-dialect=%S/Inputs/calc.yaml %s 2>&1 | FileCheck %s --check-prefix=NO-RULES
// RUN: not mlc run %s 2>&1 | FileCheck %s --check-prefix=NO-DIALECT
// RUN: mlc-translate --import-onnx --help | FileCheck %s --check-prefix=TRANSLATE
// A dialect of a file runs: by bodies, rules and lowers_to. What is compiled does not need the file.
// CHECK: output_0: f32 [4] -2 -12 -36 -80
// KERNELS: calc.square_add
// KERNELS-NOT: calc.same
// NO-RULES: loaded-dialect.mlir:[[@LINE+6]]:11: error: 'calc.same' op works on tensors and does not say how it is done on buffers
// NO-DIALECT: error: Dialect `calc' not found
// TRANSLATE: --load-dialect=
func.func @main() -> tensor<4xf32> {
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %cubes = calc.cube %x : tensor<4xf32>
  %same = calc.same %cubes : tensor<4xf32>
  %y = calc.square_add ins(%x : tensor<4xf32>) outs(%same : tensor<4xf32>) -> tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %z = linalg.map ins(%y : tensor<4xf32>) outs(%empty : tensor<4xf32>)
    (%e: f32) {
      %n = calc.negate %e : f32
      linalg.yield %n : f32
    }
  return %z : tensor<4xf32>
}
