// RUN: mlc-opt %s --convert-vector-to-scf --convert-scf-to-cf --convert-vector-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | mlc-cpu-runner -e main -entry-point-result=void -shared-libs=%runner_utils | FileCheck %s --match-full-lines
// RUN: mlc-opt %s --interpret --entry main | FileCheck %s --match-full-lines
// Vectors of all shapes run and print; the interpreter prints the same.
func.func @main() {
  // CHECK: ( ( 1, 4 ), ( 2, 5 ), ( 3, 6 ) )
  %a = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : vector<2x3xf32>
  %t = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  vector.print %t : vector<3x2xf32>
  // CHECK-NEXT: ( ( 14, 32 ), ( 32, 77 ) )
  %z = arith.constant dense<0.0> : vector<2x2xf32>
  %p = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %t, %z : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  vector.print %p : vector<2x2xf32>
  // CHECK-NEXT: 7.5
  %s = arith.constant 1.5 : f32
  %r = vector.extract %a[0] : vector<3xf32> from vector<2x3xf32>
  %sum = vector.reduction <add>, %r, %s : vector<3xf32> into f32
  vector.print %sum : f32
  // CHECK-NEXT: ( ( 1, 1, 0 ), ( 0, 0, 0 ) )
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = vector.create_mask %c1, %c2 : vector<2x3xi1>
  vector.print %m : vector<2x3xi1>
  // CHECK-NEXT: ( -1, 255, 18446744073709551615, 3 )
  %i = arith.constant dense<-1> : vector<1xi8>
  %u = vector.bitcast %i : vector<1xi8> to vector<1xui8>
  %w = arith.constant -1 : index
  %i0 = vector.extract %i[0] : i8 from vector<1xi8>
  %u0 = vector.extract %u[0] : ui8 from vector<1xui8>
  vector.print punctuation <open>
  vector.print %i0 : i8 punctuation <comma>
  vector.print %u0 : ui8 punctuation <comma>
  vector.print %w : index punctuation <comma>
  %three = arith.constant 3.0 : f16
  vector.print %three : f16 punctuation <close>
  vector.print
  // CHECK-NEXT: text, and nothing behind it
  vector.print str "text, and nothing behind it\0A"
  // CHECK-NEXT: ( ( 0, 1, -7 ), ( 4, 5, -7 ) )
  %buffer = memref.alloc() : memref<2x2xf32>
  %pad = arith.constant -7.0 : f32
  %c0 = arith.constant 0 : index
  %f = arith.constant dense<[[0.0, 1.0], [4.0, 5.0]]> : vector<2x2xf32>
  vector.transfer_write %f, %buffer[%c0, %c0] : vector<2x2xf32>, memref<2x2xf32>
  %b = vector.transfer_read %buffer[%c0, %c0], %pad : memref<2x2xf32>, vector<2x3xf32>
  vector.print %b : vector<2x3xf32>
  // CHECK-NEXT: ( 5, -1, 0 )
  %flat = memref.collapse_shape %buffer [[0, 1]] : memref<2x2xf32> into memref<4xf32>
  %at = arith.constant dense<[3, 1, 0]> : vector<3xi32>
  %on = arith.constant dense<[true, false, true]> : vector<3xi1>
  %kept = arith.constant dense<-1.0> : vector<3xf32>
  %g = vector.gather %flat[%c0] [%at], %on, %kept : memref<4xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  vector.print %g : vector<3xf32>
  // CHECK-NEXT: ( 3, 1, 4, 1 )
  vector.scatter %flat[%c0] [%at], %on, %r : memref<4xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32>
  %back = vector.load %flat[%c0] : memref<4xf32>, vector<4xf32>
  %order = vector.shuffle %back, %back [0, 1, 2, 3] : vector<4xf32>, vector<4xf32>
  vector.print %order : vector<4xf32>
  // CHECK-NEXT: ( 3, -1, 1 )
  %e = vector.expandload %flat[%c0], %on, %kept : memref<4xf32>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  vector.print %e : vector<3xf32>
  // CHECK-NEXT: ( 1, 3, 4, 1 )
  vector.compressstore %flat[%c0], %on, %r : memref<4xf32>, vector<3xi1>, vector<3xf32>
  %again = vector.load %flat[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %again : vector<4xf32>
  // CHECK-NEXT: ( 42 )
  %x = arith.constant 42.0 : f32
  %none = arith.constant dense<0.0> : vector<f32>
  %one = vector.insertelement %x, %none[] : vector<f32>
  vector.print %one : vector<f32>
  memref.dealloc %buffer : memref<2x2xf32>
  return
}
