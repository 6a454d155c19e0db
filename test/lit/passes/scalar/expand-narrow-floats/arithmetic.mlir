// REQUIRES: target
// RUN: mlc-opt %s --expand-narrow-floats --target=x86-64-v3 | FileCheck %s
// RUN: mlc-opt %s --expand-narrow-floats --target=x86-64-v2 --convert-to-llvm | mlc-translate --mlir-to-llvmir - | FileCheck %s --check-prefix=LLVM
// Arithmetic is that of f32, rounded; what moves bits stays.
// CHECK-LABEL: func.func @f
// CHECK: %[[X:.*]] = arith.extf %arg0 : vector<4xf16> to vector<4xf32>
// CHECK: %[[Y:.*]] = arith.extf %arg1 : vector<4xf16> to vector<4xf32>
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<4xf32>
// CHECK: %[[N:.*]] = arith.truncf %[[S]] : vector<4xf32> to vector<4xf16>
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: arith.select %{{.*}}, %[[N]], %arg1 : vector<4xi1>, vector<4xf16>
// CHECK: arith.fptosi %{{.*}} : vector<4xf32> to vector<4xi32>
// LLVM-LABEL: @f
// LLVM-NOT: fpext <4 x half>
// LLVM-NOT: fptrunc
// LLVM: fadd <4 x float>
func.func @f(%x: vector<4xf16>, %y: vector<4xf16>) -> vector<4xi32> {
  %sum = arith.addf %x, %y : vector<4xf16>
  %less = arith.cmpf olt, %sum, %y : vector<4xf16>
  %least = arith.select %less, %sum, %y : vector<4xi1>, vector<4xf16>
  %root = math.sqrt %least : vector<4xf16>
  %int = arith.fptosi %root : vector<4xf16> to vector<4xi32>
  return %int : vector<4xi32>
}
