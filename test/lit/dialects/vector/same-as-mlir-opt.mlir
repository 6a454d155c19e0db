// RUN: mlc-opt %s -o %t.mlc && mlir-opt %s -o %t.mlir && diff %t.mlir %t.mlc
// RUN: mlc-opt %s -mlir-print-op-generic | mlc-opt -o %t.again && diff %t.mlc %t.again
// REQUIRES: mlir-opt
// Custom syntax as mlir-opt prints it, and the same again by way of the generic form.
#m0 = affine_map<(i, j, k) -> (i, k)>
#m1 = affine_map<(i, j, k) -> (k, j)>
#m2 = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: vector<4x8xf32>, %b: vector<8x16xf32>, %c: vector<4x16xf32>, %v: vector<4xf32>, %w: vector<8xf32>, %acc: vector<4x8xf32>, %s: f32, %m: vector<4xi1>, %lane: index, %mm: vector<4x8xi1>, %mem: memref<?xf32>) {
  %0 = vector.contract {indexing_maps = [#m0, #m1, #m2], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %1 = vector.contract {indexing_maps = [#m0, #m1, #m2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maxnumf>} %a, %b, %c {foo} : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  %2 = vector.outerproduct %v, %w : vector<4xf32>, vector<8xf32>
  %3 = vector.outerproduct %v, %w, %acc : vector<4xf32>, vector<8xf32>
  %4 = vector.outerproduct %v, %s, %v {kind = #vector.kind<mul>} : vector<4xf32>, f32
  %5 = vector.mask %m { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %i = arith.constant 0 : index
  vector.mask %m { vector.transfer_write %v, %mem[%i] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  %6 = vector.mask %m, %v { vector.transfer_read %mem[%i], %s : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %7 = vector.shuffle %v, %w [0, 5, 1, 7] : vector<4xf32>, vector<8xf32>
  %8 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %9, %10 = vector.deinterleave %w : vector<8xf32> -> vector<4xf32>
  %r = vector.warp_execute_on_lane_0(%lane)[32] args(%v : vector<4xf32>) -> (vector<1xf32>) {
  ^bb0(%x: vector<128xf32>):
    %z = arith.constant dense<1.0> : vector<32xf32>
    vector.yield %z : vector<32xf32>
  }
  vector.warp_execute_on_lane_0(%lane)[32] { }
  %t = bufferization.alloc_tensor(%lane) : tensor<?xf32>
  %t1 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %t2 = bufferization.alloc_tensor(%lane) size_hint=%lane {memory_space = 1 : i64} : tensor<?xf32>
  return
}
