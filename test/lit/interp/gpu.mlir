// RUN: mlc-opt %s --interpret --entry reverse --input iota | FileCheck %s --check-prefix=REVERSE
// RUN: mlc-opt %s --interpret --entry reverse --input iota --seed 11 | FileCheck %s --check-prefix=REVERSE
// RUN: mlc-opt %s --interpret --entry sums --input zeros --seed 2 | FileCheck %s --check-prefix=SUMS
// Two blocks of four threads, in any order: each reverses its half through shared memory, with a barrier between.
// REVERSE: dense<[3, 2, 1, 0, 7, 6, 5, 4]> : tensor<8xi32>
// Thread t of 8: what t ^ 1 has (10 * t), and the sum over all: 280.
// SUMS: dense<{{\[\[}}10, 280], [0, 280], [30, 280], [20, 280], [50, 280], [40, 280], [70, 280], [60, 280]]> : tensor<8x2xi32>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xi32>) -> (), sym_name = "reverse"}> ({
  ^bb0(%arg2: memref<8xi32>):
    %12 = "arith.constant"() <{value = 1 : index}> : () -> index
    %13 = "arith.constant"() <{value = 2 : index}> : () -> index
    %14 = "arith.constant"() <{value = 3 : index}> : () -> index
    %15 = "arith.constant"() <{value = 4 : index}> : () -> index
    "gpu.launch"(%13, %12, %12, %15, %12, %12) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index, %arg7: index, %arg8: index, %arg9: index, %arg10: index, %arg11: index, %arg12: index, %arg13: index, %arg14: index, %arg15: memref<4xi32, #gpu.address_space<workgroup>>):
      %16 = "arith.muli"(%arg3, %15) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %17 = "arith.addi"(%16, %arg6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %18 = "memref.load"(%arg2, %17) : (memref<8xi32>, index) -> i32
      "memref.store"(%18, %arg15, %arg6) : (i32, memref<4xi32, #gpu.address_space<workgroup>>, index) -> ()
      "gpu.barrier"() : () -> ()
      %19 = "arith.subi"(%14, %arg6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %20 = "memref.load"(%arg15, %19) : (memref<4xi32, #gpu.address_space<workgroup>>, index) -> i32
      "memref.store"(%20, %arg2, %17) : (i32, memref<8xi32>, index) -> ()
      "gpu.terminator"() : () -> ()
    }) {workgroup_attributions = 1 : i64} : (index, index, index, index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "gpu.module"() <{sym_name = "kernels"}> ({
    "gpu.func"() <{function_type = (memref<8x2xi32>) -> ()}> ({
    ^bb0(%arg1: memref<8x2xi32>):
      %2 = "arith.constant"() <{value = 0 : index}> : () -> index
      %3 = "arith.constant"() <{value = 1 : index}> : () -> index
      %4 = "arith.constant"() <{value = 1 : i32}> : () -> i32
      %5 = "arith.constant"() <{value = 8 : i32}> : () -> i32
      %6 = "arith.constant"() <{value = 10 : i32}> : () -> i32
      %7 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %8 = "arith.index_cast"(%7) : (index) -> i32
      %9 = "arith.muli"(%8, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %10:2 = "gpu.shuffle"(%9, %4, %5) <{mode = #gpu<shuffle_mode xor>}> : (i32, i32, i32) -> (i32, i1)
      %11 = "gpu.all_reduce"(%9) <{op = #gpu<all_reduce_op add>, uniform}> ({
      }) : (i32) -> i32
      "memref.store"(%10#0, %arg1, %7, %2) : (i32, memref<8x2xi32>, index, index) -> ()
      "memref.store"(%11, %arg1, %7, %3) : (i32, memref<8x2xi32>, index, index) -> ()
      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "sums", workgroup_attributions = 0 : i64} : () -> ()
    "gpu.module_end"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<8x2xi32>) -> (), sym_name = "sums"}> ({
  ^bb0(%arg0: memref<8x2xi32>):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index
    %1 = "arith.constant"() <{value = 8 : index}> : () -> index
    "gpu.launch_func"(%0, %0, %0, %1, %0, %0, %arg0) <{kernel = @kernels::@sums, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<8x2xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) {gpu.container_module} : () -> ()
