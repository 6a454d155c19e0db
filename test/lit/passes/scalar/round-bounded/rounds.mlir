// RUN: mlc-opt %s --round-bounded --canonicalize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry values > %t.before
// RUN: mlc-opt %s --round-bounded --canonicalize --interpret --entry values > %t.after
// RUN: diff %t.before %t.after
// Held between the bounds less the zero point, then rounded by an addition: of bytes nothing is taken off, and the zero
// point is added as an integer, since halves go to even numbers before it is.
// CHECK-LABEL: func.func @bytes
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<-3.000000e+00>
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<2.520000e+02>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<0x4B400000>
// CHECK-DAG: %[[Z:.*]] = arith.constant dense<3> : vector<4xi32>
// CHECK: arith.cmpf ogt, %arg0, %[[LOW]]
// CHECK: arith.cmpf olt, %{{.*}}, %[[HIGH]]
// CHECK: %[[S:.*]] = arith.addf %{{.*}}, %[[ONES]] : vector<4xf32>
// CHECK-NEXT: %[[B:.*]] = arith.bitcast %[[S]] : vector<4xf32> to vector<4xi32>
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[B]], %[[Z]]
// CHECK-NEXT: arith.trunci %[[I]] : vector<4xi32> to vector<4xi8>
func.func @bytes(%x: vector<4xf32>) -> vector<4xi8> {
  %z = arith.constant dense<3.0> : vector<4xf32>
  %low = arith.constant dense<0.0> : vector<4xf32>
  %high = arith.constant dense<255.0> : vector<4xf32>
  %0 = math.roundeven %x : vector<4xf32>
  %1 = arith.addf %0, %z : vector<4xf32>
  %2 = arith.cmpf ogt, %1, %low : vector<4xf32>
  %3 = arith.select %2, %1, %low : vector<4xi1>, vector<4xf32>
  %4 = arith.cmpf olt, %3, %high : vector<4xf32>
  %5 = arith.select %4, %3, %high : vector<4xi1>, vector<4xf32>
  %6 = arith.fptosi %5 : vector<4xf32> to vector<4xi32>
  %7 = arith.trunci %6 : vector<4xi32> to vector<4xi8>
  return %7 : vector<4xi8>
}

// All of the integer is wanted: the bits of 1.5 * 2^23 are taken off.
// CHECK-LABEL: func.func @words
// CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : f32 to i32
// CHECK-NEXT: arith.addi %[[B]], %c-1262485505_i32
func.func @words(%x: f32) -> i32 {
  %z = arith.constant -1.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %0 = math.roundeven %x : f32
  %1 = arith.addf %0, %z : f32
  %2 = arith.cmpf ogt, %1, %low : f32
  %3 = arith.select %2, %1, %low : f32
  %4 = arith.cmpf olt, %3, %high : f32
  %5 = arith.select %4, %3, %high : f32
  %6 = arith.fptosi %5 : f32 to i32
  return %6 : i32
}

// Halves, numbers beyond both bounds, infinities, NaN and zeros of both signs.
func.func @values() -> (vector<4xi8>, vector<4xi8>, vector<4xi8>, i32, i32, i32, i32) {
  %a = arith.constant dense<[0.5, 1.5, 2.5, -0.5]> : vector<4xf32>
  %b = arith.constant dense<[251.5, 252.5, 1.0e30, -1.0e30]> : vector<4xf32>
  %c = arith.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, -0.0]> : vector<4xf32>
  %0 = call @bytes(%a) : (vector<4xf32>) -> vector<4xi8>
  %1 = call @bytes(%b) : (vector<4xf32>) -> vector<4xi8>
  %2 = call @bytes(%c) : (vector<4xf32>) -> vector<4xi8>
  %x = arith.constant -126.5 : f32
  %y = arith.constant 3.5 : f32
  %n = arith.constant 0x7FC00000 : f32
  %m = arith.constant 1.0e9 : f32
  %3 = call @words(%x) : (f32) -> i32
  %4 = call @words(%y) : (f32) -> i32
  %5 = call @words(%n) : (f32) -> i32
  %6 = call @words(%m) : (f32) -> i32
  return %0, %1, %2, %3, %4, %5, %6 : vector<4xi8>, vector<4xi8>, vector<4xi8>, i32, i32, i32, i32
}
