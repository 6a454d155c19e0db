// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions))' | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions))' --interpret --entry main | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --pass-pipeline='builtin.module(gpu.module(gpu-lower-reductions,convert-scf-to-cf))' --interpret --entry main --seed=3 | FileCheck %s --check-prefix=VALUES
// RUN: mlc-opt %s --interpret --entry main | FileCheck %s --check-prefix=VALUES
// Lanes of a subgroup exchange, subgroups meet in a buffer of the workgroup. The block has 8 lanes more than one subgroup:
// what would come from lanes that are not there is left out.
module attributes {gpu.container_module} {
  // CHECK: gpu.func @k(%{{.*}}) workgroup(%[[BUFFER:.*]] : memref<32xi32, #gpu.address_space<workgroup>>, %{{.*}} : memref<32xi32, #gpu.address_space<workgroup>>) kernel
  // CHECK-COUNT-5: gpu.shuffle idx
  // CHECK: gpu.barrier
  // CHECK: cf.cond_br
  // CHECK: memref.store %{{.*}}, %[[BUFFER]]
  // CHECK: gpu.barrier
  // CHECK: memref.load %[[BUFFER]]
  // CHECK-COUNT-5: gpu.shuffle idx
  // CHECK: memref.load %[[BUFFER]]
  // In a loop the store is an scf.if's.
  // CHECK: scf.for
  // CHECK: gpu.barrier
  // CHECK: scf.if
  gpu.module @m {
    gpu.func @k(%out: memref<2xi32>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %zero = arith.constant 0 : i32
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %c20 = arith.constant 20 : index
      %row = arith.muli %y, %c20 : index
      %i = arith.addi %row, %x : index
      %v = arith.index_cast %i : index to i32
      %sum = gpu.all_reduce add %v uniform {} : (i32) -> i32
      // In each of three rounds the greatest of what is left of the numbers.
      %r = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> i32 {
        %kk = arith.index_cast %k : index to i32
        %w = arith.subi %v, %kk : i32
        %most = gpu.all_reduce %w uniform {
        ^bb0(%a: i32, %b: i32):
          %m = arith.maxsi %a, %b : i32
          gpu.yield %m : i32
        } : (i32) -> i32
        %next = arith.addi %acc, %most : i32
        scf.yield %next : i32
      }
      memref.store %sum, %out[%c0] : memref<2xi32>
      memref.store %r, %out[%c1] : memref<2xi32>
      gpu.return
    }
  }
  // 0 + ... + 39; 39 + 38 + 37
  // VALUES: 780, 114
  func.func @main() -> memref<2xi32> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c20 = arith.constant 20 : index
    %out = memref.alloc() : memref<2xi32>
    gpu.launch_func @m::@k blocks in (%c1, %c1, %c1) threads in (%c20, %c2, %c1) args(%out : memref<2xi32>)
    return %out : memref<2xi32>
  }
}
