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
