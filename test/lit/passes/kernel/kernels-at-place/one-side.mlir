// RUN: mlc-opt %s --pass-pipeline='kernels-at-place{pipeline="canonicalize"}' | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: mlc-opt %s --pass-pipeline='kernels-at-place{place=device pipeline="canonicalize"}' | FileCheck %s --check-prefixes=CHECK,DEVICE
// RUN: mlc-opt %s --pass-pipeline='kernels-at-place{place=device pipeline="canonicalize"}' --mlir-timing 2>&1 | FileCheck %s --check-prefix=TIMES
// Kernels of the other place keep their bodies, and what is no kernel is everybody's.
// TIMES: KernelsAtPlace
// TIMES-NEXT: {{ +}}Canonicalizer
// CHECK-LABEL: @on_host
// HOST-NEXT: return %{{.*}} : i32
// DEVICE: arith.addi
func.func private @on_host(%a: i32) -> i32 attributes {mlc.place = "host"} {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
// CHECK-LABEL: @on_device
// HOST: arith.addi
// DEVICE-NEXT: return %{{.*}} : i32
func.func private @on_device(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
// CHECK-LABEL: @main
// CHECK-NEXT: call @on_host
// CHECK-NEXT: call @on_device
func.func @main(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  %c = call @on_host(%b) : (i32) -> i32
  %d = call @on_device(%c) : (i32) -> i32
  return %d : i32
}
