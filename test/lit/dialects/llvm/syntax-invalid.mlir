// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// What the dialect's own syntax refuses: operands of ops, structures and attributes.

llvm.func @relation(%x: i32) {
  // expected-error@+1 {{custom op 'llvm.icmp' 'larger' is an incorrect value of the 'predicate' attribute}}
  %0 = llvm.icmp "larger" %x, %x : i32
  llvm.return
}

// -----

llvm.func @relation(%x: i32) {
  // expected-error@+1 {{custom op 'llvm.icmp' invalid kind of attribute specified}}
  %0 = llvm.icmp 1 %x, %x : i32
  llvm.return
}

// -----

llvm.func @alignment(%n: i64) {
  // expected-error@+1 {{custom op 'llvm.alloca' expected integer alignment}}
  %0 = llvm.alloca %n x i32 {alignment = "four"} : (i64) -> !llvm.ptr
  llvm.return
}

// -----

llvm.func @stack(%n: i64) {
  // expected-error@+1 {{custom op 'llvm.alloca' expected trailing function type with one argument and one result}}
  %0 = llvm.alloca %n x i32 : i64
  llvm.return
}

// -----

// expected-error@+1 {{identifier already used for an enclosing struct}}
llvm.func @itself(!llvm.struct<"a", (struct<"a", (i32)>)>)

// -----

// expected-error@+1 {{only identified structs can be opaque}}
llvm.func @nameless(!llvm.struct<opaque>)

// -----

// expected-error@+1 {{invalid function result type: '!llvm.metadata'}}
llvm.func @function(!llvm.ptr) -> !llvm.func<metadata ()>

// -----

// expected-error@+3 {{expected integer value}}
// expected-error@+2 {{expected integer operand}}
// expected-error@+1 {{failed to parse LLVM_DIExpressionAttr parameter 'operations' which is to be a `::llvm::ArrayRef<DIExpressionElemAttr>`}}
llvm.func @opcode() attributes {e = #llvm.di_expression<[DW_OP_plus_uconst(x)]>}

// -----

// expected-error@+1 {{'builtin.module' op invalid data layout descriptor: Unknown specifier in datalayout string}}
module attributes {llvm.data_layout = "e-x:64"} {
}

// -----

// expected-error@+1 {{'builtin.module' op expected 'llvm.data_layout' to be a string attributes}}
module attributes {llvm.data_layout = 1 : i32} {
}

// -----

// expected-error@+1 {{target features can not be null or empty}}
llvm.func @empty() attributes {target_features = #llvm.target_features<[""]>}

// -----

// expected-error@+1 {{target features must start with '+' or '-'}}
llvm.func @unsigned() attributes {target_features = #llvm.target_features<["avx2"]>}

// -----

// expected-error@+1 {{target features can not contain ','}}
llvm.func @joined() attributes {target_features = #llvm.target_features<["+avx,+avx2"]>}
