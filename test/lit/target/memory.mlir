// RUN: mlc-translate %s --export-llvmir | FileCheck %s
// Addresses, alignment, volatile and invariant accesses, stack memory, copies.
// CHECK-LABEL: define void @access(ptr noalias align 64 %0, i64 %1)
llvm.func @access(%p: !llvm.ptr {llvm.noalias, llvm.align = 64 : i64}, %i: i64) {
  // CHECK: %3 = getelementptr inbounds [4 x float], ptr %0, i64 %1, i32 3
  %at = llvm.getelementptr inbounds %p[%i, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x f32>
  // CHECK: %4 = load <4 x float>, ptr %3, align 4, !invariant.load
  %row = llvm.load %at invariant {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  // CHECK: %5 = alloca float, i64 %1, align 64
  %stack = llvm.alloca %i x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
  // CHECK: store <4 x float> %4, ptr %5, align 16, !nontemporal
  llvm.store %row, %stack {alignment = 16 : i64, nontemporal} : vector<4xf32>, !llvm.ptr
  // CHECK: %6 = load volatile i32, ptr %3
  %once = llvm.load volatile %at : !llvm.ptr -> i32
  // CHECK: call void @llvm.memcpy.p0.p0.i64(ptr %5, ptr %0, i64 %1, i1 false)
  "llvm.intr.memcpy"(%stack, %p, %i) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  // CHECK: call void @llvm.prefetch.p0(ptr %0, i32 0, i32 3, i32 1)
  "llvm.intr.prefetch"(%p) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  // CHECK: atomicrmw add ptr %0, i32 %6 monotonic, align 4
  %old = llvm.atomicrmw add %p, %once monotonic {alignment = 4 : i64} : !llvm.ptr, i32
  llvm.return
}
