// RUN: mlc-opt %s --verify-diagnostics --split-input-file
// Shapes that no register has, and factors that do not fit together.
func.func @rows(%a: memref<?x?xi8>, %i: index) {
  // expected-error @+1 {{bad row height: 17}}
  %0 = amx.tile_load %a[%i, %i] : memref<?x?xi8> into vector<17x64xi8>
  return
}

// -----

func.func @columns(%a: memref<?x?xi8>, %i: index) {
  // expected-error @+1 {{bad column width: 65}}
  %0 = amx.tile_load %a[%i, %i] : memref<?x?xi8> into vector<16x65xi8>
  return
}

// -----

func.func @indices(%a: memref<?x?xi8>, %i: index) {
  // expected-error @+1 {{requires 2 indices}}
  %0 = amx.tile_load %a[%i] : memref<?x?xi8> into vector<16x64xi8>
  return
}

// -----

func.func @gaps(%a: memref<?x?xi8, strided<[?, 2]>>, %t: vector<16x64xi8>, %i: index) {
  // expected-error @+1 {{most minor memref dim must have unit stride}}
  amx.tile_store %a[%i, %i], %t : memref<?x?xi8, strided<[?, 2]>>, vector<16x64xi8>
  return
}

// -----

func.func @elements(%a: memref<?x?xi32>, %i: index) {
  // expected-error @+1 {{expected a buffer of two or more dimensions and the tile's elements}}
  %0 = amx.tile_load %a[%i, %i] : memref<?x?xi32> into vector<16x64xi8>
  return
}

// -----

func.func @inner(%a: vector<16x64xi8>, %b: vector<8x64xi8>, %c: vector<16x16xi32>) {
  // expected-error @+1 {{bad mult shape: 16 x 16 x 16}}
  %0 = amx.tile_muli %a, %b, %c : vector<16x64xi8>, vector<8x64xi8>, vector<16x16xi32>
  return
}

// -----

func.func @columns_of_sums(%a: vector<16x64xi8>, %b: vector<16x64xi8>, %c: vector<16x8xi32>) {
  // expected-error @+1 {{bad mult shape: 16 x 8 x 16}}
  %0 = amx.tile_muli %a, %b, %c : vector<16x64xi8>, vector<16x64xi8>, vector<16x8xi32>
  return
}

// -----

func.func @types(%a: vector<16x32xbf16>, %b: vector<16x32xbf16>, %c: vector<16x32xbf16>) {
  // expected-error @+1 {{bad mult shape: 16 x 32 x 16}}
  %0 = amx.tile_mulf %a, %b, %c : vector<16x32xbf16>, vector<16x32xbf16>, vector<16x32xbf16>
  return
}

// -----

func.func @zero() {
  // expected-error @+1 {{must be vector of 32-bit float or bfloat16 type or 32-bit signless integer or 8-bit signless integer values of ranks 2, but got 'vector<16x18xi16>'}}
  %0 = amx.tile_zero : vector<16x18xi16>
  return
}

// -----

func.func @widths(%a: vector<16x16xf32>, %b: vector<8x16xf32>, %c: vector<16x8xf32>) {
  // expected-error @+1 {{unsupported type combination}}
  %0 = amx.tile_mulf %a, %b, %c : vector<16x16xf32>, vector<8x16xf32>, vector<16x8xf32>
  return
}
