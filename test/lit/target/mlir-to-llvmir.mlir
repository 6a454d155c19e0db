// RUN: mlc-translate --mlir-to-llvmir %s | FileCheck %s
// What a module says of its functions and globals reaches LLVM IR, for no machine in particular.

// CHECK: source_filename = "LLVMDialectModule"
// CHECK: $once = comdat any
llvm.comdat @groups {
  llvm.comdat_selector @once any
}
// CHECK: @word = private constant [2 x i8] c"hi", section ".words", align 2
llvm.mlir.global private constant @word("hi") {alignment = 2 : i64, section = ".words"}
// CHECK: @shared = linkonce global i32 7, comdat($once)
llvm.mlir.global linkonce @shared(7 : i32) comdat(@groups::@once) : i32
// CHECK: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 3, ptr @start, ptr null }]
llvm.mlir.global_ctors {ctors = [@start], priorities = [3 : i32]}
// CHECK: define void @start() #[[START:.*]] gc "shadow-stack"
llvm.func @start() attributes {garbageCollector = "shadow-stack", target_cpu = "a64fx", frame_pointer = #llvm.framePointerKind<all>} {
  llvm.return
}
llvm.func @may_throw(i32) -> i32
llvm.func @personality(...) -> i32
// CHECK: define i32 @guarded(i32 noundef %0) #[[READS:.*]] personality ptr @personality
llvm.func @guarded(%x: i32 {llvm.noundef}) -> i32 attributes {personality = @personality, memory = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none>} {
  // CHECK: invoke i32 @may_throw(i32 %0)
  // CHECK-NEXT: to label %[[GOOD:.*]] unwind label %[[BAD:.*]]
  %0 = llvm.invoke @may_throw(%x) to ^good unwind ^bad : (i32) -> i32
^good:
  llvm.return %0 : i32
^bad:
  // CHECK: landingpad { ptr, i32 }
  // CHECK-NEXT: cleanup
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  // CHECK: resume { ptr, i32 }
  llvm.resume %1 : !llvm.struct<(ptr, i32)>
}
// CHECK-LABEL: define float @root
llvm.func @root(%x: f32) -> f32 {
  // CHECK: call nnan float @llvm.sqrt.f32(float %0)
  %0 = llvm.call_intrinsic "llvm.sqrt"(%x) : (f32) -> f32 {fastmathFlags = #llvm.fastmath<nnan>}
  llvm.return %0 : f32
}
// CHECK-DAG: attributes #[[START]] = { "frame-pointer"="all" "target-cpu"="a64fx" }
// CHECK-DAG: attributes #[[READS]] = { memory(argmem: read) }
