// RUN: mlc-opt %s --pass-pipeline='builtin.module(llvm.func(mem2reg))' | FileCheck %s
// RUN: mlc-opt %s --pass-pipeline='builtin.module(llvm.func(sroa))' | FileCheck %s --check-prefix=SROA
// Sizes beyond 2^60 bytes are not known: nothing is counted in what is left of them in 64 bits.

// CHECK-LABEL: llvm.func @vector
// CHECK-NOT: llvm.alloca
llvm.func @vector(%x: vector<4611686018427387904xi24>) -> vector<4611686018427387904xi24> {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x vector<4611686018427387904xi24> : (i32) -> !llvm.ptr
  llvm.store %x, %slot : vector<4611686018427387904xi24>, !llvm.ptr
  %loaded = llvm.load %slot : !llvm.ptr -> vector<4611686018427387904xi24>
  llvm.return %loaded : vector<4611686018427387904xi24>
}

// Of 2^64 + 4 bytes, a byte behind the end of 32 bits.
// CHECK-LABEL: llvm.func @array
// CHECK: llvm.alloca
// SROA-LABEL: llvm.func @array
// SROA: llvm.alloca %{{.*}} x !llvm.array<4611686018427387905 x i32>
llvm.func @array(%x: i32) -> i32 {
  %one = llvm.mlir.constant(1 : i32) : i32
  %slot = llvm.alloca %one x !llvm.array<4611686018427387905 x i32> : (i32) -> !llvm.ptr
  llvm.store %x, %slot : i32, !llvm.ptr
  %loaded = llvm.load %slot : !llvm.ptr -> i32
  llvm.return %loaded : i32
}
