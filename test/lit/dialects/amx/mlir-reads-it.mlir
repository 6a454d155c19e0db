// RUN: mlc-opt %S/ops.mlir | mlir-opt | FileCheck %S/ops.mlir
// REQUIRES: mlir-opt
// MLIR's own tool reads what is printed, and prints the same.
