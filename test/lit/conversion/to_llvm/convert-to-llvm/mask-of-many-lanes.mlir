// RUN: mlc-opt %s --convert-to-llvm --verify-diagnostics
// A mask is a constant of an element for each lane.
func.func @mask() -> vector<1000000000xi1> {
  // expected-error @below {{failed to legalize operation 'vector.constant_mask'}}
  // expected-note @below {{a mask has more than 65536 lanes}}
  %0 = vector.constant_mask [7] : vector<1000000000xi1>
  return %0 : vector<1000000000xi1>
}
