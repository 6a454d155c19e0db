// RUN: mlc-opt %s --text-to-runtime --verify-diagnostics --split-input-file
func.func private @mlc_text(i64, i64, i64, i64, i64) -> i64
func.func @no_record(%x: i64) -> i64 {
  // expected-error @below {{is in a function without the call record (run parallel-to-runtime first)}}
  %y = func.call @mlc_text(%x, %x, %x, %x, %x) : (i64, i64, i64, i64, i64) -> i64
  return %y : i64
}

// -----

func.func private @mlc_text(i64) -> i64
func.func @other(%call: !llvm.ptr, %x: i64) -> i64 {
  // expected-error @below {{has 1 operands, expected five numbers}}
  %y = func.call @mlc_text(%x) : (i64) -> i64
  return %y : i64
}
