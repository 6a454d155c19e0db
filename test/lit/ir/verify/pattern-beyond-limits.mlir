// RUN: not mlc-opt %s --verify-diagnostics 2>&1 | FileCheck %s
// Repetitions of repetitions would be written out.
// CHECK: error: invalid regex: repeats more than 32768 times
// expected-error-re @below {{{{(((a{1,200}){1,200}){1,200})}}}}
module {
}
