// RUN: mlc-opt %s --model-abi --verify-diagnostics --split-input-file
// What the entry point is made of must be there.
// expected-error @below {{has no llvm.func '@main' to make an entry point for}}
module {
}

// -----

// expected-error @below {{does not say its inputs and outputs ('mlc.inputs', 'mlc.outputs'); plan-memory does}}
module {
  llvm.func @main() {
    llvm.return
  }
}

// -----

// expected-error @below {{has no llvm.func '@prepare', which 'mlc.init' names}}
module attributes {mlc.inputs = [], mlc.outputs = [], mlc.init = @prepare} {
  llvm.func @main(%call: !llvm.ptr, %arena: !llvm.ptr, %constants: !llvm.ptr, %prepared: !llvm.ptr) {
    llvm.return
  }
}
