// RUN: mlc-opt %s --convert-index-to-llvm | FileCheck %s
// RUN: mlc-opt %s --convert-index-to-llvm=index-bitwidth=32 | FileCheck %s --check-prefix=NARROW
// RUN: not mlc-opt %s --convert-index-to-llvm=index-bitwidth=7 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: {{.*}}index-bitwidth must be 0, 32 or 64
// CHECK-LABEL: @ops
// CHECK: llvm.add %{{.*}} : i64
// CHECK: llvm.intr.smax
// CHECK: llvm.icmp "ult"
// CHECK: llvm.mlir.constant(64 : i64)
// CHECK: llvm.trunc %{{.*}} : i64 to i32
// NARROW-LABEL: @ops
// NARROW: llvm.add %{{.*}} : i32
// NARROW: llvm.mlir.constant(32 : i32)
// NARROW-NOT: llvm.trunc
func.func @ops(%a: index, %b: index) -> (index, i1, index, i32) {
  %0 = index.add %a, %b
  %1 = index.maxs %0, %b
  %2 = index.cmp ult(%a, %b)
  %3 = index.sizeof
  %4 = index.casts %a : index to i32
  return %1, %2, %3, %4 : index, i1, index, i32
}

// CHECK-LABEL: @floor
// CHECK: %[[M:.*]] = llvm.icmp "slt" %[[B:.*]], %{{.*}} : i64
// CHECK: llvm.sdiv
// CHECK: %[[Q:.*]] = llvm.sdiv %[[A:.*]], %[[B]]
// CHECK: %[[N:.*]] = llvm.icmp "slt" %[[A]]
// CHECK: llvm.icmp "ne" %[[N]], %[[M]] : i1
// CHECK: llvm.select %{{.*}}, %{{.*}}, %[[Q]]
func.func @floor(%a: index, %b: index) -> index {
  %0 = index.floordivs %a, %b
  return %0 : index
}
