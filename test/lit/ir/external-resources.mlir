// What tools keep beside a module comes through as it is written.
// RUN: mlc-opt %s | FileCheck %s
// RUN: mlc-opt %s | mlc-opt | FileCheck %s

// CHECK: {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       bytes: "0x040000000102"
// CHECK-NEXT:     }
// CHECK-NEXT:   },
// CHECK-NEXT:   external_resources: {
// CHECK-NEXT:     first: {
// CHECK-NEXT:       flag: true,
// CHECK-NEXT:       name: "a \22quoted\22 one"
// CHECK-NEXT:     },
// CHECK-NEXT:     second: {
// CHECK-NEXT:       number: "0x08000000FF"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
module attributes {some.bytes = dense_resource<bytes> : tensor<2xi8>} {}
{-#
  dialect_resources: { builtin: { bytes: "0x040000000102" } },
  external_resources: {
    first: { flag: true, name: "a \22quoted\22 one" },
    second: { number: "0x08000000FF" }
  }
#-}
