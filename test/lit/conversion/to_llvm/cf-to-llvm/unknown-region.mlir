// RUN: mlc-opt %s --convert-to-llvm --allow-unregistered-dialect --verify-diagnostics
// Of an op that nobody knows the block arguments keep their types, and a branch to one cannot become llvm's.
func.func @f() {
  "test.region"() ({
    %i = "test.index"() : () -> index
    // expected-error @+2 {{failed to legalize operation 'cf.br'}}
    // expected-note @+1 {{an argument of a successor is of another type}}
    cf.br ^bb1(%i : index)
  ^bb1(%j: index):
    "test.end"() : () -> ()
  }) : () -> ()
  return
}
