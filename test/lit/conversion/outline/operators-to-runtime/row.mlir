// RUN: mlc-opt %s --operators-to-runtime | FileCheck %s
// The runtime gets the operator's number and a row: for each buffer its address and its sizes. The declaration goes.
// CHECK: module attributes {mlc.operators = [{function = "a"}, {function = "b"}]}
// CHECK-NOT: @operator
// CHECK-LABEL: func.func @kernel
// CHECK: %[[ROW:.*]] = memref.alloca() : memref<5xi64>
// CHECK: %[[X:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK: %[[N:.*]] = arith.index_cast %arg2
// CHECK: %[[Y:.*]] = memref.extract_aligned_pointer_as_index %arg3
// CHECK: memref.store %{{.*}}, %[[ROW]][%c0
// CHECK: memref.store %[[N]], %[[ROW]][%c1
// CHECK: memref.store %c3_i64, %[[ROW]][%c2
// CHECK: %[[TABLE:.*]] = llvm.load %arg0
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[TABLE]][6]
// CHECK: %[[CALL:.*]] = llvm.load %[[PLACE]]
// CHECK: llvm.call %[[CALL]](%arg0, %c1_i64
module {
  func.func private @operator_0(memref<4xf32>) attributes {mlc.operator = {function = "a"}}
  func.func private @operator_1(memref<?x3xf32>, index, memref<4xf32>) attributes {mlc.operator = {function = "b"}}
  func.func @kernel(%call: !llvm.ptr, %x: memref<?x3xf32>, %n: index, %y: memref<4xf32>) {
    func.call @operator_1(%x, %n, %y) : (memref<?x3xf32>, index, memref<4xf32>) -> ()
    return
  }
}
