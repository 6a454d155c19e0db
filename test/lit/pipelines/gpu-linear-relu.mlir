// REQUIRES: target
// RUN: mlc-opt %s --gpu-pipeline | mlc-translate --export-ptx | FileCheck %s --check-prefix=PTX
// RUN: mlc-opt %s --interpret --input integers:1 --input integers:2 > %t.graph
// RUN: mlc-opt %s --graph-pipeline --kernels-pipeline --linalg-pipeline --gpu-launch-pipeline --interpret --input integers:1 --input integers:2 --input zeros > %t.gpu
// RUN: FileCheck %s --input-file %t.graph --check-prefix=VALUES
// RUN: FileCheck %s --input-file %t.gpu --check-prefix=VALUES
// One kernel: the product and the rectifier together, one thread an output; the interpreter gets from the launch what it gets
// from the graph.
// PTX: .visible .entry kernel_0_kernel(
// PTX: .maxntid 128, 1, 1
// PTX: fma.rn.f32
// PTX-NOT: .entry
// VALUES: {{128|1.280000e\+02}}, {{66|6.600000e\+01}}, {{125|1.250000e\+02}}, {{4|4.000000e\+00}}{{.*}}: tensor<1x20xf32>
func.func @main(%x: tensor<1x48xf32>, %w: tensor<20x48xf32>) -> tensor<1x20xf32> {
  %t = graph.transpose %w {perm = array<i64: 1, 0>} : (tensor<20x48xf32>) -> tensor<48x20xf32>
  %m = graph.matmul %x, %t : (tensor<1x48xf32>, tensor<48x20xf32>) -> tensor<1x20xf32>
  %r = graph.relu %m : (tensor<1x20xf32>) -> tensor<1x20xf32>
  return %r : tensor<1x20xf32>
}
