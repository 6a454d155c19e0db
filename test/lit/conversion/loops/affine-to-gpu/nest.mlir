// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu))' | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=2 gpu-thread-dims=0}))' | FileCheck %s --check-prefix=BLOCKS
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=0 gpu-thread-dims=0}))' | FileCheck %s --check-prefix=NONE
// RUN: mlc-opt %s --pass-pipeline='builtin.module(func.func(convert-affine-for-to-gpu))' --interpret --entry f --input zeros --input '2 : index' | FileCheck %s --check-prefix=VALUES
// The first loop is the grid's, the second the block's; a thread finds its indices from its ids. Further loops stay.
// NONE-NOT: gpu.launch
// CHECK-LABEL: func.func @f
// VALUES: 0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00
// VALUES-SAME: 0.000000e+00, 7.000000e+00, 0.000000e+00, 7.000000e+00
func.func @f(%m: memref<8x4xf32>, %n: index) -> memref<8x4xf32> {
  %x = arith.constant 7.0 : f32
  // CHECK: %[[LOW:.*]] = arith.maxsi
  // CHECK: %[[COUNT:.*]] = arith.ceildivsi
  // CHECK: %[[WIDTH:.*]] = arith.ceildivsi
  // CHECK: gpu.launch blocks(%[[BX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[COUNT]], {{.*}}) threads(%[[TX:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %[[WIDTH]],
  // CHECK: %[[B:.*]] = arith.muli %{{.*}}, %[[BX]]
  // CHECK: %[[I:.*]] = arith.addi %[[LOW]], %[[B]]
  // CHECK: memref.store %{{.*}}, %{{.*}}[%[[I]],
  // CHECK: gpu.terminator
  // BLOCKS: gpu.launch blocks(%{{.*}}, %{{.*}}, %{{.*}}) in (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %[[ONE:.*]]) threads(%{{.*}}) in (%{{.*}} = %[[ONE]],
  affine.for %i = max affine_map<()[s0] -> (s0 - 1, 1)>()[%n] to 8 step 3 {
    affine.for %j = 1 to 4 step 2 {
      memref.store %x, %m[%i, %j] : memref<8x4xf32>
    }
  }
  return %m : memref<8x4xf32>
}
