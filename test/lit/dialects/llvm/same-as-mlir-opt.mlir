// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
llvm.mlir.global internal constant @str("hello\00") {addr_space = 0 : i32, dso_local}
llvm.mlir.global external @ext() : i32
llvm.mlir.global private hidden thread_local @x(42 : i64) {alignment = 8 : i64} : i64
llvm.mlir.global internal @init() : !llvm.ptr { %0 = llvm.mlir.addressof @str : !llvm.ptr
  llvm.return %0 : !llvm.ptr }
llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func internal fastcc @f(%a: !llvm.ptr {llvm.noalias}, %b: f32, %n: i64) -> (f32 {llvm.noundef}) attributes {passthrough = ["nounwind"], sym_visibility = "private"} {
  %c = llvm.mlir.constant(1 : i32) : i32
  %s = llvm.alloca %n x f32 {alignment = 16 : i64} : (i64) -> !llvm.ptr
  %s2 = llvm.alloca inalloca %c x !llvm.struct<(i32, ptr)> : (i32) -> !llvm.ptr
  %l = llvm.load %a {alignment = 4 : i64} : !llvm.ptr -> f32
  %g = llvm.getelementptr inbounds %a[%n, %n, 1] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x struct<(f32, i64)>>
  %g2 = llvm.getelementptr %a[3] : (!llvm.ptr) -> !llvm.ptr, f32
  %add = llvm.fadd %l, %b {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
  %i = llvm.add %n, %n overflow<nsw, nuw> : i64
  %cmp = llvm.icmp "slt" %n, %i : i64
  %fc = llvm.fcmp "olt" %l, %b {fastmathFlags = #llvm.fastmath<nnan>} : f32
  %fc2 = llvm.fcmp "ueq" %l, %b : f32
  %r = llvm.call @printf(%a, %b) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, f32) -> i32
  %q = llvm.call fastcc tail @f(%a, %b, %n) : (!llvm.ptr, f32, i64) -> f32
  llvm.call %a(%n) : !llvm.ptr, (i64) -> ()
  llvm.store %add, %g {alignment = 4 : i64} : f32, !llvm.ptr
  %u = llvm.mlir.undef : !llvm.struct<(i32, array<2 x f32>)>
  %iv = llvm.insertvalue %b, %u[1, 0] : !llvm.struct<(i32, array<2 x f32>)>
  %ev = llvm.extractvalue %iv[0] : !llvm.struct<(i32, array<2 x f32>)>
  %fm = llvm.intr.fmuladd(%b, %b, %l) : (f32, f32, f32) -> f32
  %vr = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %red = "llvm.intr.vector.reduce.fadd"(%b, %vr) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
  %sel = llvm.select %cmp, %l, %b : i1, f32
  %z = llvm.mlir.zero : !llvm.ptr<3>
  %ac = llvm.addrspacecast %z : !llvm.ptr<3> to !llvm.ptr
  llvm.cond_br %cmp, ^bb1(%b : f32), ^bb2
^bb1(%x: f32):
  llvm.switch %c : i32, ^bb2 [
    1: ^bb2,
    2: ^bb1(%x : f32)
  ]
^bb2:
  llvm.return %l : f32
}
llvm.func @rec(!llvm.struct<"node", (ptr, struct<"node2", packed (i8, i32)>)>, !llvm.struct<"op", opaque>, vector<4xf32>, !llvm.vec<4 x ptr>, !llvm.target<"spirv.Image", i32, 0>) attributes {frame_pointer = #llvm.framePointerKind<all>, memory = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none>, vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 16>}
