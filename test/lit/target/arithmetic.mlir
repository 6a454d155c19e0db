// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// Flags of integer and float arithmetic arrive; predicates keep their meaning.
// CHECK-LABEL: define i64 @integers(i64 %0, i64 %1)
llvm.func @integers(%a: i64, %b: i64) -> i64 {
  // CHECK: %3 = add nsw i64 %0, %1
  %sum = llvm.add %a, %b overflow<nsw> : i64
  // CHECK: %4 = mul nuw nsw i64 %3, %1
  %product = llvm.mul %sum, %b overflow<nsw, nuw> : i64
  // CHECK: %5 = sdiv i64 %4, 7
  %seven = llvm.mlir.constant(7 : i64) : i64
  %quotient = llvm.sdiv %product, %seven : i64
  // CHECK: %6 = icmp ult i64 %5, %0
  %less = llvm.icmp "ult" %quotient, %a : i64
  // CHECK: %7 = select i1 %6, i64 %5, i64 %4
  %chosen = llvm.select %less, %quotient, %product : i1, i64
  // CHECK: ret i64 %7
  llvm.return %chosen : i64
}
// CHECK-LABEL: define float @floats(float %0, double %1)
llvm.func @floats(%a: f32, %b: f64) -> f32 {
  // CHECK: %3 = fptrunc double %1 to float
  %narrow = llvm.fptrunc %b : f64 to f32
  // CHECK: %4 = fadd reassoc contract float %0, %3
  %sum = llvm.fadd %a, %narrow {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
  // CHECK: %5 = fneg float %4
  %negated = llvm.fneg %sum : f32
  // CHECK: %6 = fcmp uno float %5, 0x7FF8000000000000
  %nan = llvm.mlir.constant(0x7FC00000 : f32) : f32
  %unordered = llvm.fcmp "uno" %negated, %nan : f32
  // CHECK: %7 = zext i1 %6 to i32
  %wide = llvm.zext %unordered : i1 to i32
  // CHECK: %8 = uitofp i32 %7 to float
  %result = llvm.uitofp %wide : i32 to f32
  llvm.return %result : f32
}
