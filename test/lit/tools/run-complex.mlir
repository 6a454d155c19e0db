// REQUIRES: target
// RUN: mlc run -e main %s --input 1.5 --input -0.25 --input 0.75 --input 2.0 | FileCheck %s --check-prefix=NUMBERS
// RUN: mlc run -e main %s --input -1.0e300 --input 1.0e300 --input 1.0e300 --input 0.0 | FileCheck %s --check-prefix=LARGE
// RUN: mlc run -e main %s --input 1.0e-300 --input 0.0 --input 0.0 --input -1.0e-300 | FileCheck %s --check-prefix=SMALL
// Complex numbers in native code: values are those of C's <complex.h>; squares of large and small parts do no harm.

// NUMBERS: 0.13698630136986{{[0-9]*}} : f64
// NUMBERS-NEXT: -0.69863013698630{{[0-9]*}} : f64
// NUMBERS-NEXT: 1.520690632574554{{[0-9]*}} : f64
// NUMBERS-NEXT: 1.228961071916957{{[0-9]*}} : f64
// NUMBERS-NEXT: -0.101711927949859{{[0-9]*}} : f64
// NUMBERS-NEXT: 0.41916459520222{{[0-9]*}} : f64
// NUMBERS-NEXT: -0.165148677414626{{[0-9]*}} : f64
// LARGE: -1.000000e+00 : f64
// LARGE-NEXT: 1.000000e+00 : f64
// LARGE-NEXT: 1.414213562373095{{[0-9]*}}E+300 : f64
// SMALL: 0.000000e+00 : f64
// SMALL-NEXT: 1.000000e+00 : f64
// SMALL-NEXT: 1.000000e-300 : f64
func.func @main(%a: f64, %b: f64, %c: f64, %d: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
  %x = complex.create %a, %b : complex<f64>
  %y = complex.create %c, %d : complex<f64>
  %0 = complex.div %x, %y : complex<f64>
  %1 = complex.abs %x : complex<f64>
  %2 = complex.sqrt %x : complex<f64>
  %3 = complex.log %x : complex<f64>
  %r0 = complex.re %0 : complex<f64>
  %i0 = complex.im %0 : complex<f64>
  %r2 = complex.re %2 : complex<f64>
  %i2 = complex.im %2 : complex<f64>
  %r3 = complex.re %3 : complex<f64>
  %i3 = complex.im %3 : complex<f64>
  return %r0, %i0, %1, %r2, %i2, %r3, %i3 : f64, f64, f64, f64, f64, f64, f64
}
