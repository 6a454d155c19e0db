// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Attributes of arguments and results belong to dialects; a body has a block.
// expected-error @below {{arguments may only have dialect attributes}}
func.func private @arg(i1 {plain = 10})

// -----

// expected-error @below {{results may only have dialect attributes}}
func.func private @result() -> (i1 {plain = 10})

// -----

// expected-error @below {{expected non-empty function body}}
func.func @empty() {}
