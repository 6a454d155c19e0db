// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @type(%x: i64) {
  // expected-error @below {{'flag' type ('i64') should match case value type ('i32')}}
  "cf.switch"(%x)[^bb1, ^bb1] <{case_values = dense<1> : tensor<1xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
^bb1:
  return
}

// -----

func.func @count(%x: i32) {
  // expected-error @below {{number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%x)[^bb1, ^bb1] <{case_values = dense<[1, 2]> : tensor<2xi32>, case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}
