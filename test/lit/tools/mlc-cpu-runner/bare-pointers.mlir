// RUN: mlc-opt %s --convert-scf-to-cf --finalize-memref-to-llvm --convert-func-to-llvm=use-bare-ptr-memref-call-conv --reconcile-unrealized-casts > %t
// RUN: FileCheck %s < %t
// RUN: mlc-cpu-runner %t -entry-point-result=f32 -shared-libs=%plugins/own_functions.so | FileCheck %s --check-prefix=VALUE
// Buffers of static shape go in and out as pointers to their first element: what C calls arrays.
// CHECK: llvm.func @sum_of_four(!llvm.ptr) -> f32
// CHECK: llvm.func @same(%{{.*}}: !llvm.ptr) -> !llvm.ptr
// VALUE: {{^}}1.000000e+01{{$}}
func.func private @sum_of_four(memref<4xf32>) -> f32
func.func @same(%a: memref<4xf32>) -> memref<4xf32> {
  return %a : memref<4xf32>
}
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    %n = arith.addi %i, %c1 : index
    %k = arith.index_cast %n : index to i32
    %x = arith.sitofp %k : i32 to f32
    memref.store %x, %a[%i] : memref<4xf32>
  }
  %b = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  %0 = call @sum_of_four(%b) : (memref<4xf32>) -> f32
  memref.dealloc %a : memref<4xf32>
  return %0 : f32
}
