// RUN: mlc-opt %s > %t.custom
// RUN: mlir-opt %s | diff - %t.custom
// RUN: mlc-opt %t.custom | diff - %t.custom
// RUN: mlc-opt %s --mlir-print-op-generic > %t.generic
// RUN: mlir-opt %s --mlir-print-op-generic | diff - %t.generic
// RUN: mlir-opt %t.generic | diff - %t.custom
// RUN: mlc-opt %t.generic | diff - %t.custom
// REQUIRES: mlir-opt
// Custom forms of many dialects, from formats and from hooks: each tool reads what the other prints, and prints the same.
#map = affine_map<(d0, d1) -> (d0, d1)>
module attributes {a.b = 1} {
  memref.global "private" constant @g : memref<2xi32> = dense<[1, 2]>
  memref.global @u : memref<2xi32> = uninitialized
  func.func private @ext(i32, memref<*xf32> {a.b}) -> (i32 {x.y = 1}, f32)
  func.func @f(%m: memref<4x4xf32>, %t: tensor<4x?xf32>, %i: index, %c: i1) -> tensor<4x?xf32> attributes {llvm.emit_c_interface} {
    %0 = affine.load %m[%i + 1, %i * 2] : memref<4x4xf32>
    affine.store %0, %m[symbol(%i), 3] : memref<4x4xf32>
    affine.for %a = 0 to min affine_map<(d0) -> (d0, 4)>(%i) step 2 {
      affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%a) { }
    }
    %r = affine.for %a = 0 to 10 iter_args(%x = %0) -> f32 {
      affine.yield %x : f32
    }
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x?xf32>) outs(%t : tensor<4x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = arith.addf %in, %out fastmath<fast> : f32
      linalg.yield %2 : f32
    } -> tensor<4x?xf32>
    %s = tensor.extract_slice %1[%i, 0] [2, %i] [1, 1] : tensor<4x?xf32> to tensor<2x?xf32>
    %sub = memref.subview %m[0, %i] [2, 2] [1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1], offset: ?>>
    %w:2 = scf.while (%arg = %i) : (index) -> (index, f32) {
      scf.condition(%c) %arg, %0 : index, f32
    } do {
    ^bb0(%p: index, %q: f32):
      scf.yield %p : index
    }
    scf.parallel (%p) = (%i) to (%i) step (%i) { scf.reduce }
    cf.assert %c, "bad"
    %v = vector.transfer_read %m[%i, %i], %0 {in_bounds = [true]} : memref<4x4xf32>, vector<4xf32>
    %vr = vector.reduction <add>, %v : vector<4xf32> into f32
    %ex = vector.extract %v[2] : f32 from vector<4xf32>
    %al = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
    %d = memref.dim %al, %i : memref<?xf32>
    memref.dealloc %al : memref<?xf32>
    %cc = call @f(%m, %t, %i, %c) : (memref<4x4xf32>, tensor<4x?xf32>, index, i1) -> tensor<4x?xf32>
    return %cc : tensor<4x?xf32>
  }
  llvm.func @l(%p: !llvm.ptr, %n: i64) -> !llvm.struct<(i32, ptr)> {
    %0 = llvm.getelementptr inbounds %p[%n, 3] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i32>
    %1 = llvm.load %0 {alignment = 4 : i64} : !llvm.ptr -> i32
    %2 = llvm.mlir.undef : !llvm.struct<(i32, ptr)>
    %3 = llvm.insertvalue %1, %2[0] : !llvm.struct<(i32, ptr)>
    %4 = llvm.add %1, %1 overflow<nsw> : i32
    llvm.return %3 : !llvm.struct<(i32, ptr)>
  }
}
