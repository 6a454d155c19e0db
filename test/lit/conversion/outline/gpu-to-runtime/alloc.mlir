// RUN: mlc-opt %s --gpu-to-runtime --split-input-file --verify-diagnostics | FileCheck %s
// A buffer that the plan has no place for is asked of the runtime, with its bytes.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[CALL:.*]]: !llvm.ptr, %[[N:.*]]: index)
// CHECK: %[[ELEMENTS:.*]] = arith.muli %{{.*}}, %[[N]] : index
// CHECK: %[[BYTES:.*]] = arith.index_cast %[[ELEMENTS]] : index to i64
// CHECK: llvm.getelementptr %{{.*}}[9]
// CHECK: %[[MADE:.*]] = llvm.call %{{.*}}(%[[CALL]], %[[BYTES]]) : !llvm.ptr, (!llvm.ptr, i64) -> !llvm.ptr
// CHECK: %[[RAW:.*]] = builtin.unrealized_conversion_cast %[[MADE]] : !llvm.ptr to memref<?xi8, #gpu.address_space<global>>
// CHECK: memref.view %[[RAW]][%{{.*}}][%[[N]]] : memref<?xi8, #gpu.address_space<global>> to memref<?x4xf32, #gpu.address_space<global>>
// CHECK: memref.alloc(%[[N]]) : memref<?xf32>
func.func @f(%call: !llvm.ptr, %n: index) {
  %d = memref.alloc(%n) : memref<?x4xf32, #gpu.address_space<global>>
  %h = memref.alloc(%n) : memref<?xf32>
  gpu.memcpy %d, %d : memref<?x4xf32, #gpu.address_space<global>>, memref<?x4xf32, #gpu.address_space<global>>
  memref.dealloc %h : memref<?xf32>
  return
}

// -----

func.func @layout(%call: !llvm.ptr) {
  // expected-error @+1 {{buffers with a layout are not allocated by the runtime}}
  %d = memref.alloc() : memref<4xf32, strided<[2]>, #gpu.address_space<global>>
  return
}
