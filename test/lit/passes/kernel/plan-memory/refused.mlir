// RUN: mlc-opt %s --plan-memory --verify-diagnostics --split-input-file
// What the plan cannot place is named, each at its op.
module {
  func.func private @kernel_0(memref<4xf32>)
  memref.global "private" @counter : memref<4xf32> = dense<0.0>
  func.func @main() {
    // expected-error @below {{'memref.get_global' op the memory plan has room for constants whose elements are known only}}
    %m = memref.get_global @counter : memref<4xf32>
    call @kernel_0(%m) : (memref<4xf32>) -> ()
    return
  }
}

// -----

// expected-error @below {{has no function '@main' to plan memory for}}
module {
}

// -----

module {
  // expected-error @below {{the memory plan wants one block without branches}}
  func.func @main(%c: i1) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb2
  ^bb2:
    return
  }
}

// -----

module {
  // expected-error @below {{has an argument of type 'index', which is no buffer of a model}}
  func.func @main(%n: index) {
    return
  }
}

// -----

module attributes {mlc.computed_sizes = ["computed.0"]} {
  // expected-error @below {{sizes that the model computes, with kernels for a device}}
  func.func @main(%in: memref<4xf32>) {
    %d = memref.alloc() : memref<4xf32, #gpu.address_space<global>>
    gpu.memcpy %d, %in : memref<4xf32, #gpu.address_space<global>>, memref<4xf32>
    return
  }
}
