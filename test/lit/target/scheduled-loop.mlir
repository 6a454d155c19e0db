// RUN: mlc-translate %s --export-asm --target=x86-64-v4 | FileCheck %s
// A loop that is vectorised already: full-width registers, the accumulator stays in one, the factor comes from memory, and
// LLVM neither unrolls nor interleaves.
// CHECK-LABEL: dot:
// CHECK: [[LOOP:\.L[A-Z0-9_]+]]:
// CHECK: vmovups {{.*}}, [[A:%zmm[0-9]+]]
// CHECK-NEXT: vfmadd231ps {{.*}}, [[A]], %zmm{{[0-9]+}}
// CHECK-NOT: vfmadd
// CHECK: {{j[a-z]+}} [[LOOP]]
llvm.func @dot(%a: !llvm.ptr, %b: !llvm.ptr, %out: !llvm.ptr, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %lanes = llvm.mlir.constant(16 : i64) : i64
  %start = llvm.mlir.zero : vector<16xf32>
  llvm.br ^head(%zero, %start : i64, vector<16xf32>)
^head(%i: i64, %sum: vector<16xf32>):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^exit
^body:
  %pa = llvm.getelementptr %a[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %pb = llvm.getelementptr %b[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %x = llvm.load %pa {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %y = llvm.load %pb {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %next = llvm.intr.fma(%x, %y, %sum) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
  %j = llvm.add %i, %lanes : i64
  llvm.br ^head(%j, %next : i64, vector<16xf32>)
^exit:
  llvm.store %sum, %out {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
  llvm.return
}
