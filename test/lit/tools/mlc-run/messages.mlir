// REQUIRES: mlc, target
// RUN: not mlc run %s -e nobody 2>&1 | FileCheck %s --check-prefix=NOBODY
// RUN: not mlc run %s -e half --input 1.0 --input 2.0 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not mlc run %s -e half --input dense 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not mlc run %s -e any --input 1 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not mlc run %s -e declared 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not mlc run %s -e half --input 1.0 --shared-libs=%t.none.so 2>&1 | FileCheck %s --check-prefix=LIBRARY
// RUN: not mlc run %s -e half --input 1.0 --profile 2>&1 | FileCheck %s --check-prefix=MODELS
// What cannot be called is told; nothing is.
// NOBODY: error: {{.*}}has no function 'nobody'
// COUNT: error: {{.*}}takes 1 arguments, but 2 --input were given
// VALUE: error: expected '<' after 'dense'
// TYPE: error: {{.*}}argument 0 is memref<*xf32>, but mlc run passes numbers, and vectors, tensors and memrefs of them
// MISSING: error: {{.*}}no library defines the function 'nowhere'
// LIBRARY: mlc: cannot open the shared library '{{.*}}none.so'
// MODELS: mlc: --expect, --profile, --trace and --perf-map are for models, not for a function (-e)
func.func @half(%x: f32) -> f32 {
  %c = arith.constant 0.5 : f32
  %0 = arith.mulf %x, %c : f32
  return %0 : f32
}
func.func @any(%x: memref<*xf32>) {
  return
}
func.func private @nowhere()
func.func @declared() {
  call @nowhere() : () -> ()
  return
}
