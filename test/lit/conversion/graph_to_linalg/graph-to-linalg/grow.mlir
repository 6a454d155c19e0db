// RUN: mlc-opt %s --graph-to-linalg --canonicalize | FileCheck %s
// What the memory holds is neither read nor written: the operand comes behind it.
// CHECK-LABEL: func.func @grow(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32> {mlc.dims = ["seq", ""]}, %[[PAST:[a-z0-9]+]]: index {mlc.size = "past"}, %[[ROOM:[a-z0-9]+]]: index {mlc.size = "room"}
// CHECK: %[[MEMORY:.*]] = tensor.empty(%[[ROOM]]) : tensor<?x8xf32>
// CHECK: %[[ALL:.*]] = tensor.insert_slice %[[X]] into %[[MEMORY]][%[[PAST]], 0] [%{{.*}}, 8] [1, 1]
// CHECK: return %[[ALL]]
func.func @grow(%x: tensor<?x8xf32, #graph.dims<["seq", ""]>>, %past: index {mlc.size = "past"}, %room: index {mlc.size = "room"}) -> tensor<?x8xf32, #graph.dims<["room", ""]>> {
  %0 = graph.grow %x {axis = 0 : i64, sizes = ["room", ""], start_sizes = ["past"]} : (tensor<?x8xf32, #graph.dims<["seq", ""]>>) -> tensor<?x8xf32, #graph.dims<["room", ""]>>
  return %0 : tensor<?x8xf32, #graph.dims<["room", ""]>>
}
