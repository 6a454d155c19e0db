// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --split-input-file --verify-diagnostics
func.func @others(%t: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{failed to bufferize op}}
  %r = scf.forall (%i) in (2) shared_outs(%o = %t) -> tensor<8xf32> {
    // expected-error@+1 {{reads a tensor of which other iterations write parts at the same time}}
    %e = tensor.extract_slice %o[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
// -----
func.func @blocks(%t: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error@+2 {{has tensors and more than one block}}
  // expected-error@+1 {{failed to bufferize op}}
  %r = scf.execute_region -> tensor<8xf32> {
    cf.br ^end
  ^end:
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
// -----
func.func @choices(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xi1>) -> tensor<4xf32> {
  // expected-error@+2 {{only i1 condition values are supported}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = arith.select %c, %a, %b : tensor<4xi1>, tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
func.func @wanted(%t: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+2 {{not bufferizable under the given constraints: would write to read-only buffer, or overwrite what is read}}
  // expected-error@+1 {{failed to bufferize op}}
  %r = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %r, %d : tensor<4xf32>, tensor<4xf32>
}
// -----
// Two tensors that change places as the iterations go cannot be written in their buffers.
func.func @swapped(%a: tensor<4xf32>, %p: tensor<2xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-error@+1 {{failed to bufferize op}}
  %r:2 = scf.while (%x = %a, %y = %a) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %c = arith.cmpi slt, %n, %n : index
    %m = scf.forall (%i) in (2) shared_outs(%o = %y) -> tensor<4xf32> {
      scf.forall.in_parallel {
        // expected-error@+1 {{not bufferizable under the given constraints: cannot avoid RaW conflict}}
        tensor.parallel_insert_slice %p into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
      }
    }
    scf.condition(%c) %x, %m : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    scf.yield %y, %x : tensor<4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
// -----
func.func @spaces(%c: i1) -> tensor<4xf32> {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  // expected-error@+2 {{inconsistent memory space on true/false operands}}
  // expected-error@+1 {{failed to bufferize op}}
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  return %0 : tensor<4xf32>
}
