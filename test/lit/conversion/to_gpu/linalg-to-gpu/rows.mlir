// RUN: mlc-opt %s --convert-linalg-to-gpu --canonicalize --cse | FileCheck %s
// A row is read once and stays in registers: a reduction is shuffles, and the sums' buffer is gone.
#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @share
// CHECK-SAME: %[[A:[^,]*]]: memref<64x64xf32>, %[[OUT:.*]]: memref<64x64xf32>
// CHECK-NOT: memref.alloc
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c16, {{.*}}) threads({{.*}}) in (%{{.*}} = %c128,
// CHECK-COUNT-2: memref.load %[[A]]
// CHECK-NOT: memref.load
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-COUNT-2: memref.store %{{.*}}, %[[OUT]]
// CHECK: gpu.terminator
func.func @share(%a: memref<64x64xf32>, %out: memref<64x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<64xf32>
  linalg.fill {mlc.schedule = #gpu.schedule<kind = rows, warps = [4, 1]>} ins(%zero : f32) outs(%sums : memref<64xf32>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<64x64xf32>) outs(%sums : memref<64xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %s, %x : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel"]}
    ins(%a, %sums : memref<64x64xf32>, memref<64xf32>) outs(%out : memref<64x64xf32>) {
  ^bb0(%x: f32, %s: f32, %o: f32):
    %t = arith.divf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// Several warps a row meet in workgroup memory; the last places of some threads are outside.
// CHECK-LABEL: func.func @long
// CHECK: gpu.launch {{.*}} dynamic_shared_memory_size
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: gpu.shuffle
func.func @long(%a: memref<8x1000xf32>, %sums: memref<8xf32>) {
  linalg.reduce {arith.addf} ins(%a : memref<8x1000xf32>) outs(%sums : memref<8xf32>) dimensions = [1]
    {mlc.schedule = #gpu.schedule<kind = rows, warps = [1, 4]>}
  return
}
