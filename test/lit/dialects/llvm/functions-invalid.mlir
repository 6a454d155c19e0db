// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Functions whose parts do not agree, and their linkage.

// expected-error@+1 {{'llvm.func' op entry block must have 1 arguments to match function signature}}
"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "count"}> ({
  llvm.return
}) : () -> ()

// -----

// expected-error@+1 {{'llvm.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "types"}> ({
^bb0(%x: i64):
  llvm.return
}) : () -> ()

// -----

// expected-error@+1 {{no_inline and always_inline attributes are incompatible}}
llvm.func @both() attributes {no_inline, always_inline} {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op with optimize_none must also be no_inline}}
llvm.func @unoptimised() attributes {optimize_none} {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op functions cannot have 'common' linkage}}
llvm.func common @common() {
  llvm.return
}

// -----

// expected-error@+1 {{expected comdat symbol}}
llvm.func @group() comdat(@missing) {
  llvm.return
}

// -----

// expected-error@+1 {{'llvm.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 2, but expected 1}}
"llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "list", arg_attrs = [{}, {}]}> ({
}) : () -> ()

// -----

// expected-error@+1 {{'llvm.func' op arguments may only have dialect attributes}}
llvm.func @attribute(i32 {signext})

// -----

// expected-error@+1 {{"llvm.signext" attribute attached to non-integer LLVM type}}
llvm.func @sign(f32 {llvm.signext})

// -----

// expected-error@+1 {{custom op 'llvm.func' failed to construct function type: expected zero or one function result}}
llvm.func @two() -> (i32, i32)

// -----

// expected-error@+1 {{custom op 'llvm.func' failed to construct function type: expected LLVM type for function results'tensor<2xi32>'}}
llvm.func @tensor() -> tensor<2xi32>

// -----

// expected-error@+1 {{custom op 'llvm.func' failed to construct function type: expected LLVM type for function arguments}}
llvm.func @tensor(tensor<2xi32>)

// -----

llvm.func @inside() {
  // expected-error@+1 {{'llvm.linker_options' op must appear at the module level}}
  llvm.linker_options ["-l", "m"]
  llvm.return
}
