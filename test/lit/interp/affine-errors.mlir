// RUN: mlc-opt %s --interpret --entry f -split-input-file -verify-diagnostics
// Maps, conditions and reductions that have no value.

func.func @f() -> index {
  %n = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'affine.apply' op has a map that divides by zero or overflows}}
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 floordiv s0)>(%c4)[%n]
  return %0 : index
}

// -----

func.func @f() {
  %n = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    // expected-error@+1 {{'affine.if' op has a condition that divides by zero or overflows}}
    affine.if affine_set<(d0)[s0] : (d0 mod s0 == 0)>(%i)[%n] {
    }
  }
  return
}

// -----

func.func @f() -> (index, index) {
  %n = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'affine.delinearize_index' op has a basis element of 0}}
  %0:2 = affine.delinearize_index %c4 into (%c4, %n) : index, index
  return %0#0, %0#1 : index, index
}

// -----

func.func @f() -> vector<4xf32> {
  %v = arith.constant dense<1.0> : vector<4xf32>
  // expected-error@+1 {{'affine.parallel' op reduces values of a type that the interpreter does not know}}
  %0 = affine.parallel (%i) = (0) to (4) reduce ("assign") -> (vector<4xf32>) {
    affine.yield %v : vector<4xf32>
  }
  return %0 : vector<4xf32>
}

// -----

func.func @f() {
  // expected-error@+1 {{'ub.poison' op is not known for this type}}
  %0 = ub.poison : !llvm.ptr
  return
}

// -----

func.func @f() -> f32 {
  %x = arith.constant 2.0 : f32
  %n = arith.constant 36893488147419103232 : i128
  // expected-error@+1 {{'math.fpowi' op has an exponent of more than 64 bits}}
  %0 = math.fpowi %x, %n : f32, i128
  return %0 : f32
}

// -----

func.func @f() -> tensor<4xf32> {
  // expected-error@+1 {{'arith.constant' op has a value that cannot be evaluated}}
  %0 = arith.constant dense_resource<missing> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
