// RUN: mlc-opt %s --interpret | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries | mlc-opt - --interpret | FileCheck %s
// RUN: mlc-opt %s --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline --convert-linalg-to-loops | mlc-opt - --interpret | FileCheck %s
// RUN: mlc-opt %s --bufferize | mlc-opt - --verify-diagnostics
// Tensors of dynamic shape through branches, choices, regions and iterations that contribute parts.
// CHECK: dense<[4.000000e+00, 4.000000e+00, 3.000000e+00]>
// CHECK-NEXT: dense<[4.000000e+00, 4.000000e+00, 5.000000e+00]>
// CHECK-NEXT: dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]>
// CHECK-NEXT: dense<[3.000000e+00, 4.000000e+00, 5.000000e+00, 1.500000e+00]>
// CHECK-NEXT: dense<[4.000000e+00, 4.000000e+00, 4.000000e+00, 3.500000e+00, 1.500000e+00]>
// CHECK-NEXT: dense<[3.000000e+00, 4.000000e+00, 5.000000e+00]>
func.func private @f(%c: i1, %k: index, %n: index) -> tensor<?xf32> {
  %x = arith.constant 1.5 : f32
  %y = arith.constant 2.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.splat %x[%n] : tensor<?xf32>
  %b = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %a[%i] : tensor<?xf32>
    %ii = arith.index_cast %i : index to i32
    %f = arith.sitofp %ii : i32 to f32
    %s = arith.addf %e, %f : f32
    tensor.yield %s : f32
  } : tensor<?xf32>
  %r = scf.if %c -> tensor<?xf32> {
    %w = tensor.insert %y into %a[%c0] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  } else {
    %p = tensor.pad %b low[%k] high[%c1] {
    ^bb0(%i: index):
      %e = tensor.extract %b[%c0] : tensor<?xf32>
      tensor.yield %e : f32
    } : tensor<?xf32> to tensor<?xf32>
    scf.yield %p : tensor<?xf32>
  }
  %q = arith.select %c, %b, %r : tensor<?xf32>
  %q2 = tensor.insert %x into %q[%c1] : tensor<?xf32>
  %d = scf.index_switch %k -> tensor<?xf32>
  case 1 {
    %z = tensor.insert %y into %q2[%c0] : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  case 2 {
    scf.yield %b : tensor<?xf32>
  }
  default {
    scf.yield %r : tensor<?xf32>
  }
  %e = scf.execute_region -> tensor<?xf32> {
    %z = tensor.insert %y into %d[%c1] : tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  %m = scf.forall (%i) in (%n) shared_outs(%o = %e) -> tensor<?xf32> {
    %sl = tensor.extract_slice %o[%i] [1] [1] : tensor<?xf32> to tensor<1xf32>
    %v = tensor.extract %sl[%c0] : tensor<1xf32>
    %v2 = arith.addf %v, %x : f32
    %fe = tensor.from_elements %v2 : tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %fe into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %m : tensor<?xf32>
}
func.func @main() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %t = arith.constant true
  %f = arith.constant false
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %1 = call @f(%t, %c0, %c3) : (i1, index, index) -> tensor<?xf32>
  %2 = call @f(%t, %c1, %c3) : (i1, index, index) -> tensor<?xf32>
  %3 = call @f(%t, %c2, %c3) : (i1, index, index) -> tensor<?xf32>
  %4 = call @f(%f, %c0, %c3) : (i1, index, index) -> tensor<?xf32>
  %5 = call @f(%f, %c1, %c3) : (i1, index, index) -> tensor<?xf32>
  %6 = call @f(%f, %c2, %c3) : (i1, index, index) -> tensor<?xf32>
  return %1, %2, %3, %4, %5, %6 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
