// RUN: mlc-opt %s --linalg-strassen --verify-diagnostics --split-input-file
// RUN: mlc-opt %s --linalg-winograd --verify-diagnostics --split-input-file
// RUN: mlc-opt %s --graph-split-products --verify-diagnostics --split-input-file
// A mode that does not exist is no default.
// expected-error @below {{'mlc.numerics' must be "strict", "default" or "fast"}}
module attributes {mlc.numerics = "Strict"} {
  func.func @main() {
    return
  }
}

// -----

// expected-error @below {{attribute 'mlc.numerics' failed to satisfy constraint: string attribute}}
module attributes {mlc.numerics = 1} {
  func.func @main() {
    return
  }
}

// -----

module attributes {mlc.numerics = "default"} {
  func.func @main() {
    return
  }
}
