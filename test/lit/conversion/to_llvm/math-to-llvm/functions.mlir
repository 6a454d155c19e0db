// RUN: mlc-opt %s --convert-math-to-llvm | FileCheck %s
// Functions become LLVM's intrinsics with the flags of their op, of vectors too.
// CHECK-LABEL: func.func @scalars
// CHECK: %[[A:.*]] = llvm.intr.sqrt(%arg0) {fastmathFlags = #llvm.fastmath<fast>} : (f32) -> f32
// CHECK: %[[B:.*]] = llvm.intr.fma(%[[A]], %arg0, %arg0) : (f32, f32, f32) -> f32
// CHECK: llvm.intr.copysign(%[[B]], %arg0) : (f32, f32) -> f32
func.func @scalars(%x: f32) -> f32 {
  %0 = math.sqrt %x fastmath<fast> : f32
  %1 = math.fma %0, %x, %x : f32
  %2 = math.copysign %1, %x : f32
  return %2 : f32
}
// CHECK-LABEL: func.func @vectors
// CHECK: llvm.intr.exp(%arg0) : (vector<4xf32>) -> vector<4xf32>
func.func @vectors(%x: vector<4xf32>) -> vector<4xf32> {
  %0 = math.exp %x : vector<4xf32>
  return %0 : vector<4xf32>
}
// LLVM has no such function, and arith is another pass's.
// CHECK-LABEL: func.func @stays
// CHECK: math.erf
// CHECK: arith.addf
func.func @stays(%x: f32) -> f32 {
  %0 = math.erf %x : f32
  %1 = arith.addf %0, %x : f32
  return %1 : f32
}
