// RUN: mlc-opt %s --bufferize | FileCheck %s
// RUN: mlc-opt %s --interpret --entry main --input 3 | FileCheck %s --check-prefix=RESULT
// RUN: mlc-opt %s --bufferize | mlc-opt - --interpret --entry main --input 3 | FileCheck %s --check-prefix=RESULT
// What goes round is copied where its old value is wanted.
// RESULT: 6.000000e+00 : f32
// RESULT-NEXT: 7.000000e+00 : f32
// RESULT-NEXT: dense<2.000000e+00> : vector<2xf32>
// RESULT-NEXT: dense<1.000000e+00> : vector<2xf32>
// RESULT-NEXT: dense<[3.000000e+00, 7.000000e+00]> : vector<2xf32>
// RESULT-NEXT: dense<1.200000e+01> : vector<2xf32>
// RESULT-NEXT: dense<[1.000000e+00, 9.000000e+00]> : vector<2xf32>
// RESULT-NEXT: dense<[1.300000e+01, 7.000000e+00]> : vector<2xf32>
// RESULT-NEXT: dense<6.000000e+00> : vector<2xf32>
// RESULT-NEXT: dense<[6.000000e+00, 7.000000e+00]> : vector<2xf32>

// Two tensors change places: as if both were copied at once.
// CHECK-LABEL: func.func private @swapped(
// CHECK: scf.for
// CHECK: memref.copy %[[B:.*]], %[[A:.*]] :
// CHECK: memref.copy %[[OLD_A:.*]], %[[B]] :
func.func private @swapped(%x: tensor<2xf32>, %y: tensor<2xf32>, %n: index) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %b, %a : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// The loop reads what its tensor began as.
// CHECK-LABEL: func.func private @reads_the_first(
// CHECK: %[[FIRST:.*]] = memref.alloc
// CHECK: scf.for
// CHECK: memref.load %[[FIRST]][%c0]
func.func private @reads_the_first(%n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %first = tensor.insert %seven into %f[%c1] : tensor<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first) -> (tensor<2xf32>) {
    %old = tensor.extract %first[%c0] : tensor<2xf32>
    %new = arith.addf %old, %old : f32
    %added = arith.addf %new, %old : f32
    %next = tensor.insert %added into %a[%c0] : tensor<2xf32>
    scf.yield %next : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// Each element is wanted after the first was written: reductions are not element by element.
// CHECK-LABEL: func.func private @sums(
// CHECK: memref.copy %{{.*}}, %[[COPY:.*]] :
// CHECK: linalg.generic {{.*}} ins(%{{.*}}) outs(%[[COPY]] :
func.func private @sums() -> tensor<2xf32> {
  %four = arith.constant 4.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %x = linalg.fill ins(%four : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %in, %out : f32
    linalg.yield %sum : f32
  } -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// A tile of a tensor from outside is written and put into a copy of it, in each iteration anew: what
// the last iteration put in has the others' tiles as they were.
// CHECK-LABEL: func.func private @tile_from_outside(
// CHECK: scf.for
// CHECK: memref.alloc
func.func private @tile_from_outside() -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %nine = arith.constant 9.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %x = linalg.fill ins(%one : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %f = tensor.empty() : tensor<2xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %f) -> (tensor<2xf32>) {
    %tile = tensor.extract_slice %x[%i] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %new = linalg.fill ins(%nine : f32) outs(%tile : tensor<1xf32>) -> tensor<1xf32>
    %put = tensor.insert_slice %new into %x[%i] [1] [1] : tensor<1xf32> into tensor<2xf32>
    scf.yield %put : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// A slice is wanted after its tensor was written, by ops that read what they write.
// CHECK-LABEL: func.func private @slice_kept(
// CHECK: memref.alloc
func.func private @slice_kept(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6.0 : f32
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%six : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %tile = tensor.extract_slice %f[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %twice = linalg.add ins(%tile, %tile : tensor<1xf32>, tensor<1xf32>) outs(%tile : tensor<1xf32>) -> tensor<1xf32>
  %put = tensor.insert_slice %twice into %f[0] [1] [1] : tensor<1xf32> into tensor<2xf32>
  %over = tensor.insert %seven into %put[%c0] : tensor<2xf32>
  %back = tensor.extract_slice %over[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %y = tensor.extract %twice[%c0] : tensor<1xf32>
  %one = arith.constant 1.0 : f32
  %z = arith.addf %y, %one : f32
  %a = tensor.insert %z into %over[%c0] : tensor<2xf32>
  %b = tensor.extract %over[%c0] : tensor<2xf32>
  %c1 = arith.constant 1 : index
  %r = tensor.insert %b into %a[%c1] : tensor<2xf32>
  return %r : tensor<2xf32>
}

// What is put back is the same tensor under another name: a branch that writes the first copies it,
// because the other is read behind.
// CHECK-LABEL: func.func private @same_by_another_name(
// CHECK: scf.if
// CHECK: memref.copy
// CHECK: memref.store
func.func private @same_by_another_name(%n: index) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6.0 : f32
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %first = linalg.fill ins(%six : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %tile = tensor.extract_slice %first[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
  %same = tensor.insert_slice %tile into %first[1] [1] [1] : tensor<1xf32> into tensor<2xf32>
  %some = arith.cmpi sgt, %n, %c0 : index
  %r = scf.if %some -> (tensor<2xf32>) {
    %new = tensor.insert %seven into %first[%c0] : tensor<2xf32>
    scf.yield %new : tensor<2xf32>
  } else {
    scf.yield %same : tensor<2xf32>
  }
  return %same : tensor<2xf32>
}

// Two results begun from one tensor have a buffer each.
// CHECK-LABEL: func.func private @two_results(
// CHECK: linalg.generic {{.*}} outs(%[[A:.*]], %[[B:.*]] : memref<2xf32>, memref<2xf32>)
// CHECK: memref.load %[[A]]
// CHECK: memref.load %[[B]]
func.func private @two_results() -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %six = arith.constant 6.0 : f32
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %two:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%e, %e : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %six, %seven : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  %x = tensor.extract %two#0[%c0] : tensor<2xf32>
  %y = tensor.extract %two#1[%c0] : tensor<2xf32>
  %o = tensor.empty() : tensor<2xf32>
  %p = tensor.insert %x into %o[%c0] : tensor<2xf32>
  %r = tensor.insert %y into %p[%c1] : tensor<2xf32>
  return %r : tensor<2xf32>
}

// They begin as one tensor also where an op before made one of the other in place.
// CHECK-LABEL: func.func private @two_results_later(
// CHECK: linalg.generic {{.*}} outs(%[[ONE:.*]], %[[OTHER:[^ ]*]] : memref<2xf32>, memref<2xf32>)
// CHECK: memref.load %[[ONE]]
// CHECK: memref.load %[[OTHER]]
func.func private @two_results_later() -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %six = arith.constant 6.0 : f32
  %seven = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %first = linalg.fill ins(%six : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %second = linalg.fill ins(%seven : f32) outs(%first : tensor<2xf32>) -> tensor<2xf32>
  %two:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%first, %second : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %six, %seven : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  %x = tensor.extract %two#0[%c0] : tensor<2xf32>
  %y = tensor.extract %two#1[%c0] : tensor<2xf32>
  return %x, %y : f32, f32
}

func.func @main(%n: index) -> (f32, f32, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 0.0 : f32
  %x = arith.constant dense<[1.0, 1.0]> : tensor<2xf32>
  %y = arith.constant dense<[2.0, 2.0]> : tensor<2xf32>
  %0:2 = call @swapped(%x, %y, %n) : (tensor<2xf32>, tensor<2xf32>, index) -> (tensor<2xf32>, tensor<2xf32>)
  %1 = call @reads_the_first(%n) : (index) -> tensor<2xf32>
  %2 = call @sums() : () -> tensor<2xf32>
  %3 = call @tile_from_outside() : () -> tensor<2xf32>
  %4 = call @slice_kept(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %5 = call @same_by_another_name(%n) : (index) -> tensor<2xf32>
  %6 = call @two_results() : () -> tensor<2xf32>
  %r0 = vector.transfer_read %0#0[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r1 = vector.transfer_read %0#1[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r2 = vector.transfer_read %1[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r3 = vector.transfer_read %2[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r4 = vector.transfer_read %3[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r5 = vector.transfer_read %4[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r6 = vector.transfer_read %5[%c0], %k : tensor<2xf32>, vector<2xf32>
  %r7 = vector.transfer_read %6[%c0], %k : tensor<2xf32>, vector<2xf32>
  %8:2 = call @two_results_later() : () -> (f32, f32)
  return %8#0, %8#1, %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7 : f32, f32, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>
}
