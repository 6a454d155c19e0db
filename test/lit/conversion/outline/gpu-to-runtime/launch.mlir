// RUN: mlc-opt %s --parallel-to-runtime --gpu-to-runtime | FileCheck %s
// A launch becomes a call through the table: the kernel's number, sizes of grid, block and cluster, bytes of shared memory, and
// the places of its arguments. Copies are told by the memory they are between.
// CHECK: module attributes {gpu.container_module, mlc.device_kernels = ["first", "second"]
module attributes {gpu.container_module} {
  gpu.module @device {
    gpu.func @first(%x: memref<4xf32, #gpu.address_space<global>>) kernel { gpu.return }
    gpu.func @second(%x: memref<4xf32, #gpu.address_space<global>>, %n: index) kernel { gpu.return }
  }
  // CHECK-LABEL: func.func @f(
  // CHECK-SAME: %[[CALL:.*]]: !llvm.ptr, %[[D:.*]]: memref<4xf32, #gpu.address_space<global>>, %[[H:.*]]: memref<4xf32>, %[[N:.*]]: index
  func.func @f(%d: memref<4xf32, #gpu.address_space<global>>, %h: memref<4xf32>, %n: index) {
    // CHECK-DAG: %[[NUMBER:.*]] = llvm.mlir.constant(1 : i64) : i64
    // CHECK: %[[GRID:.*]] = arith.index_cast %[[N]] : index to i64
    // CHECK: llvm.store %[[GRID]], %{{.*}} {alignment = 8 : i64} : i64, !llvm.ptr
    // CHECK: builtin.unrealized_conversion_cast %[[D]] : memref<4xf32, #gpu.address_space<global>> to !llvm.ptr
    // CHECK: llvm.getelementptr %{{.*}}[7]
    // CHECK: llvm.call %{{.*}}(%[[CALL]], %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
    %c1 = arith.constant 1 : index
    gpu.launch_func @device::@second blocks in (%n, %c1, %c1) threads in (%c1, %c1, %c1)
        args(%d : memref<4xf32, #gpu.address_space<global>>, %n : index)
    // CHECK: %[[BYTES:.*]] = arith.constant 16 : index
    // CHECK: llvm.call %{{.*}}(%[[CALL]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
    gpu.memcpy %h, %d : memref<4xf32>, memref<4xf32, #gpu.address_space<global>>
    return
  }
}
