// RUN: mlc-opt %s --remove-dead-values --split-input-file --verify-diagnostics

func.func @branches(%c: i1) {
  // expected-error @below {{cannot optimize an IR with non-function symbol ops, non-call symbol user ops or branch ops}}
  cf.br ^next
^next:
  return
}

// -----

// expected-error @below {{cannot optimize an IR with non-function symbol ops, non-call symbol user ops or branch ops}}
memref.global "private" @data : memref<2xi32>
