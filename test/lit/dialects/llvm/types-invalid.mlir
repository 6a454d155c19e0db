// RUN: mlc-opt %s -split-input-file -verify-diagnostics -allow-unregistered-dialect
// What LLVM has no such type of.

// expected-error@+1 {{invalid array element type: '!llvm.token'}}
"use"() : () -> !llvm.array<2 x token>

// -----

// expected-error@+1 {{expected '? x <integer> x <type>' or '<integer> x <type>'}}
"use"() : () -> !llvm.vec<4 x 4 x ptr>

// -----

// expected-error@+1 {{the number of vector elements must be positive}}
"use"() : () -> !llvm.vec<? x 0 x ptr>

// -----

// expected-error@+1 {{cannot use !llvm.vec for built-in primitives, use 'vector' instead}}
"use"() : () -> !llvm.vec<2 x f32>

// -----

// expected-error@+1 {{invalid vector element type}}
"use"() : () -> !llvm.vec<2 x struct<(i8)>>

// -----

// expected-error@+1 {{invalid function argument type: '!llvm.void'}}
"use"() : () -> !llvm.func<i8 (void)>

// -----

// expected-error@+1 {{invalid LLVM structure element type: '!llvm.label'}}
"use"() : () -> !llvm.struct<(i8, label)>

// -----

// expected-error@+1 {{struct without a body only allowed in a recursive struct}}
"use"() : () -> !llvm.struct<"nobody">

// -----

"use"() : () -> !llvm.struct<"pair", (i8, i8)>
// expected-error@+1 {{identified type already used with a different body}}
"use"() : () -> !llvm.struct<"pair", packed (i8, i8)>

// -----

"use"() : () -> !llvm.struct<"known", (i8)>
// expected-error@+1 {{redeclaring defined struct as opaque}}
"use"() : () -> !llvm.struct<"known", opaque>

// -----

// expected-error@+1 {{failed to parse parameter list for target extension type}}
"use"() : () -> !llvm.target<"spirv.Image", 1, f32>
