// RUN: mlc-opt %s --affine-prefetch --target=x86-64-v4 | FileCheck %s

// Turns of a number that is not known: each asks for its share of the next panel, which is computed
// before them, and for two lines an iteration at most. A loop that runs a few times asks for none.
// CHECK-LABEL: func.func @open
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<32x512x32xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: affine.for
// CHECK: %[[TURNS:.*]] = affine.apply
// CHECK: %[[SOME:.*]] = arith.maxsi %[[TURNS]], %c1
// CHECK: %[[SHARE:.*]] = arith.ceildivsi %c16384, %[[SOME]]
// CHECK: %[[MOST:.*]] = arith.minsi %[[SHARE]], %c8192
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[W]]
// CHECK: %[[EACH:.*]] = arith.ceildivsi %[[MOST]], %c512
// CHECK: affine.for %{{.*}} = 0 to
// CHECK: affine.for %[[K:.*]] = 0 to 512 step 2
// CHECK: arith.muli %{{.*}}, %[[MOST]]
// CHECK: arith.muli %[[K]], %[[EACH]]
// CHECK-COUNT-2: memref.prefetch %[[FLAT]][%{{.*}}], read, locality<3>, data
// CHECK-NOT: prefetch
func.func @open(%w: memref<32x512x32xf32>, %y: memref<32x32xf32>, %n: index) {
  affine.for %j = 0 to 32 {
    affine.for %r = 0 to affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%n] step 4 {
      affine.for %k = 0 to 512 step 2 {
        %0 = affine.vector_load %w[%j, %k, 0] : memref<32x512x32xf32>, vector<16xf32>
        %1 = affine.vector_load %w[%j, %k, 16] : memref<32x512x32xf32>, vector<16xf32>
        %2 = affine.vector_load %w[%j, %k + 1, 0] : memref<32x512x32xf32>, vector<16xf32>
        %3 = affine.vector_load %w[%j, %k + 1, 16] : memref<32x512x32xf32>, vector<16xf32>
        affine.vector_store %0, %y[%j, 0] : memref<32x32xf32>, vector<16xf32>
      }
    }
    affine.for %r = 0 to affine_map<()[s0] -> (s0 mod 4)>()[%n] {
      affine.for %k = 0 to 512 {
        %0 = affine.vector_load %w[%j, %k, 0] : memref<32x512x32xf32>, vector<16xf32>
        %1 = affine.vector_load %w[%j, %k, 16] : memref<32x512x32xf32>, vector<16xf32>
        affine.vector_store %0, %y[%j, 0] : memref<32x32xf32>, vector<16xf32>
      }
    } {mlc.at_most = 3 : i64}
  }
  return
}
