// RUN: mlc-opt %s --affine-prefetch --target=x86-64-v4 | FileCheck %s

// Turns of a number that is not known: each asks for its share of the next panel, which is computed
// before all loops, and for two lines an iteration at most. Turns that go on with those of another
// loop ask for nothing new (a distance of 0), as does a single one: there is one more than a tile, or
// this is not the first. Of few turns the share is a number.
// CHECK-LABEL: func.func @open
// CHECK-SAME: %[[W:[a-z0-9]+]]: memref<32x512x32xf32>
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[TURNS:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: %[[SOME:.*]] = arith.maxsi %[[TURNS]], %c1
// CHECK: %[[SHARE:.*]] = arith.ceildivsi %c16384, %[[SOME]]
// CHECK: %[[MOST:.*]] = arith.minsi %[[SHARE]], %c8192
// CHECK: arith.cmpi eq, %c0{{.*}}, %c0
// CHECK: %[[AGAIN:.*]] = arith.cmpi sgt, %{{.*}}, %c4
// CHECK: %[[FIRST:.*]] = arith.andi %{{.*}}, %[[AGAIN]]
// CHECK: %[[FAR:.*]] = arith.select %[[FIRST]], %c16384{{.*}}, %c0
// CHECK: %[[EACH:.*]] = arith.ceildivsi %[[MOST]], %c512
// CHECK: %[[BEGIN:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[BEGIN]], %c0
// CHECK: affine.for
// CHECK: %[[FLAT:.*]] = memref.collapse_shape %[[W]]
// CHECK: affine.for %{{.*}} = 0 to
// CHECK: affine.for %[[K:.*]] = 0 to 512 step 2
// CHECK: arith.addi %{{.*}}, %[[FAR]]
// CHECK: arith.muli %{{.*}}, %[[MOST]]
// CHECK: arith.muli %[[K]], %[[EACH]]
// CHECK-COUNT-2: memref.prefetch %[[FLAT]][%{{.*}}], read, locality<3>, data
// CHECK-NOT: prefetch
// CHECK: affine.for %{{.*}} = #{{.*}}()[%[[N]]] to %[[N]]
// CHECK: affine.for %{{.*}} = 0 to 512
// CHECK-COUNT-1: memref.prefetch
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
    affine.for %r = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>()[%n] to %n {
      affine.for %k = 0 to 512 {
        %0 = affine.vector_load %w[%j, %k, 0] : memref<32x512x32xf32>, vector<16xf32>
        %1 = affine.vector_load %w[%j, %k, 16] : memref<32x512x32xf32>, vector<16xf32>
        affine.vector_store %0, %y[%j, 0] : memref<32x32xf32>, vector<16xf32>
      }
    } {mlc.at_most = 3 : i64}
  }
  return
}
