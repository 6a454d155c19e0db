// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Bounds and steps are attributes of type index.
func.func @large() {
  // expected-error @below {{integer constant out of range for attribute}}
  affine.for %i = 1 to 9223372036854775810 {
  }
  return
}

// -----

func.func @twice_negative() {
  // expected-error @below {{expected constant integer}}
  affine.for %i = 1 to 100 step -- 1 {
  }
  return
}

// -----

func.func @text() {
  // expected-error @below {{invalid kind of attribute specified}}
  affine.for %i = 1 to 100 step "1" {
  }
  return
}

// -----

func.func @both() {
  affine.for %i = max 3 to min 5 {
  }
  return
}
