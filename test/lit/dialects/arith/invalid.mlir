// RUN: mlc-opt %s --split-input-file --verify-diagnostics
func.func @signed() {
  // expected-error @below {{integer return type must be signless}}
  %0 = "arith.constant"() <{value = 1 : si32}> : () -> si32
  return
}

// -----

func.func @scalable() {
  // expected-error @below {{intializing scalable vectors with elements attribute is not supported unless it's a vector splat}}
  %0 = arith.constant dense<[1, 2]> : vector<[2]xi32>
  return
}

// -----

func.func @select(%c: i1, %x: i32) {
  // expected-error @below {{expected 3 operands}}
  %0 = arith.select %c, %x : i32
  return
}
