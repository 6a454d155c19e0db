// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Attributes that cannot be.
// expected-error@+1 {{unknown escape in string literal}}
"a.b"() {x = "\q"} : () -> ()

// -----

// expected-error@+1 {{expected valid attribute name}}
"a.b"() {"" = 1} : () -> ()

// -----

// expected-error@+1 {{referenced attribute does not match previous definition: 1 : i64}}
"a.b"() {x = distinct[0]<1>, y = distinct[0]<2>} : () -> ()

// -----

// expected-error@+1 {{expected integer}}
"a.b"() : () -> () loc("a":1:)

// -----

// expected-error@+2 {{unexpected decimal integer literal for a floating point value}}
// expected-note@+1 {{add a trailing dot to make the literal a float}}
"a.b"() {x = 1 : f32} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float literal should not have a leading minus}}
"a.b"() {x = -0x3f800000 : f32} : () -> ()

// -----

// expected-error@+1 {{hexadecimal float constant out of range for type}}
"a.b"() {x = 0x1ffffffff : f32} : () -> ()

// -----

// expected-error@+1 {{negative integer literal not valid for unsigned integer type}}
"a.b"() {x = -1 : ui8} : () -> ()

// -----

// expected-error@+1 {{integer literal not valid for specified type}}
"a.b"() {x = 1 : tensor<4xi32>} : () -> ()

// -----

// expected-error@+1 {{expected i1 type for 'true' or 'false' values}}
"a.b"() {x = dense<true> : tensor<4xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
"a.b"() {x = dense<1.0> : tensor<4xi32>} : () -> ()

// -----

// expected-error@+1 {{expected integer elements, but parsed string}}
"a.b"() {x = dense<["1"]> : tensor<1xi32>} : () -> ()

// -----

// expected-error@+1 {{expected unsigned integer elements, but parsed negative value}}
"a.b"() {x = dense<-1> : tensor<4xui32>} : () -> ()

// -----

// expected-error@+1 {{integer constant out of range for type}}
"a.b"() {x = dense<300> : tensor<4xi8>} : () -> ()

// -----

// expected-error@+1 {{expected floating-point elements, but parsed integer}}
"a.b"() {x = dense<1> : tensor<4xf32>} : () -> ()

// -----

// expected-error@+1 {{expected floating-point elements, but parsed string}}
"a.b"() {x = dense<["1"]> : tensor<1xf32>} : () -> ()

// -----

// expected-error@+1 {{expected string containing hex digits starting with `0x`}}
"a.b"() {x = dense<"00"> : tensor<1xf32>} : () -> ()

// -----

// expected-error@+1 {{expected string containing hex digits starting with `0x`}}
"a.b"() {x = dense<"0xzz"> : tensor<1xi8>} : () -> ()

// -----

// expected-error@+1 {{elements hex data size is invalid for provided type: 'tensor<2xi8>'}}
"a.b"() {x = dense<"0x000000"> : tensor<2xi8>} : () -> ()

// -----

// expected-error@+1 {{expected string elements}}
"a.b"() {x = dense<[1, 2]> : tensor<2x!a.b>} : () -> ()

// -----

// expected-error@+1 {{elements literal must be a shaped type}}
"a.b"() {x = dense<1> : i32} : () -> ()

// -----

// expected-error@+1 {{elements literal type must have static shape}}
"a.b"() {x = dense<1> : tensor<?xi32>} : () -> ()

// -----

// expected-error@+1 {{elements literal type has too many elements}}
"a.b"() {x = dense<1> : tensor<4294967296x4294967296xi32>} : () -> ()

// -----

// expected-error@+1 {{tensor literal is invalid; ranks are not consistent between elements}}
"a.b"() {x = dense<[[1, 2], [3]]> : tensor<2x2xi32>} : () -> ()

// -----

// expected-error@+1 {{parsed zero elements, but type ('tensor<2xi32>') expected at least 1}}
"a.b"() {x = dense<> : tensor<2xi32>} : () -> ()

// -----

// expected-error@+1 {{unexpected complex element}}
"a.b"() {x = dense<(1.0, 2.0)> : tensor<2xf32>} : () -> ()

// -----

// expected-error@+1 {{expected complex elements}}
"a.b"() {x = dense<1.0> : tensor<2xcomplex<f32>>} : () -> ()

// -----

// expected-error@+1 {{element type bitwidth must be a multiple of 8}}
"a.b"() {x = array<i4: 1>} : () -> ()

// -----

// expected-error@+1 {{expected integer or float type}}
"a.b"() {x = array<f16: 1.0>} : () -> ()

// -----

// expected-error@+1 {{`dense_resource` expected a shaped type}}
"a.b"() {x = dense_resource<r> : i32} : () -> ()

// -----

// expected-error@+1 {{inferred shape of elements literal ([2, 1]) does not match type ([1, 1])}}
"a.b"() {x = sparse<[[0], [1]], [1]> : tensor<4xi32>} : () -> ()

// -----

// expected-error@+1 {{unknown attribute `unknown` in dialect `gpu`}}
"a.b"() {x = #gpu.unknown} : () -> ()

// -----

// expected-error@+1 {{expected IntegerSet, but got AffineMap}}
"a.b"() {x = affine_set<(d0) -> (d0)>} : () -> ()

// -----

// expected-error@+1 {{expected location instance}}
"a.b"() {x = loc(4)} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {x = dense<[a]> : tensor<1xi32>} : () -> ()

// -----

// expected-error@+1 {{expected element literal of primitive type}}
"a.b"() {x = array<i32: a>} : () -> ()

// -----

// expected-error@+1 {{expected attribute name}}
"a.b"() {x = 1, 4 = 1} : () -> ()

// -----

// expected-error@+1 {{expected '}' in attribute dictionary}}
"a.b"() {x = 1 "y" = 2} : () -> ()

// -----

// expected-error@+1 {{duplicate key 'x' in dictionary attribute}}
"a.b"() {x = 1 : i32, x = 2 : i32} : () -> ()

// -----

// expected-error@+1 {{unknown escape in string literal}}
"a.b"() {x = @"\q"} : () -> ()

// -----

// expected-error@+1 {{expected constant integer or floating point value}}
"a.b"() {x = - "text"} : () -> ()

// -----

// expected-error@+1 {{sparse index #0 is not contained within the value shape, with index=[5], and type='tensor<4xi32>'}}
"a.b"() {x = sparse<[[5]], 1> : tensor<4xi32>} : () -> ()

// -----

// expected-error@+1 {{sparse index #1 is not contained within the value shape, with index=[1, -1], and type='tensor<4x4xi32>'}}
"a.b"() {x = sparse<[[0, 0], [1, -1]], [1, 2]> : tensor<4x4xi32>} : () -> ()
