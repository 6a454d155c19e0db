// RUN: mlc-opt %s --gpu-map-parallel-loops | FileCheck %s
// RUN: mlc-opt %s --gpu-map-parallel-loops --gpu-map-parallel-loops | FileCheck %s
// Blocks, then threads, then one after the other; so is a fourth dimension.
// CHECK-LABEL: func.func @nested
// CHECK: {mapping = [#gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK: {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
// CHECK: {mapping = [#gpu.loop_dim_map<processor = block_x, {{.*}}>, #gpu.loop_dim_map<processor = block_y, {{.*}}>, #gpu.loop_dim_map<processor = block_z, {{.*}}>, #gpu.loop_dim_map<processor = sequential, {{.*}}>]}
func.func @nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%a, %b, %c, %d) = (%c0, %c0, %c0, %c0) to (%n, %n, %n, %n) step (%c1, %c1, %c1, %c1) {
    scf.parallel (%e) = (%c0) to (%n) step (%c1) {
      scf.parallel (%f) = (%c0) to (%n) step (%c1) {
      }
    }
  }
  return
}
