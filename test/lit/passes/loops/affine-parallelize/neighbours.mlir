// RUN: mlc-opt %s --affine-parallelize=by-cost --target=x86-64-v3 2>/dev/null | FileCheck %s
// RUN: mlc-opt %s --interpret --entry rest --input iota --input iota > %t.before
// RUN: mlc-opt %s --affine-parallelize=by-cost --target=x86-64-v3 --interpret --entry rest --input iota --input iota > %t.after 2>/dev/null
// RUN: diff %t.before %t.after

// A loop of rows, in two dimensions, and what is left over: one loop. The sum reads what both need, and stays before.
// CHECK-LABEL: func.func @rest
// CHECK: %[[SCALE:.*]] = affine.load %{{.*}}[0] : memref<1xf32>
// CHECK: affine.parallel (%[[I:.*]]) = (0) to (161)
// CHECK: affine.if #{{.*}}(%[[I]])
// CHECK: affine.apply #{{.*}}(%[[I]])
// CHECK: affine.apply #{{.*}}(%[[I]])
// CHECK: affine.for %{{.*}} = 0 to 4096
// CHECK: } else {
// CHECK: affine.for %{{.*}} = 0 to 16
// CHECK: affine.store
// CHECK: } {mlc.grain = 1 : i64}
// CHECK-NOT: affine.parallel
func.func @rest(%m: memref<41x4x4096xf32>, %s: memref<1xf32>) {
  %scale = affine.load %s[0] : memref<1xf32>
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 4 {
      affine.for %k = 0 to 4096 {
        %v = affine.load %m[%i, %j, %k] : memref<41x4x4096xf32>
        %w = arith.mulf %v, %scale : f32
        affine.store %w, %m[%i, %j, %k] : memref<41x4x4096xf32>
      }
    }
  }
  affine.for %k = 0 to 16 {
    %v = affine.load %m[40, 0, %k] : memref<41x4x4096xf32>
    %w = arith.addf %v, %scale : f32
    affine.store %w, %m[40, 0, %k] : memref<41x4x4096xf32>
  }
  %last = affine.load %m[40, 1, 0] : memref<41x4x4096xf32>
  affine.store %last, %m[40, 1, 1] : memref<41x4x4096xf32>
  return
}

// The second loop reads what the first one writes: two regions.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-2: affine.parallel (%{{.*}}) = (0) to (40)
// CHECK-NOT: affine.if
func.func @chain(%m: memref<40x4096xf32>, %o: memref<40x4096xf32>) {
  affine.for %i = 0 to 40 {
    affine.for %k = 0 to 4096 {
      %v = affine.load %m[%i, %k] : memref<40x4096xf32>
      affine.store %v, %o[%i, %k] : memref<40x4096xf32>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %k = 0 to 4096 {
      %v = affine.load %o[39 - %i, %k] : memref<40x4096xf32>
      affine.store %v, %m[%i, %k] : memref<40x4096xf32>
    }
  }
  return
}

// Of how many iterations an inner loop has is known only when it runs: the parts count those around it.
// CHECK-LABEL: func.func @open
// CHECK: affine.parallel (%{{.*}}) = (0) to (80)
// CHECK-COUNT-2: affine.for %{{.*}} = 0 to %{{.*}} {
func.func @open(%m: memref<40x?x4096xf32>, %o: memref<40x?x4096xf32>, %n: index) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to 4096 {
        %v = affine.load %m[%i, %j, %k] : memref<40x?x4096xf32>
        %w = arith.addf %v, %v : f32
        affine.store %w, %m[%i, %j, %k] : memref<40x?x4096xf32>
      }
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to 4096 {
        %v = affine.load %o[%i, %j, %k] : memref<40x?x4096xf32>
        %w = arith.mulf %v, %v : f32
        affine.store %w, %o[%i, %j, %k] : memref<40x?x4096xf32>
      }
    }
  }
  return
}

// What the first part computes is used after the second: nothing is joined.
// CHECK-LABEL: func.func @used_later
// CHECK: affine.for {{.*}} iter_args
// CHECK: affine.parallel
// CHECK-NOT: affine.if
// CHECK: return %
func.func @used_later(%m: memref<40x4096xf32>, %o: memref<4096xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %k = 0 to 4096 iter_args(%acc = %zero) -> (f32) {
    %v = affine.load %m[0, %k] : memref<40x4096xf32>
    %n = arith.addf %acc, %v : f32
    affine.store %n, %o[%k] : memref<4096xf32>
    affine.yield %n : f32
  }
  affine.for %i = 1 to 40 {
    affine.for %k = 0 to 4096 {
      affine.store %zero, %m[%i, %k] : memref<40x4096xf32>
    }
  }
  return %sum : f32
}
