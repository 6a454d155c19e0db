// REQUIRES: mlc, target
// RUN: mlc run %s -e numbers --input 1 --input 5000000000 --input 1.5 --input 7 --input true --input 3 --input 2.5 | FileCheck %s --check-prefix=NUMBERS
// RUN: mlc run %s -e product --input iota --input 'dense<[[1.0],[2.0],[3.0]]> : tensor<3x1xf32>' | FileCheck %s --check-prefix=PRODUCT
// RUN: mlc run %s -e vectors --input iota --input 'dense<[[true, false, true], [false, false, true]]> : vector<2x3xi1>' --input iota | FileCheck %s --check-prefix=VECTORS
// RUN: mlc run %s -e double --input 'dense<[1.0, 2.0, 3.0]> : tensor<3xf32>' | FileCheck %s --check-prefix=DOUBLE
// RUN: mlc run %s -e window --input iota | FileCheck %s --check-prefix=WINDOW
// RUN: mlc run %s -e window --input iota --output-dir=%t
// RUN: mlc-opt %s --interpret --entry same --input %t/output_0.npy | FileCheck %s --check-prefix=WINDOW
// RUN: mlc run %s -e prints --input 1.5 | FileCheck %s --check-prefix=PRINTS
// RUN: mlc-opt %s --interpret --entry prints --input 1.5 | FileCheck %s --check-prefix=INTERPRETED
// RUN: mlc run %s -e squares --input 6 --shared-libs=%plugins/own_functions.so | FileCheck %s --check-prefix=SQUARES
// A function of any type runs from text: what it takes is read, and what it gives printed, as the interpreter does.
// NUMBERS: {{^}}2 : i32
// NUMBERS-NEXT: {{^}}10000000000 : i64
// NUMBERS-NEXT: {{^}}3.000000e+00 : f32
// NUMBERS-NEXT: {{^}}14 : index
// NUMBERS-NEXT: {{^}}false
// NUMBERS-NEXT: {{^}}6 : i5
// NUMBERS-NEXT: {{^}}2.500000e+00 : bf16
func.func @numbers(%a: i32, %b: i64, %c: f32, %d: index, %e: i1, %f: i5, %g: bf16) -> (i32, i64, f32, index, i1, i5, bf16) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.addi %b, %b : i64
  %2 = arith.addf %c, %c : f32
  %3 = arith.addi %d, %d : index
  %true = arith.constant true
  %4 = arith.xori %e, %true : i1
  %5 = arith.addi %f, %f : i5
  return %0, %1, %2, %3, %4, %5, %g : i32, i64, f32, index, i1, i5, bf16
}
// PRODUCT: dense<{{\[}}[8.000000e+00], [2.600000e+01]]> : tensor<2x1xf32>
func.func @product(%a: tensor<2x3xf32>, %b: tensor<3x?xf32>) -> tensor<2x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %b, %c1 : tensor<3x?xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%n) : tensor<2x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x?xf32>) -> tensor<2x?xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x?xf32>) outs(%init : tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
// VECTORS: dense<{{\[}}[0.000000e+00, 3.000000e+00], [1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00]]> : vector<3x2xf32>
// VECTORS-NEXT: dense<{{\[}}[false, true, false], [true, true, false]]> : vector<2x3xi1>
// VECTORS-NEXT: dense<[0, 2, 4]> : vector<3xi32>
// VECTORS-NEXT: dense<1.000000e+00> : vector<f32>
func.func @vectors(%a: vector<2x3xf32>, %m: vector<2x3xi1>, %i: vector<3xi32>) -> (vector<3x2xf32>, vector<2x3xi1>, vector<3xi32>, vector<f32>) {
  %0 = vector.transpose %a, [1, 0] : vector<2x3xf32> to vector<3x2xf32>
  %true = arith.constant dense<true> : vector<2x3xi1>
  %1 = arith.xori %m, %true : vector<2x3xi1>
  %2 = arith.addi %i, %i : vector<3xi32>
  %x = vector.extract %a[0, 1] : f32 from vector<2x3xf32>
  %3 = vector.broadcast %x : f32 to vector<f32>
  return %0, %1, %2, %3 : vector<3x2xf32>, vector<2x3xi1>, vector<3xi32>, vector<f32>
}
// Of a function without results, the buffers that it was given.
// DOUBLE: dense<[2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<3xf32>
func.func @double(%m: memref<?xf32>) {
  affine.for %i = 0 to 3 {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %m[%i] : memref<?xf32>
  }
  return
}
// WINDOW: dense<{{\[}}[1, 3], [9, 11]]> : tensor<2x2xi16>
func.func @window(%m: memref<4x4xi16>) -> memref<2x2xi16, strided<[8, 2], offset: 1>> {
  %0 = memref.subview %m[0, 1] [2, 2] [2, 2] : memref<4x4xi16> to memref<2x2xi16, strided<[8, 2], offset: 1>>
  return %0 : memref<2x2xi16, strided<[8, 2], offset: 1>>
}
func.func @same(%x: tensor<2x2xi16>) -> tensor<2x2xi16> {
  return %x : tensor<2x2xi16>
}
// PRINTS: {{^}}( 1.5, 3 )
// PRINTS-NEXT: Unranked Memref base@ = {{.*}} rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
// PRINTS-NEXT: {{\[}}[1.5,   1.5],
// PRINTS-NEXT: [1.5,   1.5]]
// PRINTS-NEXT: {{^}}1.500000e+00 : f16
// INTERPRETED: {{^}}( 1.5, 3 )
// INTERPRETED-NEXT: Unranked Memref base@ = {{.*}} rank = 2 offset = 0 sizes = [2, 2] strides = [2, 1] data =
// INTERPRETED-NEXT: {{\[}}[1.5,   1.5],
// INTERPRETED-NEXT: [1.5,   1.5]]
func.func private @printF32(f32)
func.func private @printI64(i64)
func.func private @printOpen()
func.func private @printClose()
func.func private @printComma()
func.func private @printNewline()
func.func private @printMemrefF32(memref<*xf32>) attributes {llvm.emit_c_interface}
func.func @prints(%x: f32) -> f16 {
  %c3 = arith.constant 3 : i64
  call @printOpen() : () -> ()
  call @printF32(%x) : (f32) -> ()
  call @printComma() : () -> ()
  call @printI64(%c3) : (i64) -> ()
  call @printClose() : () -> ()
  call @printNewline() : () -> ()
  %m = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<2x2xf32>)
  %u = memref.cast %m : memref<2x2xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  memref.dealloc %m : memref<2x2xf32>
  %0 = arith.truncf %x : f32 to f16
  return %0 : f16
}
// SQUARES: {{^}}72 : i64
func.func private @square_of(i64) -> i64
func.func @squares(%x: i64) -> i64 {
  %0 = call @square_of(%x) : (i64) -> i64
  %1 = arith.addi %0, %0 : i64
  return %1 : i64
}
