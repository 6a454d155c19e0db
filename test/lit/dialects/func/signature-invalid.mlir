// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// A function agrees with its signature.
// expected-error @below {{expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
"func.func"() <{sym_name = "attributes", function_type = (i32) -> (), arg_attrs = [{}, {}], sym_visibility = "private"}> ({}) : () -> ()

// -----

// expected-error @below {{entry block must have 1 arguments to match function signature}}
"func.func"() <{sym_name = "count", function_type = (i32) -> ()}> ({
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{sym_name = "type", function_type = (i32) -> ()}> ({
^bb0(%x: i64):
  "func.return"() : () -> ()
}) : () -> ()

// -----

// expected-error @below {{symbol declaration cannot have public visibility}}
func.func @declared()
