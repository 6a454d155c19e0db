// RUN: mlc-opt %s --scf-forall-to-for --verify-diagnostics | FileCheck %s
// RUN: mlc-opt %s --scf-forall-to-parallel --verify-diagnostics | FileCheck %s
// A forall that puts a tensor together is left until that is a buffer.
// CHECK: scf.forall
func.func @f(%t: tensor<8xf32>, %x: tensor<1xf32>) -> tensor<8xf32> {
  // expected-remark @below {{is left, as it has results: bufferise first}}
  %0 = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
