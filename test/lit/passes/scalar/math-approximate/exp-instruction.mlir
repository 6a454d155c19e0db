// RUN: mlc-opt %s --math-approximate=instructions --target=x86-64-v4 | FileCheck %s
// RUN: mlc-opt %s --math-approximate=instructions --target=x86-64-v3 | FileCheck %s --check-prefix=BITS
// RUN: mlc-opt %s --math-approximate=instructions --target=aarch64 | FileCheck %s --check-prefix=BITS
// AVX-512 multiplies by a power of two in one instruction, of 16, 8 or 4 lanes; other machines and widths do it on the bits.
// CHECK-LABEL: func.func @lanes
// CHECK: %[[N:.*]] = math.roundeven
// CHECK: %[[P:.*]] = arith.addf
// CHECK: %[[MASK:.*]] = arith.constant -1 : i16
// CHECK: %[[ROUND:.*]] = arith.constant 4 : i32
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%[[P]], %[[N]], %[[P]], %[[MASK]], %[[ROUND]])
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.256"({{.*}}) : (vector<8xf32>, vector<8xf32>, vector<8xf32>, i8)
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.128"
// CHECK-NOT: call_intrinsic
// CHECK: arith.shrsi {{.*}} : i32
// BITS-NOT: call_intrinsic
func.func @lanes(%a: vector<16xf32>, %b: vector<8xf32>, %c: vector<4xf32>, %d: f32) -> (vector<16xf32>, vector<8xf32>, vector<4xf32>, f32) {
  %0 = math.exp %a : vector<16xf32>
  %1 = math.exp %b : vector<8xf32>
  %2 = math.exp %c : vector<4xf32>
  %3 = math.exp %d : f32
  return %0, %1, %2, %3 : vector<16xf32>, vector<8xf32>, vector<4xf32>, f32
}
