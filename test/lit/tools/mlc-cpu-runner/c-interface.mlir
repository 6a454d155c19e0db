// RUN: mlc-opt %s --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts > %t
// RUN: FileCheck %s < %t
// RUN: mlc-cpu-runner %t -entry-point-result=i64 -shared-libs=%plugins/own_functions.so | FileCheck %s --check-prefix=VALUE
// As C sees it: descriptors behind pointers, results in memory behind a pointer that comes first.
// CHECK-DAG: llvm.func @_mlir_ciface_rows_of(!llvm.ptr) -> i64
// CHECK-DAG: llvm.func @_mlir_ciface_first_row(!llvm.ptr, !llvm.ptr)
// CHECK-DAG: llvm.func @_mlir_ciface_seen(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64)
// VALUE: {{^}}53{{$}}
func.func private @rows_of(memref<*xi64>) -> i64 attributes {llvm.emit_c_interface}
func.func private @first_row(memref<?x?xi64>) -> memref<?xi64> attributes {llvm.emit_c_interface}
func.func @seen(%a: memref<2x3xi64>, %x: i64) -> (i64, i64) attributes {llvm.emit_c_interface} {
  return %x, %x : i64, i64
}
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : i64
  %a = memref.alloca() : memref<5x7xi64>
  memref.store %c3, %a[%c0, %c0] : memref<5x7xi64>
  %d = memref.cast %a : memref<5x7xi64> to memref<?x?xi64>
  %u = memref.cast %a : memref<5x7xi64> to memref<*xi64>
  %rows = call @rows_of(%u) : (memref<*xi64>) -> i64
  %row = call @first_row(%d) : (memref<?x?xi64>) -> memref<?xi64>
  %x = memref.load %row[%c0] : memref<?xi64>
  %ten = arith.constant 10 : i64
  %tens = arith.muli %rows, %ten : i64
  %0 = arith.addi %tens, %x : i64
  return %0 : i64
}
