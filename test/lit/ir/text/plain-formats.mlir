// RUN: mlc-opt %s -split-input-file -verify-diagnostics -mlir-print-op-generic | FileCheck %s
// An op is read the short way when one of its kind was read before: what it may leave out, what
// is written in another way, and faults are those of the long way.

// CHECK-LABEL: sym_name = "written_in_many_ways"
func.func @written_in_many_ways(%a: i32, %b: i32, %m: memref<?xi32>, %i: index) {
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<nsw, nuw>}> : (i32, i32) -> i32
  // CHECK: "arith.addi"(%arg0, %arg1) <{overflowFlags = #arith.overflow<none>}> {mark} : (i32, i32) -> i32
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, // the rest is on the next line
                  %b : i32
  %2 = arith.addi %a, %b overflow<nsw> : i32
  %3 = arith.addi %a, %b overflow<nsw> : i32
  %4 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %5 = arith.addi %a, %b {mark} : i32
  // CHECK: "arith.addi"(%{{.*}}, %{{.*}}#1) {{.*}} : (i32, i32) -> i32
  %6:2 = arith.mului_extended %a, %b : i32
  %7 = arith.addi %0, %6#1 : i32
  // CHECK: "arith.cmpi"(%arg0, %arg1) <{predicate = 2 : i64}> : (i32, i32) -> i1
  // CHECK: "arith.cmpi"(%arg0, %arg1) <{predicate = 3 : i64}> : (i32, i32) -> i1
  // CHECK: "arith.cmpi"(%arg3, %arg3) <{predicate = 2 : i64}> : (index, index) -> i1
  %8 = arith.cmpi slt, %a, %b : i32
  %9 = arith.cmpi sle, %a, %b : i32
  %10 = arith.cmpi slt, %i, %i : index
  // CHECK: "memref.load"(%arg2, %arg3) : (memref<?xi32>, index) -> i32
  // CHECK: "memref.load"(%arg2, %arg3) : (memref<?xi32>, index) -> i32
  %11 = memref.load %m[%i] : memref<?xi32>
  %12 = memref.load %m[%i] : memref // the shape follows
      <?xi32>
  // CHECK: "arith.constant"() <{value = 1 : i32}> : () -> i32
  // CHECK: "arith.constant"() <{value = 1 : i64}> : () -> i64
  // CHECK: "arith.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<2xi32>
  %13 = arith.constant 1 : i32
  %14 = arith.constant 1 : i64
  %15 = arith.constant dense<1> : tensor<2xi32>
  return
}

// -----

func.func @another_type(%a: i32, %b: i64) { // expected-note {{prior use here}}
  %0 = arith.addi %a, %a : i32
  // expected-error @below {{use of value '%b' expects different type than prior uses: 'i32' vs 'i64'}}
  %1 = arith.addi %a, %b : i32
  return
}

// -----

func.func @missing_operand(%a: i32) {
  %0 = arith.addi %a, %a : i32
  // expected-error @below {{expected SSA operand}}
  %1 = arith.addi %a, : i32
  return
}

// -----

func.func @unknown_case(%a: i32) {
  %0 = arith.cmpi slt, %a, %a : i32
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'predicate' [eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge]}}
  %1 = arith.cmpi less, %a, %a : i32
  return
}

// -----

func.func @number_of_indices(%m: memref<?xi32>, %i: index) {
  %0 = memref.load %m[%i] : memref<?xi32>
  // expected-error @below {{'memref.load' op incorrect number of indices for load}}
  %1 = memref.load %m[%i, %i] : memref<?xi32>
  return
}
