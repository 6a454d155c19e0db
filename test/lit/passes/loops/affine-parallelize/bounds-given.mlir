// RUN: mlc-opt %s --affine-parallelize | FileCheck %s
// RUN: mlc-opt %s --affine-parallelize=by-cost=true | FileCheck %s --check-prefix=COST
// How many iterations there are may be known only when the function runs. By cost, a chunk is then
// as many of them as are worth sharing out.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK: affine.parallel (%{{.*}}) = (0) to ((%[[N]] floordiv 8) * 8) step (8)
// CHECK-NOT: affine.for
// COST: affine.parallel
// COST: mlc.grain = {{[0-9][0-9][0-9]+}} : i64
func.func @f(%m: memref<?xf32>, %x: vector<8xf32>, %n: index) {
  affine.for %i = 0 to affine_map<()[n] -> ((n floordiv 8) * 8)>()[%n] step 8 {
    affine.vector_store %x, %m[%i] : memref<?xf32>, vector<8xf32>
  }
  return
}
