// RUN: mlc-opt %s -split-input-file -verify-diagnostics
// Shapes, types and sizes that PTX has no instruction for.

func.func @tile(%a: vector<2xf16>, %c: f32) {
  // expected-error@+1 {{unimplemented variant for MMA shape <16, 8, 12>}}
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%c, %c, %c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 12>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @registers(%a: vector<2xf16>, %c: f32) {
  // expected-error@+1 {{Could not match types for the C operands; expected one of 2xvector<2xf16> 4xf32 but got f32, f32}}
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @sums(%d: i64, %acc: !llvm.struct<(f32, f32, f32, f32)>) {
  // expected-error@+1 {{shape 'k' must be 32 for input type e4m3}}
  %0 = nvvm.wgmma.mma_async %d, %d, %acc, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  return
}

// -----

func.func @far(%p: !llvm.ptr<1>) {
  // expected-error@+1 {{expected source pointer in memory space 3}}
  %0 = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>} : (!llvm.ptr<1>) -> i32
  return
}

// -----

func.func @bytes(%to: !llvm.ptr<3>, %from: !llvm.ptr<1>) {
  // expected-error@+1 {{expected byte size to be either 4, 8 or 16.}}
  nvvm.cp.async.shared.global %to, %from, 2, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
  return
}

// -----

func.func @few() {
  // expected-error@+1 {{new register size must be in between 24 to 256}}
  nvvm.setmaxregister increase 16
  return
}

// -----

// expected-error@+1 {{'nvvm.kernel' attribute attached to unexpected op}}
func.func @host() attributes {nvvm.kernel} {
  return
}
