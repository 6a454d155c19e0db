// RUN: mlc-opt --load-dialect=%S/Inputs/num.yaml %s --convert-to-llvm | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/Inputs/num.yaml %s --convert-to-llvm=filter-dialects=func,num,math,index | FileCheck %s
// RUN: mlc-opt --load-dialect=%S/Inputs/num.yaml %s --convert-to-llvm=filter-dialects=func | FileCheck %s --check-prefix=NOT
// A loaded op whose record says which op of llvm it is becomes that one: types are converted, and
// attributes carried over, cases of enumerations by name. Flags that it does not name are dropped.

// CHECK-LABEL: llvm.func @sums
// CHECK: llvm.fadd %arg0, %arg1 : f32
// CHECK: llvm.fadd %{{.*}}, %arg1 {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
// NOT: num.sum
func.func @sums(%a: f32, %b: f32) -> f32 {
  %0 = num.sum %a, %b {wishes = #num.wishes<speed>} : f32
  %1 = num.sum %0, %b <contract,reassoc> : f32
  return %1 : f32
}

// CHECK-LABEL: llvm.func @compares(%arg0: i64, %arg1: i64)
// CHECK: llvm.icmp "sgt" %arg0, %arg1 : i64
func.func @compares(%a: index, %b: index) -> i1 {
  %0 = num.compare sgt, %a, %b
  return %0 : i1
}

// CHECK-LABEL: llvm.func @scales
// CHECK: llvm.fneg %arg0 : f32
func.func @scales(%a: f32) -> f32 {
  %0 = num.scale %a by 1 : f32
  return %0 : f32
}

// By way of math and index.
// CHECK-LABEL: llvm.func @steps
// CHECK: llvm.intr.sqrt(%arg0) : (f32) -> f32
// CHECK: llvm.add %arg1, %arg1 : i64
func.func @steps(%a: f32, %i: index) -> (f32, index) {
  %0 = num.root %a : f32
  %1 = num.next %i, %i
  return %0, %1 : f32, index
}

// What one op could not be lowered to leaves no trace in the next: of three, the one in the middle has a case that llvm.icmp has not.
// CHECK-LABEL: @in_turns
// CHECK: llvm.icmp "eq"
// CHECK: llvm.xor
// CHECK: llvm.icmp "eq"
func.func @in_turns(%a: i1, %b: i1) -> (i1, i1, i1) {
  %0 = "num.differ"(%a, %b) {order = #num.order<eq>} : (i1, i1) -> i1
  %1 = "num.differ"(%a, %b) : (i1, i1) -> i1
  %2 = "num.differ"(%b, %a) {order = #num.order<eq>} : (i1, i1) -> i1
  return %0, %1, %2 : i1, i1, i1
}
