// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What is read and written has the elements of its memory.
func.func @load_element(%m: memref<8xf32>, %i: index) {
  // expected-error @below {{'vector.load' op base and result element types should match}}
  %0 = "vector.load"(%m, %i) : (memref<8xf32>, index) -> vector<4xi32>
  return
}

// -----

func.func @load_vectors(%m: memref<8xvector<4xf32>>, %i: index) {
  // expected-error @below {{'vector.load' op base memref and result vector types should match}}
  %0 = "vector.load"(%m, %i) : (memref<8xvector<4xf32>>, index) -> vector<8xf32>
  return
}

// -----

func.func @store_element(%m: memref<8xf32>, %i: index, %v: vector<4xi32>) {
  // expected-error @below {{'vector.store' op base and valueToStore element type should match}}
  "vector.store"(%v, %m, %i) : (vector<4xi32>, memref<8xf32>, index) -> ()
  return
}

// -----

func.func @store_vectors(%m: memref<8xvector<4xf32>>, %i: index, %v: vector<8xf32>) {
  // expected-error @below {{'vector.store' op base memref and valueToStore vector types should match}}
  "vector.store"(%v, %m, %i) : (vector<8xf32>, memref<8xvector<4xf32>>, index) -> ()
  return
}

// -----

func.func @masked_element(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xi32>) {
  // expected-error @below {{'vector.maskedload' op base and result element type should match}}
  %0 = "vector.maskedload"(%m, %i, %k, %v) : (memref<8xf32>, index, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
  return
}

// -----

func.func @masked_mask(%m: memref<8xf32>, %i: index, %k: vector<2xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.maskedload' op expected result dim to match mask dim}}
  %0 = "vector.maskedload"(%m, %i, %k, %v) : (memref<8xf32>, index, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @masked_pass(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<2xf32>) {
  // expected-error @below {{'vector.maskedload' op expected pass_thru of same type as result type}}
  %0 = "vector.maskedload"(%m, %i, %k, %v) : (memref<8xf32>, index, vector<4xi1>, vector<2xf32>) -> vector<4xf32>
  return
}

// -----

func.func @maskedstore_element(%m: memref<8xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xi32>) {
  // expected-error @below {{'vector.maskedstore' op base and valueToStore element type should match}}
  "vector.maskedstore"(%m, %i, %k, %v) : (memref<8xf32>, index, vector<4xi1>, vector<4xi32>) -> ()
  return
}

// -----

func.func @maskedstore_mask(%m: memref<8xf32>, %i: index, %k: vector<2xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.maskedstore' op expected valueToStore dim to match mask dim}}
  "vector.maskedstore"(%m, %i, %k, %v) : (memref<8xf32>, index, vector<2xi1>, vector<4xf32>) -> ()
  return
}

// -----

func.func @gather_element(%m: memref<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<4xi1>, %v: vector<4xi32>) {
  // expected-error @below {{'vector.gather' op base and result element type should match}}
  %0 = "vector.gather"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xi32>) -> vector<4xi32>
  return
}

// -----

func.func @gather_indices(%m: memref<8xf32>, %i: index, %j: vector<2xi32>, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.gather' op expected result dim to match indices dim}}
  %0 = "vector.gather"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<2xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @gather_mask(%m: memref<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<2xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.gather' op expected result dim to match mask dim}}
  %0 = "vector.gather"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<4xi32>, vector<2xi1>, vector<4xf32>) -> vector<4xf32>
  return
}

// -----

func.func @gather_pass(%m: memref<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<4xi1>, %v: vector<2xf32>) {
  // expected-error @below {{'vector.gather' op expected pass_thru of same type as result type}}
  %0 = "vector.gather"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<2xf32>) -> vector<4xf32>
  return
}

// -----

func.func @scatter_element(%m: memref<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<4xi1>, %v: vector<4xi32>) {
  // expected-error @below {{'vector.scatter' op base and valueToStore element type should match}}
  "vector.scatter"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xi32>) -> ()
  return
}

// -----

func.func @scatter_indices(%m: memref<8xf32>, %i: index, %j: vector<2xi32>, %k: vector<4xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.scatter' op expected valueToStore dim to match indices dim}}
  "vector.scatter"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<2xi32>, vector<4xi1>, vector<4xf32>) -> ()
  return
}

// -----

func.func @scatter_mask(%m: memref<8xf32>, %i: index, %j: vector<4xi32>, %k: vector<2xi1>, %v: vector<4xf32>) {
  // expected-error @below {{'vector.scatter' op expected valueToStore dim to match mask dim}}
  "vector.scatter"(%m, %i, %j, %k, %v) : (memref<8xf32>, index, vector<4xi32>, vector<2xi1>, vector<4xf32>) -> ()
  return
}

// -----

func.func @cast_layout(%m: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error @below {{'vector.type_cast' op expects operand to be a memref with identity layout}}
  %0 = "vector.type_cast"(%m) : (memref<4x4xf32, strided<[8, 1]>>) -> memref<vector<4x4xf32>>
  return
}

// -----

func.func @cast_scalar(%m: memref<4x4xf32>) {
  // expected-error @below {{'vector.type_cast' op expects result and operand with same underlying scalar type: 'memref<vector<4x4xi32>>'}}
  %0 = "vector.type_cast"(%m) : (memref<4x4xf32>) -> memref<vector<4x4xi32>>
  return
}

// -----

func.func @cast_shape(%m: memref<4x4xf32>) {
  // expected-error @below {{'vector.type_cast' op expects concatenated result and operand shapes to be equal: 'memref<vector<4x3xf32>>'}}
  %0 = "vector.type_cast"(%m) : (memref<4x4xf32>) -> memref<vector<4x3xf32>>
  return
}

// -----

func.func @cast_space(%m: memref<4x4xf32, 3>) {
  // expected-error @below {{'vector.type_cast' op expects result in same memory space}}
  %0 = "vector.type_cast"(%m) : (memref<4x4xf32, 3>) -> memref<vector<4x4xf32>>
  return
}
