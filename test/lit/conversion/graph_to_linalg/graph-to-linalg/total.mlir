// RUN: mlc-opt %s --interpret > %t.before
// RUN: mlc-opt %s --graph-to-linalg --interpret > %t.after
// RUN: diff %t.before %t.after
// RUN: FileCheck %s < %t.after
// RUN: mlc-opt %s --graph-to-linalg | FileCheck %s --check-prefix=IR
// Where C leaves it open: the least integer by -1, the sign of a remainder, floats that an integer type does not hold.
// CHECK: dense<[-2147483648, 2147483647, -3]> : tensor<3xi32>
// CHECK-NEXT: dense<[0, 0, 2147483646, 0]> : tensor<4xi32>
// CHECK-NEXT: dense<[-2147483648, -2147483648, -2147483648, 3, -3]> : tensor<5xi32>
// CHECK-NEXT: dense<[0, 0, 0, 3, -3]> : tensor<5xi8>
// CHECK-NEXT: dense<[-9223372036854775808, -9223372036854775808, 3000000000, 3, -3]> : tensor<5xi64>
// CHECK-NEXT: dense<{{.*}}true
// IR: math.absf
// IR: arith.cmpf olt
// IR: arith.fptosi
// IR: arith.select
func.func @main() -> (tensor<3xi32>, tensor<4xi32>, tensor<5xi32>, tensor<5xi8>, tensor<5xi64>, tensor<5xi1>) {
  %n = graph.constant dense<[-2147483648, -2147483647, 7]> : tensor<3xi32>
  %by = graph.constant dense<[-1, -1, -2]> : tensor<3xi32>
  %0 = graph.div %n, %by : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  %m = graph.constant dense<[-2147483648, 0, -1, 6]> : tensor<4xi32>
  %of = graph.constant dense<[-1, -5, 2147483647, -3]> : tensor<4xi32>
  %1 = graph.mod %m, %of : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %x = graph.constant dense<[0x7FC00000, 0xFF800000, 3.0e+9, 3.9, -3.9]> : tensor<5xf32>
  %2 = graph.cast %x : (tensor<5xf32>) -> tensor<5xi32>
  %3 = graph.cast %x : (tensor<5xf32>) -> tensor<5xi8>
  %4 = graph.cast %x : (tensor<5xf32>) -> tensor<5xi64>
  %5 = graph.cast %x : (tensor<5xf32>) -> tensor<5xi1>
  return %0, %1, %2, %3, %4, %5 : tensor<3xi32>, tensor<4xi32>, tensor<5xi32>, tensor<5xi8>, tensor<5xi64>, tensor<5xi1>
}
