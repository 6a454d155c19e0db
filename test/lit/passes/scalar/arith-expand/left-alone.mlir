// RUN: mlc-opt %s --arith-expand | FileCheck %s
// RUN: mlc-opt %s --arith-expand=include-bf16 | FileCheck %s --check-prefix=BF16
// RUN: mlc-opt %s --arith-expand=only-divisions | FileCheck %s --check-prefix=DIV
// bf16 is asked for; other widths and roundings stay even then.
// CHECK: arith.extf %{{.*}} : bf16 to f32
// BF16: arith.extf %{{.*}} : bf16 to f64
// BF16: arith.truncf %{{.*}} toward_zero : f32 to bf16
func.func @f(%a: bf16, %b: f32) -> (f32, f64, bf16) {
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.extf %a : bf16 to f64
  %2 = arith.truncf %b toward_zero : f32 to bf16
  return %0, %1, %2 : f32, f64, bf16
}

// Quotients alone, where minima are instructions.
// DIV-LABEL: func.func @smaller
// DIV: arith.minsi
// DIV-NOT: arith.floordivsi
func.func @smaller(%a: index, %b: index) -> index {
  %0 = arith.minsi %a, %b : index
  %1 = arith.floordivsi %0, %b : index
  return %1 : index
}
