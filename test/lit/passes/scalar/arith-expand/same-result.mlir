// RUN: mlc-opt %s --arith-expand=include-bf16 | FileCheck %s
// RUN: mlc-opt %s --interpret --entry run | FileCheck %s --check-prefix=EVAL
// RUN: mlc-opt %s --arith-expand=include-bf16 --interpret --entry run | FileCheck %s --check-prefix=EVAL
// Nothing is left that LLVM has no instruction for, and all signs and NaN come out the same.
// CHECK-NOT: {{ceildiv|floordiv|max|min|extf|truncf}}
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.ceildivsi %a, %b : i32
  %1 = arith.floordivsi %a, %b : i32
  return %0, %1 : i32, i32
}
func.func @order(%a: i32, %b: i32) -> (i32, i32, i32, i32, i32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.minsi %a, %b : i32
  %2 = arith.maxui %a, %b : i32
  %3 = arith.minui %a, %b : i32
  %4 = arith.ceildivui %a, %b : i32
  return %0, %1, %2, %3, %4 : i32, i32, i32, i32, i32
}
func.func @nan(%a: vector<3xf32>, %b: vector<3xf32>) -> (vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>) {
  %0 = arith.maximumf %a, %b : vector<3xf32>
  %1 = arith.minimumf %a, %b : vector<3xf32>
  %2 = arith.maxnumf %a, %b : vector<3xf32>
  %3 = arith.minnumf %a, %b : vector<3xf32>
  return %0, %1, %2, %3 : vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>
}
// A tie goes to the even neighbour, and what is above the middle up.
func.func @round(%a: vector<3xf32>) -> vector<3xf32> {
  %0 = arith.truncf %a : vector<3xf32> to vector<3xbf16>
  %1 = arith.extf %0 : vector<3xbf16> to vector<3xf32>
  return %1 : vector<3xf32>
}
// EVAL: -2 : i32
// EVAL-NEXT: -3 : i32
// EVAL-NEXT: 4 : i32
// EVAL-NEXT: 3 : i32
// EVAL-NEXT: 5 : i32
// EVAL-NEXT: -7 : i32
// EVAL-NEXT: -7 : i32
// EVAL-NEXT: 5 : i32
// EVAL-NEXT: 858993458 : i32
// EVAL-NEXT: 2.0{{.*}}0x7FC00000{{.*}}0x7FC00000
// EVAL-NEXT: 1.0{{.*}}0x7FC00000{{.*}}0x7FC00000
// EVAL-NEXT: 2.0{{.*}}3.0{{.*}}4.0
// EVAL-NEXT: 1.0{{.*}}3.0{{.*}}4.0
// EVAL-NEXT: 1.0{{.*}}1.015{{.*}}1.0078125
func.func @run() -> (i32, i32, i32, i32, i32, i32, i32, i32, i32, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>) {
  %m7 = arith.constant -7 : i32
  %m2 = arith.constant -2 : i32
  %3 = arith.constant 3 : i32
  %5 = arith.constant 5 : i32
  %a:2 = func.call @divide(%m7, %3) : (i32, i32) -> (i32, i32)
  %b:2 = func.call @divide(%m7, %m2) : (i32, i32) -> (i32, i32)
  %c:5 = func.call @order(%m7, %5) : (i32, i32) -> (i32, i32, i32, i32, i32)
  %x = arith.constant dense<[1.0, 0x7FC00000, 4.0]> : vector<3xf32>
  %y = arith.constant dense<[2.0, 3.0, 0x7FC00000]> : vector<3xf32>
  %d:4 = func.call @nan(%x, %y) : (vector<3xf32>, vector<3xf32>) -> (vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>)
  %ties = arith.constant dense<[0x3F808000, 0x3F818000, 0x3F808001]> : vector<3xf32>
  %e = func.call @round(%ties) : (vector<3xf32>) -> vector<3xf32>
  return %a#0, %a#1, %b#0, %b#1, %c#0, %c#1, %c#2, %c#3, %c#4, %d#0, %d#1, %d#2, %d#3, %e : i32, i32, i32, i32, i32, i32, i32, i32, i32, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>, vector<3xf32>
}
