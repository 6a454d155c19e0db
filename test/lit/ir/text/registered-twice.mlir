// REQUIRES: mlc-opt, not
// RUN: not mlc-opt %s --load-dialect=%S/Inputs/registered-twice.yaml 2>&1 | FileCheck %s
// CHECK: error: dialect 'arith' is already registered
