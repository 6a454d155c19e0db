// RUN: mlc-opt %s --interpret --entry sum --input 'iota as tensor<10xf32>' --input 10 | FileCheck %s --check-prefix=SUM
// RUN: mlc-opt %s --interpret --entry lanes --input 'iota as tensor<8xf32>' --input 'zeros as tensor<8xf32>' | FileCheck %s --check-prefix=LANES
// RUN: not mlc-opt %s --interpret --entry sum --input 'iota as tensor<10xf32>' --input 11 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: mlc-opt %s --interpret --entry tasks --input call --input 'zeros as tensor<4xi64>' --seed 3 | FileCheck %s --check-prefix=TASKS
// Pointers, loops of blocks, vectors, calls through pointers, the runtime's parallel_for. 0 + ... + 9 = 45.
// SUM: 4.500000e+01 : f32
// BOUNDS: error: 'llvm.load' op accesses 4 bytes at 40 of a buffer of 40 bytes
llvm.func @sum(%p: !llvm.ptr, %n: i64) -> f32 {
  %zero = llvm.mlir.constant(0.0 : f32) : f32
  %i0 = llvm.mlir.constant(0 : i64) : i64
  %i1 = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%i0, %zero : i64, f32)
^head(%i: i64, %s: f32):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^exit
^body:
  %at = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %v = llvm.load %at : !llvm.ptr -> f32
  %t = llvm.fadd %s, %v : f32
  %next = llvm.add %i, %i1 : i64
  llvm.br ^head(%next, %t : i64, f32)
^exit:
  llvm.return %s : f32
}
// The reverse of x[0:4], then x[4:8] * 2 + x[4:8] where the lane is odd: 15, 21.
// LANES: dense<[0.000000e+00, {{.*}}> : tensor<8xf32>
// LANES-NEXT: dense<[3.000000e+00, 2.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00, 1.500000e+01, 0.000000e+00, 2.100000e+01]> : tensor<8xf32>
llvm.func @lanes(%x: !llvm.ptr, %y: !llvm.ptr) {
  %two = llvm.mlir.constant(dense<2.0> : vector<4xf32>) : vector<4xf32>
  %odd = llvm.mlir.constant(dense<[false, true, false, true]> : vector<4xi1>) : vector<4xi1>
  %v = llvm.load %x : !llvm.ptr -> vector<4xf32>
  %r = llvm.shufflevector %v, %v [3, 2, 1, 0] : vector<4xf32>
  llvm.store %r, %y : vector<4xf32>, !llvm.ptr
  %x4 = llvm.getelementptr %x[4] : (!llvm.ptr) -> !llvm.ptr, f32
  %y4 = llvm.getelementptr %y[4] : (!llvm.ptr) -> !llvm.ptr, f32
  %w = llvm.load %x4 : !llvm.ptr -> vector<4xf32>
  %f = llvm.intr.fma(%w, %two, %w) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.intr.masked.store %f, %y4, %odd {alignment = 4 : i32} : vector<4xf32>, vector<4xi1> into !llvm.ptr
  llvm.return
}
// Each chunk stores its number squared.
// TASKS: dense<[0, 1, 4, 9]> : tensor<4xi64>
llvm.func @square(%context: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr) {
  %at = llvm.getelementptr %context[%begin] : (!llvm.ptr, i64) -> !llvm.ptr, i64
  %v = llvm.mul %begin, %begin : i64
  llvm.store %v, %at : i64, !llvm.ptr
  llvm.return
}
llvm.func @tasks(%call: !llvm.ptr, %out: !llvm.ptr) {
  %table = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %slot = llvm.getelementptr %table[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %parallel_for = llvm.load %slot : !llvm.ptr -> !llvm.ptr
  %task = llvm.mlir.addressof @square : !llvm.ptr
  %four = llvm.mlir.constant(4 : i64) : i64
  llvm.call %parallel_for(%call, %task, %out, %four) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
  llvm.return
}
