// RUN: mlc-opt %s --interpret --entry main > %t 2> %t.err
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=FLOPS < %t.err
// RUN: not mlc-opt %s --interpret --entry wrong 2>&1 | FileCheck %s --check-prefix=WRONG
// Functions that libraries define are known by their names, and print what those print.
// CHECK: {{^}}18446744073709551615
// CHECK-NEXT: Unranked Memref base@ = 0x{{.*}} rank = 1 offset = 0 sizes = [2] strides = [1]{{$}}
// CHECK-NEXT: Unranked Memref base@ = 0x{{.*}} rank = 1 offset = 0 sizes = [2] strides = [1] data =
// CHECK-NEXT: [A,  B]
// CHECK-NEXT: Unranked Memref base@ = 0x{{.*}} rank = 0 offset = 0 sizes = [] strides = [] data =
// CHECK-NEXT: [-5]
// CHECK-NEXT: {{^}}true
// CHECK-NEXT: {{^}}true
// FLOPS: {{^}}2.000000 GFLOPS
// WRONG: error: {{.*}}calls 'printComma', which has no body
func.func private @printU64(i64)
func.func private @printNewline()
func.func private @printMemrefShapeI8(memref<*xi8>)
func.func private @printMemrefI8(memref<*xi8>)
func.func private @printMemrefI64(memref<*xi64>)
func.func private @printFlops(f64)
func.func private @rtclock() -> f64
func.func private @nanoTime() -> i64
func.func @main() -> (i1, i1) {
  %m1 = arith.constant -1 : i64
  call @printU64(%m1) : (i64) -> ()
  call @printNewline() : () -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = arith.constant 65 : i8
  %b = arith.constant 66 : i8
  %m = memref.alloc() : memref<2xi8>
  memref.store %a, %m[%c0] : memref<2xi8>
  memref.store %b, %m[%c1] : memref<2xi8>
  %u = memref.cast %m : memref<2xi8> to memref<*xi8>
  call @printMemrefShapeI8(%u) : (memref<*xi8>) -> ()
  call @printMemrefI8(%u) : (memref<*xi8>) -> ()
  memref.dealloc %m : memref<2xi8>
  %s = memref.alloc() : memref<i64>
  %m5 = arith.constant -5 : i64
  memref.store %m5, %s[] : memref<i64>
  %us = memref.cast %s : memref<i64> to memref<*xi64>
  call @printMemrefI64(%us) : (memref<*xi64>) -> ()
  memref.dealloc %s : memref<i64>
  %flops = arith.constant 2.0e9 : f64
  call @printFlops(%flops) : (f64) -> ()
  %t0 = call @rtclock() : () -> f64
  %t1 = call @rtclock() : () -> f64
  %0 = arith.cmpf ole, %t0, %t1 : f64
  %n0 = call @nanoTime() : () -> i64
  %zero = arith.constant 0 : i64
  %1 = arith.cmpi sgt, %n0, %zero : i64
  return %0, %1 : i1, i1
}
func.func private @printComma(i64)
func.func @wrong() {
  %0 = arith.constant 1 : i64
  call @printComma(%0) : (i64) -> ()
  return
}
