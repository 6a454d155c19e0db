// REQUIRES: target
// RUN: mlc run --load-dialect=%S/Inputs/grown.yaml --load-rules=%S/Inputs/grown.rules --input input_0=%S/Inputs/grown.npy %s | FileCheck %s
// RUN: sed '/rule each/d' %S/Inputs/grown.rules > %t.rules
// RUN: not mlc run --load-dialect=%S/Inputs/grown.yaml --load-rules=%t.rules --input input_0=%S/Inputs/grown.npy %s 2>&1 | FileCheck %s --check-prefix=LACKS
// Lowerings that are loaded are applied first: own types and ops with regions run.
// CHECK: output_0: f32 [4] 8 16 24 -32
// LACKS: lowered-dialect.mlir:[[@LINE+5]]:10: error: failed to legalize operation 'grown.each' that was explicitly marked illegal
func.func @main(%x: !grown.table<4 x f32>) -> !grown.table<4 x f32> {
  %n = arith.constant 3 : index
  %r = "grown.repeat"(%n, %x) ({
  ^bb0(%t: !grown.table<4 x f32>):
    %d = "grown.each"(%t) ({
    ^bb0(%e: f32):
      %s = arith.addf %e, %e : f32
      "grown.give"(%s) : (f32) -> ()
    }) : (!grown.table<4 x f32>) -> !grown.table<4 x f32>
    "grown.give"(%d) : (!grown.table<4 x f32>) -> ()
  }) : (index, !grown.table<4 x f32>) -> !grown.table<4 x f32>
  return %r : !grown.table<4 x f32>
}
