// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// Values, blocks, regions, locations and results that do not go together.
func.func @results() {
  %0:2 = "a.b"() : () -> (i32, i32)
  // expected-error@+1 {{reference to invalid result number}}
  "a.c"(%0#2) : (i32) -> ()
  return
}

// -----

func.func @forward() {
  // expected-note@+1 {{previously used here with type 'i64'}}
  "a.c"(%0) : (i64) -> ()
  // expected-error@+1 {{definition of SSA value '%0#0' has type 'i32'}}
  %0 = "a.b"() : () -> i32
  return
}

// -----

func.func @successor() {
  // expected-error@+1 {{expected block name}}
  "a.b"()[a] : () -> ()
}

// -----

#alias = 4 : i32
func.func @location() {
  // expected-error@+1 {{expected location, but found '4 : i32'}}
  return loc(#alias)
}

// -----

func.func @location() {
  // expected-error@+1 {{operation location alias was never defined}}
  return loc(#alias)
}

// -----

func.func @type() {
// expected-error@+1 {{expected ':' and type for SSA operand}}
^bb0(%a i32):
  return
}

// -----

func.func @arguments() {
// expected-error@+1 {{expected ')' in argument list}}
^bb0(%a : i32:
  return
}

// -----

func.func @twice() {
^a:
  "a.b"()[^a] : () -> ()
// expected-error@+1 {{redefinition of block '^a'}}
^a:
  return
}

// -----

func.func @colon() {
// expected-error@+1 {{expected ':' after block name}}
^bb0
  return
}

// -----

func.func @named(%a : i32) {
// expected-error@+1 {{invalid block name in region with named arguments}}
^bb0(%b : i32):
  return
}

// -----

// expected-error@+2 {{region entry argument '%a' is already in use}}
// expected-note@+1 {{previously referenced here}}
func.func @used(%a : i32, %a : i32) {
  return
}

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"a.b"() (^a) : () -> ()

// -----

// expected-error@+1 {{expected '(' to start operand list}}
"a.b" : () -> ()

// -----

// expected-error@+1 {{expected ')' to end operand list}}
"a.b"(%a : () -> ()

// -----

// expected-error@+1 {{expected ')' to end region list}}
"a.b"() ({ } : () -> ()

// -----

// expected-error@+1 {{expected function type}}
"a.b"() : i32

// -----

// expected-error@+1 {{expected '{' to begin a region}}
"a.b"() () -> ()

// -----

// expected-error@+1 {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error@+1 {{custom op 'plus' is unknown (tried 'builtin.plus' as well)}}
plus

// -----

// expected-error@+2 {{Dialect `nowhere' not found for custom op 'nowhere.plus' }}
// expected-note@+1 {{Registered dialects: affine, amx, arith, bufferization, builtin, cf, complex, dlti, func, gpu, graph, index, irdl, linalg, llvm, math, memref, mlc, nvgpu, nvvm, rocdl, scf, tensor, ub, vector ; for more info on dialect registration see https://mlir.llvm.org/getting_started/Faq/#registered-loaded-dependent-whats-up-with-dialects-management}}
nowhere.plus

// -----

// expected-error@+1 {{custom op 'builtin.unrealized' is unknown}}
builtin.unrealized

// -----

// expected-error@+1 {{custom op 'a' is unknown (tried 'builtin.a' as well)}}
a %b

// -----

// expected-error@+1 {{invalid SSA name}}
% = "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected integer number of results}}
%0:x = "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected named operation to have at least 1 result}}
%0:0 = "a.b"() : () -> i32

// -----

// expected-error@+1 {{cannot name an operation with no results}}
%0 = "a.b"() : () -> ()

// -----

// expected-error@+1 {{operation defines 1 result but was provided 2 to bind}}
%0:2 = "a.b"() : () -> i32

// -----

// expected-error@+1 {{expected operation name in quotes}}
%0 = 4

// -----

// expected-error@+1 {{attribute names with a '.' are reserved for dialect-defined names}}
#a.b = 4

// -----

// expected-error@+1 {{type names with a '.' are reserved for dialect-defined names}}
!a.b = i32

// -----

// expected-error@+1 {{expected '=' in attribute alias definition}}
#a 4

// -----

// expected-error@+1 {{expected '=' in type alias definition}}
!a i32

// -----

#a = 4
// expected-error@+1 {{redefinition of attribute alias id 'a'}}
#a = 5

// -----

// expected-error@+1 {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "00" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a'}}
{-# dialect_resources: { builtin: { a: "0x000000zz00" } } #-}

// -----

// expected-error@+1 {{expected hex string blob for key 'a' to encode alignment in first 4 bytes, but got non-power-of-2 value: 3}}
{-# dialect_resources: { builtin: { a: "0x0300000000" } } #-}

// -----

// expected-error@+1 {{the blob of key 'a' asks for an alignment of 8192, more than 4096}}
{-# dialect_resources: { builtin: { a: "0x0020000000" } } #-}

// -----

// expected-error@+1 {{unknown key 'other_resources' in file metadata dictionary}}
{-# other_resources: { } #-}

// -----

// expected-error@+1 {{expected operation name in quotes}}
"a.b"() : () -> () ?

// -----

// expected-error@+1 {{expected three consecutive dots for an ellipsis}}
"a.b"() {x = 1 . 2} : () -> ()

// -----

func.func @sum(%a: i32 {
  return
// expected-error@+1 {{expected ')'}}
}

// -----

// expected-error@+1 {{expected non-function type}}
func.func private @f(..., i32)

// -----

// expected-error@+1 {{custom op 'func.func' expected SSA identifier}}
func.func @variadic(%a: i32, ...) {
  return
}

// -----

// expected-error@+1 {{expected '(' to start operand list}}
func.func @region() "text"

// -----

// expected-error@+1 {{expected ']'}}
"a.b"()[^bb0
