// RUN: mlc-opt %s | mlc-opt | FileCheck %s
// CHECK: module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>, #dlti.dl_entry<"dlti.endianness", "little">>}
module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 32 : i32>, #dlti.dl_entry<"dlti.endianness", "little">>} {
  // CHECK: attributes {a = #dlti.dl_spec<>}
  func.func private @f() attributes {a = #dlti.dl_spec<>}
}
