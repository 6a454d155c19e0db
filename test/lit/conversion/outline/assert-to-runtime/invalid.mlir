// RUN: mlc-opt %s --assert-to-runtime --verify-diagnostics --split-input-file
func.func @no_record(%fits: i1) {
  // expected-error @below {{is in a function without the call record (run parallel-to-runtime first)}}
  cf.assert %fits, "no room"
  return
}

// -----

func.func @in_loop(%call: !llvm.ptr, %fits: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @below {{is inside of another op (run convert-scf-to-cf first)}}
    cf.assert %fits, "no room"
  }
  return
}

// -----

func.func @with_result(%call: !llvm.ptr, %fits: i1) -> i1 {
  // expected-error @below {{is in a function with results}}
  cf.assert %fits, "no room"
  return %fits : i1
}
