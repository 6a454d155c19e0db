// RUN: mlc-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect
// A parameter that cannot be read is told where it is, then with its name, outwards.
#root = #llvm.tbaa_root<id = "root">
#int = #llvm.tbaa_type_desc<id = "int", members = {<#root, 0>}>
#tag = #llvm.tbaa_tag<base_type = #int, access_type = #int, offset = 0>
// expected-error @+3 {{invalid kind of attribute specified}}
// expected-error @+2 {{failed to parse LLVM_TBAAMemberAttr parameter 'typeDesc' which is to be a `TBAANodeAttr`}}
// expected-error @+1 {{failed to parse LLVM_TBAATypeDescriptorAttr parameter 'members' which is to be a `::llvm::ArrayRef<TBAAMemberAttr>`}}
#long = #llvm.tbaa_type_desc<id = "long", members = {<#tag, 0>}>

// -----

// expected-error @+2 {{expected integer value}}
// expected-error @+1 {{failed to parse LLVMPointerType parameter 'addressSpace' which is to be a `unsigned`}}
func.func private @type(!llvm.ptr<x>)

// -----

// expected-error @+2 {{integer value too large}}
// expected-error @+1 {{failed to parse LLVMPointerType parameter 'addressSpace' which is to be a `unsigned`}}
func.func private @unsigned(!llvm.ptr<4294967296>)

// -----

// expected-error @+2 {{integer value too large}}
// expected-error @+1 {{failed to parse NVVM_MMAShapeAttr parameter 'n' which is to be a `int`}}
"u.x"() {x = #nvvm.shape<m = -2147483648, n = 2147483648, k = 1>} : () -> ()

// -----

// expected-error @+2 {{integer value too large}}
// expected-error @+1 {{failed to parse LLVM_DINamespaceAttr parameter 'exportSymbols' which is to be a `bool`}}
"u.x"() {x = #llvm.di_namespace<exportSymbols = 2>} : () -> ()

// -----

// expected-error @+2 {{expected string}}
// expected-error @+1 {{failed to parse NVVM_TargettAttr parameter 'chip' which is to be a `::llvm::StringRef`}}
"u.x"() {x = #nvvm.target<chip = 4>} : () -> ()

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse LoopVectorizeAttr parameter 'disable' which is to be a `BoolAttr`}}
"u.x"() {x = #llvm.loop_vectorize<disable = 4>} : () -> ()

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse LLVM_DISubroutineTypeAttr parameter 'types' which is to be a `::llvm::ArrayRef<DITypeAttr>`}}
"u.x"() {x = #llvm.di_subroutine_type<types = #llvm.di_null_type, #llvm.di_file<"a" in "b">>} : () -> ()

// -----

// expected-error @+2 {{invalid Calling Conventions specification: cc_12}}
// expected-error @+1 {{failed to parse CConvAttr parameter 'CallingConv' which is to be a `CConv`}}
"u.x"() {x = #llvm.cconv<cc_12>} : () -> ()

// -----

// expected-error @+2 {{expected keyword for Tail Call Kind}}
// expected-error @+1 {{failed to parse TailCallKindAttr parameter 'tailCallKind' which is to be a `TailCallKind`}}
"u.x"() {x = #llvm.tailcallkind<4>} : () -> ()

// -----

// expected-error @+3 {{invalid debug info debug info operation encoding name: DW_OP_x}}
// expected-error @+2 {{failed to parse LLVM_DIExpressionElemAttr parameter 'opcode' which is to be a `unsigned`}}
// expected-error @+1 {{failed to parse LLVM_DIExpressionAttr parameter 'operations' which is to be a `::llvm::ArrayRef<DIExpressionElemAttr>`}}
"u.x"() {x = #llvm.di_expression<[DW_OP_x]>} : () -> ()

// -----

// expected-error @+2 {{expected valid keyword}}
// expected-error @+1 {{expected a parameter name in struct}}
"u.x"() {x = #llvm.di_basic_type<>} : () -> ()

// -----

// expected-error @+1 {{struct is missing required parameter: sourceLanguage}}
"u.x"() {x = #llvm.di_compile_unit<id = distinct[0]<>>} : () -> ()

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: m}}
"u.x"() {x = #nvvm.shape<m = 1, m = 2, k = 3>} : () -> ()

// -----

// expected-error @+1 {{expected ','}}
"u.x"() {x = #nvvm.shape<m = 1, n = 2>} : () -> ()

// -----

// expected-error @+1 {{expected '>'}}
"u.x"() {x = #llvm.loop_annotation< = true>} : () -> ()

// -----

// expected-error @+1 {{unknown LLVM type: array4}}
func.func private @type(!llvm.array4)

// -----

// expected-error @+2 {{invalid kind of attribute specified}}
// expected-error @+1 {{failed to parse GPU_ObjectAttr parameter 'object' which is to be a `StringAttr`}}
gpu.binary @b [#gpu.object<#nvvm.target, bin = 4>]

// -----

// expected-error @+1 {{expected keyword for GPU object format}}
gpu.binary @b [#gpu.object<#nvvm.target, foo = "a">]

// -----

func.func @subscript(%m: memref<4xf32>, %i: index) {
  // expected-error @+1 {{expected ']' in affine map}}
  %0 = affine.load %m[%i + 1 x] : memref<4xf32>
  return
}
