// RUN: mlc-opt %s --split-input-file --verify-diagnostics
// What passes tell each other is spelled as the dialect lists it, and has its type.
// expected-error @below {{attribute 'mlc.numeric' is none that the dialect 'mlc' has}}
module attributes {mlc.numeric = "strict"} {
}

// -----

// expected-error @below {{attribute 'mlc.arena_bytes' failed to satisfy constraint: 64-bit signless integer attribute}}
module attributes {mlc.arena_bytes = "many"} {
}

// -----

module attributes {mlc.numerics = "strict", mlc.arena_bytes = 64 : i64, other.numeric = 1 : i8} {
}

// -----

// expected-error @below {{attribute 'mlc.nam' is none that the dialect 'mlc' has}}
func.func private @argument(tensor<4xf32> {mlc.nam = "x"})

// -----

// expected-error @below {{attribute 'mlc.name' failed to satisfy constraint: string attribute}}
func.func private @result() -> (tensor<4xf32> {mlc.name = 3 : i32})
