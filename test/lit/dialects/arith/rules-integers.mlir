// RUN: mlc-opt --canonicalize %s | FileCheck %s
// RUN: mlc-opt --canonicalize --interpret --entry=numbers --input=13 --input=-5 %s > %t.after
// RUN: mlc-opt --interpret --entry=numbers --input=13 --input=-5 %s | diff - %t.after
// Constants meet through sums, differences and products; promises that one of two ops made go.
// CHECK-LABEL: @sums(
// CHECK-DAG: %[[A:.*]] = arith.addi %arg0, %c12_i32 overflow<nsw> : i32
// CHECK-DAG: %[[B:.*]] = arith.addi %arg0, %c2_i32 : i32
// CHECK-DAG: %[[C:.*]] = arith.subi %c12_i32, %arg0 : i32
// CHECK-DAG: %[[D:.*]] = arith.muli %arg0, %c35_i32 : i32
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
func.func @sums(%x: i32) -> (i32, i32, i32, i32) {
  %c5 = arith.constant 5 : i32
  %c7 = arith.constant 7 : i32
  %0 = arith.addi %x, %c5 overflow<nsw, nuw> : i32
  %a = arith.addi %0, %c7 overflow<nsw> : i32
  %1 = arith.subi %x, %c5 overflow<nsw> : i32
  %b = arith.addi %1, %c7 : i32
  %2 = arith.subi %c5, %x : i32
  %c = arith.addi %2, %c7 : i32
  %3 = arith.muli %x, %c5 : i32
  %d = arith.muli %3, %c7 : i32
  return %a, %b, %c, %d : i32, i32, i32, i32
}

// A half that nobody reads is not computed.
// CHECK-LABEL: @halves(
// CHECK-NEXT: %[[LOW:.*]] = arith.muli %arg0, %arg1
// CHECK-NEXT: %{{.*}}, %[[HIGH:.*]] = arith.mulsi_extended %arg0, %arg1
// CHECK-NEXT: return %[[LOW]], %[[HIGH]]
func.func @halves(%x: i8, %y: i8) -> (i8, i8) {
  %low, %high = arith.mului_extended %x, %y : i8
  %c8 = arith.constant 8 : i16
  %a = arith.extsi %x : i8 to i16
  %b = arith.extsi %y : i8 to i16
  %m = arith.muli %a, %b : i16
  %s = arith.shrsi %m, %c8 : i16
  %t = arith.trunci %s : i16 to i8
  return %low, %t : i8, i8
}

// CHECK-LABEL: @bits(
// CHECK: %[[OR:.*]] = arith.ori %arg0, %arg1 : i8
// CHECK: %[[WIDE:.*]] = arith.extui %[[OR]] : i8 to i32
// CHECK: return %[[WIDE]], %c-1_i8
func.func @bits(%x: i8, %y: i8) -> (i32, i8) {
  %ones = arith.constant -1 : i8
  %a = arith.extui %x : i8 to i32
  %b = arith.extui %y : i8 to i32
  %c = arith.ori %a, %b : i32
  %n = arith.xori %x, %ones : i8
  %d = arith.ori %n, %x : i8
  return %c, %d : i32, i8
}

// CHECK-LABEL: @compared(
// CHECK-NEXT: %[[A:.*]] = arith.cmpi sge, %arg0, %arg1 : i8
// CHECK-NEXT: %[[B:.*]] = arith.cmpi ne, %arg0, %arg1 : i8
// CHECK-NEXT: return %[[A]], %[[B]], %arg2
func.func @compared(%x: i8, %y: i8, %b: i1) -> (i1, i1, i1) {
  %t = arith.constant true
  %zero = arith.constant 0 : i32
  %0 = arith.cmpi slt, %x, %y : i8
  %1 = arith.xori %0, %t : i1
  %2 = arith.extsi %x : i8 to i32
  %3 = arith.extsi %y : i8 to i32
  %4 = arith.cmpi ne, %2, %3 : i32
  %5 = arith.extui %b : i1 to i32
  %6 = arith.cmpi ne, %5, %zero : i32
  return %1, %4, %6 : i1, i1, i1
}

// Nothing is known of an order of extended values, nor of a shift by another amount.
// CHECK-LABEL: @kept(
// CHECK-COUNT-2: arith.extsi
// CHECK: arith.cmpi slt
// CHECK: arith.shrsi
func.func @kept(%x: i8, %y: i8, %z: i32) -> (i1, i8) {
  %0 = arith.extsi %x : i8 to i32
  %1 = arith.extsi %y : i8 to i32
  %2 = arith.cmpi slt, %0, %1 : i32
  %c8 = arith.constant 8 : i32
  %3 = arith.shrsi %z, %c8 : i32
  %4 = arith.trunci %3 : i32 to i8
  return %2, %4 : i1, i8
}

func.func @numbers(%x: i8, %y: i8) -> (i32, i32, i32, i32, i8, i8, i32, i8, i1, i1, i1) {
  %t = arith.constant true
  %w = arith.extsi %x : i8 to i32
  %a:4 = func.call @sums(%w) : (i32) -> (i32, i32, i32, i32)
  %b:2 = func.call @halves(%x, %y) : (i8, i8) -> (i8, i8)
  %c:2 = func.call @bits(%x, %y) : (i8, i8) -> (i32, i8)
  %d:3 = func.call @compared(%x, %y, %t) : (i8, i8, i1) -> (i1, i1, i1)
  return %a#0, %a#1, %a#2, %a#3, %b#0, %b#1, %c#0, %c#1, %d#0, %d#1, %d#2 : i32, i32, i32, i32, i8, i8, i32, i8, i1, i1, i1
}
