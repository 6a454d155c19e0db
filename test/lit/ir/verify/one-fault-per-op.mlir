// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What is inside an op that is wrong is left alone.
func.func @empty(%a: index) {
  // expected-error @below {{'scf.for' op expects a non-empty block}}
  "scf.for"(%a, %a, %a) ({
  ^body(%i: index):
  }) : (index, index, index) -> ()
  return
}

// -----

func.func @no_terminator(%c: i1) {
  // expected-error @below {{block with no terminator, has %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32}}
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32
}

// -----

// Of a structured op the terminator comes first.
func.func @body(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'linalg.exp' op expects regions to end with 'linalg.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'linalg.yield'}}
  %0 = "linalg.exp"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    "llvm.unreachable"() : () -> ()
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'builtin.module' op region should have no arguments}}
"builtin.module"() ({
^bb0(%a: i32):
}) : () -> ()
