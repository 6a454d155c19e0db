// RUN: mlc-opt %s --linalg-vectorize --target=x86-64-v3 --split-input-file 2>/dev/null | FileCheck %s
// A last dimension of which it is known that it is at most a vector is a vector with a mask.
// CHECK-LABEL: func.func @bounded
// CHECK: %[[LANES:.*]] = affine.min
// CHECK: %[[MASK:.*]] = vector.create_mask %[[LANES]] : vector<8xi1>
// CHECK: %[[X:.*]] = vector.transfer_read %{{.*}}, %[[MASK]]
// CHECK: %[[Y:.*]] = math.exp %[[X]] : vector<8xf32>
// CHECK: vector.transfer_write %[[Y]], %{{.*}}, %{{.*}}
func.func @bounded(%x: tensor<?xf32>, %out: tensor<?xf32>, %i: index, %n: index) -> tensor<?xf32> {
  %lanes = affine.min affine_map<(i)[n] -> (8, n - i)>(%i)[%n]
  %in = tensor.extract_slice %x[%i] [%lanes] [1] : tensor<?xf32> to tensor<?xf32>
  %place = tensor.extract_slice %out[%i] [%lanes] [1] : tensor<?xf32> to tensor<?xf32>
  %0 = linalg.exp ins(%in : tensor<?xf32>) outs(%place : tensor<?xf32>) -> tensor<?xf32>
  %1 = tensor.insert_slice %0 into %out[%i] [%lanes] [1] : tensor<?xf32> into tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// CHECK-LABEL: func.func @unbounded
// CHECK: linalg.exp
func.func @unbounded(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
