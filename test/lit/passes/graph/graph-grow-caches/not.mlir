// RUN: mlc-opt %s --graph-grow-caches --split-input-file | FileCheck %s
// What the model reads otherwise, puts behind something, gives back twice, or knows the size of is
// copied as before.
// CHECK-NOT: graph.grow
// CHECK-NOT: mlc.caches

// Somebody else reads the past.
func.func @main(%past: tensor<?x8xf32, #graph.dims<["past", ""]>>, %x: tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> (tensor<?x8xf32, #graph.dims<["past + seq", ""]>>, tensor<?x8xf32, #graph.dims<["past", ""]>>) {
  %0 = graph.concat %past, %x {axis = 0 : i64} : (tensor<?x8xf32, #graph.dims<["past", ""]>>, tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["past + seq", ""]>>
  %1 = graph.relu %past : (tensor<?x8xf32, #graph.dims<["past", ""]>>) -> tensor<?x8xf32, #graph.dims<["past", ""]>>
  return %0, %1 : tensor<?x8xf32, #graph.dims<["past + seq", ""]>>, tensor<?x8xf32, #graph.dims<["past", ""]>>
}

// -----

// The past comes last.
func.func @main(%past: tensor<?x8xf32, #graph.dims<["past", ""]>>, %x: tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["past + seq", ""]>> {
  %1 = graph.relu %x : (tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["seq", ""]>>
  %0 = graph.concat %1, %past {axis = 0 : i64} : (tensor<?x8xf32, #graph.dims<["seq", ""]>>, tensor<?x8xf32, #graph.dims<["past", ""]>>) -> tensor<?x8xf32, #graph.dims<["past + seq", ""]>>
  return %0 : tensor<?x8xf32, #graph.dims<["past + seq", ""]>>
}

// -----

// Two outputs are one tensor.
func.func @main(%past: tensor<?x8xf32, #graph.dims<["past", ""]>>, %x: tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> (tensor<?x8xf32, #graph.dims<["past + seq", ""]>>, tensor<?x8xf32, #graph.dims<["past + seq", ""]>>) {
  %0 = graph.concat %past, %x {axis = 0 : i64} : (tensor<?x8xf32, #graph.dims<["past", ""]>>, tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["past + seq", ""]>>
  return %0, %0 : tensor<?x8xf32, #graph.dims<["past + seq", ""]>>, tensor<?x8xf32, #graph.dims<["past + seq", ""]>>
}

// -----

// Its length is known.
func.func @main(%past: tensor<5x8xf32>, %x: tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["seq + 5", ""]>> {
  %0 = graph.concat %past, %x {axis = 0 : i64} : (tensor<5x8xf32>, tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["seq + 5", ""]>>
  return %0 : tensor<?x8xf32, #graph.dims<["seq + 5", ""]>>
}
