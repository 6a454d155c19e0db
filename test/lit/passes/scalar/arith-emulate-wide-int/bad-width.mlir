// RUN: mlc-opt %s --arith-emulate-wide-int=widest-int-supported=33 --verify-diagnostics
// expected-error @below {{the widest integer must be of a power of two bits, not 33}}
module {
}
