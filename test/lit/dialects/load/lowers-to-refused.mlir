// RUN: mlc-opt --load-dialect=%S/Inputs/num.yaml %s --split-input-file --convert-to-llvm=filter-dialects=num --verify-diagnostics
// What an op says, and the op of llvm cannot say, is not lost.

func.func @case(%a: index) -> i1 {
  // expected-error @+2 {{failed to legalize operation 'num.compare' that was explicitly marked illegal}}
  // expected-note @+1 {{pattern 'num.compare': 'predicate' of 'llvm.icmp' has no such case}}
  %0 = num.compare far, %a, %a
  return %0 : i1
}

// -----

func.func @attribute(%a: f32) -> f32 {
  // expected-error @+2 {{failed to legalize operation 'num.scale' that was explicitly marked illegal}}
  // expected-note @+1 {{pattern 'num.scale': 'llvm.fneg' has no place for 'by'}}
  %0 = num.scale %a by 2 : f32
  return %0 : f32
}

// -----

func.func @type(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{failed to legalize operation 'num.sum' that was explicitly marked illegal}}
  // expected-note @+1 {{pattern 'num.sum': operand #0: type tensor<4xf32> cannot be converted}}
  %0 = num.sum %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
