// RUN: mlc-opt %s --graph-grow-caches -o %t && FileCheck %s --input-file %t
// RUN: mlc-opt %t --graph-grow-caches | FileCheck %s

// An output that is an input and more gets the shape of its memory, and only what is new is written.
// Its readers take windows; that of a reshape which puts in ones goes behind it. Both caches along
// `past` have one room.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: mlc.name = "k"
// CHECK-SAME: %[[ROOM:[a-z0-9]+]]: index {mlc.size = "`room of past`"})
// CHECK-SAME: tensor<?x?x8xf32, #graph.dims<["batch", "`room of past`", ""]>> {mlc.name = "new_k"}
// CHECK-SAME: mlc.caches = {{\[\[}}0, 0, 1, "past", "past + seq", "`room of past`"], [1, 1, 1, "past", "past + seq", "`room of past`"]]
// CHECK: %[[K:.*]] = graph.grow %{{.*}} {axis = 1 : i64, sizes = ["batch", "`room of past`", ""], start_sizes = ["past"]}
// CHECK: %[[READ:.*]] = graph.slice %[[K]] {axes = array<i64: 1>, end_sizes = ["past + seq"]
// CHECK: graph.relu %[[READ]]
// CHECK: %[[V:.*]] = graph.grow
// CHECK: %[[WIDE:.*]] = graph.reshape %[[V]] {{.*}} -> tensor<?x1x?x8xf32, #graph.dims<["batch", "", "`room of past`", ""]>>
// CHECK: graph.slice %[[WIDE]] {axes = array<i64: 2>, end_sizes = ["past + seq"]
// CHECK: return %[[K]], %[[V]]
func.func @main(%k: tensor<?x?x8xf32, #graph.dims<["batch", "past", ""]>> {mlc.name = "k"}, %v: tensor<?x?x8xf32, #graph.dims<["batch", "past", ""]>> {mlc.name = "v"}, %x: tensor<?x?x8xf32, #graph.dims<["batch", "seq", ""]>> {mlc.name = "x"}) -> (tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>> {mlc.name = "new_k"}, tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>> {mlc.name = "new_v"}, tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>, tensor<?x1x?x8xf32, #graph.dims<["batch", "", "past + seq", ""]>>) {
  %0 = graph.concat %k, %x {axis = -2 : i64} : (tensor<?x?x8xf32, #graph.dims<["batch", "past", ""]>>, tensor<?x?x8xf32, #graph.dims<["batch", "seq", ""]>>) -> tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>
  %1 = graph.relu %0 : (tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>) -> tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>
  %2 = graph.concat %v, %x {axis = 1 : i64} : (tensor<?x?x8xf32, #graph.dims<["batch", "past", ""]>>, tensor<?x?x8xf32, #graph.dims<["batch", "seq", ""]>>) -> tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>
  %3 = graph.reshape %2 {allow_zero = true, shape = array<i64: 1, 1, 1, 8>, sizes = ["batch", "", "past + seq", ""]} : (tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>) -> tensor<?x1x?x8xf32, #graph.dims<["batch", "", "past + seq", ""]>>
  %4 = graph.relu %3 : (tensor<?x1x?x8xf32, #graph.dims<["batch", "", "past + seq", ""]>>) -> tensor<?x1x?x8xf32, #graph.dims<["batch", "", "past + seq", ""]>>
  return %0, %2, %1, %4 : tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>, tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>, tensor<?x?x8xf32, #graph.dims<["batch", "past + seq", ""]>>, tensor<?x1x?x8xf32, #graph.dims<["batch", "", "past + seq", ""]>>
}
