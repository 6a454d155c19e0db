// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// A function with what a device has not stays on the host, all of it.
// CHECK-NOT: mlc.schedule
func.func @calls(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  call @other() : () -> ()
  return
}
func.func @allocates(%n: index, %a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %d = memref.alloc(%n) : memref<?xf32>
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func @branches(%p: i1, %a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  cf.cond_br %p, ^yes, ^no
^yes:
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
^no:
  return
}
func.func private @other()
func.func @may_fail(%n: index, %a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>, %d: memref<8xf32>) {
  linalg.matmul ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%d : memref<8xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %inside = arith.cmpi ult, %i, %n : index
    cf.assert %inside, "index out of range"
    linalg.yield %x : f32
  }
  return
}
