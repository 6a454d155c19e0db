// RUN: not mlc-opt %s --interpret --entry forever --max-steps 1000 2>&1 | FileCheck %s --check-prefix=STEPS
// RUN: not mlc-opt %s --interpret --entry deeper 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: not mlc-opt %s --interpret --entry nothing 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not mlc-opt %s --interpret --entry forever --input 1 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not mlc-opt %s --interpret --entry takes --input 'dense<1> : tensor<3xi32>' 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not mlc-opt %s --interpret --entry takes --input /nowhere.npy 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not mlc-opt %s --interpret --entry nested --max-steps 100000 2>&1 | FileCheck %s --check-prefix=STACK
// RUN: not mlc-opt %s --interpret --entry window --input zeros --max-steps 1000 2>&1 | FileCheck %s --check-prefix=WINDOW
// RUN: not mlc-opt %s --interpret --entry nest --input zeros --max-steps 1000 2>&1 | FileCheck %s --check-prefix=NEST
// What never ends, ends; what cannot be called is said.
// STEPS: error: 'cf.br' op not executed: the limit of 1000 steps is reached
func.func @forever() {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
// DEPTH: error: 'func.call' op calls deeper than the limit of 1000
func.func @deeper() {
  call @deeper() : () -> ()
  return
}
// Each call nests regions, so that the C stack ends before the calls do.
// STACK: error: {{.*}}nests and calls deeper than the interpreter's stack allows
func.func @nested() {
  %t = arith.constant true
  scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t { scf.if %t {
    func.call @nested() : () -> ()
  } } } } } } } } } }
  return
}
// NOTHING: has no function 'nothing'
// COUNT: takes 0 arguments, but 1 --input were given
// SHAPE: input 'dense<1> : tensor<3xi32>' for tensor<2xi32> has another shape
// FILE: input '/nowhere.npy': No such file or directory
func.func @takes(%x: tensor<2xi32>) {
  return
}
// An op that visits many points is many steps: here the window of one op, and a nest of loops.
// WINDOW: error: 'graph.average_pool' op not executed: the limit of 1000 steps is reached
func.func @window(%x: tensor<1x1x4xf32>) -> tensor<1x1x1xf32> {
  %y = graph.average_pool %x {kernel_shape = array<i64: 2000005>, pads = array<i64: 1000000, 1000001>} : (tensor<1x1x4xf32>) -> tensor<1x1x1xf32>
  return %y : tensor<1x1x1xf32>
}
// NEST: error: 'linalg.fill' op not executed: the limit of 1000 steps is reached
func.func @nest(%x: tensor<2000000xi8>) -> tensor<2000000xi8> {
  %c = arith.constant 1 : i8
  %y = linalg.fill ins(%c : i8) outs(%x : tensor<2000000xi8>) -> tensor<2000000xi8>
  return %y : tensor<2000000xi8>
}
