// RUN: mlc-opt %s -allow-unregistered-dialect | FileCheck %s
// RUN: mlc-opt %s -allow-unregistered-dialect | mlc-opt -allow-unregistered-dialect | FileCheck %s
// Debug-info attributes: DWARF's names as keywords, lists without brackets, what is zero left out, aliases by mnemonic.

// CHECK-DAG: #[[FLOAT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "float", sizeInBits = 32, encoding = DW_ATE_float>
#float = #llvm.di_basic_type<name = "float", tag = DW_TAG_base_type, encoding = DW_ATE_float, sizeInBits = 32>
// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"kernel.c" in "/src">
#file = #llvm.di_file<"kernel.c" in "/src">
// CHECK-DAG: #[[SELF:.*]] = #llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[0]<>>
#self = #llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[0]<>>
// CHECK-DAG: #[[UNIT:.*]] = #llvm.di_compile_unit<id = distinct{{.*}}, sourceLanguage = DW_LANG_C11, file = #[[FILE]], isOptimized = false, emissionKind = Full>
#unit = #llvm.di_compile_unit<id = distinct[1]<>, sourceLanguage = DW_LANG_C11, file = #file, isOptimized = false, emissionKind = Full>
#next = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #self, sizeInBits = 64, alignInBits = 0>
// CHECK-DAG: = #llvm.di_composite_type<tag = DW_TAG_structure_type, recId = distinct[0]<>, name = "node", flags = "Public|Vector", elements = #[[FLOAT]], #{{.*}}, rank = <[DW_OP_push_object_address, DW_OP_plus_uconst(8), DW_OP_LLVM_convert(16, DW_ATE_signed)]>>
#node = #llvm.di_composite_type<tag = DW_TAG_structure_type, recId = distinct[0]<>, name = "node", flags = "Public|Vector",
  rank = <[DW_OP_push_object_address, DW_OP_plus_uconst(8), DW_OP_LLVM_convert(16, DW_ATE_signed)]>, elements = #float, #next>
// CHECK-DAG: = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #{{.*}}, #[[FLOAT]]>
#signature = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #llvm.di_null_type, #float>
"use"() {a = #node, b = #unit, c = #signature} : () -> ()
