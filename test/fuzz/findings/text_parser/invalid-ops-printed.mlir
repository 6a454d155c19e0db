func.func @f(%a: index, %m: memref<4xf32>) {
  "scf.index_switch"(%a) ({ scf.yield }, {scf.yield}) {cases = array<i64: 1, 2>} : (index) -> ()
  "memref.dma_start"(%m, %a, %m, %a) : (memref<4xf32>, index, memref<4xf32>, index) -> ()
  return
}
