// RUN: mlc-translate --export-llvmir --split-input-file --verify-diagnostics %s
// Constants that are not of their type, or that nobody knows.
// expected-error @below {{FloatAttr does not match expected type of the constant}}
llvm.mlir.global @number(1.0 : f32) : f64

// -----

// expected-error @below {{tensor<2xi32> does not fit the type of the constant}}
llvm.mlir.global @elements(dense<1> : tensor<2xi32>) : !llvm.array<3 x i32>

// -----

// expected-error @below {{expected struct type to be a complex number}}
llvm.mlir.global @structs(dense<1> : tensor<2xi32>) : !llvm.array<2 x struct<(i32)>>

// -----

// expected-error @below {{resource does not exist}}
llvm.mlir.global @missing(dense_resource<r> : tensor<2xi32>) : !llvm.array<2 x i32>

// -----

// expected-error @below {{no known conversion for innermost element type}}
llvm.mlir.global @narrow(dense_resource<r> : tensor<2xi4>) : !llvm.array<2 x i4>

// -----

// expected-error @below {{unsupported constant value}}
llvm.mlir.global @symbol(@other) : i32

// -----

llvm.func @members() {
  // expected-error @below {{the constant has 3 members, its type another number}}
  %0 = llvm.mlir.constant([1 : i32, 2 : i32, 3 : i32]) : !llvm.array<2 x i32>
  // expected-error @below {{no machine constant for "a"}}
  %1 = llvm.mlir.constant([1 : i32, "a"]) : !llvm.array<2 x i32>
  llvm.return
}
