// RUN: mlc-opt %s --convert-complex-to-standard --cse --split-input-file | FileCheck %s
// Arithmetic on complex numbers is arithmetic on their parts, with the flags that it has.

// CHECK-LABEL: @product
// CHECK-DAG: %[[A:.+]] = complex.re %arg0
// CHECK-DAG: %[[B:.+]] = complex.im %arg0
// CHECK-DAG: %[[C:.+]] = complex.re %arg1
// CHECK-DAG: %[[D:.+]] = complex.im %arg1
// CHECK-DAG: %[[AC:.+]] = arith.mulf %[[A]], %[[C]] fastmath<nnan> : f32
// CHECK-DAG: %[[BD:.+]] = arith.mulf %[[B]], %[[D]] fastmath<nnan> : f32
// CHECK-DAG: %[[RE:.+]] = arith.subf %[[AC]], %[[BD]] fastmath<nnan> : f32
// CHECK-DAG: %[[AD:.+]] = arith.mulf %[[A]], %[[D]] fastmath<nnan> : f32
// CHECK-DAG: %[[BC:.+]] = arith.mulf %[[B]], %[[C]] fastmath<nnan> : f32
// CHECK-DAG: %[[IM:.+]] = arith.addf %[[AD]], %[[BC]] fastmath<nnan> : f32
// CHECK: complex.create %[[RE]], %[[IM]] : complex<f32>
func.func @product(%x: complex<f32>, %y: complex<f32>) -> complex<f32> {
  %0 = complex.mul %x, %y fastmath<nnan> : complex<f32>
  return %0 : complex<f32>
}

// -----

// The modulus of a logarithm is converted, too.
// CHECK-LABEL: @log
// CHECK: %[[M:.+]] = arith.maximumf
// CHECK: arith.cmpf oeq, %{{.*}}, %[[M]] : f64
// CHECK: math.sqrt
// CHECK: math.log
// CHECK: math.atan2
// CHECK-NOT: complex.abs
// CHECK-NOT: complex.angle
func.func @log(%x: complex<f64>) -> complex<f64> {
  %0 = complex.log %x : complex<f64>
  return %0 : complex<f64>
}

// -----

// CHECK-LABEL: @compare
// CHECK: arith.cmpf oeq
// CHECK: arith.andi
// CHECK: arith.cmpf une
// CHECK: arith.ori
func.func @compare(%x: complex<f64>, %y: complex<f64>) -> (i1, i1) {
  %0 = complex.eq %x, %y : complex<f64>
  %1 = complex.neq %x, %y : complex<f64>
  return %0, %1 : i1, i1
}

// -----

// What has no rule stays.
// CHECK-LABEL: @power
// CHECK: complex.pow
func.func @power(%x: complex<f64>) -> complex<f64> {
  %0 = complex.pow %x, %x : complex<f64>
  return %0 : complex<f64>
}
