// RUN: mlc-opt %s --arith-emulate-wide-int=widest-int-supported=33 --verify-diagnostics
// RUN: not mlc-opt %s --arith-emulate-wide-int=widest-int-supported=4611686018427387904 2>&1 | FileCheck %s
// CHECK: error: {{.*}}the widest integer must be of a power of two bits, not 4611686018427387904
// expected-error @below {{the widest integer must be of a power of two bits, not 33}}
module {
}
