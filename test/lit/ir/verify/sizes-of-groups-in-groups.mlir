// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @too_few(%flag: i32, %a: i32) {
  // expected-error @below {{'cf.switch' op caseOperands count (1) does not match with the total size (0) specified in attribute 'case_operand_segments'}}
  "cf.switch"(%flag, %a)[^bb1, ^bb2] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 1>}> : (i32, i32) -> ()
^bb1:
  return
^bb2:
  return
}

// -----

func.func @negative(%flag: i32) {
  // expected-error @below {{'cf.switch' op 'case_operand_segments' attribute cannot have negative elements}}
  "cf.switch"(%flag)[^bb1, ^bb2] <{case_operand_segments = array<i32: -1>, case_values = dense<1> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
^bb2:
  return
}
