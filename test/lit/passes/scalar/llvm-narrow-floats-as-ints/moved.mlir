// RUN: mlc-opt %s --llvm-narrow-floats-as-ints --target=x86-64-v2 | FileCheck %s
// RUN: mlc-opt %s --llvm-narrow-floats-as-ints --target=x86-64-v3 | FileCheck %s --check-prefix=V3
// Where the machine has no conversions, what is moved are integers. bf16 is never the machine's.
// CHECK-LABEL: llvm.func @f16
// CHECK-DAG: %[[Z:.*]] = llvm.mlir.constant(dense<0> : vector<4xi16>) : vector<4xi16>
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(15360 : i16) : i16
// CHECK: %[[L:.*]] = llvm.intr.masked.load %arg0, %arg1, %[[Z]] {{.*}} -> vector<4xi16>
// CHECK: %[[I:.*]] = llvm.insertelement %[[ONE]], %[[L]]{{.*}} : vector<4xi16>
// CHECK-NOT: llvm.bitcast
// CHECK: llvm.add %[[I]], %[[I]] : vector<4xi16>
// V3-LABEL: llvm.func @f16
// V3: llvm.intr.masked.load {{.*}} -> vector<4xf16>
llvm.func @f16(%from: !llvm.ptr, %mask: vector<4xi1>, %at: i64) -> vector<4xi16> {
  %zero = llvm.mlir.constant(dense<0.0> : vector<4xf16>) : vector<4xf16>
  %one = llvm.mlir.constant(1.0 : f16) : f16
  %x = llvm.intr.masked.load %from, %mask, %zero {alignment = 2 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf16>) -> vector<4xf16>
  %y = llvm.insertelement %one, %x[%at : i64] : vector<4xf16>
  %bits = llvm.bitcast %y : vector<4xf16> to vector<4xi16>
  %sum = llvm.add %bits, %bits : vector<4xi16>
  llvm.return %sum : vector<4xi16>
}

// V3-LABEL: llvm.func @bf16
// V3: %[[X:.*]] = llvm.load %arg0 : !llvm.ptr -> i16
// V3: llvm.br ^bb1(%[[X]] : i16)
// V3: ^bb1(%[[Y:.*]]: i16)
// V3: llvm.store %[[Y]], %arg1 : i16, !llvm.ptr
llvm.func @bf16(%from: !llvm.ptr, %to: !llvm.ptr) {
  %x = llvm.load %from : !llvm.ptr -> bf16
  llvm.br ^next(%x : bf16)
^next(%y: bf16):
  llvm.store %y, %to : bf16, !llvm.ptr
  llvm.return
}
