// RUN: mlc-translate --mlir-to-llvmir --split-input-file --verify-diagnostics %s
// A call of an intrinsic has its signature, as LLVM's verifier would ask later.
llvm.func @result() {
  // expected-error @+2 {{intrinsic call returns i32 but "llvm.x86.sse2.pause" actually returns void}}
  // expected-error @+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  %0 = llvm.call_intrinsic "llvm.x86.sse2.pause"() : () -> i32
  llvm.return
}

// -----

llvm.func @count(%x: i32) {
  // expected-error @+2 {{intrinsic call has 1 operands but "llvm.x86.sse2.pause" expects 0}}
  // expected-error @+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  llvm.call_intrinsic "llvm.x86.sse2.pause"(%x) : (i32) -> ()
  llvm.return
}

// -----

llvm.func @operand(%x: f32) {
  // expected-error @+2 {{intrinsic call operand #0 has type float but "llvm.x86.sse42.crc32.32.8" expects i32}}
  // expected-error @+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  %0 = llvm.call_intrinsic "llvm.x86.sse42.crc32.32.8"(%x, %x) : (f32, f32) -> i32
  llvm.return
}

// -----

llvm.func @many(%x: f32) {
  // expected-error @+2 {{'llvm.call_intrinsic' op has too many operands}}
  // expected-error @+1 {{LLVM Translation failed for operation: llvm.call_intrinsic}}
  %0 = llvm.call_intrinsic "llvm.sqrt"(%x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x) : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> f32
  llvm.return
}

// -----

llvm.func @shuffle(%m: i32, %v: i64) {
  // expected-error @below {{'nvvm.shfl.sync' op shuffles i32 and f32 only, got i64}}
  %0 = nvvm.shfl.sync bfly %m, %v, %m, %m : i64 -> i64
  llvm.return
}
