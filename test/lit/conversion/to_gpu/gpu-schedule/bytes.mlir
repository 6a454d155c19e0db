// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// RUN: mlc-opt %s --gpu-schedule --convert-linalg-to-gpu | FileCheck %s --check-prefix=LAUNCH
// Products of bytes with signs are matrix instructions', whose sums wrap, of twice the depth of halves, others are rows' or points'.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func @signed
// CHECK: mlc.schedule = #gpu.schedule<kind = mma, tile = [16, 32, 64], warps = [1, 2], stages = 4>
// LAUNCH-LABEL: func.func @signed
// LAUNCH: nvgpu.ldmatrix {{.*}} -> vector<4x4xi8>
// LAUNCH: nvgpu.mma.sync(%{{.*}}) {mlc.wraps, mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
func.func @signed(%x: memref<64x64xi8>, %w: memref<64x64xi8>, %y: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<64x64xi8>, memref<64x64xi8>) outs(%y : memref<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// CHECK-LABEL: func.func @unsigned
// CHECK: mlc.schedule = #gpu.schedule<kind = rows
func.func @unsigned(%x: memref<64x64xi8>, %w: memref<64x64xi8>, %y: memref<64x64xi32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : memref<64x64xi8>, memref<64x64xi8>) outs(%y : memref<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %sum, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
