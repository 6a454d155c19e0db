// RUN: mlc-opt %s --allow-unregistered-dialect --verify-roundtrip | FileCheck %s
// Unsigned parameters take any number of their width and are printed without a sign.
// CHECK: sizeInBits = 18446744073709551615
"u.size"() {x = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "x", sizeInBits = -1>} : () -> ()
// CHECK: !llvm.ptr<4294967293>
"u.space"() {x = !llvm.ptr<-3>} : () -> ()
// CHECK: !llvm.ptr<4294967295>
"u.true"() {x = !llvm.ptr<true>} : () -> ()
// CHECK: !llvm.ptr<16>
"u.hex"() {x = !llvm.ptr<0x10>} : () -> ()
// CHECK: m = -1, n = -2147483648
"u.signed"() {x = #nvvm.shape<m = true, n = -2147483648, k = 1>} : () -> ()
