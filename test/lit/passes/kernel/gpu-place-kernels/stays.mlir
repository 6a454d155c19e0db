// RUN: mlc-opt %s --gpu-place-kernels --allow-unregistered-dialect --split-input-file --verify-diagnostics | FileCheck %s
// A kernel stays on the CPU if the host needs what a thread would compute, or something has no form on the device.
// CHECK-LABEL: func.func private @decides(
// CHECK-SAME: mlc.notes = ["runs on the CPU: the host needs a value that it computes"], mlc.place = "host"
// CHECK-NOT: gpu.launch
func.func private @decides(%a: memref<1xindex>, %b: memref<8xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{runs on the CPU: the host needs a value that it computes}}
  %n = memref.load %a[%c0] : memref<1xindex>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %x, %b[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

func.func private @calls(%a: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-remark @+1 {{runs on the CPU: it calls a function}}
    func.call @other() : () -> ()
    scf.reduce
  }
  return
}
func.func private @other()

// -----

func.func private @may_fail(%a: memref<8xf32>, %ok: i1) {
  // expected-remark @+1 {{runs on the CPU: it may fail}}
  cf.assert %ok, "index out of range"
  return
}

// -----

func.func private @allocates(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-remark @+1 {{runs on the CPU: a thread would allocate}}
    %own = memref.alloc(%n) : memref<?xf32>
    %x = memref.load %own[%c0] : memref<?xf32>
    memref.store %x, %a[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

// expected-remark @+1 {{runs on the CPU: it has branches}}
func.func private @branches(%a: memref<8xf32>, %ok: i1) {
  cf.cond_br %ok, ^bb1, ^bb1
^bb1:
  return
}

// -----

func.func private @counts(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark @+1 {{runs on the CPU: a loop on the host has results}}
  %m = scf.for %k = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %a[%i] : memref<8xf32>
      memref.store %x, %a[%i] : memref<8xf32>
      scf.reduce
    }
    %t = arith.addi %s, %k : index
    scf.yield %t : index
  }
  return
}

// -----

func.func private @unknown(%a: memref<8xf32>) {
  // expected-remark @+1 {{runs on the CPU: an op may do anything}}
  "acme.op"() : () -> ()
  return
}
