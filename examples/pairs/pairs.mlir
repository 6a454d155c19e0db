// Squares a complex number n times.
// CHECK-LABEL: func.func @power(
// CHECK-SAME: %[[RE:.*]]: f32, %[[IM:.*]]: f32, %[[N:.*]]: index) -> (f32, f32) {
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %[[RE]], %[[B:.*]] = %[[IM]]) -> (f32, f32) {
// CHECK: %[[AA:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK: %[[BB:.*]] = arith.mulf %[[B]], %[[B]]
// CHECK: %[[X:.*]] = arith.subf %[[AA]], %[[BB]]
// CHECK: %[[Y:.*]] = arith.addf
// CHECK: scf.yield %[[X]], %[[Y]] : f32, f32
// CHECK-NOT: complex
func.func @power(%z: complex<f32>, %n: index) -> complex<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%w = %z) -> (complex<f32>) {
    %s = complex.mul %w, %w : complex<f32>
    scf.yield %s : complex<f32>
  }
  return %r : complex<f32>
}
