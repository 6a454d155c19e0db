// RUN: mlc-translate --export-llvmir --split-input-file --verify-diagnostics %s
// LLVM's attributes by name: with a value where they have one, and there must be such an attribute.
// expected-error @below {{LLVM attribute 'noinline' does not expect a value, found 'yes'}}
llvm.func @no_value() attributes {passthrough = [["noinline", "yes"]]}

// -----

// expected-error @below {{expected arrays within 'passthrough' to contain two strings}}
llvm.func @no_pair() attributes {passthrough = [["a", 1]]}

// -----

// expected-error @below {{expected 'passthrough' to contain string or array attributes}}
llvm.func @no_name() attributes {passthrough = [1]}

// -----

// expected-error @below {{LLVM 19 has no attribute 'nonsense'}}
llvm.func @unknown(%x: i32 {llvm.nonsense})
