// REQUIRES: target
// RUN: mlc-opt %s --convert-scf-to-cf --convert-to-llvm | mlc-translate --mlir-to-llvmir | lli
// RUN: mlc-opt %s --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --convert-index-to-llvm --convert-func-to-llvm --finalize-memref-to-llvm --reconcile-unrealized-casts | mlc-translate --mlir-to-llvmir | lli
// REQUIRES: lli
// Sums a window of a buffer of dynamic size through calls that pass and return descriptors.
func.func private @window(%m: memref<?x?xi32>, %i: index, %n: index)
    -> (memref<?x?xi32, strided<[?, 2], offset: ?>>, index) {
  %w = memref.subview %m[%i, 1] [%n, %n] [1, 2] : memref<?x?xi32> to memref<?x?xi32, strided<[?, 2], offset: ?>>
  %two = index.constant 2
  %e = index.floordivs %i, %two
  return %w, %e : memref<?x?xi32, strided<[?, 2], offset: ?>>, index
}
func.func private @sum(%m: memref<?x?xi32, strided<[?, 2], offset: ?>>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %rows = memref.dim %m, %c0 : memref<?x?xi32, strided<[?, 2], offset: ?>>
  %cols = memref.dim %m, %c1 : memref<?x?xi32, strided<[?, 2], offset: ?>>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%a = %zero) -> (i32) {
    %s = scf.for %j = %c0 to %cols step %c1 iter_args(%b = %a) -> (i32) {
      %x = memref.load %m[%i, %j] : memref<?x?xi32, strided<[?, 2], offset: ?>>
      %y = arith.addi %b, %x : i32
      scf.yield %y : i32
    }
    scf.yield %s : i32
  }
  return %r : i32
}
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %a = memref.alloc(%c5, %c6) {alignment = 64 : i64} : memref<?x?xi32>
  scf.for %i = %c0 to %c5 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %k = arith.muli %i, %c6 : index
      %l = arith.addi %k, %j : index
      %v = arith.index_cast %l : index to i32
      memref.store %v, %a[%i, %j] : memref<?x?xi32>
    }
  }
  %w:2 = call @window(%a, %c2, %c2) : (memref<?x?xi32>, index, index) -> (memref<?x?xi32, strided<[?, 2], offset: ?>>, index)
  // Rows 2 and 3, columns 1 and 3: 13 + 15 + 19 + 21 = 68, and 2 / 2; @main gives 0 if so.
  %s = call @sum(%w#0) : (memref<?x?xi32, strided<[?, 2], offset: ?>>) -> i32
  memref.dealloc %a : memref<?x?xi32>
  %e = arith.index_cast %w#1 : index to i32
  %r = arith.addi %s, %e : i32
  %c69 = arith.constant 69 : i32
  %wrong = arith.cmpi ne, %r, %c69 : i32
  %exit = arith.extui %wrong : i1 to i32
  return %exit : i32
}
