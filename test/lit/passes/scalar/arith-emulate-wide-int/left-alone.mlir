// RUN: mlc-opt %s --arith-emulate-wide-int | FileCheck %s
// Other widths, tensors and scalable vectors stay; values that come from elsewhere are cast.
// CHECK-LABEL: func.func @widths
// CHECK: arith.addi %{{.*}} : i48
// CHECK: arith.addi %{{.*}} : i128
// CHECK: arith.addi %{{.*}} : tensor<4xi64>
// CHECK: arith.addi %{{.*}} : vector<[4]xi64>
func.func @widths(%a: i48, %b: i128, %c: tensor<4xi64>, %d: vector<[4]xi64>) -> (i48, i128, tensor<4xi64>, vector<[4]xi64>) {
  %0 = arith.addi %a, %a : i48
  %1 = arith.addi %b, %b : i128
  %2 = arith.addi %c, %c : tensor<4xi64>
  %3 = arith.addi %d, %d : vector<[4]xi64>
  return %0, %1, %2, %3 : i48, i128, tensor<4xi64>, vector<[4]xi64>
}

// CHECK-LABEL: func.func @load
// CHECK: %[[X:.*]] = memref.load
// CHECK: builtin.unrealized_conversion_cast %[[X]] : i64 to vector<2xi32>
func.func @load(%m: memref<i64>) -> i64 {
  %0 = memref.load %m[] : memref<i64>
  return %0 : i64
}

// CHECK-LABEL: func.func @branch
// CHECK: cf.cond_br %{{.*}}, ^bb1(%{{.*}} : vector<2xi32>), ^bb2
// CHECK: ^bb1(%{{.*}}: vector<2xi32>)
func.func @branch(%a: i64, %c: i1) -> i64 {
  cf.cond_br %c, ^one(%a : i64), ^two
^one(%x: i64):
  return %x : i64
^two:
  return %a : i64
}
