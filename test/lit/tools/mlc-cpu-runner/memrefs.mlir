// RUN: mlc-opt %s --convert-linalg-to-loops --convert-scf-to-cf --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | mlc-cpu-runner -e main -entry-point-result=void -shared-libs=%runner_utils | FileCheck %s
// Buffers of unknown rank: printed, passed, returned, asked for their sizes; copies with gaps.
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(memref<*xi32>)
func.func private @printMemrefShapeF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func private @verifyMemRefF32(memref<*xf32>, memref<*xf32>) -> i64 attributes {llvm.emit_c_interface}
func.func private @printI64(i64)
func.func private @printNewline()

memref.global "private" constant @table : memref<2x2xi32> = dense<[[1, -2], [30, 4]]>

func.func @both(%a: memref<2x3xf32>) -> (memref<*xf32>, memref<*xf32>) {
  %0 = memref.cast %a : memref<2x3xf32> to memref<*xf32>
  return %0, %0 : memref<*xf32>, memref<*xf32>
}
func.func @show(%n: index) {
  %0 = arith.index_cast %n : index to i64
  call @printI64(%0) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.5 : f32
  %y = arith.constant -1.0 : f32
  %a = memref.alloc() : memref<2x3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2x3xf32>)
  memref.store %y, %a[%c1, %c0] : memref<2x3xf32>
  // CHECK: Unranked Memref base@ = {{0x[0-9a-f]+}} rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1] data = {{$}}
  // CHECK-NEXT: {{^}}{{\[}}[2.5,   2.5,   2.5], {{$}}
  // CHECK-NEXT: {{^}} [-1,   2.5,   2.5]]
  %u:2 = call @both(%a) : (memref<2x3xf32>) -> (memref<*xf32>, memref<*xf32>)
  call @printMemrefF32(%u#0) : (memref<*xf32>) -> ()
  // CHECK-NEXT: Unranked Memref base@ = {{0x[0-9a-f]+}} rank = 2 offset = 0 sizes = [2, 3] strides = [3, 1]{{$}}
  call @printMemrefShapeF32(%u#1) : (memref<*xf32>) -> ()
  // CHECK-NEXT: {{^}}3{{$}}
  // CHECK-NEXT: {{^}}2{{$}}
  %d = memref.dim %u#0, %c1 : memref<*xf32>
  call @show(%d) : (index) -> ()
  %r = memref.rank %u#0 : memref<*xf32>
  call @show(%r) : (index) -> ()
  // A window of every second element, and a copy across.
  // CHECK-NEXT: Unranked Memref {{.*}} rank = 2 offset = 0 sizes = [3, 2] strides = [2, 1] data =
  // CHECK-NEXT: {{\[}}[2.5,   -1],
  // CHECK-NEXT: [2.5,   2.5],
  // CHECK-NEXT: [2.5,   2.5]]
  %b = memref.alloc() : memref<3x2xf32>
  %across = memref.reinterpret_cast %b to offset: [0], sizes: [2, 3], strides: [1, 2] : memref<3x2xf32> to memref<2x3xf32, strided<[1, 2]>>
  memref.copy %a, %across : memref<2x3xf32> to memref<2x3xf32, strided<[1, 2]>>
  %ub = memref.cast %b : memref<3x2xf32> to memref<*xf32>
  call @printMemrefF32(%ub) : (memref<*xf32>) -> ()
  // CHECK-NEXT: Unranked Memref {{.*}} rank = 1 offset = 3 sizes = [2] strides = [2] data =
  // CHECK-NEXT: [-1,  2.5]
  %row = memref.subview %a[1, 0] [1, 2] [1, 2] : memref<2x3xf32> to memref<2xf32, strided<[2], offset: 3>>
  %urow = memref.cast %row : memref<2xf32, strided<[2], offset: 3>> to memref<*xf32>
  call @printMemrefF32(%urow) : (memref<*xf32>) -> ()
  // Without the C interface rank and address are passed as they are.
  // CHECK-NEXT: Unranked Memref {{.*}} rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
  // CHECK-NEXT: {{\[}}[1,   -2],
  // CHECK-NEXT: [30,   4]]
  %table = memref.get_global @table : memref<2x2xi32>
  %utable = memref.cast %table : memref<2x2xi32> to memref<*xi32>
  call @printMemrefI32(%utable) : (memref<*xi32>) -> ()
  // CHECK-NEXT: {{^}}0{{$}}
  // CHECK-NEXT: {{^}}-1{{$}}
  %same = call @verifyMemRefF32(%u#0, %u#1) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%same) : (i64) -> ()
  call @printNewline() : () -> ()
  %other = call @verifyMemRefF32(%u#0, %ub) : (memref<*xf32>, memref<*xf32>) -> i64
  call @printI64(%other) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %u#0 : memref<*xf32>
  memref.dealloc %b : memref<3x2xf32>
  return
}
