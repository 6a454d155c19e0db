// RUN: mlc-opt %s --amx-registers --verify-diagnostics --split-input-file
// What eight registers cannot hold, and sums that would have to be copied.
func.func @nine(%x: memref<16x64xi8>, %y: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %zero = amx.tile_zero : vector<16x16xi32>
  %a = amx.tile_load %x[%c0, %c0] : memref<16x64xi8> into vector<16x64xi8>
  %0 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %1 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %2 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %3 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %4 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %5 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  %6 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  // expected-error @+1 {{needs a ninth tile register}}
  %7 = amx.tile_muli %a, %a, %zero : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %0 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %1 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %2 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %3 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %4 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %5 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %6 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %7 : memref<16x16xi32>, vector<16x16xi32>
  return
}

// -----

func.func @copied(%x: memref<16x64xi8>, %y: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %a = amx.tile_load %x[%c0, %c0] : memref<16x64xi8> into vector<16x64xi8>
  %start = amx.tile_load %y[%c0, %c0] : memref<16x16xi32> into vector<16x16xi32>
  // expected-error @+1 {{changes a tile that is used again, which would have to be copied}}
  %0 = amx.tile_muli %a, %a, %start : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %0 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %start : memref<16x16xi32>, vector<16x16xi32>
  return
}

// -----

func.func @given(%a: vector<16x64xi8>, %y: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  %start = amx.tile_zero : vector<16x16xi32>
  // expected-error @+1 {{takes a tile that no op of amx, and no scf.for, has made}}
  %0 = amx.tile_muli %a, %a, %start : vector<16x64xi8>, vector<16x64xi8>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %0 : memref<16x16xi32>, vector<16x16xi32>
  return
}

// -----

func.func @swapped(%y: memref<16x16xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = amx.tile_zero : vector<16x16xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (vector<16x16xi32>, vector<16x16xi32>) {
    %t = amx.tile_load %y[%c0, %i] : memref<16x16xi32> into vector<16x16xi32>
    amx.tile_store %y[%c0, %i], %t : memref<16x16xi32>, vector<16x16xi32>
    // expected-error @+1 {{yields a tile in another register than it came in}}
    scf.yield %b, %a : vector<16x16xi32>, vector<16x16xi32>
  }
  amx.tile_store %y[%c0, %c0], %r#0 : memref<16x16xi32>, vector<16x16xi32>
  amx.tile_store %y[%c0, %c0], %r#1 : memref<16x16xi32>, vector<16x16xi32>
  return
}

// -----

func.func private @other()
func.func @across(%y: memref<16x16xi32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{makes a tile that stays in its register across a call, or the end of its block}}
  %0 = amx.tile_load %y[%c0, %c0] : memref<16x16xi32> into vector<16x16xi32>
  call @other() : () -> ()
  amx.tile_store %y[%c0, %c0], %0 : memref<16x16xi32>, vector<16x16xi32>
  return
}
