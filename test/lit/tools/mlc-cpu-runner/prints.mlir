// RUN: mlc-opt %s --convert-to-llvm | mlc-cpu-runner -entry-point-result=void --shared-libs=%runner_utils | FileCheck %s --match-full-lines
// Numbers, and what stands between them.
// CHECK: ( -3, 18446744073709551613 )
// CHECK-NEXT: 0.1, 1e+20, -0, nan, 0.333333
// CHECK-NEXT: 1.5, -inf, 6.10352e-05, 1.5
func.func private @printI64(i64)
func.func private @printU64(i64)
func.func private @printF32(f32)
func.func private @printF64(f64)
func.func private @printF16(i16)
func.func private @printBF16(i16)
func.func private @printOpen()
func.func private @printClose()
func.func private @printComma()
func.func private @printNewline()
func.func @main() {
  %m3 = arith.constant -3 : i64
  call @printOpen() : () -> ()
  call @printI64(%m3) : (i64) -> ()
  call @printComma() : () -> ()
  call @printU64(%m3) : (i64) -> ()
  call @printClose() : () -> ()
  call @printNewline() : () -> ()
  %a = arith.constant 0.1 : f32
  %b = arith.constant 1.0e20 : f64
  %c = arith.constant -0.0 : f32
  %d = arith.constant 0x7FC00000 : f32
  %e = arith.constant 0.3333333333 : f64
  call @printF32(%a) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF64(%b) : (f64) -> ()
  call @printComma() : () -> ()
  call @printF32(%c) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF32(%d) : (f32) -> ()
  call @printComma() : () -> ()
  call @printF64(%e) : (f64) -> ()
  call @printNewline() : () -> ()
  %h = arith.constant 0x3E00 : i16
  %inf = arith.constant 0xFC00 : i16
  %least = arith.constant 0x0400 : i16
  %bf = arith.constant 0x3FC0 : i16
  call @printF16(%h) : (i16) -> ()
  call @printComma() : () -> ()
  call @printF16(%inf) : (i16) -> ()
  call @printComma() : () -> ()
  call @printF16(%least) : (i16) -> ()
  call @printComma() : () -> ()
  call @printBF16(%bf) : (i16) -> ()
  call @printNewline() : () -> ()
  return
}
