// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Symbols and the tables that they stand in.
// expected-error@+1 {{'func.func' op requires attribute 'sym_name'}}
"func.func"() <{function_type = () -> ()}> ({
}) : () -> ()

// -----

// expected-error@+1 {{invalid properties {function_type = () -> (), sym_name = "f", sym_visibility = 4 : i32} for op func.func: Invalid attribute `sym_visibility` in property conversion: 4 : i32}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = 4 : i32}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'llvm.mlir.global' op requires visibility attribute 'sym_visibility' to be a string attribute, but got 4 : i32}}
llvm.mlir.global external @f() {sym_visibility = 4 : i32} : i32

// -----

// expected-error@+1 {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "hidden"}> ({
}) : () -> ()

// -----

// expected-note@+1 {{see existing symbol definition here}}
func.func private @f()
// expected-error@+1 {{redefinition of symbol named 'f'}}
func.func private @f()

// -----

// expected-error@+1 {{'builtin.module' op requires one region}}
"builtin.module"() : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({
}) : () -> ()

// -----

// expected-error@+1 {{'builtin.module' op requires one region}}
"builtin.module"() ({
^bb0:
}, {
^bb0:
}) : () -> ()

// -----

llvm.mlir.global external @f() : i32
llvm.func @g() {
  // expected-error@+1 {{'llvm.mlir.global' op requires attribute 'sym_name'}}
  "llvm.mlir.global"() <{global_type = i32, linkage = #llvm.linkage<external>}> ({
  }) : () -> ()
  llvm.return
}
