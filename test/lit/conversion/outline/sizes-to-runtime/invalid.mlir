// RUN: mlc-opt %s --sizes-to-runtime --verify-diagnostics --split-input-file
func.func private @mlc_set_size(i64, i64) -> index
func.func @no_record(%x: i64) -> index {
  // expected-error @below {{is in a function without the call record (run parallel-to-runtime first)}}
  %y = func.call @mlc_set_size(%x, %x) : (i64, i64) -> index
  return %y : index
}

// -----

func.func private @mlc_set_size(i64) -> index
func.func @other(%call: !llvm.ptr, %x: i64) -> index {
  // expected-error @below {{has 1 operands, expected a number and a value}}
  %y = func.call @mlc_set_size(%x) : (i64) -> index
  return %y : index
}
