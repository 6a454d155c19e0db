// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Casts between types that LLVM has no cast between, and vectors that do not go together.

llvm.func @to_scalar(%x: vector<4xi8>) {
  // expected-error@+1 {{input type is a vector but output type is an integer}}
  %0 = llvm.zext %x : vector<4xi8> to i32
  llvm.return
}

// -----

llvm.func @to_vector(%x: i8) {
  // expected-error@+1 {{input type is an integer but output type is a vector}}
  %0 = llvm.zext %x : i8 to vector<4xi32>
  llvm.return
}

// -----

llvm.func @lanes(%x: vector<4xi8>) {
  // expected-error@+1 {{input and output vectors are of incompatible shape}}
  %0 = llvm.sext %x : vector<4xi8> to vector<2xi32>
  llvm.return
}

// -----

llvm.func @address(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.bitcast' op can only cast pointers from and to pointers}}
  %0 = llvm.bitcast %p : !llvm.ptr to i64
  llvm.return
}

// -----

llvm.func @spread(%p: !llvm.ptr) {
  // expected-error@+1 {{'llvm.bitcast' op cannot cast pointer to vector of pointers}}
  %0 = llvm.bitcast %p : !llvm.ptr to !llvm.vec<2 x ptr>
  llvm.return
}

// -----

llvm.func @gather(%p: !llvm.vec<2 x ptr>) {
  // expected-error@+1 {{'llvm.bitcast' op cannot cast vector of pointers to pointer}}
  %0 = llvm.bitcast %p : !llvm.vec<2 x ptr> to !llvm.ptr
  llvm.return
}

// -----

llvm.func @not_splat(%x: vector<[4]xi32>) {
  // expected-error@+1 {{'llvm.shufflevector' op expected a splat operation for scalable vectors}}
  %0 = llvm.shufflevector %x, %x [0, 1, 2, 3] : vector<[4]xi32>
  llvm.return
}

// -----

llvm.func @width(%x: vector<4xi32>) {
  // expected-error@+1 {{'llvm.icmp' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "llvm.icmp"(%x, %x) {predicate = 0 : i64} : (vector<4xi32>, vector<4xi32>) -> vector<2xi1>
  llvm.return
}

// -----

llvm.func @too_big(%x: vector<16384xi32>, %y: vector<4xi32>) {
  // expected-error@+1 {{'llvm.intr.vector.insert' op failed to verify that vectors are not bigger than 2^17 bits.}}
  %0 = llvm.intr.vector.insert %y, %x[0] : vector<4xi32> into vector<16384xi32>
  llvm.return
}

// -----

llvm.func @into_fixed(%x: vector<8xi32>, %y: vector<[4]xi32>) {
  // expected-error@+1 {{'llvm.intr.vector.insert' op failed to verify that it is not inserting scalable into fixed-length vectors.}}
  %0 = llvm.intr.vector.insert %y, %x[0] : vector<[4]xi32> into vector<8xi32>
  llvm.return
}

// -----

llvm.func @from_fixed(%x: vector<8xi32>) {
  // expected-error@+1 {{'llvm.intr.vector.extract' op failed to verify that it is not extracting scalable from fixed-length vectors.}}
  %0 = llvm.intr.vector.extract %x[0] : vector<[4]xi32> from vector<8xi32>
  llvm.return
}

// -----

llvm.func @interleave(%x: vector<4xi32>) {
  // expected-error@+1 {{'llvm.intr.vector.interleave2' op failed to verify that result has twice as many elements as 'vec1'}}
  %0 = "llvm.intr.vector.interleave2"(%x, %x) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  llvm.return
}

// -----

llvm.func @gathers(%p: !llvm.vec<4 x ptr>, %m: vector<8xi1>) {
  // expected-error@+1 {{'llvm.intr.masked.gather' op expected operand #1 type to be '!llvm.vec<8 x ptr>'}}
  %0 = llvm.intr.masked.gather %p, %m {alignment = 4 : i32} : (!llvm.vec<4 x ptr>, vector<8xi1>) -> vector<8xf32>
  llvm.return
}

// -----

llvm.func @scatters(%x: vector<[8]xf32>, %p: !llvm.vec<8 x ptr>, %m: vector<[8]xi1>) {
  // expected-error@+1 {{'llvm.intr.masked.scatter' op expected operand #2 type to be '!llvm.vec<? x 8 x  ptr>'}}
  llvm.intr.masked.scatter %x, %p, %m {alignment = 4 : i32} : vector<[8]xf32>, vector<[8]xi1> into !llvm.vec<8 x ptr>
  llvm.return
}
