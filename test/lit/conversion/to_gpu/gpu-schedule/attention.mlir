// RUN: mlc-opt %s --gpu-schedule | FileCheck %s
// Products with a softmax between are one kernel, which the first product's schedule stands for, if nobody else reads what is between.
#q = affine_map<(b, m, n, d) -> (b, m, d)>
#k = affine_map<(b, m, n, d) -> (b, n, d)>
#s = affine_map<(b, m, n, d) -> (b, m, n)>
#w = affine_map<(b, m, d, n) -> (b, m, n)>
#v = affine_map<(b, m, d, n) -> (b, n, d)>
#o = affine_map<(b, m, d, n) -> (b, m, d)>
#whole = affine_map<(b, m, n) -> (b, m, n)>
#row = affine_map<(b, m, n) -> (b, m)>
// CHECK-LABEL: func.func @attention
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : memref<12x128x128xf32>) attrs = {mlc.schedule = #gpu.schedule<kind = attention_fma, tile = [16, 128, 32], warps = [1, 4], stages = 2>}
// CHECK-NOT: mlc.schedule
// CHECK: return
func.func @attention(%q: memref<12x128x64xf32>, %k: memref<12x128x64xf32>, %v: memref<12x128x64xf32>, %out: memref<12x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = memref.alloc() : memref<12x128x128xf32>
  %w = memref.alloc() : memref<12x128x128xf32>
  %r = memref.alloc() : memref<12x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<12x128x128xf32>)
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : memref<12x128x64xf32>, memref<12x128x64xf32>) outs(%p : memref<12x128x128xf32>) {
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

// CHECK-LABEL: func.func @weights_are_read
// CHECK-NOT: kind = attention
// CHECK: return
func.func @weights_are_read(%q: memref<12x128x64xf32>, %k: memref<12x128x64xf32>, %v: memref<12x128x64xf32>, %out: memref<12x128x64xf32>, %w: memref<12x128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = memref.alloc() : memref<12x128x128xf32>
  // the weights are an argument
  %r = memref.alloc() : memref<12x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<12x128x128xf32>)
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : memref<12x128x64xf32>, memref<12x128x64xf32>) outs(%p : memref<12x128x128xf32>) {
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

// CHECK-LABEL: func.func @no_softmax
// CHECK-NOT: kind = attention
// CHECK: return
func.func @no_softmax(%q: memref<12x128x64xf32>, %k: memref<12x128x64xf32>, %v: memref<12x128x64xf32>, %out: memref<12x128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = memref.alloc() : memref<12x128x128xf32>
  %w = memref.alloc() : memref<12x128x128xf32>
  %r = memref.alloc() : memref<12x128xf32>
  linalg.fill ins(%zero : f32) outs(%p : memref<12x128x128xf32>)
  linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%q, %k : memref<12x128x64xf32>, memref<12x128x64xf32>) outs(%p : memref<12x128x128xf32>) {
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
    %e = math.exp2 %d : f32
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
