// RUN: mlc-opt %s --convert-linalg-to-gpu --split-input-file --verify-diagnostics
func.func @none(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{expected 'mlc.schedule' to be a #gpu.schedule}}
  linalg.matmul {mlc.schedule = 3 : i32} ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @lists(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{expected its schedule to have tile of 3 and warps of 2 powers of two}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 48, 16], warps = [1, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @stages(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{expected its schedule to have 2 to 8 stages}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 1>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @sum(%a: memref<64x64xf32>, %c: memref<64xf32>) {
  // expected-error@+1 {{its schedule is that of a product, which it is not}}
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf32>) outs(%c : memref<64xf32>) dimensions = [1]
    {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 2>}
  return
}

// -----

func.func @unit(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  // expected-error@+1 {{its schedule does not fit its element types, or what a block has}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = mma, tile = [16, 32, 16], warps = [1, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf64>, memref<64x64xf64>) outs(%c : memref<64x64xf64>)
  return
}

// -----

func.func @memory(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{its schedule does not fit its element types, or what a block has}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [256, 256, 64], warps = [4, 4], stages = 4>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

func.func @warps(%a: memref<64x64xf32>, %s: memref<64xf32>) {
  // expected-error@+1 {{expected its schedule to have warps of 2 powers of two up to 32, one of them 1}}
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf32>) outs(%s : memref<64xf32>) dimensions = [1]
    {mlc.schedule = #gpu.schedule<kind = rows, warps = [4, 4]>}
  return
}

// -----

func.func @no_rows(%a: memref<64x64xf32>, %s: memref<64x64xf32>) {
  // expected-error@+1 {{its schedule is that of rows, and no reduction along rows follows}}
  linalg.exp {mlc.schedule = #gpu.schedule<kind = rows, warps = [4, 1]>} ins(%a : memref<64x64xf32>) outs(%s : memref<64x64xf32>)
  return
}

// -----

func.func @shared(%a: memref<64x64xf16>, %c: memref<64xf16>) {
  // expected-error@+1 {{its schedule has several threads for a point, and it has nothing that they could share}}
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf16>) outs(%c : memref<64xf16>) dimensions = [0]
    {mlc.schedule = #gpu.schedule<kind = points, warps = [64, 4]>}
  return
}

// -----

func.func @threads(%a: memref<64x64xf32>, %c: memref<64xf32>) {
  // expected-error@+1 {{expected its schedule to have warps of 2 powers of two, 1024 threads at most}}
  linalg.reduce {arith.addf} ins(%a : memref<64x64xf32>) outs(%c : memref<64xf32>) dimensions = [0]
    {mlc.schedule = #gpu.schedule<kind = points, warps = [64, 32]>}
  return
}

// -----

func.func @diagonal(%a: memref<64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{its schedule is that of points, and it has no result of static shape that its parallel loops walk}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, i)>], iterator_types = ["parallel"],
    mlc.schedule = #gpu.schedule<kind = points, warps = [64, 1]>} ins(%a : memref<64xf32>) outs(%c : memref<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}

// -----

func.func @no_attention(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{its schedule is that of attention, and no softmax of its rows and product with that follow}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = attention_fma, tile = [64, 64, 32], warps = [4, 1], stages = 2>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

// -----

#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#w = affine_map<(b, m, d, n) -> (b, m, n)>
#v = affine_map<(b, m, d, n) -> (b, n, d)>
#o = affine_map<(b, m, d, n) -> (b, m, d)>
#whole = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
func.func @too_large(%q: memref<12x128x64xf32>, %k: memref<12x128x64xf32>, %v: memref<12x128x64xf32>, %out: memref<12x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = memref.alloc() : memref<12x128x128xf32>
  %w = memref.alloc() : memref<12x128x128xf32>
  %r = memref.alloc() : memref<12x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<12x128x128xf32>)
  // expected-error@+1 {{its schedule does not fit its element types, its layout, or what a block has}}
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : memref<12x128x64xf32>, memref<12x128x64xf32>) outs(%p : memref<12x128x128xf32>) attrs = {mlc.schedule = #gpu.schedule<kind = attention_fma, tile = [128, 128, 32], warps = [8, 1], stages = 4>} {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%least : f32) outs(%r : memref<12x128xf32>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p : memref<12x128x128xf32>) outs(%r : memref<12x128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.maximumf %o, %x : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p, %r : memref<12x128x128xf32>, memref<12x128xf32>) outs(%p : memref<12x128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %d = arith.subf %x, %y : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  }
  linalg.fill ins(%zero : f32) outs(%r : memref<12x128xf32>)
  linalg.generic {indexing_maps = [#whole, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%p : memref<12x128x128xf32>) outs(%r : memref<12x128xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.addf %o, %x : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [#whole, #row, #whole], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%p, %r : memref<12x128x128xf32>, memref<12x128xf32>) outs(%w : memref<12x128x128xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %t = arith.divf %x, %y : f32
    linalg.yield %t : f32
  }
  linalg.fill ins(%zero : f32) outs(%out : memref<12x128x64xf32>)
  linalg.generic {indexing_maps = [#w, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%w, %v : memref<12x128x128xf32>, memref<12x128x64xf32>) outs(%out : memref<12x128x64xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %o, %m : f32
    linalg.yield %t : f32
  }
  return
}

// -----

func.func @split(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-error@+1 {{expected its schedule to have a split_k of 1 to 16, of fma or mma}}
  linalg.matmul {mlc.schedule = #gpu.schedule<kind = fma, tile = [16, 32, 16], warps = [1, 1], stages = 2, split_k = 17>}
    ins(%a, %b : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
