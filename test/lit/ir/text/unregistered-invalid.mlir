// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// Dialects that nobody registered, where they are not allowed.
// expected-error@+1 {{`!"unknown"<"type<4>">` type created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used}}
func.func private @f(!unknown.type<4>)

// -----

// expected-error@+1 {{#unknown<"attr<4>"> : 'none' attribute created with unregistered dialect. If this is intended, please call allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect with the MLIR opt tool used}}
func.func private @f() attributes {x = #unknown.attr<4>}

// -----

// expected-error@+1 {{operation being parsed with an unregistered dialect. If this is intended, please use -allow-unregistered-dialect with the MLIR tool used}}
"unknown.op"() : () -> ()

// -----

// expected-error@+1 {{unregistered operation 'arith.plus' found in dialect ('arith') that does not allow unknown operations}}
"arith.plus"() : () -> ()
