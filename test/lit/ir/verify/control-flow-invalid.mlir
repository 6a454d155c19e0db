// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Branches, loops and regions that pass what their successor does not take.
func.func @middle() {
  // expected-error@+1 {{operation with block successors must terminate its parent block}}
  "a.b"()[^next] : () -> ()
  func.return
^next:
  func.return
}

// -----

func.func @elsewhere() {
  scf.execute_region {
    // expected-error@+1 {{reference to an undefined block}}
    cf.br ^out
  }
  func.return
^out:
  func.return
}

// -----

func.func @count(%x: i32) {
  // expected-error@+1 {{branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^next(%x : i32)
^next:
  func.return
}

// -----

func.func @type(%x: i32) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^next(%x : i32)
^next(%y: i64):
  func.return
}

// -----

func.func @entry() {
  // expected-error@+1 {{reference to an undefined block}}
  "a.b"()[^again] : () -> ()
}

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
"a.b"() ({
^entry:
  "cf.br"()[^entry] : () -> ()
}) : () -> ()

// -----

// expected-error@+1 {{entry block of region may not have predecessors}}
func.func @entry() {
^entry:
  cf.br ^entry
}

// -----

func.func @yields(%n: index, %x: f32) {
  // expected-error@+1 {{'scf.for' op different number of region iter_args and yielded values: 1 != 2}}
  %0 = scf.for %i = %n to %n step %n iter_args(%a = %x) -> (f32) {
    scf.yield %a, %a : f32, f32
  }
  func.return
}

// -----

func.func @results(%n: index, %x: f32) {
  // expected-error@+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
  %0:2 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%i: index, %a: f32):
    scf.yield %a : f32
  }) : (index, index, index, f32) -> (f32, f32)
  func.return
}

// -----

func.func @results(%n: index, %x: f32) {
  %0:2 = "affine.for"(%x) <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  ^bb0(%i: index, %a: f32):
    // expected-error@+1 {{'affine.yield' op parent of yield must have same number of results as the yield operands}}
    affine.yield %a : f32
  }) : (f32) -> (f32, f32)
  func.return
}

// -----

func.func @init(%n: index, %x: i32) {
  // expected-error@+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'i32' != 'f32'}}
  %0 = "scf.for"(%n, %n, %n, %x) ({
  ^bb0(%i: index, %a: f32):
    scf.yield %a : f32
  }) : (index, index, index, i32) -> f32
  func.return
}

// -----

module {
  // expected-error@+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
  "builtin.module"() ({
  ^one:
    "a.b"() : () -> ()
  ^two:
    "a.b"() : () -> ()
  }) : () -> ()
}

// -----

// expected-error@+1 {{'gpu.module' op expects region #0 to have 0 or 1 blocks}}
"gpu.module"() <{sym_name = "m"}> ({
^one:
  "cf.br"()[^two] : () -> ()
^two:
  "gpu.module_end"() : () -> ()
}) : () -> ()

// -----

func.func @blocks(%c: i1) {
  // expected-error@+1 {{'scf.if' op expects region #0 to have 0 or 1 blocks}}
  scf.if %c {
    cf.br ^next
  ^next:
    scf.yield
  }
  func.return
}
